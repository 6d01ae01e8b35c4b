"""Appraise's exports and WMT's csv of 2022 and 2023: separated by commas, often without a heading.

::

    annotator,system,item,type,source,target,score,start,end                               9 columns (WMT22, segments)
    annotator,system,item,type,source,target,score,document,document score?,start,end     11 columns (WMT22, WMT23)
    annotator,system,item,type,source,target,score,document,document score?,spans,start,end   12 columns (ESA, MQM)

Types are TGT (an output), BAD (a damaged copy), REF (a reference) and CHK (an output shown again).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from mtsig_core.loading.judgements.frame import (
    DAMAGED,
    OUTPUT,
    REFERENCE,
    REPEAT,
    SPANS,
    TUTORIAL,
    JudgementTable,
    Span,
    judgement_frame,
    span_of,
)
from mtsig_core.loading.report import LoadError, Reporter, count, some
from mtsig_core.loading.scores.numbers import NumberReader, segment_id
from mtsig_core.loading.text.records import parse_json

NAME = "Appraise export"
SCORE, DOCUMENT_SCORE = "score", "document score"
_TYPES = {"tgt": OUTPUT, "bad": DAMAGED, "ref": REFERENCE, "chk": REPEAT}
_HEADINGS = frozenset(("username", "user", "userid", "annotator"))
_COLUMNS = {
    9: ("annotator", "system", "item", "type", "source", "target", "score", "start", "end"),
    11: ("annotator", "system", "item", "type", "source", "target", "score", "document", "whole", "start", "end"),
    12: (
        "annotator",
        "system",
        "item",
        "type",
        "source",
        "target",
        "score",
        "document",
        "whole",
        "spans",
        "start",
        "end",
    ),
}
_TRUTH = {"true": True, "1": True, "false": False, "0": False}
_TUTORIAL = re.compile(r"tutorial", re.IGNORECASE)


def recognises(file: str, lines: Sequence[str]) -> bool:
    """Say whether the first lines are those of an export of Appraise."""
    rows = _first_rows(lines)
    if rows and _is_heading(rows[0]):
        rows = rows[1:]
    typed = [len(row) in _COLUMNS and row[3].strip().casefold() in _TYPES for row in rows]
    # a damaged row is for the reader to refuse, with its line
    return bool(typed) and 2 * sum(typed) > len(typed)


def _first_rows(lines: Sequence[str]) -> list[list[str]]:
    filled = [line for line in lines[:6] if line.strip()]
    try:
        return list(csv.reader(filled[:3]))
    except csv.Error:
        return []


def _is_heading(row: Sequence[str]) -> bool:
    return bool(row) and row[0].strip().casefold() in _HEADINGS and len(row) in _COLUMNS


def read(file: str, lines: Sequence[str], report: Reporter) -> JudgementTable:
    """Return the judgements of one export.

    Raises
    ------
    LoadError
        For a row with another number of columns, an unknown type, a score that is no number, or spans that are no JSON.
    """
    rows = _rows(file, lines)
    cells = pd.DataFrame([row for _, row in rows], columns=list(_COLUMNS[len(rows[0][1])]))
    places = [line for line, _ in rows]
    whole = np.array([
        _truth(cell, file, line) for cell, line in zip(cells.get("whole", ["false"] * len(cells)), places, strict=True)
    ])  # fmt: skip
    frame = judgement_frame(_values(file, cells, places, whole, report), len(cells))
    frame.loc[whole, "segment"] = None
    pairs = cells["source"].str.strip() + "-" + cells["target"].str.strip()
    if pairs.nunique() > 1:
        frame["test_set"] = pairs
        names = some(pairs.unique())
        report.add("recognised", "languages", f"Several language pairs, each shown separately: {names}.")
    if "document" in cells:
        documents = cells["document"].str.strip()
        parts = [_numbered_within_documents(own, documents[own.index], whole[own.index], report)
                 for _, own in frame.groupby(pairs, sort=False)]  # fmt: skip
        frame = pd.concat(parts).sort_index()
    return _table(file, frame, report)


def _values(
    file: str, cells: pd.DataFrame, places: Sequence[int], whole: np.ndarray, report: Reporter
) -> dict[str, Any]:
    """Return what each column of the table of judgements holds."""
    numbers = NumberReader(file)
    scores = [numbers.read(cell, line, "score") for cell, line in zip(cells["score"], places, strict=True)]
    types = [_type(cell, system, file, line)
             for cell, system, line in zip(cells["type"], cells["system"], places, strict=True)]  # fmt: skip
    spans = None
    if "spans" in cells:
        spans = [_spans(cell, file, line) for cell, line in zip(cells["spans"], places, strict=True)]
    numbers.finish(report)
    start, end = (pd.to_numeric(cells[name], errors="coerce").to_numpy(float) for name in ("start", "end"))
    annotators = cells["annotator"].str.strip()
    return {
        "document": [cell.split("#")[0].strip() or None for cell in cells.get("document", [""] * len(cells))],
        "segment": [segment_id(cell) for cell in cells["item"]],
        "system": cells["system"].str.strip(),
        "annotator": annotators,
        "dimension": [DOCUMENT_SCORE if each else SCORE for each in whole],
        "score": scores,
        "item_type": types,
        "seconds": np.where(end > start, end - start, np.nan),
        "task": annotators,
        "spans": spans,
    }


def _rows(file: str, lines: Sequence[str]) -> list[tuple[int, list[str]]]:
    reader = csv.reader(lines)
    rows: list[tuple[int, list[str]]] = []
    try:
        for row in reader:
            if any(cell.strip() for cell in row) and not (not rows and _is_heading(row)):
                rows.append((reader.line_num, row))
    except csv.Error as error:
        raise LoadError(f"{file}, line {reader.line_num}: not readable as comma-separated ({error}).", file) from error
    if not rows:
        raise LoadError(f"{file}: has no judgement below its heading. Export the campaign again.", file)
    width = len(rows[0][1])
    for line, row in rows:
        if len(row) != width or width not in _COLUMNS:
            raise LoadError(
                f"{file}, line {line}: expected {width if width in _COLUMNS else '9, 11 or 12'} columns as Appraise "
                f"exports them; found {len(row)}. Correct the line.",
                file,
            )
    return rows


def _type(cell: str, system: str, file: str, line: int) -> str:
    if _TUTORIAL.search(system):
        return TUTORIAL
    name = _TYPES.get(cell.strip().casefold())
    if name is None:
        types = ", ".join(key.upper() for key in _TYPES)
        raise LoadError(f"{file}, line {line}, column 4: expected a type of item ({types}); found {cell!r}.", file)
    return name


def _truth(cell: str, file: str, line: int) -> bool:
    value = _TRUTH.get(cell.strip().casefold())
    if value is None:
        message = (
            f"{file}, line {line}, column 9: expected True or False (is this a score of a document?); found {cell!r}."
        )
        raise LoadError(message, file)
    return value


def _spans(cell: str, file: str, line: int) -> tuple[Span, ...]:
    marks = parse_json(cell, file, line) if cell.strip() else []
    if not isinstance(marks, list) or not all(isinstance(each, dict) for each in marks):
        raise LoadError(
            f"{file}, line {line}, column 10: expected a JSON list of error spans; found {cell[:40]!r}.", file
        )
    return tuple(span_of(each) for each in marks)


def _numbered_within_documents(
    frame: pd.DataFrame, keys: pd.Series, whole: np.ndarray, report: Reporter
) -> pd.DataFrame:
    """Number segments within documents where items are places in the annotator's task.

    An annotator sees the segments of one document of one system in a row, so a run of consecutive places is a document
    or a part of one. Where the runs of a document start at different places, places are no ids of segments.
    """
    own = frame.assign(key=keys, place=pd.to_numeric(frame["segment"], errors="coerce"))[~whole]
    if own["place"].isna().any():
        return frame
    own = own.sort_values(["annotator", "key", "place"], kind="stable")
    gap = own.groupby(["annotator", "key"])["place"].diff().fillna(1) > 1
    own["run"] = gap.groupby([own["annotator"], own["key"]]).cumsum()
    by = ["document", "key", "annotator", "run"]
    runs = own.groupby(by, sort=False)["place"].agg(["min", "max"]).reset_index()
    starts = runs.groupby("document")["min"].nunique()
    several = runs.groupby("document").size() > 1
    if not several.any() or (starts[several] > 1).mean() < 0.5:
        return frame
    runs["size"] = runs["max"] - runs["min"] + 1
    longest = runs.groupby("document")["size"].transform("max")
    total = runs.groupby("key")["size"].transform("sum")
    # parts that together are as long as the document are its parts, not repeats of its beginning
    parts = (runs.groupby("key")["size"].transform("size") > 1) & (total <= longest)
    runs["offset"] = np.where(parts, runs.groupby("key")["size"].cumsum() - runs["size"], 0)
    own = own.reset_index().merge(runs[[*by, "min", "offset"]], on=by, how="left").set_index("index")
    numbers = (own["place"] - own["min"] + own["offset"] + 1).astype(int).astype(str)
    frame = frame.copy()
    frame.loc[numbers.index, "segment"] = numbers
    message = "Items are places in the annotator's task: segments are numbered within documents."
    report.assume("places", message, "If not, give ids of segments in a table of your own.")
    if parts.any():
        n = runs.loc[parts, "key"].nunique()
        message = (
            f"{count(n, 'document')} of a system came in parts, whose order the file does not state; they are taken in "
            "the order of annotators."
        )
        report.assume("parts", message, "If not, give ids of segments in a table of your own.")
    return frame


def _table(file: str, frame: pd.DataFrame, report: Reporter) -> JudgementTable:
    has_spans = frame["spans"].map(lambda spans: bool(spans)).any()
    scored = frame[frame["dimension"] == SCORE]
    if has_spans and len(scored) and (scored["score"] == 0).all():
        own = frame["dimension"] == SCORE
        frame = frame.assign(score=frame["score"].mask(own), dimension=frame["dimension"].mask(own, SPANS))
        report.add(
            "recognised", "spans-alone", "All scores are 0 and errors are marked: the spans are the judgement (MQM)."
        )
    directions = dict.fromkeys(frame["dimension"].unique(), True)
    return JudgementTable(file, NAME, frame, directions, dict.fromkeys(directions, ""))
