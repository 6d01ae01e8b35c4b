"""Score tables with one row per segment of an output, and one score (long) or one column per metric (wide)."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.scores.columns import Columns, columns_of
from mtsig_core.loading.scores.numbers import MISSING, NumberReader, parse_json, segment_id
from mtsig_core.loading.sources.limits import DEFAULT_LIMITS

Row = tuple[int, Sequence[object]]
DELIMITERS = ("\t", ";", ",", "|")
#: Rows of a wide table that decide which of its columns hold numbers.
N_LOOKED_AT = 100
#: Rows of a parquet file; packed rows may be far smaller than what they become.
MOST_ROWS = 50_000_000
_TRUTH = {"true": True, "yes": True, "1": True, "higher": True, "false": False, "no": False, "0": False, "lower": False}


@dataclass(frozen=True)
class Table:
    """A header and its rows, each with the line that it stands in."""

    header: tuple[str, ...]
    rows: Iterator[Row]


# From text and bytes to a table


def delimited(lines: Sequence[str], file: str) -> Table:
    """Return a table of separated values; the delimiter is the one that yields most recognised column names."""
    delimiter = delimiter_of(lines[0] if lines else "")
    if delimiter is None:
        header = tuple(lines[0].split()) if lines else ()
        return Table(header, ((i, line.split()) for i, line in enumerate(lines[1:], 2) if line.strip()))
    reader = csv.reader(lines, delimiter=delimiter)

    def rows() -> Iterator[Row]:
        try:
            for row in reader:
                if any(cell.strip() for cell in row):
                    yield reader.line_num, row
        except csv.Error as error:
            raise LoadError(f"{file}, line {reader.line_num}: not readable as a table ({error}).", file) from error

    every = rows()
    _, header_row = next(every, (0, []))
    return Table(tuple(str(cell).strip() for cell in header_row), every)


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


def json_lines(lines: Sequence[str], file: str) -> Table:
    """Return the table of a file with one JSON object per line; keys that only later lines have are columns, too."""
    records = []
    for i, line in enumerate(lines, 1):
        if line.strip():
            records.append((i, _object(parse_json(line, file, i), file, i)))
    return _of_records(records)


def json_records(text: str, file: str) -> Table:
    """Return the table of a JSON list of objects; a row's place is its number in the list."""
    content = parse_json(text, file, None)
    if not isinstance(content, list):
        raise LoadError(f"{file}: expected a list of objects, one per row; found {type(content).__name__}.", file)
    return _of_records([(i, _object(record, file, i)) for i, record in enumerate(content, 1)])


def _object(record: object, file: str, line: int) -> dict[str, object]:
    if not isinstance(record, dict):
        raise LoadError(f"{file}, line {line}: expected a JSON object, a row; found {type(record).__name__}.", file)
    return record


def _of_records(records: list[tuple[int, dict[str, object]]]) -> Table:
    header = tuple(dict.fromkeys(key for _, record in records for key in record))
    return Table(header, ((line, [record.get(key) for key in header]) for line, record in records))


