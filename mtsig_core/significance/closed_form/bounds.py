"""The two bounds of an interval, and what tests of two systems' replicas on segments are asked in common."""

from __future__ import annotations

from typing import TypedDict

import numpy as np


class Bounded:
    """Read access to `low` and `high` as an interval, for results that have them."""

    low: float | None
    high: float | None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The two bounds; None where they are not defined."""
        return None if self.low is None or self.high is None else (self.low, self.high)


class PairOptions(TypedDict, total=False):
    """What a test of two systems is told besides their pseudo-values.

    Attributes
    ----------
    alpha : float
    documents : ndarray of shape (segment,), optional
        Document of each segment: the variance between segments is then cluster-robust (`segment_mean_square`). The
        residual variance stays as it is, which is conservative.
    paired : bool
        Replicas of equal index share a seed or base model.
    assume_equal_variation : bool
        With one replica on one side: assume, untestably, that its system's replicas vary as the other's do.
    """

    alpha: float
    documents: np.ndarray | None
    paired: bool
    assume_equal_variation: bool
