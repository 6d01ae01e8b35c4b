"""System and replica of files that hold one output each: by their names, or else by their folders."""

from __future__ import annotations

from collections.abc import Sequence

from mtsig_core.loading.layouts.common.run_folders import names_of_runs
from mtsig_core.loading.recognition.names import base_name, split_flat, without_ending
from mtsig_core.loading.recognition.replicas import is_checkpoint
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.sources.tree import FileTree

#: Names of files that say nothing about the system.
_GENERAL = frozenset((
    "generated_predictions", "predictions", "prediction", "preds", "pred", "outputs", "output", "results", "result",
    "generations", "test", "hypotheses", "translations", "responses", "samples", "data", "scores", "eval",
    "test_predictions", "test_preds", "eval_results", "per_example", "instances", "answers",
))  # fmt: skip


def names_of_outputs(paths: Sequence[str], files: FileTree, report: Reporter) -> dict[str, tuple[str, str]]:
    """Return system and replica of each file, "" for a replica that nothing names."""
    folders = {path: path.split("/")[:-1] or [files.name] for path in paths}
    stems = {path: without_ending(base_name(path)) for path in paths}
    # files of one name in folders of their own: the name says nothing
    have_one_stem = len(set(stems.values())) == 1 < len(paths) == len({"/".join(own) for own in folders.values()})
    general = {path: folders[path] for path in paths if have_one_stem or stems[path].casefold() in _GENERAL}
    steps = {path: [*folders[path], stems[path]] for path in paths if is_checkpoint(stems[path])}
    by_folder = general | steps
    runs = names_of_runs(by_folder, files, report) if by_folder else {}
    return {path: runs.get(path) or split_flat(path) or (stems[path], "") for path in paths}
