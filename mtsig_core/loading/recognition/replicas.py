"""Names of files that lie beside each other -> systems and replicas: what no name says by itself, all say together.

A number at the end of a name is a replica only with a word that says so (seed, run, ...), as ``STEM.K`` beside
``refK``, or when the same numbers, two at least, stand behind two names at least: sizes and versions (``mbart-50``,
``gpt-3.5``) belong to the system.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from mtsig_core.loading.recognition.names import (
    VERSION,
    bare_stem,
    base_name,
    is_count,
    is_mark,
    split_flat,
    without_ending,
    without_text_ending,
)
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import Reporter, some

_NUMBERED = re.compile(r"^(?P<system>.*?[^._-])(?P<gap>[._-]+)(?P<replica>\d+)$")
_LETTER = re.compile(r"^(?P<system>.*?[^._-])[._-]+(?P<replica>[rs]\d{1,3})$", re.IGNORECASE)
_CHECKPOINT = re.compile(
    r"(?:^|(?P<gap>[._,/-]))(?P<checkpoint>(?:checkpoints?|ckpt|(?:global[_-]?)?steps?|epochs?|iter|iters|iteration|updates?)"
    r"[._=-]?(?:\d+(?:\.\d+)?[km]?|best|last|final|avg\w*)(?:[._-](?=\d)\d+)?)(?=$|[._,/-])",
    re.IGNORECASE,
)
_REMEDY = (
    "To change this, give system and replica of a file in experiment.toml ([[files]] path, kind, system, replica)."
)


@dataclass(frozen=True)
class OutputName:
    """What the name of one output says.

    Parameters
    ----------
    system, replica : str
    checkpoint : str
        The step or epoch that the name says; "" without one.
    why : {"marked", "alone", "count", "number", "letter", "numbers", "keys", "wandb", "in-runs", "in-folders",
        "beside-references", "none"}
        What the replica rests on.
    """

    system: str
    replica: str
    checkpoint: str = ""
    why: str = "marked"


def split_names(
    names: Sequence[str] | Mapping[str, str], reference_numbers: Collection[str] = (), *, endings: bool = True,
    checkpoints: Mapping[str, str] | None = None,
) -> dict[str, OutputName]:
    """Return system, replica and checkpoint of outputs that lie beside each other, by path.

    Parameters
    ----------
    names : sequence of path, or mapping of path to name
        Names of files; by default the last part of each path.
    reference_numbers : collection of str
        The numbers K of references ``refK`` beside them: outputs ``STEM.K`` are then replicas.
    endings : bool
        Whether names may end in ``.txt``, a language and the like; those of folders do not.
    checkpoints : mapping of path to str, optional
        Checkpoints that are known without the names.
    """
    given = dict(names) if isinstance(names, Mapping) else {path: base_name(path) for path in names}
    bare: dict[str, str] = {}
    steps = dict(checkpoints or {})
    for path, name in given.items():
        bare[path], own = split_checkpoint(without_text_ending(name) if endings else name)
        steps[path] = steps.get(path) or own
    marked = {path: OutputName(*pair, why=_why(name)) for path, name in bare.items() if (pair := split_flat(name))}
    marked |= _marks_alone({path: name for path, name in bare.items() if path not in marked})
    rest = {path: name for path, name in bare.items() if path not in marked}
    split = marked | _numbered(rest, set(reference_numbers), endings)
    split |= _alone({p: n for p, n in rest.items() if p not in split}, given, steps, endings)
    return {path: replace(_filled(split[path]), checkpoint=steps[path]) for path in given}


def _why(name: str) -> Literal["keys", "count", "marked"]:
    return "keys" if "=" in name else "count" if is_count(name) else "marked"


def _marks_alone(bare: Mapping[str, str]) -> dict[str, OutputName]:
    """Return ``seed1, seed2`` as replicas of one system without a name; numbers alone only where nothing else is."""
    stems = {path: bare_stem(name) for path, name in bare.items()}
    marks = {path: stem for path, stem in stems.items() if is_mark(stem)}
    if len(marks) < len(bare):
        marks = {path: stem for path, stem in marks.items() if not stem.isdecimal()}
    if len(marks) < 2 or len(set(marks.values())) < len(marks):
        return {}
    return {path: OutputName("system", stem, why="alone") for path, stem in marks.items()}


def _alone(
    bare: Mapping[str, str], given: Mapping[str, str], checkpoints: Mapping[str, str], endings: bool
) -> dict[str, OutputName]:
    """Return a system for each name, with its ending where two would be equal."""
    short = {path: without_ending(name) if endings else name for path, name in bare.items()}
    same = Counter((name, checkpoints[path]) for path, name in short.items())
    unique = {path: name if same[name, checkpoints[path]] == 1 else given[path] for path, name in short.items()}
    same = Counter((name, checkpoints[path]) for path, name in unique.items())
    whole = {path: name if same[name, checkpoints[path]] == 1 else path for path, name in unique.items()}
    return {path: OutputName(name, "1", why="none") for path, name in whole.items()}


def _filled(name: OutputName) -> OutputName:
    """Give a name of replicas or of keys alone what it lacks."""
    return replace(name, system=name.system or "system", replica=name.replica or "1")


def split_checkpoint(name: str) -> tuple[str, str]:
    """Take the step or epoch out of a name; "" and the whole name where there is none or nothing else."""
    match = _CHECKPOINT.search(name)
    if match is None:
        return name, ""
    rest = name[: match.start()] + name[match.end() :]
    return rest.strip("._,/-") or "system", match["checkpoint"]


def is_checkpoint(name: str) -> bool:
    """Say whether a name says a step or an epoch and nothing else."""
    return _CHECKPOINT.fullmatch(name) is not None


def _numbered(bare: Mapping[str, str], reference_numbers: set[str], endings: bool) -> dict[str, OutputName]:
    matches: dict[str, tuple[str, str, str]] = {}
    for path, name in bare.items():
        for candidate in dict.fromkeys((name, without_ending(name)) if endings else (name,)):
            pattern = _LETTER.match(candidate) or _NUMBERED.match(candidate)
            if pattern and not _is_version(candidate, bare.values()):
                gap = pattern.groupdict().get("gap", "letter")
                matches[path] = pattern["system"], pattern["replica"], gap or ""
                break
    numbers: dict[str, set[str]] = {}
    for system, number, _ in matches.values():
        numbers.setdefault(system, set()).add(number)
    sets = [frozenset(own) for own in numbers.values()]
    names = {}
    for path, (system, number, gap) in matches.items():
        own = frozenset(numbers[system])
        if gap == "." and reference_numbers and number in reference_numbers:
            names[path] = OutputName(system, number, why="beside-references")
        elif len(own) > 1 and sets.count(own) > 1:
            names[path] = OutputName(system, number, why="letter" if gap == "letter" else "number")
    return names


def _is_version(name: str, names: Collection[str]) -> bool:
    """Say whether the last number belongs to a version: ``gpt-3.5``, ``llama3.1``; not ``sys2.1`` beside ``sys1.1``."""
    if VERSION.search(name):
        return True
    match = re.fullmatch(r"(?P<word>.*?[A-Za-z])(?P<major>\d+)\.\d+", name)
    if match is None:
        return False
    same = re.compile(re.escape(match["word"]) + r"(\d+)\.\d+")
    majors = {m[1] for other in names if (m := same.fullmatch(other))}
    return len(majors) < 2


def report_names(names: Mapping[str, OutputName], report: Reporter) -> None:
    """List what was guessed from names: which numbers are replicas, and which are part of a system's name."""
    groups: dict[str, list[str]] = {}
    for path, name in names.items():
        groups.setdefault(name.why, []).append(path)
    sentences = {
        "number": "The same numbers follow the names of several systems: read as replicas",
        "letter": "The same letters and numbers follow the names of several systems: read as replicas",
        "alone": "Names that say a run and no system were read as replicas of one system",
        "count": "Numbers behind a word for outputs were read as replicas",
        "numbers": "Folders called by a number alone were read as replicas of one system",
        "keys": "Of names with KEY=VALUE, the keys that say seed, run, fold or trial were read as the replica, the "
        "others as the system",
        "in-runs": "Folders called by a run hold a file for each system: the file was read as the system, the folder "
        "as the replica",
        "in-folders": "Files beside each other were read as the replicas of a system that is called by their folders",
        "wandb": "Folders of runs of Weights & Biases were read as replicas of one system",
        "beside-references": "Numbers of outputs beside numbered references were read as replicas of one system",
    }
    for why, sentence in sentences.items():
        if why in groups:
            listed = some(sorted({f"{names[p].system}: {names[p].replica}" for p in groups[why]}), 6)
            report.assume("replica-by-number", f"{sentence} ({listed}).", _REMEDY, groups[why])
    alone = groups.get("none", [])
    numbered = [path for path in alone if re.search(r"\d$", names[path].system)]
    if numbered:
        listed = some(dict.fromkeys(names[path].system for path in numbered), 6)
        message = f"The number at the end of a name was read as part of the system's name ({listed})."
        report.assume("number-in-name", message, _REMEDY, numbered)
    if alone:
        listed = some(dict.fromkeys(names[path].system for path in alone), 6)
        message = f"Names without a replica were each read as a system with one replica ({listed})."
        report.assume("no-replica-in-name", message, _REMEDY, alone)


def report_sides(roles: Iterable[FileRole], report: Reporter) -> None:
    """List which files were taken for references, sources and ids of documents by their names, and of which set."""
    remedy = "To change this, say what each file is: on the Data page, or in experiment.toml ([[files]] path, kind)."
    by_kind: dict[str, list[FileRole]] = {}
    for role in roles:
        by_kind.setdefault(role.kind, []).append(role)
    for kind, word in (("reference", "References"), ("source", "Source"), ("documents", "Document ids")):
        own = by_kind.get(kind, [])
        several = len({role.test_set for role in own}) > 1
        listed = some([f"{role.path} (of {role.test_set!r})" if several else role.path for role in own], 12)
        if own:
            message = f"{word} by the name of the file: {listed}."
            report.assume(f"{kind}-by-name", message, remedy, [role.path for role in own])
