"""Human judgements without outputs: exports of annotation tools, tables, MQM, mt-metrics-eval's files.

Whatever layout has outputs or scores of metrics wins; see `mtsig_core.loading.judgements.alone`.
"""

from __future__ import annotations

from mtsig_core.loading.judgements import alone
from mtsig_core.loading.judgements.kinds import kind_of
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.sources.tree import FileTree

NAME = alone.NAME


def recognise(files: FileTree) -> int:
    """Return 5 when some file holds human judgements, else 0: any other layout wins."""
    return 5 if any(kind_of(path, files) for path in files) else 0


def read(files: FileTree, report: Reporter) -> Plan:
    """Return the judgements as scores."""
    return alone.judged_plan(files, report)
