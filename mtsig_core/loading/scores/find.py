"""Which files hold segment scores: by their names, and by how they begin."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Literal

from mtsig_core.loading.recognition.names import base_name, is_mark
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.reports import report_of_tool
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores import grids, lines, tables
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.scores.columns import OF_SYSTEM, Table, columns_of, declared_columns
from mtsig_core.loading.scores.run_tables import is_of_runs, read_runs
from mtsig_core.loading.scores.wide import by_declared, by_row, systems_by_column
from mtsig_core.loading.sources.formats import HEAD
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.records import first_of_list, first_records
from mtsig_core.loading.text.surroundings import is_drawn, may_be_even

Format = Literal["native", "seg.score", "numbers", "comet json", "comet lines", "delimited", "json lines",
                 "json records", "parquet", "xlsx"]
#: Folders beside text that are looked into.
FOLDERS = frozenset(("scores", "metric-scores", "metric_scores", "metrics", "comet"))
#: Folders that hold something else, whatever it looks like.
OTHERS = frozenset(("judgements", "judgments", "human-scores", "human", "known"))
_TABLES = ("csv", "tsv", "jsonl", "ndjson", "json", "parquet", "xlsx")
#: What the objects of segments hold in the JSON that comet-score writes.
_COMET_KEY = re.compile(r'"(?:COMET|mt)"\s*:')
_COMET_JSON = re.compile(r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[\s*\{')


def format_of(path: str, files: FileTree) -> Format | None:
    """Return how the scores in a file are written, or None when it seems to hold none."""
    if OTHERS & set(path.casefold().split("/")[:-1]):
        return None
    ending = base_name(path).casefold().rsplit(".", 1)[-1]
    if ending == "xlsx":
        return "xlsx" if _has_sheet_of_scores(path, files) else None
    if ending not in _TABLES:
        if lines.is_seg_score(path):
            return "seg.score"
        if lines.is_native(path):
            return "native"
    head = files.head(path)
    if lines.names_metric(path) and lines.holds_numbers(head):
        return "numbers"
    if head.startswith("PAR1"):
        return None if _is_parquet_of_runs(path, files) else "parquet"
    return _format_of_text(head, ending, path)


def _is_parquet_of_runs(path: str, files: FileTree) -> bool:
    """Say whether a parquet file names runs and no segments, which is another layout; a damaged one is none."""
    try:
        places = columns_of(grids.parquet_names(files.decoder.unpacked(files[path], path), path)).places
    except LoadError:
        return False  # refused with its reason when it is read
    return "replica" in places and "segment" not in places


def _is_of_scores(header: Sequence[str], file: str) -> bool:
    return columns_of(header).is_table_of_scores or bool(systems_by_column(header, file))


def _has_sheet_of_scores(path: str, files: FileTree) -> bool:
    try:
        of_scores = grids.sheets(files.decoder.unpacked(files[path], path), path, _is_of_scores)
        return any(columns_of(each.header).is_table_of_scores or _all_numbers(each, path) for each in of_scores)
    except LoadError:
        return False  # a workbook of another kind, or no workbook: not for this reader to refuse


def _all_numbers(table: Table, path: str) -> bool:
    """Say whether the columns of a sheet that may each be a system's scores hold numbers."""
    rows = [cells for _, cells in islice(table.rows, tables.N_LOOKED_AT)]
    return all(tables.holds_numbers([cells[i] for cells in rows]) for i in systems_by_column(table.header, path))


def _format_of_text(text: str, ending: str, path: str) -> Format | None:
    first = text.split("\n", 1)[0].rstrip("\r")
    if ending == "json" and _COMET_JSON.match(text) and _COMET_KEY.search(text):
        return "comet json"
    if ending == "json" and text.lstrip().startswith("["):
        is_table = _is_table(re.findall(r'"([^"\\]{1,40})"\s*:', text[:4000]))
        return "json records" if is_table or _is_by_system(first_of_list(text), path) else None
    if ending in ("jsonl", "ndjson", "json"):
        return "json lines" if _is_table(_keys(first)) or _is_by_system(first_records(text), path) else None
    lines_of = text.split("\n")
    is_table = ending in ("csv", "tsv", "txt", "tab", "dat") and _is_delimited(lines_of[:20], path)
    if is_table or (is_drawn(path, text) and _is_delimited(lines_of, path)):
        return "delimited"
    if any(lines.COMET_LINE.fullmatch(line.rstrip("\r")) for line in text.split("\n")[:200]):
        return "comet lines"
    return None


