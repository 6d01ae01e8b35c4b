"""Any table with a heading: one row per judgement, its columns recognised by their names.

WMT's direct assessment (``HITId WorkerId ... sys_id rid type sid score time``), WMT's segment averages, averages of
MQM, ratings on any scale, scores of whole systems with one row per metric, one column per dimension or one that names
it. Columns mean what their names say; what a table does not say stays missing, and what is assumed is a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from mtsig_core.loading.judgements.columns import JudgementColumns, judgement_columns
from mtsig_core.loading.judgements.directions import QUALITY, direction_of
from mtsig_core.loading.judgements.frame import (
    ATTENTION,
    CONTROLS,
    DAMAGED,
    OF_OUTPUTS,
    OUTPUT,
    REFERENCE,
    REPEAT,
    TUTORIAL,
    JudgementTable,
    judgement_frame,
)
from mtsig_core.loading.judgements.sheets.sheet_columns import is_sheet
from mtsig_core.loading.recognition.names import base_name
from mtsig_core.loading.report import LoadError, Reporter, count, some
from mtsig_core.loading.scores.columns import Row, checked_rows, columns_of
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
_SHORT = {"ad": "adequacy", "fl": "fluency"}
_RANKS = ("rank", "ranking")
_TRUTH = {"true": True, "yes": True, "1": True, "higher": True, "false": False, "no": False, "0": False, "lower": False}
#: What tells a human score from another one; rows of several metrics repeat it.
_SAME = ["test_set", "system", "replica", "segment", "annotator", "dimension"]


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
    if is_sheet(table.header):
        message = f"{file}: is an annotation sheet, which does not say whose outputs these are. Give its key."
        raise LoadError(message, file)
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
    # some files of WMT separate the heading by blanks and the rows by tabs
    rows = list(checked_rows(header, rows, file))
    if not rows:
        raise LoadError(f"{file}: there is a heading, but no row below it. Add the judgements.", file)
    names = {role: _names(rows, columns, role, file) for role in columns.places}
    _add_languages(names, report)
    _add_segments(names, rows, header, report)
    n, numbers = len(rows), NumberReader(file)
    parts: list[tuple[list[str], list[float | None]]] = []
    for own, place in columns.values.items():
        label = "rank" if is_rank and own == "score" else own
        scores = [numbers.read(cells[place], line, header[place]) for line, cells in rows]
        parts.append((_dimensions(label, names.get("dimension"), file, n, report), scores))
    numbers.finish(report)
    common: dict[str, Sequence[object] | None] = {
        name: names.get("item" if name == "task" else name)  # "item" is what was judged together
        for name in ("test_set", "document", "segment", "system", "replica", "annotator", "task")
    }
    common["item_type"] = _item_types(names.get("type"), rows, header, columns, file, report)
    common["seconds"] = _seconds(rows, header)
    repeated = {name: None if values is None else list(values) * len(parts) for name, values in common.items()}
    repeated["dimension"] = [name for row_dimensions, _ in parts for name in row_dimensions]
    repeated["score"] = [value for _, scores in parts for value in scores]
    frame = judgement_frame(repeated, n * len(parts))
    if not frame["item_type"].isin(OF_OUTPUTS).any():
        message = f"{file}: holds items that check annotators only, and no judgement of an output."
        raise LoadError(f"{message} Add rows of type SYSTEM.", file)
    directions = _directions(frame) | _declared(frame["dimension"], names.get("higher_is_better"), rows, columns, file)
    if columns.repeats_by_metric:
        frame = _once(frame, rows, columns, file, report)
    report.add("recognised", "columns", f"Columns: {columns.description}.")
    if columns.unused:
        report.add("ignored", "unused-columns", f"Unused columns: {some(map(repr, columns.unused), 12)}.")
    return JudgementTable(file, NAME, frame, {name: higher for name, (higher, _) in directions.items()},
                          {name: reason for name, (_, reason) in directions.items()},
                          _standardised(directions, file))  # fmt: skip


def _directions(frame: pd.DataFrame) -> dict[str, tuple[bool, str]]:
    """Return whether higher is better in each dimension, and why that is assumed, by its name and scores."""
    return {
        name: (False, "") if name == "rank" else direction_of(name, own.dropna().tolist())
        for name, own in frame.groupby("dimension", sort=False)["score"]
    }


def _declared(
    dimensions: pd.Series, cells: Sequence[str | None] | None, rows: list[Row], columns: JudgementColumns, file: str
) -> dict[str, tuple[bool, str]]:
    """Return the directions that the table states in a column of its own."""
    declared: dict[str, bool] = {}
    for k, name in enumerate(dimensions):
        cell = cells[k % len(rows)] if cells else None
        if cell is None:
            continue
        higher = _TRUTH.get(cell.casefold())
        if higher is None or declared.setdefault(name, higher) is not higher:
            heading = columns.header[columns.places["higher_is_better"]]
            raise LoadError(
                f"{file}, line {rows[k % len(rows)][0]}, column {heading!r}: expected true or false, the same in all "
                f"rows of a dimension; found {cell!r}.",
                file,
            )
    return {name: (higher, "") for name, higher in declared.items()}


def _once(
    frame: pd.DataFrame, rows: list[Row], columns: JudgementColumns, file: str, report: Reporter
) -> pd.DataFrame:
    """Return each human score once, though the rows of several metrics repeat it."""
    keys = frame[_SAME].astype(object).where(frame[_SAME].notna(), "")
    first = frame.groupby([keys[name] for name in _SAME], sort=False)["score"].transform(lambda own: own.iloc[0])
    odd = ~((frame["score"] == first) | (frame["score"].isna() & first.isna()))
    if odd.any():
        k = int(odd.to_numpy().argmax())
        place = list(columns.values.values())[k // len(rows)]
        raise LoadError(
            f"{file}, line {rows[k % len(rows)][0]}, column {columns.header[place]!r}: {frame['system'][k]!r} has "
            f"{first[k]} in an earlier row and {frame['score'][k]} here; one row per metric, each with the same human "
            "score, was expected. Correct it.",
            file,
        )
    repeated = keys.duplicated()
    if repeated.any():
        message = f"{count(len(rows), 'row')}, one per metric: each human score was used once."
        report.add("recognised", "row-a-metric", message)
    return frame[~repeated].reset_index(drop=True)


def _standardised(dimensions: Iterable[str], file: str) -> tuple[str, ...]:
    by_name = "stnd" in base_name(file).casefold()
    return tuple(name for name in dimensions if by_name or name == "z" or name.endswith(" (z)"))


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


def _dimensions(
    own: str, names: Sequence[str | None] | None, file: str, n: int, report: Reporter
) -> list[str]:
    if names is not None:
        plain = [_SHORT.get(str(name).casefold(), str(name).casefold()) for name in names]
        return [f"{name} (z)" if own == "z" else name for name in plain]
    word = re.split(r"[\W_]", base_name(file).casefold())[0]
    if own != "score" or word not in QUALITY:
        return [own] * n
    message = f"The scores are read as {word}, after the name of the file."
    report.assume("dimension-of-file", message, "To change this, rename the file.")
    return [word] * n


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
        message = "No column of segments: each distinct source text is one."
        report.assume("sources", message, "If not, add a column 'segment'.")


def _item_types(
    cells: Sequence[str | None] | None, rows: list[Row], header: Sequence[str], columns: JudgementColumns, file: str,
    report: Reporter,
) -> list[str]:  # fmt: skip
    """Return the item types, all of outputs where the column of types is one of something else."""
    types = [_TYPES.get((cell or "").casefold()) for cell in cells or ()]
    if cells is None or not any(types):
        if cells is not None:
            heading = header[columns.places["type"]]
            report.add("ignored", "unused-columns", f"Unused column: {heading!r}.")
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
