"""Where two systems differ, as people read it on a screen or in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from mtsig_core.analysis.differences.buckets import BucketTable
from mtsig_core.analysis.differences.edits import MEANINGS, EditTable
from mtsig_core.experiment import Experiment
from mtsig_core.metrics.base import Metric
from mtsig_core.reports.documents import plain, settings_document
from mtsig_core.resampling import Settings
from mtsig_core.significance.two_means import TwoMeans
from mtsig_core.words import UNDEFINED, format_interval, format_percent, format_score, number, score_decimals

LUCK = "may be luck"
Answer = BucketTable | EditTable


def told_of(answer: Answer) -> tuple[pd.DataFrame, list[str]]:
    """Return an answer as people read it: a table, and what to know of it."""
    if isinstance(answer, EditTable):
        frame, means, note = edit_frame(answer), [r.rate for r in answer.rows], ""
    else:
        frame, means, note = bucket_frame(answer), [r.score for r in answer.rows], answer.grouping.note
    n = sum(m.interval is not None for m in means)
    return frame, [line for line in (note, *notes_of_means(means), caution(n, answer.alpha)) if line]


def differences_document(
    what: str, asked: Sequence[tuple[str, Metric]], found: Sequence[Answer], settings: Settings,
    experiment: Experiment, notes: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the document of ``differ``: a test set, a metric and the rows of its table, in full precision."""
    results = []
    for (test_set, metric), one in zip(asked, found, strict=True):
        rows = one.to_frame().to_dict("records")
        results.append({
            "test_set": test_set, "metric": metric.name, "baseline": one.a, "system": one.b, "by": what,
            "replicas": [one.n_a, one.n_b], "rows": rows, "notes": told_of(one)[1],
        })
    return plain({"results": results, "notes": notes, "settings": settings_document(settings, experiment)})


def bucket_frame(table: BucketTable) -> pd.DataFrame:
    """Return buckets as people read them."""
    told = (
        (f"{table.b} better", f"{table.b} worse") if table.is_quality else (f"{table.b} higher", f"{table.b} lower")
    )
    if not table.higher_is_better:
        told = told[::-1]
    columns: dict[str, Sequence] = {
        table.grouping.by: [r.label for r in table.rows], "segments": [r.segments for r in table.rows],
    }
    columns |= means_columns([r.score for r in table.rows], table.label, table.a, table.b, told)
    if any(r.length for r in table.rows):
        for name, side in ((table.a, "a"), (table.b, "b")):
            ratios = [None if r.length is None else getattr(r.length, side) for r in table.rows]
            columns[f"length of {name}"] = [
                UNDEFINED if x is None else format_percent(round(x) / 100) for x in ratios
            ]
    return pd.DataFrame(columns)


def edit_frame(table: EditTable) -> pd.DataFrame:
    """Return edits as people read them."""
    told = f"more in {table.b}", f"fewer in {table.b}"
    columns = {"edit": [r.kind for r in table.rows], "meaning": [MEANINGS[r.kind] for r in table.rows]}
    rates = [r.rate for r in table.rows]
    return pd.DataFrame(columns | means_columns(rates, "per 100 words", table.a, table.b, told))


def means_columns(
    means: Sequence[TwoMeans], what: str, a: str, b: str, told: tuple[str, str], decimals: int | None = None
) -> dict[str, list[str]]:
    """Return the columns of two systems' means: both, the difference, its interval, and how to read it.

    Parameters
    ----------
    means : sequence of TwoMeans
    what : str
        What is measured.
    a, b : str
        Baseline and system.
    told : tuple of two str
        What to say where b lies clearly above a, and clearly below.
    decimals : int, optional
        By default what numbers of this size deserve.
    """
    if decimals is None:
        decimals = score_decimals(x for m in means for x in (m.a, m.b) if x is not None)
    words = {1: told[0], -1: told[1], 0: LUCK}
    return {
        f"{what}, {a}": [format_score(m.a, decimals) for m in means],
        f"{what}, {b}": [format_score(m.b, decimals) for m in means],
        "difference": [number(m.difference, decimals, sign=True) for m in means],
        "interval": [format_interval(m.interval, decimals) for m in means],
        "reads": [UNDEFINED if m.interval is None else words[m.side] for m in means],
    }


def notes_of_means(means: Sequence[TwoMeans]) -> list[str]:
    """Return why numbers are missing, each reason once."""
    return list(dict.fromkeys(m.note for m in means if m.note))


def caution(n: int, alpha: float) -> str:
    """Return what to keep in mind of so many intervals at once; empty for one."""
    if n < 2:
        return ""
    return (
        f"Each interval is at {format_percent(1 - alpha)} and stands for new runs on these very segments. Of {n} "
        f"intervals around no difference at all, {n * alpha:.1f} would be expected to miss 0."
    )
