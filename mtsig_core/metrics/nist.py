"""NIST: matched n-grams weighed by the information that the references give them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import log
from typing import Literal

import numpy as np

from mtsig_core.metrics.scoring.blocks import in_blocks
from mtsig_core.metrics.text.information import ORDER, Information
from mtsig_core.metrics.text.words import WordMetric

INFORMATION = slice(0, ORDER)
TOTALS = slice(ORDER, 2 * ORDER)
HYP_LEN, REF_LEN = ORDER, 2 * ORDER
# The penalty is one half where the output has two thirds of the words of the references.
_BETA = -log(0.5) / log(1.5) ** 2


@dataclass(frozen=True)
class NIST(WordMetric):
    """Corpus NIST as mteval-v13a computes it: n-grams of one to five words.

    The statistics of a segment are [information of matched n-grams of each order, n-grams of the
    hypothesis of each order, mean reference length]. An n-gram weighs log2 of the count of its first n - 1
    words by its own count, both over all references of the whole test set. Resampling segments keeps these
    weights. Of several references, an n-gram counts at most as often as the one that has it most often.

    Parameters
    ----------
    tokenize : str
        ``13a`` and ``intl`` are mteval's two tokenizations.
    lowercase : bool
        mteval disregards case unless called with ``-c``.

    References
    ----------
    Doddington 2002, "Automatic evaluation of machine translation quality using n-gram co-occurrence
    statistics", section 5; NIST's mteval-v13a.
    """

    information: Information | None = field(default=None, compare=False, repr=False)

    name = "nist"
    label = "NIST"
    scale = "0 and up without a bound; about 5 to 12 for usual translation"
    n_statistics = 2 * ORDER + 1
    explanation = (
        "NIST counts matches of one to five words like BLEU, but weighs each by how much it tells: the more often the "
        "references go on in this way, the less it weighs. For each length the information matched is divided by the "
        "number of n-grams of the output, the five quotients are added (BLEU takes a geometric mean), and output "
        "shorter than the mean reference is penalised. The weights are those of the references of the whole test set, "
        "also in resampled ones (Doddington 2002; as in mteval-v13a)."
    )
    weakness = (
        "Its scale depends on the size of the test set, so scores of two test sets cannot be compared; single rare "
        "words weigh most, and the order of words little."
    )

    @property
    def options(self) -> str:
        """Longest n-gram, and where the weights come from."""
        return f"n:{ORDER}|info:all-references"

    def prepared(self, references: Sequence[Sequence[str | None]]) -> NIST:
        """Return NIST with the information weights of a whole test set's references."""
        return replace(self, information=Information(self.splitter(), references))

    def make_faster(self) -> Literal["never", "soon", "now"]:
        """Let threads share the work: they share the weights, which are too many to send to processes."""
        return "now"

    def statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]) -> np.ndarray:
        """Return the statistics of each segment, shape (N, 11).

        Without `prepared`, the references given are taken for all there are.
        """
        if not hypotheses:
            return np.empty((0, self.n_statistics))
        information = self.information or Information(self.splitter(), references)
        return information.statistics(self.splitter(), hypotheses, references)

    def score(self, sums: np.ndarray) -> np.ndarray:
        """Return NIST, shape (...), of summed statistics, shape (..., 11)."""
        return in_blocks(_score, sums)


def _score(sums: np.ndarray) -> np.ndarray:
    """Return NIST, shape (N,), of sums, shape (N, 11)."""
    gained = (sums[:, INFORMATION] / np.maximum(sums[:, TOTALS], 1)).sum(axis=1)
    hyp, ref = sums[:, HYP_LEN], sums[:, REF_LEN]
    ratio = np.divide(hyp, ref, out=np.ones(len(sums)), where=ref > 0)
    short = np.minimum(ratio, 1)
    penalty = np.zeros(len(sums))
    logs = np.log(short, out=np.zeros(len(sums)), where=short > 0)
    np.exp(-_BETA * logs**2, out=penalty, where=short > 0)
    return gained * penalty
