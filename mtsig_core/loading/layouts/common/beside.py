"""References and sources that what lies beside them tells.

``test.en`` beside outputs, both sides of ``test.de-en.de``, copies in folders of runs, and weaker words: ``gold.txt``.
Tools also write a reference for every run, ``base.seed1.ref`` beside ``base.seed1.hyp``: all must be equal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mtsig_core.loading.recognition.names import (
    TEST_SET,
    bare_stem,
    base_name,
    is_no_output,
    language_of,
    language_of_name,
    special,
    special_name,
    split_flat,
    without_ending,
    without_text_ending,
)
from mtsig_core.loading.recognition.roles import FileRole, Kind
from mtsig_core.loading.report import LoadError
from mtsig_core.loading.sources.tree import FileTree

_SET = re.compile(rf"{TEST_SET.pattern}(?:[._-][A-Za-z]+)*", re.IGNORECASE)  # tst-COMMON
_PAIR = re.compile(r"(?P<stem>.+)\.(?P<a>[a-z]{2,3})-(?P<b>[a-z]{2,3})\.(?P<own>[a-z]{2,3})(?:\.txt)?")
_FLORES = re.compile(r"(?P<code>[a-z]{3})_[A-Z][a-z]{3}\.(?:dev|devtest)")
#: Weaker words for a reference; those of the second kind only where nothing but a test set stands before them.
_WORDS = r"(?P<word>gold(?:en|s)?|(?:ground[-_]?)?truths?|labels?|expected|answers?)"
_ALONE = r"(?P<alone>human(?:[-_]?(?:translations?|references?))?|ht|gt|correct)"
_NUMBER = r"(?P<number>[-_.]?\d{1,2})?"
_GOLD = re.compile(
    rf"(?:(?:gold(?:en|s)?|(?:ground[-_]?)?truths?|labels?|expected|answers?|gt)/[^/]+|"
    rf"(?:[^/]+/)?(?:(?:.+\.)?{_WORDS}|(?:{TEST_SET.pattern}[._-])?{_ALONE}){_NUMBER}"
    r"(?:[-_.](?:test|dev|eval|[a-z]{2,3}))?(?:\.txt)?)",
    re.IGNORECASE,
)
#: Folders of runs on the same test set; of folds and samples each may have its own.
_RUN = re.compile(r"(?:seed|run|rep|replica|repeat|init|opt)[ ._=-]?\d+", re.IGNORECASE)


def beside_outputs(files: FileTree) -> dict[str, Kind]:
    """Return which files are references or sources by what lies beside them."""
    ways = (_copies_in_runs, _in_a_folder_of_data, _named_as_sets, _sides_of_a_pair, _of_flores, _called_gold)
    return next(filter(None, (way(files) for way in ways)), {})


def _copies_in_runs(files: FileTree) -> dict[str, Kind]:
    """Return the references and sources that lie, all the same, beside the one output of each run's folder."""
    folders: dict[str, list[str]] = {}
    for path in files:
        if path.count("/") > 1 and not is_no_output(path):
            folders.setdefault(path.rpartition("/")[0], []).append(path)
    kinds: dict[str, Kind] = {}
    for own in folders.values():
        sides = {path: kind for path in own if (kind := special(path)) in ("reference", "source")}
        if len(own) != len(sides) + 1:
            return {}
        kinds.update(sides)
    return kinds if _is_repeated(list(kinds), len(folders), files) and "reference" in kinds.values() else {}


def _in_a_folder_of_data(files: FileTree) -> dict[str, Kind]:
    """Return the only reference, and its source, that lie deeper than outputs do: ``data/test/test.ref``."""
    texts = [path for path in files if not is_no_output(path)]
    sides: dict[str, Kind] = {path: kind for path in texts if (kind := special(path))}
    references = [path for path, kind in sides.items() if kind == "reference"]
    if len(references) != 1 or references[0].count("/") < 2:
        return {}
    folder, top = references[0].rpartition("/")[0], references[0].partition("/")[0]
    if any(path.startswith(f"{top}/") and path not in sides for path in texts):
        return {}
    return {path: kind for path, kind in sides.items() if path.rpartition("/")[0] == folder}


