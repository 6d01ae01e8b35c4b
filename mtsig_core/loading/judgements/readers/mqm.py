"""MQM with one row per marked error: Google's tsv (``system doc doc_id seg_id rater source target category severity``).

The marked span stands between ``<v>`` and ``</v>`` in the target, or in the source for an omission. A row ``No-error``
says that the rater saw the segment and marked nothing.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

import pandas as pd

from mtsig_core.loading.judgements.frame import ATTENTION, OUTPUT, SPANS, JudgementTable, Span, judgement_frame
from mtsig_core.loading.report import LoadError, Reporter, count
from mtsig_core.loading.scores.columns import checked_rows, columns_of
from mtsig_core.loading.scores.numbers import segment_id

NAME = "MQM, one row per error"
_ROLES = {
    "system": ("system", "system id", "mt system", "model"),
    "document": ("doc", "document", "document id", "doc name", "docid"),
    "segment": ("global seg id", "globalsegid", "seg id", "segid", "segment", "segment id"),
    "annotator": ("rater", "rater id", "annotator", "annotator id"),
    "target": ("target", "translation", "output", "hypothesis"),
    "source": ("source", "src"),
    "category": ("category", "error category", "error type", "type"),
    "severity": ("severity", "error severity"),
}
_NEEDED = ("system", "segment", "category", "severity")
#: What stands for "looked at, nothing wrong" in columns of categories or severities.
_NO_ERROR = frozenset(("no-error", "no error", "noerror", "none"))
#: Severities of planted errors, which check whether raters look.
_PLANTED = re.compile(r"hotw", re.IGNORECASE)
_OPEN, _CLOSE = "<v>", "</v>"


def recognises(file: str, lines: Sequence[str]) -> bool:
    """Say whether the heading has a system, a segment, a category and a severity."""
    header = next((line for line in lines if line.strip()), "")
    places = columns_of(header.split("\t"), _ROLES).places
    return all(role in places for role in _NEEDED)


def read(file: str, lines: Sequence[str], report: Reporter) -> JudgementTable:
    """Return one judgement per rater and segment of an output, with its spans.

    Raises
    ------
    LoadError
        For a row of another length than the heading, or without system, segment or severity.
    """
    # quotation marks in the text belong to it: the format quotes nothing
    table = list(csv.reader([line for line in lines if line.strip()], delimiter="\t", quoting=csv.QUOTE_NONE))
    header, rows = table[0], table[1:]
    places = columns_of(header, _ROLES).places
    if not rows:
        raise LoadError(f"{file}: there is a heading, but no row below it. Add the marked errors.", file)
    for line, row in checked_rows(header, enumerate(rows, 2), file):
        for role in ("system", "segment", "severity"):
            if not row[places[role]].strip():
                raise LoadError(f"{file}, line {line}, column {header[places[role]]!r}: is empty. Fill it in.", file)
    texts = ("target", "source")
    cells = {role: [row[place].strip() for row in rows] for role, place in places.items() if role not in texts}
    target, source = ([row[places[role]] if role in places else "" for row in rows] for role in texts)
    marks = pd.DataFrame(
        {
            "system": cells["system"],
            "document": cells.get("document"),
            "segment": [segment_id(s) for s in cells["segment"]],
            "annotator": cells.get("annotator"),
            "item_type": [ATTENTION if _PLANTED.match(severity) else OUTPUT for severity in cells["severity"]],
            "span": [
                _span(*each)
                for each in zip(cells["category"], cells["severity"], target, source, strict=True)
            ],
        }
    )
    return JudgementTable(file, NAME, _gathered(marks, report), {SPANS: True}, {SPANS: ""})


def _span(category: str, severity: str, target: str, source: str) -> Span | None:
    if severity.casefold() in _NO_ERROR or category.casefold() in _NO_ERROR:
        return None
    name = re.sub(r"\s*/\s*", "/", category.casefold()).rstrip("!")
    for text, is_target in ((target, True), (source, False)):
        start, end = text.find(_OPEN), text.find(_CLOSE)
        if 0 <= start < end:
            inner = text[start + len(_OPEN) : end]
            if not is_target:
                return Span(severity.casefold(), name, text=inner)
            return Span(severity.casefold(), name, start, start + len(inner), inner)
    return Span(severity.casefold(), name)


def _gathered(marks: pd.DataFrame, report: Reporter) -> pd.DataFrame:
    """Return one row per rater and output of a segment, its spans gathered."""
    keys = ["system", "document", "segment", "annotator", "item_type"]
    rows = [
        (*key, tuple(span for span in own if span is not None))
        for key, own in marks.groupby(keys, sort=False, dropna=False)["span"]
    ]
    frame = pd.DataFrame(rows, columns=[*keys, "spans"])
    n_spans = int(sum(map(len, frame["spans"])))
    report.add("recognised", "errors", f"{count(n_spans, 'error')} marked in {count(len(frame), 'judgement')}.")
    columns = {name: [None if pd.isna(value) else value for value in frame[name]] for name in keys}
    return judgement_frame({**columns, "dimension": SPANS, "spans": list(frame["spans"])}, len(frame))
