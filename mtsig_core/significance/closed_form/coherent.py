"""The coherent test: a difference of two systems for new replicas on new text. Every headline rests on it.

The crossed test alone has heavy tails when few replicas are noisy, and its interval can be narrower than that of the
replica test whose variance is part of its own. The coherent test takes the larger p-value and the wider interval of
the two. Both intervals are centred on D, so the interval is the set of differences that the test does not reject.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Unpack

import numpy as np

from mtsig_core.significance.closed_form.bounds import Bounded, PairOptions
from mtsig_core.significance.closed_form.crossed import CrossedResult, Kind, crossed_test
from mtsig_core.significance.closed_form.welch import welch_test
from mtsig_core.significance.distributions import stdtr, stdtrit

FEW = 5  # replicas of the smaller side from which Welch's degrees of freedom need no cap
CAP = 1.5  # times (smaller n - 1): the most degrees of freedom of unequal, few replicas
_WHOLE_RUNS = "There are no segments, so the replica test decides alone: on these test sets, not on new ones."
_SMALLEST = float(np.finfo(float).tiny)
_NO_REPLICA_TEST = "The replica test is not defined, so the crossed test decides alone."


@dataclass(frozen=True)
class TTest:
    """One of the t-tests that a coherent test consists of.

    Parameters
    ----------
    name : {"crossed", "replica"}
    se : float
        Standard error of D, in score units.
    df : float
    """

    name: Literal["crossed", "replica"]
    se: float
    df: float

    def p(self, distance: float) -> float:
        """Return the two-sided p of a distance between D and the hypothesis."""
        return max(_SMALLEST, float(2 * stdtr(self.df, -abs(distance) / self.se)))

    def upper_tail(self, distance: float) -> float:
        """Return the one-sided p of D lying above the hypothesis by a signed distance."""
        return max(_SMALLEST, float(stdtr(self.df, -distance / self.se)))

    def half_width(self, alpha: float) -> float:
        """Return half the width of the interval at level 1 - alpha."""
        return float(stdtrit(self.df, 1 - alpha / 2)) * self.se


@dataclass(frozen=True)
class CoherentResult(Bounded):
    """Result of `coherent_test`, in score units; numbers that are not defined are None and `note` says why.

    Parameters
    ----------
    difference : float
        D, mean score of B minus that of A.
    p : float or None
        Two-sided, the larger of the tests'.
    low, high : float or None
        Interval of D at level 1 - alpha, the wider of the tests'.
    tests : tuple of TTest
        The crossed test, and the replica test where it is defined.
    crossed : CrossedResult
    warning, note : str
    kind : {"unpaired", "paired", "one replica"}
    alpha : float
    """

    difference: float
    p: float | None
    low: float | None
    high: float | None
    tests: tuple[TTest, ...]
    crossed: CrossedResult
    warning: str
    note: str
    kind: Kind
    alpha: float = 0.05

    @property
    def smallest_significant(self) -> float | None:
        """Size below which a difference would not have been significant: half the interval's width."""
        return self.half_width(self.alpha) if self.tests else None

    @property
    def decided_by(self) -> Literal["crossed", "replica", ""]:
        """The test whose p is the larger; empty where p is not defined by a test."""
        if not self.tests:
            return ""
        return max(self.tests, key=lambda test: test.p(self.difference)).name

    def p_of(self, name: str) -> float | None:
        """Return the two-sided p of one of the tests, or None where there is none."""
        return next((test.p(self.difference) for test in self.tests if test.name == name), None)

    def half_width(self, alpha: float) -> float:
        """Return half the width of the interval at level 1 - alpha; 0 where nothing varies."""
        return max((test.half_width(alpha) for test in self.tests), default=0.0)

    def p_above(self, hypothesis: float) -> float | None:
        """Return the one-sided p of "the true difference is at most so large"; None where not defined."""
        return self._one_sided(self.difference - hypothesis)

    def p_below(self, hypothesis: float) -> float | None:
        """Return the one-sided p of "the true difference is at least so large"; None where not defined."""
        return self._one_sided(hypothesis - self.difference)

    def _one_sided(self, distance: float) -> float | None:
        if self.p is None:
            return None
        if not self.tests:  # nothing varies: the difference is 0 for sure
            return _SMALLEST if distance > 0 else 1.0
        return max(test.upper_tail(distance) for test in self.tests)


def capped_df(df: float, n_a: int, n_b: int) -> float:
    """Return Welch's degrees of freedom as the coherent test uses them: capped for few unequal replicas.

    With unequal numbers of which the smaller is below 5, at most 1.5 (smaller - 1): Welch's own reject .11 at .05 for
    2 against 10 replicas; Hsu's bound (smaller - 1) would make a fourth run of one side lower the power.
    """
    smaller = min(n_a, n_b)
    return min(df, CAP * (smaller - 1)) if n_a != n_b and smaller < FEW else df


