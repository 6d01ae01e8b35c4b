"""A table of texts whose columns a person names -> the list of rows that layouts read, one per output and segment.

Several columns of outputs are those of systems and runs that they are called by; several references become a list.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from mtsig_core.loading.recognition.names import base_name
from mtsig_core.loading.report import LoadError
from mtsig_core.loading.reshaping.shape import runs_of
from mtsig_core.loading.scores.columns import SCORES, UNUSED, Table, checked_rows
from mtsig_core.loading.scores.grids import delimited, json_lines, parquet, sheets
from mtsig_core.loading.scores.non_metrics import is_no_metric
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.records import KEYS, MOST_KEYS, parse_items
from mtsig_core.loading.text.xml import one_line

#: What a person may say that a column of a table of texts is.
TEXT_ROLES = (*KEYS, SCORES, UNUSED)
_TABLES = (".csv", ".tsv", ".tab", ".xlsx", ".parquet", ".json", ".jsonl", ".ndjson")
_OF_MANY = ("output", "reference", SCORES, UNUSED)
NamedColumns = Mapping[str, str]


def may_be_table(path: str) -> bool:
    """Say whether the columns of a file can be named, by the ending of its name."""
    return base_name(path).casefold().endswith(_TABLES)


def table_in(path: str, files: FileTree, columns: NamedColumns | None = None) -> Table:
    """Return the table in a file, with its cells unchanged.

    Parameters
    ----------
    path : str
    files : FileTree
    columns : mapping of column to role, optional
        Of a workbook, the sheet that has them all is taken; else the first with a heading of names alone.

    Raises
    ------
    LoadError
        When it holds none, or a damaged one.
    """
    def is_wanted(header: Sequence[str], _: str) -> bool:
        return columns.keys() <= set(header) if columns else len(header) > 1 and all(header[1:])

    name = base_name(path).casefold()
    if name.endswith(".parquet"):
        return parquet(files.decoder.unpacked(files[path], path), path, is_wanted)
    if name.endswith(".xlsx"):
        fitting = sheets(files.decoder.unpacked(files[path], path), path, is_wanted)
        return fitting[0] if fitting else Table((), iter(()))
    lines = files.decoder.text(files[path], path).lines
    start = next((line.lstrip()[:1] for line in lines if line.strip()), "")
    if start == "[":
        return _of_items(parse_items("\n".join(lines), path, MOST_KEYS))
    return json_lines(lines, path) if start == "{" else delimited(lines, path)


def _of_items(items: Iterator[dict[str, object]]) -> Table:
    """Return the table of the objects of a JSON list, with the keys of the first hundred."""
    first = list(islice(items, 100))
    header = tuple(dict.fromkeys(key for item in first for key in item))
    return Table(header, ((i, [item.get(key) for key in header]) for i, item in enumerate(chain(first, items), 1)))


@dataclass(frozen=True)
class _Places:
    """The columns of each role."""

    of: Mapping[str, list[int]]
    outputs: Mapping[int, tuple[str, str]]
    metrics: Mapping[int, str]

    def row(self, cells: Sequence[object], number: int) -> Iterator[dict[str, object]]:
        """Yield a row for each output of one line of the table."""
        shared: dict[str, object] = {name: cells[i] for i, name in self.metrics.items()}
        for role in KEYS.keys() - {"output"}:
            if places := self.of.get(role):
                values = [_cell(cells[i]) for i in places]
                shared[_key(role)] = values[0] if len(values) == 1 else values
        if len(self.outputs) > 1 and "segment" not in self.of:
            shared[_key("segment")] = number
        if not self.outputs:
            yield shared
        for i, (system, run) in self.outputs.items():
            named = {_key(role): name for role, name in (("system", system), ("replica", run)) if name}
            yield shared | named | {_key("output"): _text(cells[i])}


def _key(role: str) -> str:
    """Return the surest of the keys by which layouts know a role."""
    return KEYS[role][0]


def rows_by_columns(path: str, files: FileTree, columns: NamedColumns) -> bytes:
    """Return a table of texts as JSON lines, under the keys that layouts know.

    Raises
    ------
    LoadError
        When a column is missing, a role is given twice, or no column holds outputs or references.
    """
    table = table_in(path, files, columns)
    missing = next((name for name in columns if name not in table.header), None)
    if missing is not None:
        there = ", ".join(map(repr, table.header[:12])) or "none"
        raise LoadError(f"{path}: there is no column {missing!r}; there are {there}. Correct its name.", path)
    places = _places(path, table.header, columns)
    rows = enumerate(checked_rows(table.header, table.rows, path), 1)
    lines = (json.dumps(row, ensure_ascii=False) for i, (_, cells) in rows for row in places.row(cells, i))
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")


def _places(path: str, header: Sequence[str], columns: NamedColumns) -> _Places:
    of: dict[str, list[int]] = {}
    for i, name in enumerate(header):
        of.setdefault(columns.get(name, UNUSED), []).append(i)
    twice = next((role for role, own in of.items() if role not in _OF_MANY and len(own) > 1), None)
    if twice is not None:
        named = " and ".join(repr(header[i]) for i in of[twice][:2])
        raise LoadError(f"{path}: two columns are chosen as {twice.replace('_', ' ')!r}, {named}. Choose one.", path)
    outputs = of.get("output", [])
    if not outputs and "reference" not in of:
        raise LoadError(f"{path}: no column is chosen as output or reference. Choose one.", path)
    if len(outputs) > 1 and (named_by := [role for role in ("system", "replica") if role in of]):
        message = f"{path}: several columns are chosen as output, and {header[of[named_by[0]][0]]!r} as {named_by[0]}. "
        raise LoadError(f"{message}Several outputs are called by their columns: choose one, or no {named_by[0]}.", path)
    names = runs_of([header[i] for i in outputs]) if len(outputs) > 1 else {}
    metrics = {i: f"{header[i]} score" if is_no_metric(header[i]) else header[i] for i in of.get(SCORES, [])}
    return _Places(of, {i: names.get(header[i], ("", "")) for i in outputs}, metrics)


def _cell(value: object) -> object:
    """Return a cell: a list of texts as it is, all else as text on one line."""
    return value if isinstance(value, list) else _text(value)


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return one_line(re.sub(r"\r\n?", "\n", str(value)))
