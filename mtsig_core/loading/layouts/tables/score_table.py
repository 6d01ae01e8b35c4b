"""Scores without text: tables, ``scores/METRIC/SYSTEM/REPLICA.txt``, COMET's and mt-metrics-eval's score files.

The files themselves are read by `mtsig_core.loading.scores`, which also finds them beside the text of
every other layout.
"""

from __future__ import annotations

from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.scores.find import format_of, may_hold_scores
from mtsig_core.loading.sources.tree import FileTree

NAME = "segment scores"


def recognise(files: FileTree) -> int:
    """Return 19 when some file holds segment scores, else 0: any layout with references wins."""
    return 19 if may_hold_scores(files) else 0


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is."""
    return Plan(
        tuple(
            FileRole(path, "scores")
            if path != "experiment.toml" and format_of(path, files) is not None
            else FileRole(path, "ignored", reason="holds no segment scores")
            for path in files
        )
    )
