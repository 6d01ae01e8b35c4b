"""Length ratio: how long the output is, in percent of the references."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from mtsig_core.metrics.bleu import BLEU
from mtsig_core.metrics.scoring.sacrebleu_adapter import word_splitter


@dataclass(frozen=True)
class LengthRatio(BLEU):
    """Words of the output in percent of words of the references; of several the closest in length counts.

    The statistics of a segment are [hypothesis length, closest reference length], BLEU's own. Neither
    direction is better as such: 100 is as long as the references.

    References
    ----------
    Papineni et al. 2002, section 2.2 (the best match length); printed by MultEval (Clark et al. 2011).
    """

    name = "length"
    label = "Length"
    is_quality = False
    scale = "100 is as long as the references; 0 and up"
    n_statistics = 2
    explanation = (
        "The length ratio is the number of words of the output in percent of that of the references; where a segment "
        "has several, the one closest in length counts, as in BLEU's brevity penalty (Papineni, Roukos, Ward and Zhu "
        "2002). It measures no quality: it tells whether a difference in BLEU or TER comes from length."
    )
    weakness = "Neither more nor less of it is better, and 100 is reached by nonsense as well."

    def signature(self, references: Sequence[Sequence[str | None]]) -> str:
        """Return what of sacrebleu's BLEU signature matters here."""
        parts = super().signature(references).split("|")
        return "|".join(["length", *(p for p in parts if not p.startswith(("eff:", "smooth:")))])

    def make_faster(self) -> Literal["never", "soon", "now"]:
        """Do nothing: words are counted here, without n-grams."""
        return "never"

    def statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]) -> np.ndarray:
        """Return [hypothesis length, closest reference length] of each segment, shape (N, 2)."""
        words = word_splitter(self.tokenize, self.lowercase)
        texts = {text for row in references for text in row if text is not None}
        of_references = {text: len(words(text)) for text in texts}
        statistics = np.empty((len(hypotheses), 2))
        for place, hypothesis, row in zip(statistics, hypotheses, references, strict=True):
            own = len(words(hypothesis))
            lengths = (of_references[text] for text in row if text is not None)
            place[:] = own, _closest(own, lengths)
        return statistics

    def score(self, sums: np.ndarray) -> np.ndarray:
        """Return the ratio x 100, shape (...), of summed statistics, shape (..., 2); nan without references."""
        sums = np.asarray(sums, dtype=float)
        hyp, ref = sums[..., 0], sums[..., 1]
        return np.divide(100 * hyp, ref, out=np.full(ref.shape, np.nan), where=ref > 0)[()]

    def gradient(self, sums: np.ndarray) -> np.ndarray:
        """Return the derivative of the ratio by each sum, shape (..., 2); 0 without references."""
        sums = np.asarray(sums, dtype=float)
        hyp, ref = sums[..., 0], sums[..., 1]
        out = np.zeros_like(sums)
        np.divide(100, ref, out=out[..., 0], where=ref > 0)
        np.divide(-100 * hyp, ref**2, out=out[..., 1], where=ref > 0)
        return out

    def segment_score(self, statistics: np.ndarray) -> np.ndarray:
        """Return the ratio of each segment, shape (...)."""
        return self.score(statistics)


def _closest(own: int, lengths: Iterable[int]) -> int:
    """Return the length closest to one's own, of two the shorter."""
    return min((abs(length - own), length) for length in lengths)[1]
