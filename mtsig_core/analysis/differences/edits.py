"""Which edits do two systems' outputs need? TER taken apart by kind of edit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.metrics.edit_kinds import KINDS, LENGTH
from mtsig_core.resampling import Settings
from mtsig_core.significance import OfPair, Result, Scope
from mtsig_core.significance.closed_form.two_means import TwoMeans, difference_columns, two_means

MEANINGS = {
    "insertions": "words that the output lacks",
    "deletions": "words that the output has too many",
    "substitutions": "words to be replaced",
    "shifts": "phrases to be moved",
    "all edits": "TER",
}


@dataclass(frozen=True)
class EditRow:
    """Edits of one kind per 100 words of reference."""

    kind: str
    rate: TwoMeans


@dataclass(frozen=True, eq=False)
class EditTable(OfPair, Result):
    """Edits of two systems by kind, then all together (TER).

    Attributes
    ----------
    scope : Scope
        Of the two systems; no metric is involved.
    rows : tuple of EditRow
    n_a, n_b : int
        Replicas.
    alpha : float
    note : str
        What to know of this text; may be empty.
    """

    scope: Scope
    rows: tuple[EditRow, ...]
    n_a: int
    n_b: int
    alpha: float
    note: str = ""

    def to_frame(self) -> pd.DataFrame:
        """Return one row per kind, per 100 words of reference."""
        return pd.DataFrame(
            {
                "edit": [r.kind for r in self.rows],
                "meaning": [MEANINGS[r.kind] for r in self.rows],
                f"per 100 words, {self.a}": [r.rate.a for r in self.rows],
                f"per 100 words, {self.b}": [r.rate.b for r in self.rows],
            }
            | difference_columns([r.rate for r in self.rows])
        )


def edit_table(statistics: SegmentStatistics, a: str, b: str, settings: Settings) -> EditTable:
    """Return the edits of two systems by kind, means over replicas, with intervals of the difference.

    Parameters
    ----------
    statistics : SegmentStatistics
        Of `EditKinds`.
    a, b : str
        Baseline and system.
    settings : Settings
        Level, and whether replicas are paired.
    """
    rates = []
    for x in (a, b):
        sums = statistics.of(x).sum(axis=1)
        edits = np.column_stack([sums[:, :LENGTH], sums[:, :LENGTH].sum(axis=1)])
        length = sums[:, LENGTH:]
        rates.append(np.divide(100 * edits, length, out=np.full(edits.shape, np.nan), where=length > 0))
    rows = [
        EditRow(kind, two_means(rates[0][:, k], rates[1][:, k], alpha=settings.alpha, paired=settings.paired))
        for k, kind in enumerate((*KINDS, "all edits"))
    ]
    scope = Scope(statistics.test_set, systems=(a, b))
    return EditTable(scope, tuple(rows), len(rates[0]), len(rates[1]), settings.alpha)
