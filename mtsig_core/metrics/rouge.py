"""ROUGE-L: the longest common subsequence of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtsig_core.metrics.mean import MeanMetric
from mtsig_core.metrics.text.words import WordMetric
from mtsig_core.runtime.optional import optional_hint


@dataclass(frozen=True)
class RougeL(MeanMetric, WordMetric):
    """Mean sentence ROUGE-L (F1) x 100; the best of several references counts.

    The statistics of a segment are [ROUGE-L, 1].

    References
    ----------
    Lin 2004, "ROUGE: a package for automatic evaluation of summaries", section 3.1; F with equal weights
    and the best reference as in Google's rouge-score.
    """

    name = "rouge-l"
    label = "ROUGE-L"
    explanation = (
        "ROUGE-L finds the longest sequence of words that output and reference have in common in this order, gaps "
        "allowed. Its length by that of the output is the precision, by that of the reference the recall, and the "
        "score their harmonic mean (F1); the best of several references counts, and segments are averaged (Lin 2004)."
    )
    weakness = (
        "Made for summaries: words are compared by their form only, and since it counts one sequence, moving a phrase "
        "costs as much as losing it. Scores depend on tokenizer, stemming (none here) and case, so compare with "
        "published ones only when these are stated."
    )

    @classmethod
    def unavailable(cls) -> str:
        """Return how to install rapidfuzz, where it is missing."""
        return optional_hint("rapidfuzz")

    @property
    def options(self) -> str:
        """F1, and no stemming."""
        return "f:1|stem:no|mean:sentences"

    def segment_scores(self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]) -> np.ndarray:
        """Return ROUGE-L x 100 of each segment, shape (N,); 0 where a side has no words."""
        from rapidfuzz.distance import LCSseq

        scores = []
        for words, rows in self.splitter().rows(hypotheses, references):
            # F1 = 2 LCS / (length of output + length of reference)
            f_scores = (2 * LCSseq.similarity(words, ref) / max(len(words) + len(ref), 1) for ref in rows)
            scores.append(100 * max(f_scores, default=0.0))
        return np.array(scores)
