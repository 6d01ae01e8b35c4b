"""Intervals of the difference: test-set variance, optimizer variance, and both."""

from __future__ import annotations

import math

import numpy as np

from mtsig_core.analysis.comparison.results import Interval, Intervals, WinShares
from mtsig_core.significance import CoherentResult, Pair
from mtsig_core.significance.closed_form.welch import welch_test
from mtsig_core.significance.pair import percentile_interval


def intervals_of(pair: Pair, differences: np.ndarray, coherent: CoherentResult | None) -> Intervals:
    """Return the three intervals of D, each None with its reason where it is undefined.

    Parameters
    ----------
    pair : Pair
    differences : ndarray of shape (draw,)
        D on bootstrap resamples of segments.
    coherent : CoherentResult or None
    """
    settings, (scores_a, scores_b) = pair.settings, pair.scores
    paired = settings.paired and scores_a.size == scores_b.size > 1
    intervals: dict[str, Interval | str] = {
        "test_set": _percentile_interval(differences, settings.alpha, pair.statistics.n_segments, pair.tolerance),
        "optimizer": optimizer_interval(scores_a, scores_b, alpha=settings.alpha, paired=paired),
        "both": _coherent_interval(coherent),
    }
    reasons = {name: value for name, value in intervals.items() if isinstance(value, str)}
    defined = {name: None if isinstance(value, str) else value for name, value in intervals.items()}
    return Intervals(defined["test_set"], defined["optimizer"], defined["both"], reasons)


def _percentile_interval(differences: np.ndarray, alpha: float, n_segments: int, tolerance: float) -> Interval | str:
    if n_segments < 2:
        return "it takes scores of two or more segments"
    if differences.size < 2:
        return "one draw has no spread: ask for more"
    if not np.isfinite(differences).all():
        return "the score is not defined on some resampled test sets"
    low, high = percentile_interval(differences, alpha)
    if np.abs(differences).max() <= tolerance:
        return 0.0, 0.0
    if np.ptp(differences) <= 1e-12 * max(1.0, abs(float(low))) < abs(float(low)):
        return "the difference is the same in every draw, so its variance is 0"
    return low, high


def _coherent_interval(coherent: CoherentResult | None) -> Interval | str:
    if coherent is None:
        return "both systems have one replica, which shows no spread"
    interval = coherent.interval
    if interval is None or not math.isfinite(interval[1] - interval[0]):
        return coherent.note or "the variance of the difference is not defined"
    return interval


def optimizer_interval(scores_a: np.ndarray, scores_b: np.ndarray, *, alpha: float, paired: bool) -> Interval | str:
    """Return Welch's interval of the difference of replica means (paired t if paired), or why there is none."""
    if min(scores_a.size, scores_b.size) < 2:
        which = "both systems have" if max(scores_a.size, scores_b.size) < 2 else "one of the systems has"
        return f"{which} one replica, which shows no spread"
    welch = welch_test(scores_a, scores_b, alpha=alpha, paired=paired)
    if welch.se == 0:
        return "the replicas' scores do not vary: are they copies?"
    return welch.interval or welch.note


def win_shares(differences: np.ndarray, higher_is_better: bool, tolerance: float = 0.0) -> WinShares | None:
    """Return the shares of resamples that A wins, that B wins, and that are tied; None where one is undefined.

    Parameters
    ----------
    differences : ndarray of shape (draw,)
    higher_is_better : bool
    tolerance : float
        Differences up to it are rounding errors and count as ties.
    """
    if not differences.size or not np.isfinite(differences).all():
        return None
    gains = differences if higher_is_better else -differences
    b, a = float(np.mean(gains > tolerance)), float(np.mean(gains < -tolerance))
    return WinShares(a=a, b=b, tie=float(np.mean(np.abs(gains) <= tolerance)))
