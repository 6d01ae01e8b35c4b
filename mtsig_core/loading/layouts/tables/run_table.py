"""A table of scores of whole runs, without segments: one row per run, one column per task or metric.

::

    run, MNLI, HANS            one system; or with a column "system"
    seed 1, 0.843, 0.61

Each column of numbers is a metric, and its score that of the run; what needs segments is not defined. Rows of summary
(mean, standard deviation, ...) are no runs. A table with segments is another layout.
"""

from __future__ import annotations

from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.scores.columns import columns_of
from mtsig_core.loading.scores.grids import delimited
from mtsig_core.loading.scores.run_tables import metrics_of, read_runs
from mtsig_core.loading.sources.tree import FileTree

NAME = "scores of runs"
_ENDINGS = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".csv.zst", ".tsv.zst")


def recognise(files: FileTree) -> int:
    """Return 12 when a table has a column of runs, none of segments, and numbers, else 0."""
    return 12 if any(_is_table(path, files) for path in files) else 0


def _is_table(path: str, files: FileTree) -> bool:
    if not path.casefold().endswith(_ENDINGS):
        return False
    try:
        table = delimited([line.rstrip("\r") for line in files.head(path).split("\n")[:20]], path)
        columns = columns_of(table.header)
        rows = [list(cells) for _, cells in table.rows]
    except LoadError:
        return False
    return "replica" in columns.places and "segment" not in columns.places and bool(metrics_of(columns, rows))


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is, and read the scores of the tables."""
    roles: list[FileRole] = []
    blocks: dict[str, tuple[ScoreBlock, ...]] = {}
    for path in files:
        if _is_table(path, files):
            blocks[path] = read_runs(delimited(files.lines(path, report), path), path, report)
            roles.append(FileRole(path, "scores"))
        else:
            roles.append(FileRole(path, "ignored", reason="holds no scores of runs"))
    return Plan(tuple(roles), blocks=blocks)
