"""BLEU: clipped n-gram precisions and a brevity penalty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mtsig_core.metrics.scoring.blocks import in_blocks
from mtsig_core.metrics.scoring.sacrebleu_adapter import SacrebleuMetric
from mtsig_core.metrics.text.tokenizers import DEFAULT_TOKENIZER, check_tokenizer, tokenizer_key

ORDER = 4
HYP_LEN, REF_LEN = 0, 1
COUNTS = slice(2, 2 + ORDER)
TOTALS = slice(2 + ORDER, 2 + 2 * ORDER)


@dataclass(frozen=True)
class BLEU(SacrebleuMetric):
    """Corpus BLEU x 100, as sacrebleu's default: 4 orders, exponential smoothing of zero counts.

    The statistics of a segment are [hypothesis length, closest reference length, 4 clipped counts,
    4 totals].

    Parameters
    ----------
    tokenize, lowercase
        As of `mtsig_core.metrics.text.words.WordMetric`, which raises a ValueError for the same reasons.

    References
    ----------
    Papineni et al. 2002, "BLEU: a method for automatic evaluation of machine translation", section 2;
    Chen and Cherry 2014 for the smoothing (method 3); Post 2018 for signatures.
    """

    tokenize: str = DEFAULT_TOKENIZER
    lowercase: bool = False

    name = "bleu"
    label = "BLEU"
    n_statistics = 2 + 2 * ORDER
    sacrebleu_class = "BLEU"
    explanation = (
        "BLEU asks which share of the output's words, word pairs, triples and quadruples also occur in a reference "
        "(no n-gram counts more often than the reference has it), takes the geometric mean of the four shares, and "
        "multiplies it by a penalty when the whole output is shorter than the references. Counts are summed over the "
        "test set before dividing, so it is a score of a corpus and not a mean of segments "
        "(Papineni, Roukos, Ward and Zhu 2002)."
    )
    weakness = (
        "It sees exact word forms only, depends on the tokenizer, and says little about a single sentence; among good "
        "systems its differences often disagree with people."
    )

    def __post_init__(self) -> None:
        check_tokenizer(self.tokenize)

    @property
    def key(self) -> str:
        """Name, options, and versions of sacrebleu and of what the tokenizer rests on."""
        return f"{super().key} [{tokenizer_key(self.tokenize)}]"

    @property
    def sacrebleu_options(self) -> Mapping[str, Any]:
        """Arguments of sacrebleu's BLEU; ``force`` keeps it from logging about tokenized input."""
        return {"tokenize": self.tokenize, "lowercase": self.lowercase, "force": True}

    def score(self, sums: np.ndarray) -> np.ndarray:
        """Return BLEU x 100, shape (...), of summed statistics, shape (..., 10); never above 100."""
        return in_blocks(_score, sums)

    def gradient(self, sums: np.ndarray) -> np.ndarray:
        """Return the derivative of BLEU by each sum, shape (..., 10).

        By a zero count it is 0: the smoothed precision does not depend on it. The cap at 100 is ignored;
        it only cuts off rounding.
        """
        return in_blocks(_gradient, sums)

    def segment_score(self, statistics: np.ndarray) -> np.ndarray:
        """Return sentence BLEU x 100 with effective order: orders longer than the output are left out."""
        return in_blocks(_sentence_score, statistics)


def _score(sums: np.ndarray) -> np.ndarray:
    """Return BLEU x 100, shape (N,), of sums, shape (N, 10)."""
    counts, totals = _product(sums, COUNTS), _product(sums, TOTALS)
    plain = (counts > 0) & (totals > 0)
    score = np.divide(counts, totals, out=np.zeros_like(counts), where=plain)
    np.sqrt(np.sqrt(score, out=score), out=score)  # the fourth root, faster than a power
    if not plain.all():
        score[~plain] = _smoothed(sums[~plain])
    score *= 100 * _brevity(sums)
    return np.minimum(score, 100, out=score)


def _gradient(sums: np.ndarray) -> np.ndarray:
    """Return the derivative of BLEU, shape (N, 10), by sums, shape (N, 10)."""
    score = _score(sums)
    out = np.zeros_like(sums)
    share = score[:, None] / ORDER
    counts, totals = sums[:, COUNTS], sums[:, TOTALS]
    np.divide(share, counts, out=out[:, COUNTS], where=(share > 0) & (counts > 0))
    np.divide(-share, totals, out=out[:, TOTALS], where=share > 0)
    hyp, ref = sums[:, HYP_LEN], sums[:, REF_LEN]
    short = (score > 0) & (hyp < ref)
    np.divide(-score, hyp, out=out[:, REF_LEN], where=short)
    np.divide(score * ref, hyp**2, out=out[:, HYP_LEN], where=short)
    return out


def _sentence_score(statistics: np.ndarray) -> np.ndarray:
    """Return BLEU x 100 with effective order, shape (N,), of single segments, shape (N, 10)."""
    counts, totals = statistics[:, COUNTS], statistics[:, TOTALS]
    used = np.logical_and.accumulate(totals > 0, axis=-1)
    logs = np.zeros_like(counts)
    np.log(_smooth(counts) / np.where(used, totals, 1), out=logs, where=used)
    score = 100 * _brevity(statistics) * np.exp(logs.sum(axis=-1) / np.maximum(used.sum(axis=-1), 1))
    return np.minimum(np.where((counts > 0).any(axis=-1), score, 0.0), 100)


def _product(sums: np.ndarray, where: slice) -> np.ndarray:
    """Multiply four columns, without a temporary of all four (counts to the fourth fit a float64)."""
    first, *others = range(sums.shape[1])[where]
    out = sums[:, first].copy()
    for column in others:
        out *= sums[:, column]
    return out


def _smooth(counts: np.ndarray) -> np.ndarray:
    """Replace the k-th zero count of each row by 2**-k (Chen and Cherry 2014, method 3)."""
    zero = counts == 0
    return np.where(zero, 0.5 ** np.cumsum(zero, axis=-1), counts)


def _smoothed(sums: np.ndarray) -> np.ndarray:
    """Geometric mean of precisions, shape (N,), of rows where some count or total is zero."""
    counts, totals = sums[:, COUNTS], sums[:, TOTALS]
    defined = (counts > 0).any(axis=-1) & (totals > 0).all(axis=-1)
    ratio = (_smooth(counts) / np.where(totals > 0, totals, 1)).prod(axis=-1)
    return np.where(defined, ratio, 0.0) ** (1 / ORDER)


def _brevity(sums: np.ndarray) -> np.ndarray:
    """Brevity penalty, shape (N,): 1 unless the output is shorter than the references; 0 if empty."""
    hyp, ref = sums[:, HYP_LEN], sums[:, REF_LEN]
    short = hyp < ref
    penalty = np.ones(len(sums))
    np.divide(ref, hyp, out=penalty, where=short & (hyp > 0))
    np.exp(1 - penalty, out=penalty)
    penalty[short & (hyp <= 0)] = 0
    return penalty
