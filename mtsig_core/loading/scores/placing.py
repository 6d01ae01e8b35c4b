"""Which output a block of scores is of: by the names in its file, matched with those of the outputs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from mtsig_core.loading.recognition.names import base_name, is_mark, split_flat, split_marked, without_ending
from mtsig_core.loading.recognition.replicas import split_names
from mtsig_core.loading.recognition.roles import OutputKey
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores.blocks import ScoreBlock, TextSet
from mtsig_core.loading.sources.tree import STRUCTURE

DEFAULT_SET = "test"
_REPLICA = "To change this, add a column 'replica', or name the file by system and replica."


def place(
    block: ScoreBlock, text_sets: Mapping[str, TextSet], outputs: Mapping[OutputKey, str],
    by_path: Mapping[str, tuple[str, str]], report: Reporter,
) -> ScoreBlock:  # fmt: skip
    """Return the block with system, replica and test set filled in.

    Parameters
    ----------
    block : ScoreBlock
    text_sets : mapping of test set to TextSet
    outputs : mapping of (system, replica, test set) to file
    by_path : mapping of a path to (system, replica)
        What paths of outputs without text say, beside each other.
    report : Reporter

    Raises
    ------
    LoadError
        When it does not say which of several test sets or replicas it is of.
    """
    if block.output_path in by_path:
        system, replica = by_path[block.output_path]
        block = replace(block, system=system, replica=replica)
    elif block.output_path and (key := output_of_path(block.output_path, outputs)):
        system, replica, test_set = key
        return replace(block, system=system, replica=replica, test_set=test_set)
    block = _in_set(block, text_sets, outputs, report)
    return _named(block, outputs, report)


def in_named_sets(blocks: Sequence[ScoreBlock], names: Mapping[str, str], is_alone: bool) -> list[ScoreBlock]:
    """Return blocks under the new names of test sets that occur only in files of scores; "" leaves a set out.

    Where there is no text at all (`is_alone`), scores that name no set are of the default one.
    """
    named = [(block, block.test_set or (DEFAULT_SET if is_alone else "")) for block in blocks]
    return [
        replace(block, test_set=names[name]) if name in names else block
        for block, name in named
        if names.get(name, "x")
    ]


def as_named(
    blocks: Sequence[ScoreBlock], names: Mapping[str, str], outputs: Collection[OutputKey]
) -> list[ScoreBlock]:
    """Return placed blocks under what systems are to be called, where no output has text; "" leaves a system out."""
    renamed_blocks = []
    for block in blocks:
        key = (block.system, block.replica, block.test_set)
        name = block.system if key in outputs else names.get(block.system, block.system)
        if name:
            renamed_blocks.append(block if name == block.system else replace(block, system=name))
    return renamed_blocks


def output_of_path(path: str, outputs: Mapping[OutputKey, str]) -> OutputKey | None:
    """Return the one output whose file ends as the path does, in as many folders as possible."""
    wanted = _parts(path)
    shared = {key: _shared_end(wanted, _parts(file)) for key, file in outputs.items()}
    most = max(shared.values(), default=0)
    best = [key for key, n in shared.items() if n == most]
    return best[0] if most and len(best) == 1 else None


def _parts(path: str) -> list[str]:
    bare = path.replace("\\", "/").removesuffix(".gz").removesuffix(".zst")
    return [part for part in bare.split("/") if part not in ("", ".", "..")]


def _shared_end(a: list[str], b: list[str]) -> int:
    n = 0
    while n < min(len(a), len(b)) and a[-1 - n] == b[-1 - n]:
        n += 1
    return n


def names_of_paths(paths: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return system and replica of outputs by their paths alone, each seen beside the others.

    ``SYSTEM.seed1.txt``, ``SYSTEM/seed1.txt`` and ``seed1/SYSTEM.txt`` say it by a word, ``SYSTEM/hyp.txt`` by one
    name in several folders, ``SYSTEM/NAME.txt`` by the same names, two at least, in several folders, and ``SYSTEM.1``
    by the same numbers behind several systems. Else a file is a system, whatever its folder is called.
    """
    parts = {path: _parts(path) or [path] for path in paths}
    stems = {path: without_ending(base_name(own[-1])) for path, own in parts.items()}
    folders = {path: own[-2] if len(own) > 1 and own[-2].casefold() not in STRUCTURE else ""
               for path, own in parts.items()}  # fmt: skip
    by_folder: dict[str, set[str]] = {}
    for path, folder in folders.items():
        by_folder.setdefault(folder, set()).add(stems[path])
    in_grid = len(by_folder) > 1 and "" not in by_folder and len({frozenset(own) for own in by_folder.values()}) == 1
    is_one_name = len(by_folder) > 1 and len(set(stems.values())) == 1
    numbered = {path: (name.system, name.replica) for path, name in split_names(stems, endings=False).items()
                if name.why in ("number", "letter")}  # fmt: skip
    names = {}
    for path, own in parts.items():
        in_systems = in_grid or (len(own) > 2 and own[-3].casefold() in STRUCTURE)
        names[path] = split_flat(own[-1]) or numbered.get(path) or _of_folder(
            folders[path], stems[path], own[-3] if len(own) > 2 else "", in_grid=in_systems, is_one_name=is_one_name
        )
    return names


