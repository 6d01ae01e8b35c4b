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
from mtsig_core.reports.differences.words import (
    length_frame,
    ngram_frame,
    ngram_lines,
    stability_frame,
    word_frame,
    word_lines,
)
from mtsig_core.reports.documents import plain, settings_document
from mtsig_core.reports.pairs.means import caution, means_columns, notes_of_means
from mtsig_core.resampling import Settings

Answer = BucketTable | EditTable | LengthTable | NgramTable | StabilityTable | WordTable
MOST_LISTED = 20


@dataclass(frozen=True, eq=False)
class Display:
    """A result as people read it: tables with their titles, notes on them, and each table in full precision."""

    tables: tuple[tuple[str, pd.DataFrame], ...]
    lines: tuple[str, ...]
    numbers: tuple[pd.DataFrame, ...]


def display_of(answer: Answer) -> Display:
    """Return a result as people read it."""
    if isinstance(answer, NgramTable):
        lists = [(name, answer.best(side, MOST_LISTED)) for side, name in (("b", answer.b), ("a", answer.a))]
        tables = [(f"Right more often in {name}", ngram_frame(answer, places)) for name, places in lists]
        numbers = (answer.to_frame(places).assign(**{"right more often in": name}) for name, places in lists)
        return Display(tuple(tables), tuple(ngram_lines(answer)), tuple(numbers))
    if isinstance(answer, StabilityTable):
        tables = [("", stability_frame(answer)), ("Errors by word", answer.listing.head(MOST_LISTED))]
        return Display(tuple(tables), tuple(filter(None, [answer.note])), (answer.to_frame(), tables[1][1]))
    frame, means, notes = _with_means(answer)
    n = sum(m.interval not in (None, (0.0, 0.0)) for m in means)
    lines = [*notes, *notes_of_means(means), caution(n, answer.alpha)]
    return Display((("", frame),), tuple(filter(None, lines)), (answer.to_frame(),))


def _with_means(answer: BucketTable | EditTable | LengthTable | WordTable) -> tuple[pd.DataFrame, list, list[str]]:
    """Return a table, the means whose intervals are in it, and notes on it."""
    if isinstance(answer, BucketTable):
        return bucket_frame(answer), [r.score for r in answer.rows], [answer.grouping.note]
    if isinstance(answer, EditTable):
        return edit_frame(answer), [r.rate for r in answer.rows], [answer.note]
    if isinstance(answer, LengthTable):
        return length_frame(answer), [r.share for r in answer.rows], []
    return word_frame(answer), [r.f1 for r in answer.rows], word_lines(answer)


def differences_document(
    what: str, answers: Sequence[tuple[str, Metric, Answer]], settings: Settings, experiment: Experiment,
    notes: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the document of ``differences``: a test set, a metric and the rows of its table, in full precision.

    Parameters
    ----------
    what : str
        What the differences are by, as on the command line.
    answers : sequence of (test set, Metric, result)
    settings : Settings
    experiment : Experiment
    notes : sequence of str
        What was left out.
    """
    results = []
    for test_set, metric, answer in answers:
        baseline, system = systems_of(answer)
        about = {"test_set": test_set, "metric": metric.name, "baseline": baseline, "system": system, "by": what}
        results.append({**about, **_rows(answer), "notes": display_of(answer).lines})
    return plain({"results": results, "notes": notes, "settings": settings_document(settings, experiment)})


def systems_of(answer: Answer) -> tuple[str, str]:
    """Return the names of the baseline and of the system."""
    if isinstance(answer, StabilityTable):
        return answer.errors_a.system, answer.errors_b.system
    return answer.a, answer.b


def _rows(answer: Answer) -> dict[str, Any]:
    if isinstance(answer, StabilityTable):
        frames = {"rows": answer.to_frame(), "by_ngram": answer.listing, "by_segment": answer.by_segment}
        return {"replicas": [answer.errors_a.n, answer.errors_b.n]} | {
            name: frame.to_dict("records") for name, frame in frames.items()
        }
    about: dict[str, Any] = {"replicas": [answer.n_a, answer.n_b]}
    if isinstance(answer, NgramTable):
        about |= {
            "tested": answer.n_tested, "significant": int(answer.significant.sum()), "smallest_p": answer.smallest_p,
        }
    return about | {"rows": answer.to_frame().to_dict("records")}


def bucket_frame(table: BucketTable) -> pd.DataFrame:
    """Return buckets as people read them."""
    sides = f"{table.b} {table.scope.direction(1)}", f"{table.b} {table.scope.direction(-1)}"
    columns: dict[str, list] = {
        table.grouping.by: [r.label for r in table.rows], "segments": [r.segments for r in table.rows],
    }
    columns |= means_columns([r.score for r in table.rows], table.label, table.a, table.b, sides)
    if any(r.length for r in table.rows):
        columns["output length, A / B"] = [_lengths(r) for r in table.rows]
    return pd.DataFrame(columns)


def _lengths(row: BucketRow) -> str:
    """Return the length of both systems' outputs in percent of the references."""
    if row.length is None or row.length.a is None or row.length.b is None:
        return UNDEFINED
    return f"{row.length.a:.0f} / {row.length.b:.0f}%"


def edit_frame(table: EditTable) -> pd.DataFrame:
    """Return edits as people read them."""
    sides = f"more in {table.b}", f"fewer in {table.b}"
    columns = {"edit": [r.kind for r in table.rows], "meaning": [MEANINGS[r.kind] for r in table.rows]}
    rates = [r.rate for r in table.rows]
    return pd.DataFrame(columns | means_columns(rates, "per 100 words", table.a, table.b, sides))
