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
from collections.abc import Collection, Sequence
from dataclasses import replace

from mtsig_core.formatting import count
from mtsig_core.loading.layouts.common.file_names import names_of_outputs
from mtsig_core.loading.layouts.tables.run_columns import by_score
from mtsig_core.loading.recognition.names import base_name, is_mark
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores import grids
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.scores.columns import Columns, Table, columns_of
from mtsig_core.loading.scores.find import begins_as, fitting, start_of_table, table_in
from mtsig_core.loading.scores.run_tables import Row, metrics_of, names_hold_runs, read_runs
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
    metrics = metrics_of(columns, rows)
    if not _may_be_heading(table.header, "") or not metrics:
        return False
    return "replica" in columns.places or names_hold_runs(columns, rows) or bool(by_score(columns, metrics, ""))


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
                                 for block in read_runs(_in_rows(table, path, report), path, report,
                                                        system=systems.get(path, "")))  # fmt: skip
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
    named = by_score(columns, metrics_of(columns, rows), path)
    return "system" in columns.places or names_hold_runs(columns, rows) or bool(named)


def _in_rows(table: Table, path: str, report: Reporter) -> Table:
    """Return a table with one row per score where columns name runs or systems; any other as it is."""
    rows: list[Row] = [(line, list(cells)) for line, cells in table.rows]
    columns = columns_of(table.header)
    named = by_score(columns, metrics_of(columns, [cells for _, cells in rows]), path)
    if not named:
        return replace(table, rows=iter(_filled(rows, columns, path, report)))
    what = "runs" if "system" in columns.places else "systems"
    listed = some(list(dict.fromkeys(system or run for system, run, _ in named.values())), 6)
    message = f"{path}: its columns were read as {what} ({listed})."
    report.assume(f"{what}-in-columns", message, "To change this, write one row per score: system, run, score.", [path])
    _report_unused(columns, named, path, report)
    place = min(columns.places[role] for role in ("system", "replica", "metric") if role in columns.places)
    long = [(line, [system or cells[place], run or cells[place], metric or cells[place], cells[i]])
            for line, cells in rows if len(cells) == len(table.header)
            for i, (system, run, metric) in named.items()]  # fmt: skip
    return Table(("system", "run", "metric", "score"), iter(long), table.name)


def _report_unused(columns: Columns, used: Collection[int], path: str, report: Reporter) -> None:
    unused = [repr(name) for i, name in enumerate(columns.header)
              if i not in used and i not in columns.places.values() and name.strip()]  # fmt: skip
    if unused:
        report.add("ignored", "unused-columns", f"{path}: unused columns: {some(unused, 12)}.", [path])


def _filled(rows: list[Row], columns: Columns, path: str, report: Reporter) -> list[Row]:
    """Return rows in which an empty system is that of the row above, as spreadsheets leave merged cells."""
    system, run = columns.places.get("system"), columns.places.get("replica")
    if system is None or run is None:
        return rows
    above, filled = "", []
    for line, cells in rows:
        if len(cells) != len(columns.header):
            continue
        own = str(cells[system] or "").strip()
        if not own and above and is_mark(str(cells[run]).strip()):
            cells[system] = above
            filled.append(line)
        above = own or above
    if filled:
        rows_of = count(len(filled), "row")
        message = f"{path}: {rows_of} without a system, as merged cells leave them, were read as of the system above."
        report.assume("merged-cells", message, "If not, fill in the system of each row.", [path])
    return rows