def _is_table(names: Sequence[str]) -> bool:
    return columns_of(list(dict.fromkeys(names))).is_table_of_scores


def _is_by_system(records: Sequence[Mapping[str, object]], path: str) -> bool:
    """Say whether rows hold the scores of a system in each of some keys."""
    header = list(records[0]) if records else []
    by_system = systems_by_column(header, path)
    return bool(by_system) and all(tables.holds_numbers([row.get(header[i]) for row in records]) for i in by_system)


def _is_delimited(start: Sequence[str], path: str) -> bool:
    """Say whether the beginning of a file is one of a score table: columns by name, and numbers below."""
    try:
        table = grids.delimited([line.rstrip("\r") for line in start], "")
        columns = columns_of(table.header)
        by_system = systems_by_column(table.header, path)
        if not columns.is_table_of_scores and not by_system:
            return False
        rows = [cells for _, cells in table.rows]
        if by_system:
            return all(tables.holds_numbers([cells[i] for cells in rows if i < len(cells)]) for i in by_system)
    except LoadError:  # a damaged table is refused with its reason when it is read
        header = re.split(r"[\t;,|]", start[0])
        return columns_of([cell.strip().strip('"') for cell in header]).is_table_of_scores
    return "score" in columns.places or any(
        tables.may_be_metric(columns.header[i], [cells[i] for cells in rows if i < len(cells)]) for i in columns.free()
    )


def _keys(line: str) -> list[str]:
    try:
        record = json.loads(line)
    except RecursionError:  # to be refused with its reason, where it is a table by its first keys
        return re.findall(r'"([^"\\]{1,40})"\s*:', line[:4000])
    except ValueError:
        return []
    return list(record) if isinstance(record, dict) else []


def mark_scores(files: FileTree, plan: Plan) -> Plan:
    """Give the role ``scores`` to files that hold scores, among those that the layout does not use.

    A file taken for an output only by its name is looked at when the name speaks of scores.
    """
    sets = {role.test_set for role in plan.roles if role.kind != "ignored"}
    has_text = any(role.kind == "output" for role in plan.roles)
    return replace(plan, roles=tuple(_marked(role, files, sets, has_text) for role in plan.roles))


def _marked(role: FileRole, files: FileTree, sets: set[str], has_text: bool) -> FileRole:
    if role.path not in files or not _worth_a_look(role, sets, has_text):
        return role
    if format_of(role.path, files) is not None:
        return FileRole(role.path, "scores")
    is_json = role.kind == "ignored" and ".json" in role.path.casefold()
    reason = report_of_tool(files.head(role.path)) if is_json else ""
    return replace(role, reason=reason) if reason else role


def _worth_a_look(role: FileRole, sets: set[str], has_text: bool) -> bool:
    if role.path in ("experiment.toml",):
        return False
    name, folders = base_name(role.path).casefold(), role.path.casefold().split("/")[:-1]
    if role.kind == "output":
        return name.endswith((".tsv", ".csv", ".log")) or "comet" in name or "score" in name
    if role.kind != "ignored":
        return False
    if lines.names_metric(role.path):
        return True
    within = {folder.casefold() for folder in sets} | FOLDERS
    return not has_text or not folders or bool(FOLDERS & set(folders)) or (len(folders) == 1 and folders[0] in within)


def may_hold_scores(files: FileTree) -> bool:
    """Say whether some file holds scores, for a tree that may have no text."""
    few = len(files) <= 20
    return any(format_of(path, files) is not None for path in files if few or _speaks_of_scores(path))


def _speaks_of_scores(path: str) -> bool:
    name = base_name(path).casefold()
    if name.endswith(_TABLES) or re.search(r"comet|score|\.log$", name):
        return True
    return lines.is_native(path) or lines.is_seg_score(path) or lines.names_metric(path)


