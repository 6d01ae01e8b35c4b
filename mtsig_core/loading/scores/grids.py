"""From text and bytes to a table: separated values, JSON records, spreadsheets and Parquet, within limits."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Any

from mtsig_core.loading.report import LoadError
from mtsig_core.loading.scores.columns import Columns, Row, Table, columns_of, is_number, over_two_rows, with_index
from mtsig_core.loading.sources.limits import DEFAULT_LIMITS, Budget
from mtsig_core.loading.text.records import parse_json, read_records
from mtsig_core.loading.text.surroundings import (
    HEADING_WITHIN,
    TextRow,
    undrawn,
    with_row_names,
    without_title,
    words_of,
)
from mtsig_core.loading.text.workbooks import worksheets

DELIMITERS = ("\t", ";", ",", "|")
#: Most characters of a cell (the csv module's own limit) and most columns of a table.
LONGEST_CELL, MOST_COLUMNS = 131_072, 2_000
#: Rows of a parquet file; packed rows may be far smaller than what they become.
MOST_ROWS = 10_000_000
#: Rows per byte of a parquet file, where there are more than so many rows.
MOST_ROWS_PER_BYTE, MOST_PACKED = 20, 500_000
_SEPARATOR = re.compile(r'"?sep=[;,|\t]"?\s*', re.IGNORECASE)


def table_in(lines: Sequence[str], file: str, row: str = "row") -> Table:
    """Return the table that a text holds: a JSON list, JSON lines, or separated values, by its first character.

    Raises
    ------
    LoadError
        When there is nothing, of which the message says what a `row` would be, and where a row cannot be read.
    """
    start = next((line.lstrip()[:1] for line in lines if line.strip()), "")
    if not start:
        raise LoadError(f"{file}: is empty. Expected a heading and one {row} per line.", file)
    if start == "[":
        return json_records("\n".join(lines), file)
    return json_lines(lines, file) if start == "{" else delimited(lines, file)


def delimited(lines: Sequence[str], file: str) -> Table:
    """Return a table of separated values; the delimiter is the one that yields most recognised column names.

    Quotes enclose a cell where they are balanced; in a tab-separated line they are else part of the text, as
    annotation tools write it.

    Raises
    ------
    LoadError
        While rows are taken: for a quote that is never closed, or that swallows the rows below it.
    """
    lines = without_title(_without_preamble(undrawn(lines, file)), DELIMITERS, _n_known)
    delimiter = delimiter_of(next((line for line in lines if line.strip()), ""))
    if delimiter is None:
        split = ((i, words_of(line)) for i, line in enumerate(lines, 1) if line.strip())
        header, rows = with_row_names(next(split, (0, []))[1], split)
        return Table(tuple(header), rows)
    records = _Records(lines, delimiter, file)
    rows = (row for row in records.rows() if any(cell.strip() for cell in row[1]))
    _, header_row = next(rows, (0, []))
    records.n_columns = len(header_row)
    _check_width(len(header_row), file)
    header, rows = _of_two_rows(*with_row_names(header_row, rows))
    return Table(tuple(cell.strip() for cell in header), rows)


def _without_preamble(lines: Sequence[str]) -> Sequence[str]:
    """Return lines in which what stands above the heading is blank: Excel's ``sep=;``, and comments behind a #."""
    n = 0
    while n < min(len(lines), HEADING_WITHIN) and (_SEPARATOR.fullmatch(lines[n]) or lines[n].startswith("#")):
        n += 1
    if n == 0 or n == len(lines) or (lines[n - 1].startswith("#") and not _names_more(lines[n], lines[n - 1])):
        return lines
    return [*[""] * n, *lines[n:]]


def _of_two_rows(header: list[str], rows: Iterator[TextRow]) -> tuple[list[str], Iterator[TextRow]]:
    """Return the heading of a table that has two rows of it, as pandas writes those of columns with two levels."""
    if len({*header} - {""}) == len([name for name in header if name]):
        return header, rows
    first = list(islice(rows, 2))
    below = first[0][1] if first else []
    two = () if any(map(is_number, below)) or len(below) != len(header) else over_two_rows(header, below)
    if not two:
        return header, chain(first, rows)
    names = with_index(two, first[1][1] if len(first) > 1 else [])
    return list(names), chain(first[1:] if names == two else [], rows)


