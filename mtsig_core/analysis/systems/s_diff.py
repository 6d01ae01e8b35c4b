"""Variation of the observed difference, and p against it (Fu et al., section 4.4, Figures 4 and 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.significance import Preset, Result, TestResult
from mtsig_core.significance.normal_fits import NormalInterval, fit

_POINTS = 201


@dataclass(frozen=True, eq=False)
class SingleDifferences(Result):
    """The difference that each pair of replicas shows.

    Attributes
    ----------
    values : ndarray of shape (pair,)
        Score of a replica of B minus that of one of A: every pair, or those of equal index where paired.
    fit : NormalInterval or None
        Its normal fit, with the standard deviation that new replicas are expected to show (ddof 1 by system); None
        with one replica each.
    paired : bool
    """

    values: np.ndarray
    fit: NormalInterval | None
    paired: bool

    def to_frame(self) -> pd.DataFrame:
        """Return one row per pair of replicas."""
        return pd.DataFrame({"difference": self.values})


def single_differences(scores_a: np.ndarray, scores_b: np.ndarray, *, paired: bool = False) -> SingleDifferences:
    """Return S_diff of every pair of replicas, and a normal fit (Figure 4).

    Parameters
    ----------
    scores_a, scores_b : ndarray of shape (n_a,), (n_b,)
    paired : bool
        Replicas of equal index share a seed; used where the numbers are equal.
    """
    paired = paired and len(scores_a) == len(scores_b)
    values = scores_b - scores_a if paired else (scores_b[None] - scores_a[:, None]).ravel()
    if max(len(scores_a), len(scores_b)) < 2:
        return SingleDifferences(values, None, paired)
    if paired:
        return SingleDifferences(values, fit(values), True)
    square = sum(float(x.var(ddof=1)) for x in (scores_a, scores_b) if len(x) > 1 and np.ptp(x) > 0)
    mean = float(scores_b.mean() - scores_a.mean())
    sd = square**0.5
    return SingleDifferences(values, NormalInterval(mean, sd, mean - 1.96 * sd, mean + 1.96 * sd), False)


@dataclass(frozen=True, eq=False)
class Curve:
    """How p of one test falls with the difference.

    Attributes
    ----------
    preset : Preset
    p : ndarray of shape (point,)
    threshold : float or None
        Least difference with p at most alpha; None where no difference gets there.
    null : ndarray of shape (draw,)
        Sizes of the differences by chance, sorted.
    add : int
        1 where p is (c + 1) / (R + 1).
    """

    preset: Preset
    p: np.ndarray
    threshold: float | None
    null: np.ndarray
    add: int

    def at(self, difference: float) -> float:
        """Return p of a difference of this size."""
        return float(_survival(self.null, np.array([abs(difference)]), self.add, self.preset.strict)[0])


@dataclass(frozen=True, eq=False)
class PAgainstDifference(Result):
    """p of several tests against S_diff.

    Attributes
    ----------
    x : ndarray of shape (point,)
        Sizes of the difference, score units.
    curves : tuple of Curve
    difference : float
        The one observed.
    alpha : float
    """

    x: np.ndarray
    curves: tuple[Curve, ...]
    difference: float
    alpha: float

    def to_frame(self) -> pd.DataFrame:
        """Return one row per test: the threshold, and p at the observed difference."""
        return self._frame(self.difference, "p at the observed one")

    def at_frame(self, difference: float) -> pd.DataFrame:
        """Return one row per test: the threshold, and p at a difference of a given size."""
        return self._frame(difference, f"p at {difference:.3g}")

    def _frame(self, difference: float, title: str) -> pd.DataFrame:
        rows = [(c.preset.label, c.threshold, c.at(difference)) for c in self.curves]
        return pd.DataFrame(rows, columns=["test", f"difference with p = {self.alpha:g}", title])


def p_against_difference(tests: Sequence[TestResult], difference: float, alpha: float) -> PAgainstDifference:
    """Return the survival function of the size of the difference under each test's null (Figure 5).

    Tests without a null distribution of differences (closed forms, rules on one tail or on an interval, Welch's t)
    are left out.

    Parameters
    ----------
    tests : sequence of TestResult
    difference : float
        The observed one.
    alpha : float
    """
    used = [t for t in tests if _has_null(t) and not t.preset.one_tail and not _studentised(t)]
    sizes = {t.preset.name: np.sort(np.abs(np.asarray(t.null, dtype=float))) for t in used}
    top = max([1.2 * abs(difference), *(1.05 * float(s[-1]) for s in sizes.values())], default=1.0) or 1.0
    x = np.linspace(0, top, _POINTS)
    curves = []
    for test in used:
        null, add, strict = sizes[test.preset.name], 0 if test.exact else 1, test.preset.strict
        curve = _survival(null, x, add, strict)
        curves.append(Curve(test.preset, curve, _threshold(null, add, strict, alpha), null, add))
    return PAgainstDifference(x, tuple(curves), difference, alpha)


def _has_null(test: TestResult) -> bool:
    return test.null is not None and test.p is not None and test.interval is None


def _studentised(test: TestResult) -> bool:
    return test.observed is not None and not np.isclose(test.observed, test.difference, rtol=1e-6, atol=1e-9)


def _survival(null: np.ndarray, x: np.ndarray, add: int, strict: bool) -> np.ndarray:
    slack = 1e-12 * max(1.0, float(null[-1]))
    below = np.searchsorted(null, x + slack if strict else x - slack, side="right" if strict else "left")
    return (len(null) - below + add) / (len(null) + add)


def _threshold(null: np.ndarray, add: int, strict: bool, alpha: float) -> float | None:
    """Return the smallest size whose p is at most alpha."""
    n = len(null)
    allowed = int(np.floor(alpha * (n + add) - add + 1e-9))  # draws that may reach it
    if allowed < 0 or (allowed == 0 and not add):
        return None
    at = n - allowed - 1  # the largest draw that must stay below
    if at < 0:
        return 0.0
    value = float(null[at])
    return value if strict else value + 3e-12 * max(1.0, float(null[-1]))  # past what ties with it
