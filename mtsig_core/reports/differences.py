"""Where two systems differ, as people read it on a screen or in a terminal, and as a document for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from mtsig_core.analysis.differences.buckets import BucketRow, BucketTable
from mtsig_core.analysis.differences.edits import MEANINGS, EditTable
from mtsig_core.analysis.differences.lengths import LengthTable
from mtsig_core.analysis.differences.ngrams import NgramTable
from mtsig_core.analysis.differences.stability import StabilityTable
from mtsig_core.analysis.differences.words import WordTable
from mtsig_core.experiment import Experiment
from mtsig_core.formatting import UNDEFINED
from mtsig_core.metrics.base import Metric
from mtsig_core.reports.documents import plain, settings_document
from mtsig_core.reports.means import caution, means_columns, notes_of_means
from mtsig_core.reports.word_differences import (
    length_frame,
    ngram_frame,
    ngram_lines,
    stability_frame,
    word_frame,
    word_lines,
)
from mtsig_core.resampling import Settings

Answer = BucketTable | EditTable | LengthTable | NgramTable | StabilityTable | WordTable
MOST_LISTED = 20


@dataclass(frozen=True, eq=False)
class Told:
    """An answer as people read it: tables with what stands over each, and what to know of them."""

    tables: tuple[tuple[str, pd.DataFrame], ...]
    lines: tuple[str, ...]


def told_of(answer: Answer) -> Told:
    """Return an answer as people read it."""
    if isinstance(answer, NgramTable):
        lists = [(name, answer.best(side, MOST_LISTED)) for side, name in (("b", answer.b), ("a", answer.a))]
        tables = [(f"Right more often in {name}", ngram_frame(answer, places)) for name, places in lists]
        return Told(tuple(tables), tuple(ngram_lines(answer)))
    if isinstance(answer, StabilityTable):
        tables = [("", stability_frame(answer)), ("Errors by word", answer.listing.head(MOST_LISTED))]
        return Told(tuple(tables), tuple(filter(None, [answer.note])))
    frame, means, notes = _with_means(answer)
    n = sum(m.interval not in (None, (0.0, 0.0)) for m in means)
    lines = [*notes, *notes_of_means(means), caution(n, answer.alpha)]
    return Told((("", frame),), tuple(filter(None, lines)))


def _with_means(answer: BucketTable | EditTable | LengthTable | WordTable) -> tuple[pd.DataFrame, list, list[str]]:
    """Return a table, the means whose intervals are in it, and what to know of it."""
    if isinstance(answer, BucketTable):
        return bucket_frame(answer), [r.score for r in answer.rows], [answer.grouping.note]
    if isinstance(answer, EditTable):
        return edit_frame(answer), [r.rate for r in answer.rows], [answer.note]
    if isinstance(answer, LengthTable):
        return length_frame(answer), [r.share for r in answer.rows], []
    return word_frame(answer), [r.f1 for r in answer.rows], word_lines(answer)


def differences_document(
    what: str, pair: tuple[str, str], asked: Sequence[tuple[str, Metric]], found: Sequence[Answer],
    settings: Settings, experiment: Experiment, notes: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the document of ``differ``: a test set, a metric and the rows of its table, in full precision."""
    results = [
        {
            "test_set": test_set, "metric": metric.name, "baseline": pair[0], "system": pair[1], "by": what,
            **_rows(one), "notes": told_of(one).lines,
        }
        for (test_set, metric), one in zip(asked, found, strict=True)
    ]  # fmt: skip
    return plain({"results": results, "notes": notes, "settings": settings_document(settings, experiment)})


def _rows(answer: Answer) -> dict[str, Any]:
    if isinstance(answer, StabilityTable):
        frames = {"rows": answer.to_frame(), "by_ngram": answer.listing, "by_segment": answer.by_segment}
        return {"replicas": [answer.a.n, answer.b.n]} | {k: v.to_dict("records") for k, v in frames.items()}
    told: dict[str, Any] = {"replicas": [answer.n_a, answer.n_b]}
    if isinstance(answer, NgramTable):
        told |= {"tested": answer.n_tested, "found": int(answer.found.sum()), "smallest_p": answer.smallest_p}
    return told | {"rows": answer.to_frame().to_dict("records")}


def bucket_frame(table: BucketTable) -> pd.DataFrame:
    """Return buckets as people read them."""
    told = (
        (f"{table.b} better", f"{table.b} worse") if table.is_quality else (f"{table.b} higher", f"{table.b} lower")
    )
    if table.is_quality and not table.higher_is_better:
        told = told[::-1]
    columns: dict[str, list] = {
        table.grouping.by: [r.label for r in table.rows], "segments": [r.segments for r in table.rows],
    }
    columns |= means_columns([r.score for r in table.rows], table.label, table.a, table.b, told)
    if any(r.length for r in table.rows):
        columns["length, A / B"] = [_lengths(r) for r in table.rows]
    return pd.DataFrame(columns)


def _lengths(row: BucketRow) -> str:
    """Return words of the outputs in percent of those of the references, of both systems."""
    if row.length is None or row.length.a is None or row.length.b is None:
        return UNDEFINED
    return f"{row.length.a:.0f} / {row.length.b:.0f} %"


def edit_frame(table: EditTable) -> pd.DataFrame:
    """Return edits as people read them."""
    told = f"more in {table.b}", f"fewer in {table.b}"
    columns = {"edit": [r.kind for r in table.rows], "meaning": [MEANINGS[r.kind] for r in table.rows]}
    rates = [r.rate for r in table.rows]
    return pd.DataFrame(columns | means_columns(rates, "per 100 words", table.a, table.b, told))
