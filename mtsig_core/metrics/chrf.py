"""chrF and chrF++: F-score of character (and word) n-grams."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mtsig_core.metrics.scoring.blocks import in_blocks
from mtsig_core.metrics.scoring.sacrebleu_adapter import SacrebleuMetric

BETA_SQUARED = 4.0
CHAR_ORDER = 6


@dataclass(frozen=True)
class ChrF(SacrebleuMetric):
    """Corpus chrF2 x 100, as sacrebleu's default: 6 orders, spaces left out, effective order.

    The statistics of a segment are [hypothesis n-grams, reference n-grams, matches] of each order, with
    the reference whose own F-score is best.

    Parameters
    ----------
    lowercase : bool

    References
    ----------
    Popovic 2015, "chrF: character n-gram F-score for automatic MT evaluation".
    """

    lowercase: bool = False

    name = "chrf"
    label = "chrF"
    n_statistics = 3 * CHAR_ORDER
    sacrebleu_class = "CHRF"
    word_order: ClassVar[int] = 0
    explanation = (
        "chrF compares strings of one to six characters, spaces left out: the mean share of the output's strings that "
        "a reference has (precision) and the mean share of the reference's that the output has (recall), joined in an "
        "F-score in which recall weighs twice as much. It needs no tokenizer and gives credit for a right stem with a "
        "wrong ending (Popovic 2015)."
    )
    weakness = (
        "It rewards letters in common even where words differ in meaning, and cares little for the order of words."
    )

    @property
    def sacrebleu_options(self) -> Mapping[str, Any]:
        """Arguments of sacrebleu's CHRF."""
        return {"lowercase": self.lowercase, "word_order": self.word_order}

    def score(self, sums: np.ndarray) -> np.ndarray:
        """Return chrF x 100, shape (...), of summed statistics, shape (..., S)."""
        return in_blocks(_score, sums)

    def gradient(self, sums: np.ndarray) -> np.ndarray:
        """Return the derivative of chrF by each sum, shape (..., S); 0 where nothing matches."""
        return in_blocks(_gradient, sums)


@dataclass(frozen=True)
class ChrFPlusPlus(ChrF):
    """Corpus chrF2++ x 100: chrF with word unigrams and bigrams as two more orders.

    References
    ----------
    Popovic 2017, "chrF++: words helping character n-grams".
    """

    name = "chrf++"
    label = "chrF++"
    n_statistics = 3 * (CHAR_ORDER + 2)
    word_order: ClassVar[int] = 2
    explanation = (
        "chrF++ is chrF with single words and pairs of words as two more kinds of n-grams beside the strings of one to "
        "six characters, all weighing the same. The words make it follow direct human assessments a little more "
        "closely than characters alone (Popovic 2017)."
    )
    weakness = "As chrF it rewards shared letters more than shared meaning, and words are split off by simple rules."


def _score(sums: np.ndarray) -> np.ndarray:
    """Return chrF x 100, shape (N,), of sums, shape (N, S)."""
    precision, recall, _ = _means(sums)
    denominator = BETA_SQUARED * precision + recall
    score = 100 * (1 + BETA_SQUARED) * precision * recall
    np.divide(score, denominator, out=score, where=denominator > 0)
    return np.minimum(score, 100, out=score)


def _gradient(sums: np.ndarray) -> np.ndarray:
    """Return the derivative of chrF, shape (N, S), by sums, shape (N, S)."""
    precision, recall, orders = _means(sums)
    denominator = BETA_SQUARED * precision + recall
    scale = np.zeros_like(denominator)
    np.divide(100 * (1 + BETA_SQUARED), denominator**2 * np.maximum(orders, 1), out=scale, where=denominator > 0)
    by_precision, by_recall = scale * recall**2, scale * BETA_SQUARED * precision**2
    hyp, ref, match = sums[:, 0::3], sums[:, 1::3], sums[:, 2::3]
    used = (hyp > 0) & (ref > 0)
    per_hyp = np.divide(by_precision[:, None], hyp, out=np.zeros(hyp.shape), where=used)
    per_ref = np.divide(by_recall[:, None], ref, out=np.zeros(ref.shape), where=used)
    out = np.zeros_like(sums)
    out[:, 2::3] = per_hyp + per_ref
    np.divide(-per_hyp * match, hyp, out=out[:, 0::3], where=used)
    np.divide(-per_ref * match, ref, out=out[:, 1::3], where=used)
    return out


def _means(sums: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return mean precision, mean recall and the number of orders with n-grams on both sides, each (N,)."""
    precision, recall, orders = (np.zeros(len(sums)) for _ in range(3))
    for first in range(0, sums.shape[1], 3):  # a column at a time: few and small temporaries
        hyp, ref, match = (sums[:, first + k] for k in range(3))
        used = (hyp > 0) & (ref > 0)
        orders += used
        precision += np.divide(match, hyp, out=np.zeros(len(sums)), where=used)
        recall += np.divide(match, ref, out=np.zeros(len(sums)), where=used)
    divisor = np.maximum(orders, 1)
    return precision / divisor, recall / divisor, orders
