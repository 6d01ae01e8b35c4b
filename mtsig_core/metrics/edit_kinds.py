"""TER's edits by kind: what would have to be inserted, deleted, replaced and moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtsig_core.metrics.scoring.sacrebleu_adapter import edit_kinds
from mtsig_core.metrics.ter import TER

KINDS = ("insertions", "deletions", "substitutions", "shifts")
LENGTH = len(KINDS)


@dataclass(frozen=True)
class EditKinds(TER):
    """TER whose statistics keep the kinds of edits apart: [insertions, deletions, substitutions, shifts, length].

    An insertion is a word of the reference that the output lacks, a deletion a word of the output that is too
    much. Where several ways of editing are equally short, sacrebleu's choice counts: a substitution rather than a
    deletion and an insertion. The score is TER.

    References
    ----------
    Snover et al. 2006, "A study of translation edit rate with targeted human annotation", section 3.
    """

    n_statistics = LENGTH + 1

    @property
    def key(self) -> str:
        """That of TER, for statistics of another shape."""
        return f"{super().key} by kind 1"

    def statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]) -> np.ndarray:
        """Return the statistics of each segment, shape (N, 5)."""
        return edit_kinds(*self.split(hypotheses, references))

    def score(self, sums: np.ndarray) -> np.ndarray:
        """Return TER x 100, shape (...), of summed statistics, shape (..., 5)."""
        return super().score(_as_ter(sums))

    def gradient(self, sums: np.ndarray) -> np.ndarray:
        """Return the derivative of TER by each sum, shape (..., 5)."""
        return super().gradient(_as_ter(sums))[..., [0, 0, 0, 0, 1]]


def _as_ter(sums: np.ndarray) -> np.ndarray:
    """Return [edits, length], shape (..., 2)."""
    sums = np.asarray(sums, dtype=float)
    return np.stack([sums[..., :LENGTH].sum(axis=-1), sums[..., LENGTH]], axis=-1)
