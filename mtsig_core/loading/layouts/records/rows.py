"""Records of outputs, however a file writes them: one JSON object per line, or one row of a table of texts per line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from mtsig_core.loading.judgements.columns import columns_of_people
from mtsig_core.loading.layouts.records.books import BOOKS, book, is_book, table_of, without_index
from mtsig_core.loading.recognition.names import base_name
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.scores.columns import Table, checked_rows
from mtsig_core.loading.scores.grids import delimited
from mtsig_core.loading.scores.non_metrics import is_no_metric
from mtsig_core.loading.scores.tables import holds_numbers, may_be_metric
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.headings import check_distinct
from mtsig_core.loading.text.records import (
    MOST_KEYS,
    OF_METRICX,
    Fields,
    fields_of,
    first_of_list,
    first_records,
    is_list,
    parse_items,
    read_records,
)

_TABLES = (".csv", ".tsv", ".tab", *BOOKS)
#: Folders of tables of judgements.
FOLDERS = frozenset(("judgements", "judgments", "human-scores", "human"))
#: Records of one upload: each takes a few hundred bytes, however short it is.
MOST_RECORDS = 4_000_000
#: Rows that a table is recognised by.
LOOKED_AT = 50
#: Columns of texts that no system wrote as its answer.
_BESIDE = re.compile(
    r"(?:retrieved[_ ])?contexts?|passages?|paragraphs?|documents?|rationales?|explanations?|reasons?|comments?|notes?|"
    r"instructions?|(?:system[_ ])?prompts?|titles?|.*_(?:reason|comment|explanation|rationale)", re.IGNORECASE,
)  # fmt: skip
#: Letters of scripts that put no blanks between words.
_NO_BLANKS = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]{3}")


def first_rows(path: str, files: FileTree) -> list[dict[str, object]]:
    """Return the first records of a file; none where it holds no records of outputs."""
    if files.format(path) == "json lines":
        return first_records(files.head(path))
    if is_json_list(path, files):
        return first_of_list(files.head(path))
    if not may_be_table(path, files):
        return []
    rows = start_of_table(path, files)
    fields = fields_of(rows)
    if "output" not in fields or not is_text([row[fields.keys["output"]] for row in rows]):
        return []
    others = [key for key in rows[0] if key not in fields.keys.values() and not _BESIDE.fullmatch(key)]
    # other columns of text are outputs, too: a table with one column per output
    return [] if "system" not in fields and any(is_text([row[key] for row in rows]) for key in others) else rows


def sides_in(path: str, files: FileTree) -> list[dict[str, object]]:
    """Return the first records of a file that may hold references alone: any records, whatever is in them."""
    if files.format(path) == "json lines":
        return first_records(files.head(path))
    if is_json_list(path, files):
        return first_of_list(files.head(path))
    return start_of_table(path, files) if may_be_table(path, files) else []


def is_json_list(path: str, files: FileTree) -> bool:
    """Say whether a file holds one JSON list of objects."""
    return base_name(path).casefold().endswith(".json") and is_list(files.head(path))


def may_be_table(path: str, files: FileTree) -> bool:
    """Say whether a file may be a table of texts: by its name, and since it is nothing else."""
    # a first column of numbers may be scores before each line of text: the heading tells
    is_text_file = files.format(path) in ("", "score-tab")
    is_named = base_name(path).casefold().endswith(_TABLES)
    if not is_named or not is_text_file or FOLDERS & set(path.split("/")[:-1]):
        return False
    if is_book(path):
        sheet = book(path, files)
        return sheet is not None and not columns_of_people(sheet.header).is_of_people
    try:
        header = delimited([files.head(path).split("\n", 1)[0].rstrip("\r")], path).header
    except LoadError:
        return False
    return not columns_of_people(header).is_of_people


def start_of_table(path: str, files: FileTree) -> list[dict[str, object]]:
    """Return the first rows of separated values by column; none where the file is no table with a heading."""
    if is_book(path):
        sheet = book(path, files)
        return _dicts(path, sheet, []) if sheet else []
    lines = files.head(path).split("\n")
    start = [line.rstrip("\r") for line in lines[:-1] or lines]
    rows: list[dict[str, object]] = []
    try:
        return _dicts(path, without_index(delimited(start, path)), rows)
    except LoadError:
        return rows  # the beginning may end within a row; all else is refused where it is read


def _dicts(path: str, table: Table, rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """Add the first rows of a table to others, by column; LoadError for one that is damaged."""
    check_distinct(table.header, path, path)
    if len(table.header) > 1 and all(table.header):
        for _, cells in islice(checked_rows(table.header, table.rows, path), LOOKED_AT):
            rows.append(dict(zip(table.header, cells, strict=True)))
    return rows


def is_text(values: Sequence[object]) -> bool:
    """Say whether most values are texts of more than one word."""
    texts = [str(value).strip() for value in values if str(value).strip()]
    n = sum(" " in text or _NO_BLANKS.search(text) is not None for text in texts)
    return n > len(texts) / 2 and not holds_numbers(texts)


def records_in(path: str, files: FileTree, report: Reporter) -> Iterator[tuple[int, Mapping[str, object]]]:
    """Yield the line and the record of each segment of a file; of a JSON list the number of the record.

    Raises
    ------
    LoadError
        For a line that is no record; names file and line.
    """
    if files.format(path) == "json lines":
        lines = files.lines(path, report)
        check_number(len(lines), path)
        yield from read_records(lines, path)
        return
    if is_json_list(path, files):
        items = parse_items("\n".join(files.lines(path, report)), path, MOST_KEYS)
        yield from enumerate(items, 1)
        return
    table = table_of(path, files, report)
    check_distinct(table.header, f"{path}, line 1", path)
    for line, cells in checked_rows(table.header, table.rows, path):
        yield line, dict(zip(table.header, cells, strict=True))


def check_number(n: int, path: str) -> int:
    """Return the number of records; LoadError where they are too many."""
    if n > MOST_RECORDS:
        message = f"{path}: more than {MOST_RECORDS:,} records of outputs, the limit of one upload. "
        raise LoadError(f"{message}Load fewer systems or replicas, or write outputs as lines of text.", path)
    return n


def metrics_among(rows: Sequence[Mapping[str, object]], fields: Fields) -> list[str]:
    """Return the keys without a role whose values are scores: numbers, and not lengths, times or ids by their names."""
    free = [key for key in rows[0] if key not in fields.keys.values() and not is_no_metric(key)] if rows else []
    values = {key: [row.get(key) for row in rows if row.get(key) not in (None, "")] for key in free}
    metrics = [key for key, own in values.items() if own and may_be_metric(key, own)]
    return [*metrics, *([OF_METRICX] if is_of_metricx(rows, fields) else [])]


def is_of_metricx(rows: Sequence[Mapping[str, object]], fields: Fields) -> bool:
    """Say whether records are what the program of MetricX writes: a number called prediction beside a hypothesis."""
    values = [row.get(OF_METRICX) for row in rows]
    is_number = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
    return bool(rows) and is_number and fields.keys.get("output") == "hypothesis"
