"""The sheets of XLSX files, within limits."""

from __future__ import annotations

import hashlib
import io
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

from mtsig_core.loading.report import LoadError

#: What openpyxl raises for a damaged file: whatever its parts run into.
_XLSX_FAULTS = (
    zipfile.BadZipFile, zlib.error, struct.error, LookupError, ValueError, TypeError, AttributeError, OSError, EOFError,
    SyntaxError, NotImplementedError, RuntimeError, ArithmeticError,
)  # fmt: skip
#: Rows and columns of one worksheet that are read; a cell far away makes a sheet seem huge.
MOST_ROWS, MOST_COLUMNS = 200_000, 200
Sheet = tuple[str, list[tuple[int, list[str]]]]
#: The small workbooks that were read last: every layout asks for the same one.
_KEPT: dict[tuple[str, bytes], list[Sheet]] = {}
MOST_KEPT, MOST_CELLS_KEPT = 4, 200_000


def worksheets(
    name: str, data: bytes, spend: Callable[[int, str], None]
) -> list[Sheet]:
    """Return title and rows of every worksheet of an XLSX file, formulas as the values they had when it was saved.

    Parameters
    ----------
    name : str
        File name, for messages.
    data : bytes
    spend : callable
        Takes the size that the file unpacks to and its name; raises where that is too much.

    Raises
    ------
    LoadError
        When it cannot be read, or openpyxl is not installed.
    """
    try:
        import openpyxl
    except ImportError as error:
        remedy = 'pip install "mtsig[sheets]", or save the sheet as CSV'
        raise LoadError(f"{name}: XLSX files need the package openpyxl: {remedy}.", name) from error

    key = (name, hashlib.sha256(data).digest())
    if (kept := _KEPT.get(key)) is not None:
        return kept
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            spend(sum(each.file_size for each in archive.infolist()), name)
        return _keep(key, _read(openpyxl, data))
    except LoadError:
        raise
    except _XLSX_FAULTS as error:
        reason = " ".join(str(error).split())[:120]
        message = f"{name}: not readable as XLSX ({reason}). Save it again, as XLSX or as CSV."
        raise LoadError(message, name) from error


def _read(openpyxl: Any, data: bytes) -> list[Sheet]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of styles and rules that openpyxl does not know
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        try:
            return [(sheet.title, _rows_of(sheet)) for sheet in book.worksheets]
        finally:
            book.close()


def _keep(key: tuple[str, bytes], sheets: list[Sheet]) -> list[Sheet]:
    if sum(len(cells) for _, rows in sheets for _, cells in rows) <= MOST_CELLS_KEPT:
        for old in list(_KEPT)[: max(0, len(_KEPT) + 1 - MOST_KEPT)]:
            _KEPT.pop(old, None)
        _KEPT[key] = sheets
    return sheets


def _rows_of(sheet: Any) -> list[tuple[int, list[str]]]:
    rows = sheet.iter_rows(max_row=MOST_ROWS, max_col=MOST_COLUMNS, values_only=True)
    # a lone cell far below makes a million empty rows
    filled = ((i, row) for i, row in enumerate(rows, 1) if any(value is not None for value in row))
    return [(i, [_cell(value) for value in row]) for i, row in filled]


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