def of_output(table: Table, system: str, replica: str) -> Table:
    """Return a table of the scores of one output with the columns that name it, and one of segments, the rows."""
    places = columns_of(table.header).places
    names = {"system": system, **({} if "replica" in places else {"replica": replica})}
    if "segment" in places:
        return Table((*names, *table.header), ((line, [*names.values(), *row]) for line, row in table.rows), table.name)
    rows = ((line, [*names.values(), str(i), *row]) for i, (line, row) in enumerate(table.rows, 1))
    return Table((*names, "segment", *table.header), rows, table.name)


def read_scores(
    path: str, files: FileTree, report: Reporter, declared: Mapping[str, str] | None = None,
    output: tuple[str, str] | None = None,
) -> list[ScoreBlock]:  # fmt: skip
    """Return the blocks of one score file.

    Parameters
    ----------
    path : str
    files : FileTree
    report : Reporter
    declared : mapping of column to its role, optional
        Of a table: what a person says that its columns are.
    output : tuple of system and replica, optional
        Which output a table is of that has no column of systems.

    Raises
    ------
    LoadError
        When the file is damaged, or is no score file after all.
    """
    if path not in files:
        raise LoadError(f"{path}: is a part of a file, which holds no scores by itself. Choose the file.", path)
    if declared:
        tables_declared = _declared_tables(path, files, report, declared)
        if OF_SYSTEM in declared.values():
            by_system = [by_declared(table, path, declared) for table in tables_declared]
            return [block for table in by_system for block in _of_table(table, path, report)]
        if output and not any("system" in declared_columns(t.header, declared, path).places for t in tables_declared):
            tables_declared = [of_output(table, *output) for table in tables_declared]
        return [block for table in tables_declared for block in _of_table(table, path, report, declared)]
    kind = format_of(path, files)
    if kind == "xlsx":
        sheets = grids.sheets(files.decoder.unpacked(files[path], path), path, _is_of_scores)
        read = [(s.name, tables.read_table(by_row(s, path, report), path, report)) for s in sheets]
        return [block for name, blocks in read for block in _of_sheet(blocks, name, len(read), report)]
    if kind in _READERS:
        return _READERS[kind](path, files.lines(path, report), report)
    return _of_table(by_row(table_in(path, files, report), path, report), path, report)


def _of_sheet(blocks: Sequence[ScoreBlock], name: str, n_sheets: int, report: Reporter) -> list[ScoreBlock]:
    """Return the scores of a sheet; one that is called by a run, as others beside it, is that replica."""
    if n_sheets < 2 or not is_mark(name) or any(block.replica not in ("", "1") for block in blocks):
        return list(blocks)
    for file in {block.file for block in blocks}:
        remedy = "To change this, add a column 'replica'."
        report.gather_guess("replica-of-sheet", "Sheets called by a run were read as replicas", remedy, file)
    return [replace(block, replica=name) for block in blocks]


def _declared_tables(
    path: str, files: FileTree, report: Reporter, declared: Mapping[str, str]
) -> list[Table]:
    """Return the tables of a file: of a workbook all sheets that have the columns which a person speaks of."""
    if not _is_workbook(path):
        return [table_in(path, files, report)]
    of_scores = grids.sheets(files.decoder.unpacked(files[path], path), path,
                         lambda header, _: declared.keys() <= set(header))  # fmt: skip
    if not of_scores:
        raise LoadError(f"{path}: no sheet has the columns {some(map(repr, declared), 8)}. Correct their names.", path)
    return of_scores


def _of_table(
    table: Table, path: str, report: Reporter, declared: Mapping[str, str] | None = None
) -> list[ScoreBlock]:
    columns = declared_columns(table.header, declared, path) if declared else columns_of(table.header)
    if is_of_runs(columns):
        return list(read_runs(table, path, report, declared))
    return tables.read_table(table, path, report, declared)


_READERS: dict[Format, Callable[[str, Sequence[str], Reporter], list[ScoreBlock]]] = {
    "native": lines.read_native,
    "seg.score": lines.read_seg_score,
    "numbers": lines.read_numbers,
    "comet lines": lines.read_comet_lines,
    "comet json": lambda path, text, report: lines.read_comet_json(path, "\n".join(text), report),
}


def _is_workbook(path: str) -> bool:
    return base_name(path).casefold().endswith(".xlsx")