def _is_repeated(paths: Sequence[str], n_folders: int, files: FileTree) -> bool:
    """Say whether every folder has the same files."""
    copies: dict[str, list[str]] = {}
    for path in paths:
        copies.setdefault(base_name(path), []).append(path)
    return n_folders > 1 and all(
        len(own) == n_folders and all(files[path] == files[own[0]] for path in own) for own in copies.values()
    )


def _named_as_sets(files: FileTree) -> dict[str, Kind]:
    """Return ``test.en`` as the reference and ``test.de`` as the source of outputs ``SYSTEM.en``."""
    texts = _texts_without_sides(files)
    languages = {path: language_of_name(base_name(path)) for path in texts}
    stems: dict[str, list[str]] = {}
    for path in texts:
        stems.setdefault(without_ending(path), []).append(path)
    named = [own for stem, own in stems.items() if languages[own[0]] and _SET.fullmatch(base_name(stem))]
    both = [own for own in named if len(own) == 2]
    sides = both if len(both) == 1 else [own for own in named if "/" not in own[0]]
    if len(sides) != 1 or len(sides[0]) > 2 or len(sides[0]) == len(texts):
        return {}
    outputs = {languages[path] for path in texts if path not in sides[0]}
    references = [path for path in sides[0] if languages[path] in outputs]
    if len(outputs) != 1 or len(references) != 1:
        return {}
    return {path: "reference" if path in references else "source" for path in sides[0]}


def _of_flores(files: FileTree) -> dict[str, Kind]:
    """Return ``fra_Latn.devtest`` as the reference of outputs that name French, alone or behind their source."""
    texts = _texts_without_sides(files)
    sides = {match["code"]: path for path in texts if (match := _FLORES.fullmatch(base_name(path)))}
    outputs = [path for path in texts if path not in sides.values()]
    if not outputs or len(sides) > 2:
        return {}
    targets = {max(((_last(code, path), code) for code in sides), default=(-1, ""))[1] for path in outputs}
    if len(targets) != 1 or any(_last(min(targets), path) < 0 for path in outputs):
        return {}
    return {path: "reference" if code in targets else "source" for code, path in sides.items()}


def _last(code: str, path: str) -> int:
    """Return where the name of an output says a language last, with or without the script; -1 where it does not."""
    found = [m.start() for m in re.finditer(rf"(?<![A-Za-z]){code}(?:_[A-Z][a-z]{{3}})?(?![A-Za-z])", path)]
    return found[-1] if found else -1


def _sides_of_a_pair(files: FileTree) -> dict[str, Kind]:
    """Return ``test.de-en.en`` as the reference and ``test.de-en.de`` as the source; of en to de, if outputs are de."""
    texts = _texts_without_sides(files)
    matches = {path: match for path in texts if (match := _PAIR.fullmatch(path))}
    pairs = {path: match for path, match in matches.items() if match["own"] in match.group("a", "b")}
    if len(pairs) != 2 or len(texts) == 2 or len({(m["stem"], m["a"], m["b"]) for m in pairs.values()}) != 1:
        return {}
    sides = {match["own"]: path for path, match in pairs.items()}
    source, target = next(iter(pairs.values())).group("a", "b")
    said = {language_of_name(base_name(path)) for path in texts if path not in pairs}
    if language_of(source) in said and language_of(target) not in said:
        source, target = target, source
    return {sides[target]: "reference", sides[source]: "source"} if len(sides) == 2 else {}


def _called_gold(files: FileTree) -> dict[str, Kind]:
    """Return the text that weaker words call a reference; sources beside it are known by themselves."""
    texts = [path for path in files if not is_no_output(path) and special(path) not in ("source", "documents")]
    gold = [] if any(special(path) for path in texts) else weaker_references(texts)
    return dict.fromkeys(gold, "reference") if len(gold) < len(texts) else {}