def _of_folder(folder: str, stem: str, above: str, *, in_grid: bool, is_one_name: bool) -> tuple[str, str]:
    if folder and is_mark(stem):
        return folder, stem
    if above and is_one_name and is_mark(folder):
        return above, folder
    if folder and is_one_name:
        return split_marked(folder) or (folder, "1")
    if folder and is_mark(folder):
        return stem, folder
    return (folder, stem) if in_grid else (stem, "1")


def _in_set(
    block: ScoreBlock, text_sets: Mapping[str, TextSet], outputs: Iterable[OutputKey], report: Reporter
) -> ScoreBlock:
    if block.test_set in text_sets:
        return block
    if not text_sets:
        return replace(block, test_set=block.test_set or DEFAULT_SET)
    if block.test_set:
        return block
    folders = [folder for folder in block.file.split("/")[:-1] if folder in text_sets]
    if folders or len(text_sets) == 1:
        return replace(block, test_set=folders[0] if folders else next(iter(text_sets)))
    n = len(block.in_order or ())
    fitting = [name for name, its in text_sets.items() if block.in_order is None or its.length == n]
    names = {(system, test_set) for system, _, test_set in outputs}
    fitting = [name for name in fitting if (block.system, name) in names] or fitting
    if len(fitting) == 1 and block.in_order is not None:
        sentence = f"The number of scores says that they are of test set {fitting[0]!r}"
        remedy = "To change this, put the file into the folder of its test set, or add a column 'test set'."
        report.gather_guess("test-set-by-length", sentence, remedy, block.file)
        return replace(block, test_set=fitting[0])
    raise LoadError(
        f"{block.label}: does not say which test set it is of; there are {some(map(repr, text_sets))}. Put "
        "the file into the folder of its test set, or add a column 'test set'.",
        block.file,
    )


def _named(block: ScoreBlock, outputs: Mapping[OutputKey, str], report: Reporter) -> ScoreBlock:
    """Match names with those of outputs with text; else make the names that an output file would have got."""
    own = [replica for system, replica, test_set in outputs if (system, test_set) == (block.system, block.test_set)]
    if block.replica:
        same = [replica for replica in own if _number(replica) == _number(block.replica)]
        if block.replica in own or len(same) != 1 or not block.replica.isdecimal():
            return block
        sentence = "Replicas that scores call by number were matched with outputs of that number"
        report.gather_guess("replica-number", sentence, _REPLICA, block.file)
        return replace(block, replica=same[0])
    if len(own) == 1:
        return replace(block, replica=own[0])
    pair = split_marked(block.system)
    if pair is not None:
        sentence = "The system's name was split into system and replica"
        report.gather_guess("replica-in-name", sentence, _REPLICA, block.file)
        return replace(block, system=pair[0], replica=pair[1])
    if own:
        raise LoadError(
            f"{block.label}: does not say which of the {len(own)} replicas of {block.system!r} it is of. Add a column "
            "'replica'.",
            block.file,
        )
    sentence = "No replica is named: read as the system's only one"
    report.gather_guess("no-replica-in-name", sentence, _REPLICA, block.file)
    return replace(block, replica="1")


def _number(name: str) -> str:
    digits = re.findall(r"\d+", name)
    return (digits[-1].lstrip("0") or "0") if digits else name


def renamed(blocks: Sequence[ScoreBlock], names: Mapping[OutputKey, OutputKey]) -> list[ScoreBlock]:
    """Return blocks under the names that outputs were given after the score files were written.

    A name that several outputs have, and that became several names, is left as it is.
    """
    return [_renamed(block, names) for block in blocks] if names else list(blocks)


def _renamed(block: ScoreBlock, names: Mapping[OutputKey, OutputKey]) -> ScoreBlock:
    names_in_file = (block.system, block.replica, block.test_set)
    new = {to for key, to in names.items() if all(not t or t == k for t, k in zip(names_in_file, key, strict=True))}
    if not new:
        sets = {to[2] for key, to in names.items() if key[2] == block.test_set}
        return replace(block, test_set=sets.pop()) if len(sets) == 1 else block
    columns = [set(column) for column in zip(*new, strict=True)]
    system, replica, test_set = (
        values.pop() if name and len(values) == 1 else name for name, values in zip(names_in_file, columns, strict=True)
    )
    return replace(block, system=system, replica=replica, test_set=test_set)