def coherent_test(y_a: np.ndarray, y_b: np.ndarray, **options: Unpack[PairOptions]) -> CoherentResult:
    """Test the difference of two systems for new replicas on new text.

    p is the larger, and the interval the wider, of the crossed test's and the replica test's: Welch's t-test of the
    replicas' scores, with capped degrees of freedom (see `capped_df`); for paired replicas the paired t-test beside
    the paired crossed test. Where one system has one replica, both tests compare the other's training setup with that
    very output: the replica test is the one-sample t-test of the other's scores against the single score, or, with
    `assume_equal_variation`, a two-sample t-test with the other's variance.

    Parameters
    ----------
    y_a, y_b : ndarray of shape (replica, segment)
        Pseudo-values, whose mean over segments is the replica's score (score units).
    options : `PairOptions`
        As of the crossed test.

    Raises
    ------
    ValueError
        When the arrays do not match in shape, or pairs are asked for and there are none.
    """
    crossed = crossed_test(y_a, y_b, **options)
    replica = None
    if crossed.p is not None:
        replica = replica_test(
            y_a.mean(axis=1), y_b.mean(axis=1), paired=options.get("paired", False),
            assume_equal_variation=options.get("assume_equal_variation", False),
        )  # fmt: skip
    return _more_cautious(crossed, replica, (len(y_a), len(y_b)), crossed.alpha)


def whole_runs_test(
    scores_a: np.ndarray, scores_b: np.ndarray, *, alpha: float = 0.05, paired: bool = False,
    assume_equal_variation: bool = False,
) -> CoherentResult:
    """Test the difference of two systems of which only scores of whole runs are known, for new replicas on these sets.

    Without segments nothing is known about new text, so the replica test decides alone.

    Parameters
    ----------
    scores_a, scores_b : ndarray of shape (replica, 1)
        Score of each run (score units).
    alpha : float
    paired, assume_equal_variation : bool
        As in `coherent_test`.
    """
    crossed = crossed_test(scores_a, scores_b, alpha=alpha, paired=paired,
                           assume_equal_variation=assume_equal_variation)  # fmt: skip
    numbers = len(scores_a), len(scores_b)
    if max(numbers) == 1:
        return _more_cautious(crossed, None, numbers, alpha)
    replica = replica_test(scores_a.mean(axis=1), scores_b.mean(axis=1), paired=paired,
                           assume_equal_variation=assume_equal_variation)  # fmt: skip
    if replica is None:
        return _more_cautious(crossed, None, numbers, alpha)
    return _of_whole_runs(crossed, replica, numbers, alpha)


def _more_cautious(
    crossed: CrossedResult, replica: TTest | None, numbers: tuple[int, int], alpha: float
) -> CoherentResult:
    """Return the larger p and the wider interval of both tests."""
    if crossed.p is None or crossed.se is None or crossed.df is None:
        return CoherentResult(
            crossed.difference, crossed.p, crossed.low, crossed.high, (), crossed, crossed.warning, crossed.note,
            crossed.kind, alpha,
        )  # fmt: skip
    tests = (TTest("crossed", crossed.se, crossed.df), *((replica,) if replica else ()))
    half = max(test.half_width(alpha) for test in tests)
    d = crossed.difference
    note = crossed.note if replica else f"{crossed.note} {_NO_REPLICA_TEST}".strip()
    warning = _few_replicas(*numbers) if crossed.kind == "unpaired" else crossed.warning
    return CoherentResult(
        d, max(test.p(d) for test in tests), d - half, d + half, tests, crossed, warning, note, crossed.kind, alpha
    )


def _of_whole_runs(crossed: CrossedResult, replica: TTest, numbers: tuple[int, int], alpha: float) -> CoherentResult:
    """Return the replica test alone: without segments nothing is known about new text."""
    d, half = crossed.difference, replica.half_width(alpha)
    warning = _few_replicas(*numbers) if crossed.kind == "unpaired" else ""
    return CoherentResult(
        d, replica.p(d), d - half, d + half, (replica,), crossed, warning, _WHOLE_RUNS, crossed.kind, alpha
    )


def replica_test(
    scores_a: np.ndarray, scores_b: np.ndarray, *, paired: bool = False, assume_equal_variation: bool = False
) -> TTest | None:
    """Return the t-test of replica scores that is part of the coherent test, or None where they do not vary.

    Parameters
    ----------
    scores_a, scores_b : ndarray of shape (replica,)
        One of them at least two.
    paired, assume_equal_variation : bool
        As in `coherent_test`.
    """
    n_a, n_b = len(scores_a), len(scores_b)
    if min(n_a, n_b) > 1:
        welch = welch_test(scores_a, scores_b, paired=paired)
        return TTest("replica", welch.se, welch.df if paired else capped_df(welch.df, n_a, n_b)) if welch.df else None
    several = scores_a if n_a > 1 else scores_b
    n = len(several)
    se = float(several.std(ddof=1)) * (1 / n + (1 if assume_equal_variation else 0)) ** 0.5
    scale = max(1.0, float(np.abs(scores_a).max()), float(np.abs(scores_b).max()))
    return TTest("replica", se, n - 1.0) if se > 1e-13 * scale else None


def _few_replicas(n_a: int, n_b: int) -> str:
    """Return what was done about few replicas of unequal number, and what it cannot mend."""
    smaller, larger = sorted((n_a, n_b))
    if n_a == n_b or smaller >= FEW:
        return ""
    text = (
        f"The systems have {n_a} and {n_b} replicas: the degrees of freedom of the replica test are limited to "
        f"{CAP * (smaller - 1):g}, because the few may vary more than the many."
    )
    if smaller == 2:
        text += " With two replicas on one side the measured false-positive rate still reaches 0.07 at 0.05."
    return f"{text} More replicas of the system that has {smaller} would help most."