def weaker_references(paths: Sequence[str]) -> list[str]:
    """Return the one file that weaker words call a reference, by its name or its folder's; or several with numbers.

    ``gold.txt``, ``human.txt``, ``gt/test.txt``; ``human1.txt`` and ``human2.txt``.
    """
    gold = {path: match for path in paths if (match := _GOLD.fullmatch(path))}
    words = {(match["word"] or match["alone"] or "").casefold() for match in gold.values()}
    numbers = {match["number"] for match in gold.values()}
    are_numbered = len(words) == 1 and None not in numbers and len(numbers) == len(gold)
    return list(gold) if len(gold) == 1 or are_numbered else []


def _texts_without_sides(files: FileTree) -> list[str]:
    """Return the texts; none where one is called a reference or a source by itself."""
    texts = [path for path in files if not is_no_output(path)]
    return [] if any(special(path) for path in texts) else texts


# A reference beside each output, under its name


def belong_to_runs(files: FileTree) -> bool:
    """Say whether the references are those of runs: each beside an output of its name, all equal or of marked runs."""
    references = _sides(files, "reference")
    return bool(references) and (_are_equal(list(references), files) or all(map(split_flat, references.values())))


def differ_by_run(files: FileTree) -> list[str]:
    """Return references of one name that differ from folder to folder, where folders say nothing but a seed or run."""
    references = [path for path in files if special_name(path) == ("reference", "")]
    folders = [path.split("/")[-2:-1] for path in references]
    if not all(folder and _RUN.fullmatch(folder[0]) for folder in folders):
        return []
    by_name: dict[str, list[str]] = {}
    for path in references:
        by_name.setdefault(base_name(path), []).append(path)
    return next((own for own in by_name.values() if not _are_equal(own, files)), [])


def sides_of_runs(files: FileTree, test_set: str) -> dict[str, FileRole]:
    """Return one reference, and one source where all are equal; the other files are copies.

    Raises
    ------
    LoadError
        When the references of runs differ.
    """
    if differing := differ_by_run(files):
        _check_equal(differing, files)
    references = _sides(files, "reference")
    if not references or not belong_to_runs(files):
        return {}
    _check_equal(list(references), files)
    roles = _first_of(list(references), "reference", test_set)
    sources = list(_sides(files, "source"))
    if sources and _are_equal(sources, files):
        roles |= _first_of(sources, "source", test_set)
    return roles


def _first_of(paths: Sequence[str], kind: str, test_set: str) -> dict[str, FileRole]:
    reason = f"a copy of the {kind} {paths[0]}"
    copies = {path: FileRole(path, "ignored", test_set, reason=reason) for path in paths[1:]}
    first = FileRole(paths[0], "reference" if kind == "reference" else "source", test_set)
    return {paths[0]: first} | copies


def _sides(files: FileTree, kind: str) -> dict[str, str]:
    """Return what stands before the role word of each file of a kind; nothing where one has no output of its name."""
    texts = [path for path in files if not is_no_output(path)]
    split = {path: own for path in texts if (own := special_name(path))}
    named = {_place(path, name) for path in texts if path not in split
             for name in (bare_stem(path), without_ending(base_name(path)), without_text_ending(base_name(path)))}
    sides = {path: own[1] for path, own in split.items() if own[0] == kind}
    are_beside = all(before and _place(path, before) in named for path, before in sides.items())
    return sides if len(sides) > 1 and are_beside else {}


def _place(path: str, name: str) -> str:
    return f"{path.rpartition('/')[0]}/{name}"


def _are_equal(paths: Sequence[str], files: FileTree) -> bool:
    return len({files[path] for path in paths}) == 1


def _check_equal(paths: Sequence[str], files: FileTree) -> None:
    first = files.text(paths[0]).lines
    for path in paths[1:]:
        lines = files.text(path).lines
        if lines == first:
            continue
        remedy = "Give one reference for all, ref.txt, and outputs in its order."
        why = "If these are runs on different test sets, name folders by sets, not by runs, as in wmt20/ref.txt."
        if sorted(lines) == sorted(first):
            why = "It holds the same lines in another order, as outputs that were not sorted by their ids do."
        shorter = min(len(first), len(lines))
        at = next((i for i in range(shorter) if first[i] != lines[i]), shorter) + 1
        raise LoadError(f"{path}, line {at}: this reference of a run differs from {paths[0]}. {why} {remedy}", path)
