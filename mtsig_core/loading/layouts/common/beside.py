"""References and sources that what lies beside them tells.

``test.en`` beside outputs, both sides of ``test.de-en.de``, copies in folders of runs, and weaker words: ``gold.txt``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mtsig_core.loading.recognition.names import (
    TEST_SET,
    base_name,
    is_no_output,
    language_of,
    language_of_name,
    special,
    without_ending,
)
from mtsig_core.loading.recognition.roles import Kind
from mtsig_core.loading.sources.tree import FileTree

_SET = re.compile(rf"{TEST_SET.pattern}(?:[._-][A-Za-z]+)*", re.IGNORECASE)  # tst-COMMON
_PAIR = re.compile(r"(?P<stem>.+)\.(?P<a>[a-z]{2,3})-(?P<b>[a-z]{2,3})\.(?P<own>[a-z]{2,3})(?:\.txt)?")
_FLORES = re.compile(r"(?P<code>[a-z]{3})_[A-Z][a-z]{3}\.(?:dev|devtest)")
_GOLD = re.compile(
    r"(?:(?:gold(?:en|s)?|(?:ground[-_]?)?truths?|labels?|expected|answers?)/[^/]+|"
    r"(?:[^/]+/)?(?:.+\.)?(?:gold(?:en|s)?|(?:ground[-_]?)?truths?|labels?|expected|answers?)"
    r"(?:[-_.](?:test|dev|eval|[a-z]{2,3}))?(?:\.txt)?)",
    re.IGNORECASE,
)


def beside_outputs(files: FileTree) -> dict[str, Kind]:
    """Return which files are references or sources by what lies beside them."""
    ways = (_copies_in_runs, _named_as_sets, _sides_of_a_pair, _of_flores, _called_gold)
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
    """Return the one text that weaker words call a reference, by its own name or that of its folder."""
    texts = _texts_without_sides(files)
    gold = [path for path in texts if _GOLD.fullmatch(path)]
    return {gold[0]: "reference"} if len(gold) == 1 and len(texts) > 1 else {}


def _texts_without_sides(files: FileTree) -> list[str]:
    """Return the texts; none where one is called a reference or a source by itself."""
    texts = [path for path in files if not is_no_output(path)]
    return [] if any(special(path) for path in texts) else texts
