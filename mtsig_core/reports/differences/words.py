"""Words, n-grams and stable errors, as people read them on a screen or in a terminal."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mtsig_core.analysis.differences.lengths import LengthTable
from mtsig_core.analysis.differences.ngrams import NgramTable
from mtsig_core.analysis.differences.stability import StabilityTable
from mtsig_core.analysis.differences.words import WordTable
from mtsig_core.formatting import count, format_p, format_percent, format_score, number
from mtsig_core.reports.pairs.means import means_columns

SEVERAL = "A segment's several references count together: each word as often as the reference that has it most often."


def word_frame(table: WordTable) -> pd.DataFrame:
    """Return word accuracy as people read it: F1 with its interval, precision and recall of both systems."""
    sides = f"{table.b} better", f"{table.b} worse"
    columns: dict[str, list] = {
        "in the references": [r.label for r in table.rows],
        "distinct": [r.words for r in table.rows],
        "occurrences": [r.occurrences for r in table.rows],
    }
    columns |= means_columns([r.f1 for r in table.rows], "F1", table.a, table.b, sides, decimals=1)
    for what in ("precision", "recall"):
        means = [getattr(r, what) for r in table.rows]
        columns[f"{what}, A / B"] = [f"{format_score(m.a, 1)} / {format_score(m.b, 1)}" for m in means]
    return pd.DataFrame(columns)


def word_lines(table: WordTable) -> list[str]:
    """Return notes on word accuracy."""
    a, b = table.unknown.a, table.unknown.b
    lines = [SEVERAL] if table.several else []
    if a is not None and b is not None:
        shares = f"{number(a, 1)}% of the words of {table.a} and {number(b, 1)}% of those of {table.b}"
        lines.append(f"In no reference of the test set are {shares}.")
    return lines


def length_frame(table: LengthTable) -> pd.DataFrame:
    """Return differences in length as people read them, without the outer ones that no output has."""
    rows = [r for r in table.rows if (r.share.a or 0) + (r.share.b or 0) > 0]
    sides = f"more in {table.b}", f"fewer in {table.b}"
    shares = means_columns([r.share for r in rows], "% of segments", table.a, table.b, sides, decimals=1)
    return pd.DataFrame({"output": [r.label for r in rows]} | shares)


def ngram_frame(table: NgramTable, places: np.ndarray) -> pd.DataFrame:
    """Return n-grams as people read them: how often each replica gets them right, and p."""
    full = table.to_frame(places)
    return pd.DataFrame(
        {
            "n-gram": full["n-gram"],
            "in the references": full["in the references"],
            f"right, {table.a}": [_mean_count(x, table.n_a, 2) for x in table.mean_a[places]],
            f"right, {table.b}": [_mean_count(x, table.n_b, 2) for x in table.mean_b[places]],
            "p": [format_p(_or_none(p)) for p in full["p"]],
            "corrected p": [format_p(_or_none(p)) for p in full["corrected p"]],
        }
    )


def ngram_lines(table: NgramTable) -> list[str]:
    """Return notes on n-grams: how many were tested and are significant, or why none can be."""
    lines = [table.note] if table.note else []
    if table.smallest_p is not None and table.smallest_p <= table.alpha:
        of_a, of_b = (len(table.best(side, table.n_tested, only_significant=True)) for side in "ab")
        lines.append(
            f"{count(table.n_tested, 'n-gram')} tested, {of_a + of_b} significant at {table.alpha:g} after correction: "
            f"{of_b} that {table.b} gets right more often, {of_a} that {table.a} does."
        )
    return lines


def _or_none(p: float) -> float | None:
    return None if np.isnan(p) else float(p)


def stability_frame(table: StabilityTable) -> pd.DataFrame:
    """Return stable and unstable errors of both systems as people read them."""
    both = (table.errors_a, table.errors_b)
    return pd.DataFrame(
        {
            "system": [s.system for s in both],
            "replicas": [s.n for s in both],
            "right in every replica": [_share_of(s.always, s.total) for s in both],
            "right in some": [_share_of(s.sometimes, s.total) for s in both],
            "right in none": [_share_of(s.never, s.total) for s in both],
            "missed by a replica": [_mean_count(s.missed, s.n, 1) for s in both],
            f"missed by all of {table.errors_a.common}": [_mean_count(s.expected_never, s.n, 1) for s in both],
            "stable share of errors": [format_percent(s.stable_share) for s in both],
        }
    )


def _mean_count(mean: float | None, n: int, decimals: int) -> str:
    """Return a count that is a mean over n replicas: whole where there is one."""
    return f"{mean:,.0f}" if n == 1 and mean is not None else number(mean, decimals)


def _share_of(n: int, total: int) -> str:
    return f"{n:,} ({format_percent(n / total if total else None)})"
