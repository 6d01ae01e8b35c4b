"""Tables of texts in XLSX and parquet files: the same rows as in separated values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mtsig_core.loading.recognition.names import base_name
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores.columns import Row, Table
from mtsig_core.loading.scores.grids import delimited, parquet, sheets
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.records import KEYS

BOOKS = (".xlsx", ".parquet")
#: Names of columns of texts: without one of them nothing of a file is looked at.
_TEXTS = re.compile("(?:" + "|".join((*KEYS["output"], *KEYS["reference"])) + r")[a-z]{0,2}\d{0,3}")


def is_book(path: str) -> bool:
    """Say whether a file is an XLSX or a parquet file, by its name."""
    return base_name(path).casefold().endswith(BOOKS)


def book(path: str, files: FileTree) -> Table | None:
    """Return the first table of texts of an XLSX or parquet file, cells as text; None where it holds none."""
    tables = _tables(path, files)
    return Table(tables[0].header, iter(tables[0].rows), tables[0].name) if tables else None


def table_of(path: str, files: FileTree, report: Reporter) -> Table:
    """Return the table that a file holds: a sheet, a parquet file, or separated values.

    Raises
    ------
    LoadError
        When it holds none.
    """
    if not is_book(path):
        table = delimited(files.lines(path, report), path)
        _report_index(without_index(table) is not table, path, report)
        return without_index(table)
    sheet = book(path, files)
    if sheet is None:
        raise LoadError(f"{path}: holds no table of texts.", path)
    if sheet.name:
        report.gather("recognised", "sheet", f"The sheet {sheet.name!r} was read", path)
    _report_index(_tables(path, files)[0].had_index, path, report)
    others = [repr(table.name) for table in _tables(path, files)[1:]]
    if others:
        message = (
            f"{path}: the first sheet that holds texts was read, {sheet.name!r}; others were not: {some(others)}. "
            "Save each as a file of its own."
        )
        report.add("warning", "other-sheets", message, [path])
    return sheet


def without_index(table: Table) -> Table:
    """Return a table without its first column, where that alone has no name: an index, as pandas writes it."""
    if len(table.header) < 3 or table.header[0] or not all(table.header[1:]):
        return table
    return Table(table.header[1:], ((line, cells[1:]) for line, cells in table.rows), table.name)


def _report_index(is_there: bool, path: str, report: Reporter) -> None:
    if is_there:
        sentence = "The first column has no name: taken for numbers of rows, as pandas writes them, and not used"
        report.gather_guess("index-column", sentence, "If it holds something else, name it.", path)


@dataclass(frozen=True)
class _Texts:
    """A table, cells as text, without the index that it had."""

    header: tuple[str, ...]
    rows: list[Row]
    name: str
    had_index: bool


def _tables(path: str, files: FileTree) -> list[_Texts]:
    return files.read_once(path, lambda: _read(path, files))


def _read(path: str, files: FileTree) -> list[_Texts]:
    try:
        data = files.decoder.unpacked(files[path], path)
        if base_name(path).casefold().endswith(".xlsx"):
            tables = sheets(data, path, _holds_texts)
        else:
            tables = [parquet(data, path, _holds_texts)]
    except LoadError:  # said where scores are looked for
        return []
    texts = []
    for table in (table for table in tables if table.header):
        own = without_index(table)
        rows: list[Row] = [(line, [_text(cell) for cell in cells]) for line, cells in own.rows]
        texts.append(_Texts(own.header, rows, own.name, own is not table))
    return texts


def _holds_texts(header: Sequence[str], file: str) -> bool:
    named = [re.sub(r"[\W_]", "", name.casefold()) for name in header]
    return len(named) > 1 and all(named[1:]) and any(map(_TEXTS.fullmatch, named))


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
