"""Tables that spreadsheets wrote, and text that they must not take for a formula.

A spreadsheet takes a cell that begins with ``=``, ``+``, ``-`` or ``@`` for a formula. In separated values such a
text gets an apostrophe before it, and so does one that begins with apostrophes and one of these signs; reading takes
one away, so that every text comes back as it was.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from mtsig_core.loading.report import LoadError, some
from mtsig_core.loading.sources.formats import GZIP
from mtsig_core.loading.sources.limits import DEFAULT_LIMITS, Budget
from mtsig_core.loading.text.decoding import read_text
from mtsig_core.loading.text.headings import check_distinct
from mtsig_core.loading.text.workbooks import worksheets

DELIMITERS = ("\t", ";", ",", "|")
#: The first bytes of every XLSX file, which is a ZIP archive.
XLSX = b"PK\x03\x04"
#: What a spreadsheet takes for the start of a formula, and the full-width forms.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_GUARDED = re.compile("'*[" + re.escape("".join(FORMULA_STARTS)) + "]")
#: Bytes that stand for nothing in Windows-1252 become question marks.
_NOT_IN_CP1252 = bytes(ord("?") if i in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else i for i in range(256))
_NUL = re.compile(r"\x00")


def guarded(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    text = _NUL.sub("\ufffd", text)
    return f"'{text}" if _GUARDED.match(text) else text


def unguarded(text: str) -> str:
    """Return what `guarded` was given."""
    return text[1:] if text.startswith("'") and _GUARDED.match(text[1:]) else text


@dataclass(frozen=True)
class Cells:
    """A heading and the rows below it, all text, without the empty rows and columns that spreadsheets add.

    Parameters
    ----------
    file : str
    header : tuple of str
    rows : tuple of (int, tuple of str)
        The row's number in the file, from 1, and a cell for each name of the heading.
    is_guarded : bool
        Whether texts may carry the apostrophe of `guarded`.
    note : str
        What had to be assumed to read it; may be empty.
    """

    file: str
    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    is_guarded: bool
    note: str = ""

    def text(self, cell: str) -> str:
        """Return the text of a cell as it was before it was written."""
        return unguarded(cell) if self.is_guarded else cell


def read_cells(name: str, data: bytes, needed: Sequence[str], *, what: str, encoding: str | None = None) -> Cells:
    """Read a table saved by a spreadsheet: CSV with any separator, tab-separated or Unicode text, or XLSX.

    Parameters
    ----------
    name : str
        File name, for messages.
    data : bytes
    needed : sequence of str
        Names that its heading has; they identify the heading below other lines, and the separator.
    what : str
        What the file should be, for messages: ``"a filled annotation sheet"``.
    encoding : str, optional
        Of text that is not UTF-8; by default Windows-1252, as which Excel saves "CSV".

    Raises
    ------
    LoadError
        When there is no such heading, or a row has more cells than it; names file, row and remedy.
    """
    is_text = not data.startswith(XLSX)
    note = ""
    if is_text and encoding is None and not _is_unicode(data):
        encoding, note = "cp1252", "not UTF-8; read as Windows-1252, in which Excel saves CSV"
        data = data.translate(_NOT_IN_CP1252)
    if is_text:
        grids = [list(_delimited(name, data, needed, encoding))]
    else:
        grids = [rows for _, rows in worksheets(name, data, Budget(DEFAULT_LIMITS, len(data)).spend)]
    for rows in grids:
        for place, (_, cells) in enumerate(rows):
            if set(needed) <= {_name(cell) for cell in cells}:
                return replace(_below(name, rows[place:], is_text), note=note)
    first = next((cells for rows in grids for _, cells in rows if any(cell.strip() for cell in cells)), [])
    heading = some([repr(cell[:30]) for cell in first if cell.strip()], 6) or "nothing"
    names = ", ".join(repr(n) for n in needed)
    raise LoadError(f"{name}: is not {what}: no row names the columns {names}; it begins with {heading}. Give the file "
                    "as mtsig wrote it, with its heading.", name)  # fmt: skip


def _is_unicode(data: bytes) -> bool:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, GZIP)):
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _name(cell: str) -> str:
    return " ".join(cell.split()).casefold()


def _below(name: str, rows: Sequence[tuple[int, list[str]]], is_guarded: bool) -> Cells:
    """Return the table whose heading is the first of these rows."""
    _, heading = rows[0]
    header = [_name(cell) for cell in heading]
    while header and not header[-1]:
        header.pop()
    check_distinct(header, f"{name}, row {rows[0][0]}", name)
    named = [i for i, h in enumerate(header) if h]
    below = []
    for number, cells in rows[1:]:
        if not any(cell.strip() for cell in cells):
            continue
        extra = next((i for i, c in enumerate(cells) if c.strip() and (i >= len(header) or not header[i])), None)
        if extra is not None:
            raise LoadError(
                f"{name}, row {number}: holds {cells[extra].strip()[:40]!r} in {_column(extra)}, which has no name in "
                "the heading. Was the separator changed by hand, or a cell moved? Name the column or empty the cell.",
                name,
            )
        padded = [*cells, *[""] * (len(header) - len(cells))]
        below.append((number, tuple(padded[i] for i in named)))
    return Cells(name, tuple(header[i] for i in named), tuple(below), is_guarded)


def _column(place: int) -> str:
    letters = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"column {letters}"


def _delimited(name: str, data: bytes, needed: Sequence[str], encoding: str | None) -> Iterator[tuple[int, list[str]]]:
    lines = read_text(data, name, encoding=encoding).lines
    if not any(line.strip() for line in lines):
        raise LoadError(f"{name}: is empty.", name)
    start = 1 if lines[0].casefold().startswith("sep=") else 0  # how a file names its separator to Excel
    text = "\n".join(lines[start:])
    delimiter = max(DELIMITERS, key=lambda d: _known(lines, d, needed))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        for row in reader:
            yield start + reader.line_num, row
    except csv.Error as error:
        place = f"{name}, row {start + reader.line_num}"
        raise LoadError(f"{place}: not readable as a table ({error}). Save it again as CSV.", name) from error


def _known(lines: Iterable[str], delimiter: str, needed: Sequence[str]) -> tuple[int, int]:
    """Return how many needed names the best of the first lines has when split so, and into how many cells."""
    best = (0, 0)
    for line, _ in zip(lines, range(20), strict=False):
        try:
            cells = next(csv.reader([line], delimiter=delimiter), [])
        except csv.Error:
            continue
        best = max(best, (len(set(needed) & {_name(cell) for cell in cells}), len(cells)))
    return best
