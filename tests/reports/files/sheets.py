"""Small annotation sheets, and what people and spreadsheets do to them."""

from __future__ import annotations

import csv
import io

import numpy as np

from mtsig_core.analysis.reading.segments import SegmentTable, Spread
from mtsig_core.analysis.reading.sheets import AnnotationSheet, annotation_sheet
from mtsig_core.loading.judgements.frame import JudgementTable
from mtsig_core.loading.judgements.sheets.annotation_key import Asked
from mtsig_core.significance import Scope

NASTY = ("=1+1", "+49 30", "-5 degrees", "@home", "'=quoted", "''-x", "a;b", "a,b", 'say "hi"', "tab\there", "＝wide",
         "  blanks  ", "", "مرحبا", "漢字", "007", "1-2", "x|y", "=HYPERLINK(1)", "'", "'plain'")  # fmt: skip
A, B = ("plain", "seed1"), ("=better", "seed2")


def table_of(outputs_a, outputs_b, *, source=None, references=None) -> SegmentTable:
    n = len(outputs_a)
    scores = np.arange(n, dtype=float)
    spread = Spread(scores, scores, scores)
    scope = Scope("news", "bleu", "BLEU", systems=(A[0], B[0]))
    return SegmentTable(
        scope, A, B, np.arange(1, n + 1), None, source, references or (("ref",),) * n,
        tuple(outputs_a), tuple(outputs_b), scores, scores + 1, np.ones(n), spread, spread, ("",) * n,
    )  # fmt: skip


def sheet_of(asked: Asked | None = None, n: int = 8, seed: int = 3) -> AnnotationSheet:
    table = table_of([f"a {i}" for i in range(n)], [f"b {i}" for i in range(n)])
    return annotation_sheet(table, range(1, n + 1), asked or Asked(), seed=seed)


def filled(sheet: AnnotationSheet, values: dict[tuple[int, str], str]) -> list[list[str]]:
    """Return heading and rows with values put in by row and column."""
    rows = [list(row) for row in sheet.rows]
    for (i, name), value in values.items():
        rows[i][sheet.header.index(name)] = value
    return [list(sheet.header), *rows]


def as_csv(rows, *, delimiter: str = ",", encoding: str = "utf-8", newline: str = "\r\n") -> bytes:
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter, lineterminator=newline).writerows(rows)
    return stream.getvalue().encode(encoding)


def said(found: JudgementTable) -> list[tuple]:
    return sorted((j.segment, j.system, j.replica, j.dimension, j.annotator or "", j.score)
                  for j in found.frame.dropna(subset="score").itertuples())  # fmt: skip
