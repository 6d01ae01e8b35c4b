"""Results of Hugging Face's trainer: the scores of whole runs, one folder per run.

::

    RUN-seedK/predict_results.json  {"predict_accuracy": 0.91, "predict_loss": ..., "predict_runtime": ...}
    RUN-seedK/eval_results.json     the same on the validation set
    RUN-seedK/all_results.json      all of them, and totals of the training

A prefix is a test set: *predict*, *test*, *eval*. Predictions as text beside them are another layout, which goes first.
"""

from __future__ import annotations

import re

from mtsig_core.loading.layouts.records.whole_runs import (
    is_score,
    object_in,
    plan_of,
    report_unused,
    runs_by_folder,
    whole_run,
)
from mtsig_core.loading.recognition.names import base_name
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.sources.tree import FileTree

NAME = "results of HF trainer"
_FILE = re.compile(r"(?P<prefix>predict|test|eval|validation|all)_results\.json")
_SCORE = re.compile(r"(?P<prefix>predict|test|eval|validation)_(?P<metric>.+)")
_START = re.compile(r'\s*\{\s*"')


def recognise(files: FileTree) -> int:
    """Return 13 when folders hold results of the trainer, else 0."""
    return 13 if _results(files) else 0


def _results(files: FileTree) -> list[str]:
    """Return the files to read: not all results of a run where those of each set stand beside them."""
    paths = [p for p in files if "/" in p and _FILE.fullmatch(base_name(p)) and _START.match(files.head(p))]
    apart = {path.rpartition("/")[0] for path in paths if base_name(path) != "all_results.json"}
    return [path for path in paths if base_name(path) != "all_results.json" or path.rpartition("/")[0] not in apart]


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is, and read the scores.

    Raises
    ------
    LoadError
        When the file is not a JSON object, or holds no score.
    """
    paths = _results(files)
    runs = {path: (system, replica or "1") for path, (system, replica) in runs_by_folder(paths, files, report).items()}
    blocks: dict[str, list[ScoreBlock]] = {path: [] for path in paths}
    unused: set[str] = set()
    for path in paths:
        for key, value in object_in(path, files).items():
            match = _SCORE.fullmatch(key)
            if match and isinstance(value, int | float) and is_score(match["metric"], value):
                blocks[path].append(whole_run(path, (*runs[path], match["prefix"]), match["metric"], value))
            else:
                unused.add(key)
    report_unused(unused, paths, report)
    sets = sorted({block.test_set for own in blocks.values() for block in own})
    report.assume(
        "sets-by-prefix", f"The words before the names of scores were read as test sets: {', '.join(sets)}.",
        "To change this, rename them on the Data page.", paths,
    )  # fmt: skip
    again = {path: "the same results again" for path in files if base_name(path) == "all_results.json"}
    return plan_of(files, blocks, again, report)
