"""MQM as JSON: a list of segments, or one object per line, each with a list of errors.

::

    {"system": "A", "doc": "d1", "seg_id": 3, "rater": "r1",
     "errors": [{"category": "Accuracy/Omission", "severity": "Major", "start": 4, "end": 9}]}

The list may be called ``errors``, ``annotations``, ``spans`` or ``error_spans``; an empty one means no error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mtsig_core.loading.judgements.frame import SPANS, JudgementTable, Span, judgement_frame
from mtsig_core.loading.report import LoadError, Reporter, count
from mtsig_core.loading.scores.columns import columns_of
from mtsig_core.loading.scores.grids import table_in
from mtsig_core.loading.scores.numbers import segment_id

NAME = "MQM as JSON"
_LISTS = ("errors", "annotations", "spans", "error spans", "mqm")
_ROLES = {
    "system": ("system", "system id", "model", "mt system"),
    "document": ("doc", "document", "doc id", "document id"),
    "segment": ("global seg id", "seg id", "segid", "segment", "segment id", "id", "index"),
    "annotator": ("rater", "annotator", "rater id", "annotator id"),
    "errors": _LISTS,
}  # fmt: skip


def recognises(file: str, lines: Sequence[str]) -> bool:
    """Say whether the beginning is JSON with a list of errors of a system."""
    head = "\n".join(lines[:200])[:20000]
    return head.lstrip().startswith(("[", "{")) and '"severity"' in head and '"system' in head


def read(file: str, lines: Sequence[str], report: Reporter) -> JudgementTable:
    """Return one judgement per object.

    Raises
    ------
    LoadError
        When it is no such JSON, or an object lacks its system, its segment or the list of errors.
    """
    table = table_in(lines, file)
    places = columns_of(table.header, _ROLES).places
    missing = [role for role in ("system", "segment", "errors") if role not in places]
    if missing:
        keys = ", ".join(map(repr, table.header))
        raise LoadError(f"{file}: no object names its {missing[0]}; the keys are {keys}. Rename one.", file)
    rows = list(table.rows)
    columns = {
        role: [_name(cells[places[role]], role, file, line) if role in places else None for line, cells in rows]
        for role in ("system", "document", "segment", "annotator")
    }
    spans = [_spans(cells[places["errors"]], file, line) for line, cells in rows]
    report.add(
        "recognised", "errors", f"{count(sum(map(len, spans)), 'error')} marked in {count(len(rows), 'judgement')}."
    )
    frame = judgement_frame({**columns, "dimension": SPANS, "spans": spans}, len(rows))
    return JudgementTable(file, NAME, frame, {SPANS: True}, {SPANS: ""})


def _name(cell: object, role: str, file: str, line: int) -> str | None:
    if cell is None or cell == "":
        if role in ("system", "segment"):
            raise LoadError(f"{file}, object {line}: its {role} is missing. Fill it in.", file)
        return None
    return segment_id(str(cell)) if role == "segment" else str(cell)


def _spans(cell: object, file: str, line: int) -> tuple[Span, ...]:
    if cell is None:
        return ()
    if not isinstance(cell, list) or not all(isinstance(each, dict) for each in cell):
        raise LoadError(f"{file}, object {line}: expected a list of errors; found {type(cell).__name__}.", file)
    return tuple(_span(each) for each in cell)


def _span(each: dict[str, Any]) -> Span:
    def first(*names: str) -> Any:
        return next((each[name] for name in names if each.get(name) is not None), None)

    category = first("category", "error_type", "type") or ""
    levels = category if isinstance(category, list) else [category]
    sub = first("subcategory")
    start, end = first("start", "start_i"), first("end", "end_i")
    return Span(
        str(first("severity") or "").strip().casefold(),
        "/".join(str(level).strip().casefold() for level in [*levels, sub] if level),
        start if isinstance(start, int) else None, end if isinstance(end, int) else None,
        str(first("text", "span", "error_text") or ""),
    )  # fmt: skip
