"""A table of scores of whole runs, without segments: one row per run, one column per task or metric.

::

    run, MNLI, HANS            one system; or with a column "system"
    seed 1, 0.843, 0.61

Each column of numbers is a metric, and its score that of the run; what needs segments is not defined. Rows of summary
(mean, standard deviation, ...) are no runs. A table with segments is another layout. Of a workbook every such sheet is
read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mtsig_core.loading.layouts.common.file_names import names_of_outputs
from mtsig_core.loading.recognition.names import base_name
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores import grids
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.scores.columns import Table, columns_of
from mtsig_core.loading.scores.find import begins_as, fitting, start_of_table, table_in
from mtsig_core.loading.scores.run_columns import by_score, metrics_of
from mtsig_core.loading.scores.run_tables import names_hold_runs, read_runs
from mtsig_core.loading.sources.tree import FileTree

NAME = "scores of runs"
_BOOK = re.compile(r".*\.xlsx", re.IGNORECASE)


def recognise(files: FileTree) -> int:
    """Return 12 when a table has a column of runs, none of segments, and numbers, else 0."""
    return 12 if any(_is_table(path, files) for path in files) else 0


def _is_table(path: str, files: FileTree) -> bool:
    if not _BOOK.fullmatch(base_name(path)):
        return begins_as(path, files, _is_of_runs)
    try:
        return bool(_sheets(path, files))
    except LoadError:
        return False


def _may_be_heading(header: Sequence[str], file: str) -> bool:
    places = columns_of(header).places
    return bool({"replica", "system", "metric"} & places.keys()) and "segment" not in places


def _is_of_runs(table: Table) -> bool:
    columns, rows = columns_of(table.header), [list(cells) for _, cells in table.rows]
    if not _may_be_heading(table.header, "") or not metrics_of(columns, rows):
        return False
    return "replica" in columns.places or names_hold_runs(columns, rows) or bool(by_score(columns, rows, ""))


def _sheets(path: str, files: FileTree) -> list[Table]:
    """Return the sheets of runs."""
    return fitting(grids.sheets(files.decoder.unpacked(files[path], path), path, _may_be_heading), _is_of_runs)


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is, and read the scores of the tables.

    Raises
    ------
    LoadError
        For a damaged table.
    """
    paths = [path for path in files if _is_table(path, files)]
    systems = _systems(paths, files, report)
    roles: list[FileRole] = []
    blocks: dict[str, tuple[ScoreBlock, ...]] = {}
    for path in files:
        if path in paths:
            is_book = _BOOK.fullmatch(base_name(path))
            tables = _sheets(path, files) if is_book else [table_in(path, files, report)]
            blocks[path] = tuple(block for table in tables
                                 for block in read_runs(table, path, report, system=systems.get(path, "")))  # fmt: skip
            roles.append(FileRole(path, "scores"))
        else:
            roles.append(FileRole(path, "ignored", reason="holds no scores of runs"))
    return Plan(tuple(roles), blocks=blocks)


def _systems(paths: Sequence[str], files: FileTree, report: Reporter) -> dict[str, str]:
    """Return the system of each of several files that name none inside: that of the file's name, as a guess."""
    unnamed = [path for path in paths if not _BOOK.fullmatch(base_name(path)) and not _names_system(path, files)]
    if len(unnamed) < 2 or len(unnamed) < len(paths):
        return {}
    systems = {path: name for path, (name, _) in names_of_outputs(unnamed, files, report).items()}
    if len(set(systems.values())) < len(unnamed):
        return {}
    listed = some([f"{path}: {name}" for path, name in systems.items()], 6)
    message = f"No column names the system: each file was read as that of one system ({listed})."
    report.assume("system-by-file", message, "To change this, add a column 'system'.", unnamed)
    return systems


def _names_system(path: str, files: FileTree) -> bool:
    """Say whether a table says of which systems its runs are, by a column, names of runs, or columns of systems."""
    table = start_of_table(path, files)
    if table is None:
        return True
    columns, rows = columns_of(table.header), [list(cells) for _, cells in table.rows]
    return "system" in columns.places or names_hold_runs(columns, rows) or bool(by_score(columns, rows, path))
