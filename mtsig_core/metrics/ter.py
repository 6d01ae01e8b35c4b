"""TER: edits, with shifts of phrases, a word of reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mtsig_core.metrics.scoring.sacrebleu_adapter import SacrebleuMetric

EDITS, REF_LEN = 0, 1


@dataclass(frozen=True)
class TER(SacrebleuMetric):
    """Corpus translation edit rate x 100; lower is better, and more than 100 is possible.

    The statistics of a segment are [edits to the nearest reference, mean reference length]; with several
    references the latter is a fraction. Words are split at white space and compared without regard to
    case, as tercom and sacrebleu do by default, so there is no ``lowercase`` option.

    References
    ----------
    Snover et al. 2006, "A study of translation edit rate with targeted human annotation", section 3.
    """

    name = "ter"
    label = "TER"
    higher_is_better = False
    scale = "0 (no edits) and up; more than 100 is possible"
    n_statistics = 2
    sacrebleu_class = "TER"
    explanation = (
        "TER counts how many words one would have to insert, delete or replace, and how many phrases to move, to turn "
        "the output into the nearest reference, and divides by the mean length of the references. It is an error rate: "
        "lower is better, and output that is much too long can exceed 100 (Snover, Dorr, Schwartz, Micciulla and "
        "Makhoul 2006)."
    )
    weakness = (
        "A synonym costs as much as nonsense, short output is punished less than long output, and the search for "
        "moves is a heuristic."
    )

    @property
    def sacrebleu_options(self) -> Mapping[str, Any]:
        """Arguments of sacrebleu's TER: its defaults."""
        return {}

    def score(self, sums: np.ndarray) -> np.ndarray:
        """Return TER x 100, shape (...), of summed statistics, shape (..., 2).

        Without any word of reference it is 100 if there are edits and 0 if there are none.
        """
        sums = np.asarray(sums, dtype=float)
        edits, length = sums[..., EDITS], sums[..., REF_LEN]
        score = np.asarray(edits > 0, dtype=float)
        np.divide(edits, length, out=score, where=length > 0)
        score *= 100
        return score[()]

    def gradient(self, sums: np.ndarray) -> np.ndarray:
        """Return the derivative of TER by each sum, shape (..., 2); 0 without any word of reference."""
        sums = np.asarray(sums, dtype=float)
        edits, length = sums[..., EDITS], sums[..., REF_LEN]
        out = np.zeros_like(sums)
        np.divide(100, length, out=out[..., EDITS], where=length > 0)
        np.divide(-100 * edits, length**2, out=out[..., REF_LEN], where=length > 0)
        return out