def _may_be_heading(header: Sequence[str], file: str) -> bool:
    """Say whether a row may be the heading of a table, whatever its columns are called: names, no numbers."""
    return len(header) > 1 and all(header) and not tables.holds_numbers(header)


def start_of_table(path: str, files: FileTree) -> Table | None:
    """Return the table that a file begins with, whatever its columns are called; None where it can be none.

    Of a text no more than its beginning is read.

    Raises
    ------
    LoadError
        For a damaged beginning.
    """
    if lines.is_native(path) or lines.is_seg_score(path):
        return None
    if _is_workbook(path):
        sheets = grids.sheets(files.decoder.unpacked(files[path], path), path, _may_be_heading)
        return sheets[0] if sheets else None
    head = files.head(path)
    if head.startswith("PAR1"):
        return table_in(path, files, Reporter())
    if head.lstrip().startswith("[") and path.casefold().endswith(".json"):
        first = first_of_list(head, tables.N_LOOKED_AT) if 4 * len(head) >= HEAD else []
        return grids.of_records(list(enumerate(first, 1)), path) if first else table_in(path, files, Reporter())
    start = head.splitlines()
    whole = start[:-1] if len(start) > 2 and 4 * len(head) >= HEAD else start  # the last line may be cut
    return _table_of(whole, path, head) if whole else None


def begins_as(path: str, files: FileTree, fits: Callable[[Table], bool]) -> bool:
    """Say whether a file has the ending of a table and begins as one that fits; a damaged one does not."""
    ending = base_name(path).casefold().rpartition(".")[2]
    is_table = ending in (*_TABLES, "tab") or is_drawn(path, files.head(path))
    if not is_table and (ending not in ("txt", "dat") or not may_be_even(files.head(path))):
        return False
    try:
        table = start_of_table(path, files)
        if table is not None and not is_table:
            table = _even(table)
        return table is not None and fits(table)
    except LoadError:
        return False


def _even(table: Table) -> Table | None:
    """Return the table that lines of words are, where all of them have as many as the first; else None."""
    n, rows = len(table.header), []
    for row in table.rows if n > 1 else ():  # texts of many files are looked at: leave them at the first odd line
        if len(row[1]) != n:
            return None
        rows.append(row)
    return replace(table, rows=iter(rows)) if len(rows) > 1 else None


def fitting(sheets: Sequence[Table], fits: Callable[[Table], bool]) -> list[Table]:
    """Return the sheets that fit; `fits` may go through all rows of one."""
    chosen = []
    for sheet in sheets:
        rows = list(sheet.rows)
        if fits(replace(sheet, rows=iter(rows))):
            chosen.append(replace(sheet, rows=iter(rows)))
    return chosen


def table_in(path: str, files: FileTree, report: Reporter) -> Table:
    """Return the table that a file holds, whatever its columns are called.

    Parameters
    ----------
    path : str
    files : FileTree
    report : Reporter
        Gets the notes on how the text was read.

    Raises
    ------
    LoadError
        For a workbook, which may hold several tables, and for a file that is no table.
    """
    head = files.head(path)
    if head.startswith("PAR1"):
        return grids.parquet(files.decoder.unpacked(files[path], path), path)
    if _is_workbook(path):
        raise LoadError(f"{path}: no sheet has columns system, segment and score. Say what its columns are: on the "
                        "Data page, or in experiment.toml ([[files]] columns).", path)
    return _table_of(files.lines(path, report), path, head)


def whole_tables(path: str, files: FileTree, report: Reporter) -> list[Table]:
    """Return the table that `start_of_table` found the beginning of, all of it; of a workbook all its sheets.

    Raises
    ------
    LoadError
        When it is no table.
    """
    if _is_workbook(path):
        sheets = grids.sheets(files.decoder.unpacked(files[path], path), path, _may_be_heading)
        if sheets:
            return sheets
    return [table_in(path, files, report)]


def _table_of(text: Sequence[str], path: str, head: str) -> Table:
    ending = base_name(path).casefold().rsplit(".", 1)[-1]
    if ending == "json" and head.lstrip().startswith("["):
        return grids.json_records("\n".join(text), path)
    return grids.json_lines(text, path) if ending in ("jsonl", "ndjson", "json") else grids.delimited(text, path)
