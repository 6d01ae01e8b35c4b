"""Any table with a heading: one row per judgement, its columns recognised by their names.

WMT's direct assessment (``HITId WorkerId ... sys_id rid type sid score time``), WMT's segment averages, averages of
MQM, ratings on any scale, one column per dimension or one that names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from mtsig_core.loading.judgements.columns import JudgementColumns, judgement_columns
from mtsig_core.loading.judgements.directions import direction_of
from mtsig_core.loading.judgements.frame import (
    ATTENTION,
    CONTROLS,
    DAMAGED,
    OUTPUT,
    REFERENCE,
    REPEAT,
    TUTORIAL,
    JudgementTable,
    judgement_frame,
)
from mtsig_core.loading.recognition.names import base_name
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores.columns import Row, columns_of
from mtsig_core.loading.scores.grids import table_in
from mtsig_core.loading.scores.numbers import MISSING, NumberReader, segment_id

NAME = "table of judgements"
_TYPES = {
    "system": OUTPUT, "tgt": OUTPUT, "output": OUTPUT, "repeat": REPEAT, "chk": REPEAT, "ref": REFERENCE,
    "reference": REFERENCE, "bad ref": DAMAGED, "bad_ref": DAMAGED, "bad": DAMAGED, "damaged": DAMAGED,
    "tutorial": TUTORIAL, "attention check": ATTENTION, "attention": ATTENTION, "check": ATTENTION,
}  # fmt: skip
_TIMES = {
    "seconds": ("seconds", "time taken", "duration", "secs", "time seconds"),
    "start": ("start time", "time start", "start"), "end": ("end time", "time end", "end"),
}  # fmt: skip
_QUALITIES = frozenset(("adequacy", "fluency", "quality", "naturalness", "informativeness", "coherence", "relevance"))
_SHORT = {"ad": "adequacy", "fl": "fluency"}
_RANKS = ("rank", "ranking")


def recognises(file: str, lines: Sequence[str]) -> bool:
    """Say that anything may be a table: this format is tried last, and its reader says what is missing."""
    return True


def read(file: str, lines: Sequence[str], report: Reporter) -> JudgementTable:
    """Return the judgements of one table.

    Raises
    ------
    LoadError
        When no column is one of systems or of judgements, or a cell is wrong; names line, column and remedy.
    """
    table = table_in(lines, file, "judgement")
    plain = [name.strip().casefold() for name in table.header]
    ranks = [i for i, name in enumerate(plain) if name in _RANKS]
    header = tuple("score" if i in ranks else name for i, name in enumerate(table.header))
    columns = judgement_columns(header, file)
    return _read_rows(list(table.rows), table.header, columns, file, report, is_rank=bool(ranks))


#: Columns of source texts, which tell items apart where nothing else does.
_SOURCES = {"source": ("source", "src", "source text", "source segment", "input")}


def _read_rows(
    rows: list[Row], header: Sequence[str], columns: JudgementColumns, file: str, report: Reporter, *, is_rank: bool
) -> JudgementTable:
    if not rows:
        raise LoadError(f"{file}: there is a heading, but no row below it. Add the judgements.", file)
    # some files of WMT separate the heading by blanks and the rows by tabs
    rows = [(line, _cells(cells, len(header), file, line)) for line, cells in rows]
    names = {role: _names(rows, columns, role, file) for role in columns.places}
    _add_languages(names, report)
    _add_segments(names, rows, header, report)
    n, numbers = len(rows), NumberReader(file)
    parts: list[tuple[list[str], list[float | None]]] = []
    dimensions: dict[str, list[float]] = {}
    for own, place in columns.values.items():
        label = "rank" if is_rank and own == "score" else own
        scores = [numbers.read(cells[place], line, header[place]) for line, cells in rows]
        row_dimensions = _dimensions(label, names.get("dimension"), file, n)
        parts.append((row_dimensions, scores))
        for name, value in zip(row_dimensions, scores, strict=True):
            dimensions.setdefault(name, []).extend([] if value is None else [value])
    numbers.finish(report)
    common: dict[str, Sequence[object] | None] = {
        name: names.get("item" if name == "task" else name)  # "item" is what was judged together
        for name in ("test_set", "document", "segment", "system", "replica", "annotator", "task")
    }
    common["item_type"] = _item_types(names.get("type"), rows, header, columns, file)
    common["seconds"] = _seconds(rows, header)
    repeated = {name: None if values is None else list(values) * len(parts) for name, values in common.items()}
    repeated["dimension"] = [name for row_dimensions, _ in parts for name in row_dimensions]
    repeated["score"] = [value for _, scores in parts for value in scores]
    frame = judgement_frame(repeated, n * len(parts))
    directions = {
        name: (False, "") if name == "rank" else direction_of(name, values) for name, values in dimensions.items()
    }
    report.add("recognised", "columns", f"Columns: {columns.description}.")
    if columns.unused:
        report.add("ignored", "unused-columns", f"Unused columns: {some(map(repr, columns.unused), 12)}.")
    return JudgementTable(file, NAME, frame, {name: higher for name, (higher, _) in directions.items()},
                          {name: reason for name, (_, reason) in directions.items()},
                          _standardised(dimensions, file))  # fmt: skip


def _standardised(dimensions: Iterable[str], file: str) -> tuple[str, ...]:
    by_name = "stnd" in base_name(file).casefold()
    return tuple(name for name in dimensions if by_name or name == "z" or name.endswith(" (z)"))


def _cells(cells: Sequence[object], n: int, file: str, line: int) -> Sequence[object]:
    if len(cells) != n:
        raise LoadError(f"{file}, line {line}: {len(cells)} cells, but the heading has {n}. Correct the line.", file)
    return cells


def _names(rows: list[Row], columns: JudgementColumns, role: str, file: str) -> list[str | None]:
    place = columns.places[role]
    values: list[str | None] = []
    for line, cells in rows:
        cell = cells[place]
        cell = int(cell) if isinstance(cell, float) and cell.is_integer() else cell
        text = "" if cell is None else str(cell).strip()
        if role in ("system", "segment", "dimension") and not text:
            raise LoadError(f"{file}, line {line}, column {columns.header[place]!r}: is empty. Fill it in.", file)
        missing = role not in ("system", "segment") and text.casefold() in MISSING
        values.append(None if missing else segment_id(text) if role in ("segment", "replica") else text)
    return values


def _dimensions(own: str, names: Sequence[str | None] | None, file: str, n: int) -> list[str]:
    if names is not None:
        plain = [_SHORT.get(str(name).casefold(), str(name).casefold()) for name in names]
        return [f"{name} (z)" if own == "z" else name for name in plain]
    word = re.split(r"[\W_]", base_name(file).casefold())[0]
    return [word if own == "score" and word in _QUALITIES else own] * n


def _add_languages(names: dict[str, list[str | None]], report: Reporter) -> None:
    """Take the language pair of each row as its test set: segments have the same ids in all pairs."""
    pairs = names.get("pair")
    if pairs is None and {"source_language", "target_language"} <= names.keys():
        sides = zip(names["source_language"], names["target_language"], strict=True)
        pairs = [f"{source}-{target}" for source, target in sides]
    if pairs is None or not all(pairs):
        return
    sets = names.get("test_set")
    names["test_set"] = pairs if sets is None or len(set(sets)) < 2 else [
        f"{name} {pair}" for name, pair in zip(sets, pairs, strict=True)
    ]  # fmt: skip
    if len(set(pairs)) > 1:
        several = some(dict.fromkeys(map(str, pairs)))
        report.add("recognised", "languages", f"Several language pairs, each shown separately: {several}.")


def _add_segments(
    names: dict[str, list[str | None]], rows: list[Row], header: Sequence[str], report: Reporter
) -> None:
    """Number the source texts by first appearance where no column tells segments apart, but texts do."""
    places = columns_of(header, _SOURCES).places
    if "source" not in places or {"segment", "item"} & names.keys():
        return
    texts = [str(cells[places["source"]]).strip() for _, cells in rows]
    numbers = {text: str(k) for k, text in enumerate(dict.fromkeys(texts), 1)}
    if len(numbers) > 1:
        names["segment"] = [numbers[text] for text in texts]
        report.add("assumed", "sources", "No column of segments: each distinct source text is one.")


def _item_types(
    cells: Sequence[str | None] | None, rows: list[Row], header: Sequence[str], columns: JudgementColumns, file: str
) -> list[str]:
    """Return the item types, all of outputs where the column of types is one of something else."""
    if cells is None:
        return [OUTPUT] * len(rows)
    types = [_TYPES.get((cell or "").casefold()) for cell in cells]
    if not any(types):
        return [OUTPUT] * len(rows)
    for (line, _), cell, own in zip(rows, cells, types, strict=True):
        if own is None:
            raise LoadError(
                f"{file}, line {line}, column {header[columns.places['type']]!r}: expected a type of item (SYSTEM, "
                f"REPEAT, REF, BAD_REF, or TGT, CHK, BAD, or {', '.join(CONTROLS)}); found {cell!r}. Correct it.",
                file,
            )
    return [own or OUTPUT for own in types]


def _seconds(rows: list[Row], header: Sequence[str]) -> list[float]:
    places = columns_of(header, _TIMES).places

    def number(cell: object) -> float:
        try:
            return float(str(cell))
        except ValueError:
            return np.nan

    if "seconds" in places:
        return [number(cells[places["seconds"]]) for _, cells in rows]
    if {"start", "end"} <= places.keys():
        spans = [number(cells[places["end"]]) - number(cells[places["start"]]) for _, cells in rows]
        return [span if span > 0 else np.nan for span in spans]
    return [np.nan] * len(rows)
