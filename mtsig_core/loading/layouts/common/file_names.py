"""System and replica of files that hold one output each: by their names, or else by their folders."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mtsig_core.loading.layouts.common.run_folders import names_of_runs
from mtsig_core.loading.recognition.names import bare_stem, base_name, split_flat, without_ending
from mtsig_core.loading.recognition.replicas import is_checkpoint, report_names, split_names
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.sources.tree import FileTree

#: Names of files that say nothing about the system.
_GENERAL = frozenset((
    "generated_predictions", "predictions", "prediction", "preds", "pred", "outputs", "output", "results", "result",
    "generations", "test", "hypotheses", "translations", "responses", "samples", "data", "scores", "eval",
    "test_predictions", "test_preds", "eval_results", "per_example", "instances", "answers",
))  # fmt: skip

#: A word and when a tool wrote the file.
_DATED = re.compile(r"(?:results?|reports?|eval(?:uation)?|metrics?|scores?)[-_.]\d{4}[-_]\d\d[-_]\d\d.*", re.I)
#: What all names say together: the same numbers, or letters and numbers, behind several systems.
_BY_ALL = frozenset(("number", "letter"))


def _is_general(stem: str) -> bool:
    return stem.casefold() in _GENERAL or stem.startswith("samples_") or _DATED.fullmatch(stem) is not None


def names_of_outputs(paths: Sequence[str], files: FileTree, report: Reporter) -> dict[str, tuple[str, str]]:
    """Return system and replica of each file, "" for a replica that nothing names."""
    folders = {path: path.split("/")[:-1] or [files.name] for path in paths}
    stems = {path: without_ending(base_name(path)) for path in paths}
    # files of one name in folders of their own: the name says nothing
    have_one_stem = len(set(stems.values())) == 1 < len(paths) == len({"/".join(own) for own in folders.values()})
    is_general = {path: _is_general(stem) for path, stem in stems.items()}
    general = {path: folders[path] for path in paths if have_one_stem or is_general[path]}
    steps = {path: [*folders[path], stems[path]] for path in paths if is_checkpoint(stems[path])}
    by_folder = general | steps
    runs = names_of_runs(by_folder, files, report) if by_folder else {}
    rest = split_names({path: bare_stem(path) for path in paths if path not in runs}, endings=False)
    report_names({path: name for path, name in rest.items() if name.why in _BY_ALL}, report)
    together = {path: (name.system, name.replica) for path, name in rest.items() if name.why in _BY_ALL}
    return {path: runs.get(path) or together.get(path) or split_flat(path) or (stems[path], "") for path in paths}