def _n_known(names: Sequence[str]) -> int:
    return len(columns_of(names).places)


def _names_more(heading: str, comment: str) -> bool:
    """Say whether more columns are known by one line than by the one above it, which begins with a #."""
    known = [len(columns_of(_split(line, delimiter_of(line) or "\t")).places) for line in (heading, comment[1:])]
    return known[0] > known[1]


@lru_cache(maxsize=16)  # several formats look at the first line of a file
def delimiter_of(line: str) -> str | None:
    """Return the delimiter of a header line; None for blanks."""
    n_columns = {d: len(columns_of(_split(line, d)).places) for d in DELIMITERS}
    best = max(DELIMITERS, key=lambda d: (n_columns[d], line.count(d)))
    blanks = len(columns_of(line.split()).places)
    return best if n_columns[best] >= blanks and best in line else None


def _split(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


class _Records:
    """Rows of separated values, each with the line that it begins in."""

    def __init__(self, lines: Sequence[str], delimiter: str, file: str) -> None:
        self._lines = lines
        self._delimiter = delimiter
        self._file = file
        self.n_columns = 0

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield line number and cells."""
        i = 0
        while i < len(self._lines):
            cells, n_lines = self._row(i)
            if len(self._lines[i]) > LONGEST_CELL and max(map(len, cells), default=0) > LONGEST_CELL:
                raise LoadError(
                    f"{self._file}, line {i + 1}: a cell of more than {LONGEST_CELL:,} characters, the limit. Correct "
                    "the line.",
                    self._file,
                )
            yield i + 1, cells
            i += n_lines

    def _row(self, i: int) -> tuple[list[str], int]:
        """Return the cells of the row that begins in a line, and how many lines it takes."""
        line = self._lines[i]
        literal = line.split(self._delimiter)
        if '"' not in line:
            return literal, 1
        cells, is_open = self._parsed(line, i)
        if self._delimiter == "\t" and len(literal) == self.n_columns and (is_open or len(cells) != len(literal)):
            return literal, 1
        return self._over_lines(i) if is_open else (cells, 1)

    def _parsed(self, line: str, i: int) -> tuple[list[str], bool]:
        """Return the cells of some text, and whether a quote is still open at its end."""
        try:
            return next(csv.reader([line], delimiter=self._delimiter, strict=True), []), False
        except csv.Error as error:
            if "unexpected end" in str(error):
                return [], True
        try:
            return next(csv.reader([line], delimiter=self._delimiter), []), False
        except csv.Error as error:
            raise LoadError(f"{self._file}, line {i + 1}: not readable as a table ({error}).", self._file) from error

    def _over_lines(self, i: int) -> tuple[list[str], int]:
        """Return the cells of a row with line ends inside quotes; a quote that swallows rows is refused."""
        text = self._lines[i]
        for n in range(1, len(self._lines) - i):
            line = self._lines[i + n]
            swallows = self.n_columns > 1 and len(line.split(self._delimiter)) >= self.n_columns
            text += "\n" + line
            if swallows or len(text) > LONGEST_CELL:
                break
            if '"' in line:
                cells, is_open = self._parsed(text, i)
                if not is_open:
                    return cells, n + 1
        raise LoadError(
            f"{self._file}, line {i + 1}: a quote opens here and is not closed in its row, so it would swallow the "
            "rows below. Close it, double it, or take it out.",
            self._file,
        )


def _check_width(n: int, file: str) -> None:
    if n > MOST_COLUMNS:
        raise LoadError(f"{file}: {n:,} columns; the limit is {MOST_COLUMNS:,}. Keep those with scores.", file)


def json_lines(lines: Sequence[str], file: str) -> Table:
    """Return the table of a file with one JSON object per line; keys that only later lines have are columns, too."""
    return of_records(list(read_records(lines, file)), file)


def json_records(text: str, file: str) -> Table:
    """Return the table of a JSON list of objects; a row's place is its number in the list."""
    content = parse_json(text, file, None)
    if not isinstance(content, list):
        raise LoadError(f"{file}: expected a list of objects, one per row; found {type(content).__name__}.", file)
    return of_records([(i, _object(record, file, i)) for i, record in enumerate(content, 1)], file)


def _object(record: object, file: str, line: int) -> dict[str, object]:
    if not isinstance(record, dict):
        raise LoadError(f"{file}, line {line}: expected a JSON object, a row; found {type(record).__name__}.", file)
    return record


def of_records(records: list[tuple[int, dict[str, object]]], file: str) -> Table:
    """Return the table of records with their lines; keys that only later ones have are columns, too."""
    header: dict[str, None] = {}
    for _, record in records:
        header.update(dict.fromkeys(record))
        _check_width(len(header), file)
    return Table(tuple(header), ((line, [record.get(key) for key in header]) for line, record in records))


def sheets(
    data: bytes, file: str, is_wanted: Callable[[Sequence[str], str], bool]
) -> list[Table]:
    """Return the sheets of an XLSX file that are tables of the wanted kind; the heading may stand below other rows.

    Parameters
    ----------
    data : bytes
    file : str
    is_wanted : callable
        Takes a heading and the name of the file.

    Raises
    ------
    LoadError
        For a file that is not readable, and where openpyxl is not installed.
    """
    tables = []
    for name, rows in worksheets(file, data, Budget(DEFAULT_LIMITS, len(data)).spend):
        start = [cells for _, cells in rows[:HEADING_WITHIN]]
        for place, cells in enumerate(start):
            header, height = _heading(cells), 1
            below = start[place + 1] if place + 1 < len(start) else []
            spans = len(set(header) - {""}) < len(_heading(below))  # some name stands over several columns
            if spans and not any(is_number(cell) for cell in below) and (two := over_two_rows(cells, below)):
                header, height = two, 2
                named = with_index(two, start[place + 2] if place + 2 < len(start) else [])
                if named != two:
                    header, height = named, 3
            if is_wanted(header, file):
                tables.append(Table(header, _padded(rows[place + height :], len(header)), name))
                break
    return tables


def _heading(cells: Sequence[str]) -> tuple[str, ...]:
    """Return the names of columns without the empty cells behind the last."""
    names = [cell.strip() for cell in cells]
    while names and not names[-1]:
        names.pop()
    return tuple(names)


def _padded(rows: Sequence[tuple[int, list[str]]], width: int) -> Iterator[Row]:
    for number, cells in rows:
        while len(cells) > width and not cells[-1].strip():
            cells = cells[:-1]
        yield number, [*cells, *[""] * (width - len(cells))]


def parquet(data: bytes, file: str, is_wanted: Callable[[Sequence[str], str], bool] | None = None) -> Table:
    """Return the table of a parquet file; a row's place is its number from 1.

    Parameters
    ----------
    data : bytes
    file : str
    is_wanted : callable, optional
        Takes the names of the columns and of the file: whether all of them are wanted, else none are. Without it, of a
        table of scores only its scores, and what they are of.

    Raises
    ------
    LoadError
        For a file that is not readable or beyond a limit, and where pyarrow is not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        remedy = 'pip install "mtsig[parquet]", or save the table as CSV'
        raise LoadError(f"{file}: Parquet files need the package pyarrow: {remedy}.", file) from error

    try:
        schema = pyarrow.parquet.ParquetFile(io.BytesIO(data)).schema_arrow
        if is_wanted is not None and not is_wanted(tuple(schema.names), file):
            return Table((), iter(()))
        texts = [name for name, kind in zip(schema.names, schema.types, strict=True) if _is_text(kind)]
        # A text that fills a million rows is stored once, and is to stay so in memory.
        opened = pyarrow.parquet.ParquetFile(io.BytesIO(data), read_dictionary=texts)
        _check_size(opened.metadata, file, len(data))
        wanted = _wanted(schema, file, scores_only=is_wanted is None)
        read = opened.read(columns=wanted).select(wanted).columns if wanted else []
        lists = [_values(column, name, file) for name, column in zip(wanted, read, strict=True)]
    except (pyarrow.ArrowException, OSError, ValueError, KeyError, OverflowError) as error:
        if isinstance(error, LoadError):
            raise
        reason = " ".join(str(error).split())[:200]
        raise LoadError(f"{file}: not readable as parquet ({reason}). Write it again.", file) from error
    return Table(tuple(wanted), ((i, row) for i, row in enumerate(zip(*lists, strict=True), 1)))


def parquet_names(data: bytes, file: str) -> tuple[str, ...]:
    """Return the names of the columns of a parquet file; LoadError as `parquet` raises it."""
    names: list[str] = []

    def take(header: Sequence[str], _: str) -> bool:
        names.extend(header)
        return False

    parquet(data, file, take)
    return tuple(names)


def _wanted(schema: Any, file: str, *, scores_only: bool) -> list[str]:
    """Return the columns of texts and numbers; of a table of scores perhaps only these, and what they are of."""
    header = tuple(schema.names)
    columns = columns_of(header)
    if scores_only and columns.is_table_of_scores:
        wanted = [header[i] for i in [*columns.places.values(), *_numeric(columns, schema)]]
        _check_kinds({name: schema.field(name).type for name in wanted}, file)
        return wanted
    kinds = zip(header, schema.types, strict=True)
    return [name for name, kind in kinds if _is_text(kind) or _is_number_kind(kind)]


def _is_text(kind: Any) -> bool:
    return str(kind) in ("string", "large_string", "binary", "large_binary")


def _check_kinds(kinds: Mapping[str, Any], file: str) -> None:
    nested = next((name for name, kind in kinds.items() if getattr(kind, "num_fields", 0)), None)
    if nested is not None:
        raise LoadError(f"{file}, column {nested!r}: holds {kinds[nested]}, no single values. Write one per row.", file)


def _check_size(meta: Any, file: str, n_bytes: int) -> None:
    if meta.num_rows > max(MOST_PACKED, MOST_ROWS_PER_BYTE * n_bytes):
        packed = f"{meta.num_rows:,} rows in {n_bytes:,} bytes"
        raise LoadError(f"{file}: {packed}; the limit is {MOST_ROWS_PER_BYTE} rows per byte. Are they all alike?", file)
    unpacked = sum(meta.row_group(i).total_byte_size for i in range(meta.num_row_groups))
    if meta.num_rows > MOST_ROWS or unpacked > DEFAULT_LIMITS.unpacked_bytes:
        raise LoadError(f"{file}: {meta.num_rows:,} rows; the limit is {MOST_ROWS:,}. Split the file.", file)
    _check_width(meta.num_columns, file)


def _values(column: Any, name: str, file: str) -> list[object]:
    """Return the cells of a column; equal texts are one object."""
    values: list[object] = []
    column.validate(full=True)  # a damaged file may point beyond its dictionary
    for chunk in column.chunks:
        if not hasattr(chunk, "dictionary"):
            values += chunk.to_pylist()
            continue
        longest = max((text.as_buffer().size for text in chunk.dictionary if text.is_valid), default=0) if _is_text(
            chunk.dictionary.type
        ) else 0
        if longest > LONGEST_CELL:
            raise LoadError(
                f"{file}, column {name!r}: a cell of {longest:,} bytes; the limit is {LONGEST_CELL:,}. Leave the "
                "column out.",
                file,
            )
        texts = chunk.dictionary.to_pylist()
        values += [None if i is None else texts[i] for i in chunk.indices.to_pylist()]
    return values


def _numeric(columns: Columns, schema: Any) -> list[int]:
    if "score" in columns.places:
        return []
    return [i for i in columns.free() if _is_number_kind(schema.types[i])]


def _is_number_kind(kind: Any) -> bool:
    return re.match(r"u?int|float|double|half|decimal", str(kind)) is not None
