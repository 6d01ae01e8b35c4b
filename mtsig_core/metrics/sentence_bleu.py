"""BLEU+1: a smoothed BLEU of each sentence, averaged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtsig_core.metrics.bleu import BLEU, COUNTS, HYP_LEN, REF_LEN, TOTALS
from mtsig_core.metrics.mean import MeanMetric


@dataclass(frozen=True)
class BLEUPlusOne(MeanMetric, BLEU):
    """Mean sentence BLEU+1 x 100: one is added to counts and totals of n-grams of two words and more.

    The statistics of a segment are [BLEU+1, 1].

    References
    ----------
    Lin and Och 2004, "ORANGE: a method for evaluating automatic evaluation metrics for machine
    translation", section 4; Neubig, lecture notes "Evaluating MT Systems", equations 104 and 105.
    """

    name = "bleu+1"
    label = "BLEU+1"
    explanation = (
        "BLEU+1 is BLEU of a single sentence. One is added to the matches and to the totals of word pairs, triples and "
        "quadruples (not of words), so that a sentence without a matching quadruple is not worth 0; the score of an "
        "output is the mean over its sentences (Lin and Och 2004)."
    )
    weakness = (
        "Long and short sentences count the same, and short output is favoured: for a short sentence the added one "
        "outweighs what was counted (Nakov, Guzmán and Vogel 2012)."
    )

    def signature(self, references: Sequence[Sequence[str | None]]) -> str:
        """Return sacrebleu's signature of BLEU with another smoothing, and that sentences are averaged."""
        return f"{super().signature(references).replace('smooth:exp', 'smooth:add-1(n>1)')}|mean:sentences"

    def segment_scores(self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]) -> np.ndarray:
        """Return BLEU+1 x 100 of each segment, shape (N,)."""
        return sentence_scores(BLEU.statistics(self, hypotheses, references))

    def segment_score(self, statistics: np.ndarray) -> np.ndarray:
        """Return the scores themselves, shape (...)."""
        return self.score(statistics)


def sentence_scores(statistics: np.ndarray) -> np.ndarray:
    """Return BLEU+1 x 100, shape (N,), of BLEU's statistics of segments, shape (N, 10)."""
    added = np.array([0, 1, 1, 1])
    counts, totals = statistics[:, COUNTS] + added, statistics[:, TOTALS] + added
    precisions = np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)
    hyp, ref = statistics[:, HYP_LEN], statistics[:, REF_LEN]
    brevity = np.exp(np.minimum(0, 1 - np.divide(ref, hyp, out=np.ones_like(ref), where=hyp > 0)))
    return np.minimum(100 * brevity * precisions.prod(axis=1) ** 0.25, 100)
