"""Intervals of the difference: test-set luck, optimizer luck, both."""

from __future__ import annotations

import math

import numpy as np

from mtsig_core.analysis.comparison.results import Interval, Intervals, WinShares
from mtsig_core.significance import CrossedResult
from mtsig_core.significance.welch import welch_test


def intervals_of(
    differences: np.ndarray,
    scores_a: np.ndarray,
    scores_b: np.ndarray,
    crossed: CrossedResult | None,
    *,
    alpha: float,
    paired: bool,
    n_segments: int,
    tolerance: float = 0.0,
) -> Intervals:
    """Return the three intervals of D, each None with its reason where it is undefined.

    Parameters
    ----------
    differences : ndarray of shape (draw,)
        D on bootstrap test sets.
    scores_a, scores_b : ndarray of shape (n_A,), (n_B,)
    crossed : CrossedResult or None
    alpha : float
    paired : bool
        Replicas of equal index share a seed; n_A = n_B then.
    n_segments : int
        Segments of the test set: one alone has no spread over test sets.
    tolerance : float
        Differences of this size are rounding noise.
    """
    found = {
        "test_set": _percentile_interval(differences, alpha, n_segments, tolerance),
        "optimizer": optimizer_interval(scores_a, scores_b, alpha=alpha, paired=paired),
        "both": _crossed_interval(crossed),
    }
    reasons = {name: value for name, value in found.items() if isinstance(value, str)}
    kept: dict[str, Interval | None] = {n: None if isinstance(v, str) else v for n, v in found.items()}
    return Intervals(kept["test_set"], kept["optimizer"], kept["both"], reasons)


def _percentile_interval(differences: np.ndarray, alpha: float, n_segments: int, tolerance: float) -> Interval | str:
    if n_segments < 2:
        return "one segment can only be drawn again"
    if differences.size < 2:
        return "one draw has no spread: ask for more"
    if not np.isfinite(differences).all():
        return "the score is not defined on some drawn test sets"
    low, high = np.quantile(differences, (alpha / 2, 1 - alpha / 2))
    if np.abs(differences).max() <= tolerance:
        return 0.0, 0.0
    if np.ptp(differences) <= 1e-12 * max(1.0, abs(float(low))) < abs(float(low)):
        return "the difference is the same in every draw, so its variance is 0"
    return float(low), float(high)


def _crossed_interval(crossed: CrossedResult | None) -> Interval | str:
    if crossed is None:
        return "both systems have one replica, which shows no spread"
    if crossed.low is None or crossed.high is None or not math.isfinite(crossed.high - crossed.low):
        return crossed.note or "the variance of the difference is not defined"
    return float(crossed.low), float(crossed.high)


def optimizer_interval(scores_a: np.ndarray, scores_b: np.ndarray, *, alpha: float, paired: bool) -> Interval | str:
    """Return Welch's interval of the difference of replica means (paired t if paired), or why there is none."""
    if min(scores_a.size, scores_b.size) < 2:
        return "a system has one replica, which shows no spread"
    welch = welch_test(scores_a, scores_b, alpha=alpha, paired=paired)
    if welch.se == 0:
        return "the replicas' scores do not vary: are they copies?"
    return welch.interval or welch.note


def win_shares(differences: np.ndarray, higher_is_better: bool, tolerance: float = 0.0) -> WinShares | None:
    """Return the shares of draws, differences of shape (draw,), that A wins, B wins, and that are tied.

    Differences up to the tolerance are rounding noise and count as ties.
    """
    if not differences.size or not np.isfinite(differences).all():
        return None
    gains = differences if higher_is_better else -differences
    b, a = float(np.mean(gains > tolerance)), float(np.mean(gains < -tolerance))
    return WinShares(a=a, b=b, tie=float(np.mean(np.abs(gains) <= tolerance)))
