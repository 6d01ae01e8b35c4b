"""Welch's t-test of replica scores, and the paired t-test for paired replicas."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mtsig_core.significance.distributions import stdtr, stdtrit

_SMALLEST = float(np.finfo(float).tiny)


@dataclass(frozen=True)
class WelchResult:
    """A t-test of replica scores; `p` and `interval` are None where `note` says why.

    Parameters
    ----------
    difference : float
        Mean of B minus mean of A, in score units.
    se, df : float
    p : float or None
        Two-sided.
    interval : tuple of two float, or None
        Interval of the difference at level 1 - alpha.
    note : str
    """

    difference: float
    se: float
    df: float
    p: float | None
    interval: tuple[float, float] | None
    note: str = ""


def welch_test(scores_a: np.ndarray, scores_b: np.ndarray, *, alpha: float = 0.05, paired: bool = False) -> WelchResult:
    """Test the difference of the mean scores of two systems' replicas (Welch 1947).

    Parameters
    ----------
    scores_a, scores_b : ndarray of shape (replica,)
        At least two each; equal numbers when paired.
    alpha : float
    paired : bool
        Replicas of equal index belong together: a paired t-test.

    Raises
    ------
    ValueError
        With fewer than two replicas, or unequal numbers of paired ones.
    """
    if min(len(scores_a), len(scores_b)) < 2:
        raise ValueError(f"needs at least 2 replicas of each system; got {len(scores_a)} and {len(scores_b)}.")
    if paired and len(scores_a) != len(scores_b):
        raise ValueError(f"a paired t-test needs equal numbers; got {len(scores_a)} and {len(scores_b)}.")
    groups = [scores_b - scores_a] if paired else [scores_a, scores_b]
    squares = np.array([x.var(ddof=1) / len(x) for x in groups])
    difference = float(np.mean(scores_b) - np.mean(scores_a))
    scale = max(1.0, float(np.abs(scores_a).max()), float(np.abs(scores_b).max()))
    se = float(np.sqrt(squares.sum()))
    if se <= 1e-13 * scale:
        return _without_variance(difference, scale)
    doubt = math.fsum(square**2 / (len(x) - 1) for square, x in zip(squares, groups, strict=True))
    df = float(squares.sum()) ** 2 / doubt  # the same whichever system comes first
    half_width = float(stdtrit(df, 1 - alpha / 2)) * se
    p = max(_SMALLEST, float(2 * stdtr(df, -abs(difference) / se)))
    return WelchResult(difference, se, df, p, (difference - half_width, difference + half_width))


def _without_variance(difference: float, scale: float) -> WelchResult:
    if abs(difference) <= 1e-12 * scale:
        return WelchResult(0.0, 0.0, 0.0, 1.0, (0.0, 0.0), "All replicas score the same.")
    note = "Not defined: the scores of the replicas do not vary, so the difference cannot be set against anything."
    return WelchResult(difference, 0.0, 0.0, None, None, note)