def parquet(data: bytes, file: str) -> Table:
    """Return the table of a parquet file; a row's place is its number from 1.

    Raises
    ------
    LoadError
        For a file that is not readable, and where pyarrow is not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        remedy = 'pip install "mtsig[parquet]", or save the table as CSV'
        raise LoadError(f"{file}: Parquet files need the package pyarrow: {remedy}.", file) from error

    try:
        opened = pyarrow.parquet.ParquetFile(io.BytesIO(data))
        meta = opened.metadata
        unpacked = sum(meta.row_group(i).total_byte_size for i in range(meta.num_row_groups))
        if meta.num_rows > MOST_ROWS or unpacked > DEFAULT_LIMITS.unpacked_bytes:
            raise LoadError(f"{file}: {meta.num_rows:,} rows are too many to load. Split the file.", file)
        header = tuple(opened.schema_arrow.names)
        columns = columns_of(header)
        wanted = [header[i] for i in [*columns.places.values(), *_numeric(columns, opened.schema_arrow)]]
        lists = [column.to_pylist() for column in opened.read(columns=wanted).select(wanted).columns] if wanted else []
    except (pyarrow.ArrowException, OSError, ValueError, KeyError, OverflowError) as error:
        if isinstance(error, LoadError):
            raise
        reason = " ".join(str(error).split())[:200]
        raise LoadError(f"{file}: not readable as parquet ({reason}). Write it again.", file) from error
    return Table(tuple(wanted), ((i, row) for i, row in enumerate(zip(*lists, strict=True), 1)))


def _numeric(columns: Columns, schema: Any) -> list[int]:
    if "score" in columns.places:
        return []
    kinds = [str(kind) for kind in schema.types]
    return [i for i in columns.free() if re.match(r"u?int|float|double|half|decimal", kinds[i])]


# From a table to blocks


def read_table(table: Table, file: str, report: Reporter) -> list[ScoreBlock]:
    """Return the scores of a table, a block an output and metric.

    Raises
    ------
    LoadError
        For a row of the wrong length, a name or id that is missing, a score that is no number, or two
        different scores of one segment; names file, line and column.
    """
    columns = columns_of(table.header)
    if not columns.is_table_of_scores:
        raise LoadError(
            f"{file}: the header ({some([repr(name) for name in table.header], 12) or 'empty'}) names no columns "
            "system, segment and score. Rename the columns.",
            file,
        )
    first = list(itertools.islice(table.rows, N_LOOKED_AT))
    columns = _with_metrics(columns, first, file, report)
    reader = _Reader(columns, file)
    for line, cells in itertools.chain(first, table.rows):
        reader.row(line, cells)
    return reader.finish(report)


def _with_metrics(columns: Columns, rows: Sequence[Row], file: str, report: Reporter) -> Columns:
    """Find the metrics of a wide table: columns without a role whose first rows hold numbers."""
    if "score" not in columns.places:
        free = columns.free()
        metrics = [i for i in free if holds_numbers([cells[i] for _, cells in rows if i < len(cells)])]
        if not metrics:
            raise LoadError(f"{file}: no column holds scores. Name it 'score', or by its metric.", file)
        columns = Columns(columns.header, columns.places, tuple(metrics))
    used = {*columns.places.values(), *columns.metrics}
    unused = [i for i in range(len(columns.header)) if i not in used]
    if unused:
        names = some([repr(columns.header[i]) for i in unused], 12)
        report.add("ignored", "unused-columns", f"{file}: columns without use here: {names}.", [file])
    return columns


def holds_numbers(cells: Sequence[object]) -> bool:
    """Say whether most cells are numbers, leaving out missing ones: a wrong cell among them deserves an error."""
    values = [c for c in cells if c is not None and not (isinstance(c, str) and c.strip().casefold() in MISSING)]
    return 2 * sum(map(_is_number, values)) > len(values)


def _is_number(cell: object) -> bool:
    if isinstance(cell, bool):
        return False
    if isinstance(cell, str):
        # nan and inf count here, to be refused by name later on
        return re.fullmatch(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?|[+-]?(nan|inf|infinity)", cell.strip(),
                            re.IGNORECASE) is not None
    return isinstance(cell, int | float)


class _Reader:
    """Sorts the rows of a table into blocks."""

    def __init__(self, columns: Columns, file: str) -> None:
        self._file = file
        self._columns = columns
        self._places = columns.places
        self._numbers = NumberReader(file)
        self._blocks: dict[tuple[str, str, str, str], dict[str, float | None]] = {}
        self._documents: dict[str, dict[str, str]] = {}
        self._directions: dict[str, bool] = {}
        self._pool: dict[str, str] = {}
        self._repeated = 0

    def row(self, line: int, cells: Sequence[object]) -> None:
        """Take one row."""
        header = self._columns.header
        if len(cells) != len(header):
            raise LoadError(
                f"{self._file}, line {line}: {len(cells)} cells, but the header has {len(header)}. Correct the line.",
                self._file,
            )
        test_set, system, replica = (self._name(role, line, cells) for role in ("test_set", "system", "replica"))
        segment = self._pooled(segment_id(self._name("segment", line, cells)))
        document = self._name("document", line, cells)
        if document:
            self._documents.setdefault(test_set, {})[segment] = document
        if self._columns.metrics:
            for i in self._columns.metrics:
                self._add((test_set, header[i], system, replica), segment, cells[i], line, header[i])
            return
        metric = self._name("metric", line, cells) or "score"
        self._direction(metric, line, cells)
        place = self._places["score"]
        self._add((test_set, metric, system, replica), segment, cells[place], line, header[place])

    def _name(self, role: str, line: int, cells: Sequence[object]) -> str:
        place = self._places.get(role)
        if place is None:
            return ""
        cell = cells[place]
        text = str(int(cell)) if isinstance(cell, float) and cell.is_integer() else "" if cell is None else str(cell)
        text = text.strip()
        if not text and role in ("system", "segment", "metric"):
            column = self._columns.header[place]
            raise LoadError(f"{self._file}, line {line}, column {column!r}: is empty. Fill it in.", self._file)
        if role == "replica":
            text = segment_id(text)
        return self._pooled(text)

    def _pooled(self, text: str) -> str:
        return self._pool.setdefault(text, text)

    def _direction(self, metric: str, line: int, cells: Sequence[object]) -> None:
        text = self._name("higher_is_better", line, cells)
        if not text:
            return
        higher = _TRUTH.get(text.casefold())
        if higher is None or self._directions.setdefault(metric, higher) is not higher:
            column = self._columns.header[self._places["higher_is_better"]]
            raise LoadError(
                f"{self._file}, line {line}, column {column!r}: expected true or false, the same in all rows of a "
                f"metric; found {text!r}.",
                self._file,
            )

    def _add(self, key: tuple[str, str, str, str], segment: str, cell: object, line: int, column: str) -> None:
        value = self._numbers.read(cell, line, column)
        own = self._blocks.setdefault(key, {})
        if segment not in own:
            own[segment] = value
        elif own[segment] == value:
            self._repeated += 1
        else:
            _, metric, system, replica = key
            kind = metric if metric == "score" else f"{metric} score"
            raise LoadError(
                f"{self._file}, line {line}, column {column!r}: a second {kind} of segment {segment!r} of "
                f"{system}{'/' + replica if replica else ''} ({own[segment]} before, {value} here). Keep one; if "
                "replicas differ, name them in a column 'replica'.",
                self._file,
            )

    def finish(self, report: Reporter) -> list[ScoreBlock]:
        """Return the blocks; report what was repaired."""
        self._numbers.finish(report)
        if self._repeated:
            message = f"{self._file}: {self._repeated} repeated rows with equal scores were taken once."
            report.add("repaired", "repeated-rows", message, [self._file])
        if not self._blocks:
            raise LoadError(f"{self._file}: there is a header, but no row below it. Add the scores.", self._file)
        return [
            ScoreBlock(
                self._file, metric, system, replica, test_set, by_id=scores,
                higher_is_better=self._directions.get(metric), documents=self._documents.get(test_set, {}),
            )
            for (test_set, metric, system, replica), scores in self._blocks.items()
        ]
