"""References and sources that what lies beside them tells: ``test.en`` beside outputs, copies in folders of runs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mtsig_core.loading.recognition.names import base_name, is_no_output, language_of_name, special, without_ending
from mtsig_core.loading.recognition.roles import Kind
from mtsig_core.loading.sources.tree import FileTree

#: Names of test sets, which a text of that name in the language of the outputs is a reference of.
_SET = re.compile(
    r"(?:newstest|test|tst|testset|dev|devtest|valid|eval|heldout|flores|ntrex|wmt|iwslt)[-_]?\d*(?:[-_]?\d+)?",
    re.IGNORECASE,
)


def beside_outputs(files: FileTree) -> dict[str, Kind]:
    """Return which files are references or sources by what lies beside them."""
    return _copies_in_runs(files) or _named_as_sets(files)


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
    texts = [path for path in files if not is_no_output(path)]
    if any("/" in path or special(path) for path in texts):
        return {}
    languages = {path: language_of_name(base_name(path)) for path in texts}
    sets = [path for path in texts if languages[path] and _SET.fullmatch(without_ending(base_name(path)))]
    outputs = {languages[path] for path in texts if path not in sets}
    references = [path for path in sets if languages[path] in outputs]
    stems = {without_ending(base_name(path)) for path in sets}
    if len(outputs) != 1 or len(references) != 1 or len(stems) != 1 or len(sets) > 2:
        return {}
    return {path: "reference" if path in references else "source" for path in sets}
