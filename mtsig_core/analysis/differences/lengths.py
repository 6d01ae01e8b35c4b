"""Whose outputs are too long or too short? Segments by the difference in length to the references."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.metrics.text.word_matches import WordMatches
from mtsig_core.resampling import Settings
from mtsig_core.significance import OfPair, Result, Scope
from mtsig_core.significance.closed_form.two_means import TwoMeans, difference_columns, two_means

FIRST_OF_BIN = (-9, -4, -1, 0, 1, 2, 5, 10)  # the first bin lies below
LABELS = (
    "10 or more words too short", "5 to 9 too short", "2 to 4 too short", "1 word too short", "as long",
    "1 word too long", "2 to 4 too long", "5 to 9 too long", "10 or more words too long",
)  # fmt: skip


@dataclass(frozen=True)
class LengthRow:
    """Segments whose outputs are so much longer or shorter than the references, in percent of all segments."""

    label: str
    share: TwoMeans


@dataclass(frozen=True, eq=False)
class LengthTable(OfPair, Result):
    """Segments of two systems by difference in length.

    Attributes
    ----------
    scope : Scope
        Of the two systems; no metric is involved.
    rows : tuple of LengthRow
        From too short to too long.
    n_a, n_b : int
        Replicas.
    alpha : float
    """

    scope: Scope
    rows: tuple[LengthRow, ...]
    n_a: int
    n_b: int
    alpha: float

    def to_frame(self) -> pd.DataFrame:
        """Return one row per difference in length."""
        shares = [r.share for r in self.rows]
        return pd.DataFrame(
            {
                "output": [r.label for r in self.rows],
                f"percent of segments, {self.a}": [m.a for m in shares],
                f"percent of segments, {self.b}": [m.b for m in shares],
            }
            | difference_columns(shares)
        )


def length_table(matches: WordMatches, a: str, b: str, settings: Settings) -> LengthTable:
    """Return the share of segments by words of output minus words of reference (the mean of several, rounded).

    Parameters
    ----------
    matches : WordMatches
    a, b, settings
        As of `edit_table`.
    """
    shares = []
    for x in (a, b):
        excess = np.round(matches.word_counts(x) - matches.reference_words)
        bin_of = np.searchsorted(FIRST_OF_BIN, excess, side="right")
        shares.append(np.stack([100 * (bin_of == k).mean(axis=1) for k in range(len(LABELS))], axis=1))
    rows = [
        LengthRow(label, two_means(shares[0][:, k], shares[1][:, k], alpha=settings.alpha, paired=settings.paired))
        for k, label in enumerate(LABELS)
    ]
    return LengthTable(Scope(systems=(a, b)), tuple(rows), len(shares[0]), len(shares[1]), settings.alpha)
