"""Correlation: how r varies between samples of few systems, and how two metrics are compared by it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mtsig_core.analysis.calibration.arena import exact_interval
from mtsig_core.analysis.people.meta_evaluation.correlation import fisher_interval, row_correlations
from mtsig_core.analysis.people.meta_evaluation.correlation_tests import independent_correlations, williams
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import random_streams
from mtsig_core.resampling.random_streams import Chunk, Stream
from mtsig_core.significance.distributions import stdtr
from mtsig_core.teaching.run import Run

ALPHA = 0.05
_STREAM = 10  # which random numbers draw the points
INVENTED = ("people", "metric 1", "metric 2")
TESTS = {
    "williams": "Williams' test",
    "independent": "Fisher's test for other points",
    "one": "“only one is significant”",
}


@dataclass(frozen=True, eq=False)
class Three:
    """Three variables whose correlations are known: what people say, and two metrics.

    Parameters
    ----------
    table : ndarray of shape (3, 3)
        Correlations.
    members : ndarray of shape (3, member), optional
        Values to draw from, standardised; without them the variables are normal.
    names : tuple of str
    noun : str
        What a point is.

    Raises
    ------
    ValueError
        When no three variables correlate like this.
    """

    table: np.ndarray
    members: np.ndarray | None = None
    names: tuple[str, ...] = INVENTED
    noun: str = "system"

    def __post_init__(self) -> None:
        if np.linalg.eigvalsh(self.table)[0] < -1e-9:
            raise ValueError("No three variables correlate like this: two metrics that both agree with people cannot "
                             "be so far from each other. Raise the correlation of the metrics.")  # fmt: skip

    @cached_property
    def root(self) -> np.ndarray:
        """A matrix that gives independent variables these correlations."""
        sizes, vectors = np.linalg.eigh(self.table)
        return vectors * np.sqrt(np.maximum(sizes, 0.0))

    def drawn(self, rng: np.random.Generator, size: int, n: int) -> np.ndarray:
        """Return samples of n points, shape (3, sample, n)."""
        if self.members is not None:
            return self.members[:, rng.integers(0, self.members.shape[1], (size, n))]
        return np.tensordot(self.root, rng.standard_normal((3, size, n)), axes=1)


def invented(r12: float, r13: float, r23: float) -> Three:
    """Return normal variables with these correlations; the first stands for people.

    Parameters
    ----------
    r12, r13, r23 : float
    """
    return Three(np.array([[1.0, r12, r13], [r12, 1.0, r23], [r13, r23, 1.0]]))


def of_segments(statistics: SegmentStatistics, a: str, b: str) -> Three:
    """Return segment scores of a replica of a system, of another one of it, and of one of a second system.

    Parameters
    ----------
    statistics : SegmentStatistics
    a : str
        The system of the first two outputs, usually the baseline.
    b : str
        The system of the third one.

    Raises
    ------
    ValueError
        When the first system has a single replica, or too few segments have scores that vary.
    """
    if len(statistics.names(a)) < 2:
        raise ValueError("This lesson needs at least 2 replicas of the baseline: it asks whether their scores are more "
                         "alike than those of two systems.")  # fmt: skip
    outputs = np.concatenate([statistics.of(a)[:2], statistics.of(b)[:1]])
    scores = statistics.metric.segment_score(outputs)
    scores = scores[:, np.isfinite(scores).all(axis=0)]
    if scores.shape[1] < 10 or (np.ptp(scores, axis=1) == 0).any():
        raise ValueError("This lesson needs scores of at least 10 segments, and scores that vary.")
    members = (scores - scores.mean(axis=1, keepdims=True)) / scores.std(axis=1, keepdims=True)
    names = tuple(f"{system}/{statistics.names(system)[i]}" for system, i in ((a, 0), (a, 1), (b, 0)))
    return Three(np.corrcoef(members), members, names, "segment")


@dataclass(frozen=True, eq=False)
class Correlations:
    """Samples of a few points, with the correlations of three variables in each.

    Parameters
    ----------
    three : Three
    points : int
        Points (systems) of a sample, at least 5.
    outlier : float
        By how many standard deviations the last point is worse in all three variables; 0 for no outlier.
    seed : int
    """

    three: Three
    points: int = 12
    outlier: float = 0.0
    seed: int = 1

    chunk_size = 64
    most = 5000

    def __post_init__(self) -> None:
        if self.points < 5:
            raise ValueError(f"a sample needs at least 5 points here; got {self.points}.")

    @property
    def truth(self) -> float:
        """Correlation of people and the first metric over all points that could be drawn, without an outlier."""
        return float(self.three.table[0, 1])

    def _samples(self, index: int) -> np.ndarray:
        """Return the points of a chunk of samples, shape (3, sample, point)."""
        rng = random_streams.generator(self.seed, Stream.LESSON, index, _STREAM)
        drawn = self.three.drawn(rng, self.chunk_size, self.points)
        drawn[:, :, -1] -= self.outlier
        return drawn

    def sample(self, number: int) -> np.ndarray:
        """Return the points of one sample, counted from 0; shape (3, point), an outlier last."""
        index = number // self.chunk_size
        return self._samples(index)[:, number - index * self.chunk_size]

    def draw(self, chunk: Chunk) -> dict[str, np.ndarray]:
        """Return r of each pair of variables, Fisher's interval of the first, and p-values of comparisons."""
        x = self._samples(chunk.index)
        r12, r13, r23 = (row_correlations(x[i], x[j]) for i, j in ((0, 1), (0, 2), (1, 2)))
        pairs = list(zip(r12.tolist(), r13.tolist(), r23.tolist(), strict=True))
        ends = [fisher_interval(r, self.points, ALPHA) or (r, r) for r, _, _ in pairs]
        of_williams = [williams(*three, self.points).p_two_sided for three in pairs]
        apart = [independent_correlations(r, self.points, s, self.points).p_two_sided for r, s, _ in pairs]
        return {
            "r12": r12, "r13": r13, "r23": r23, "without": row_correlations(x[0, :, :-1], x[1, :, :-1]),
            "low": np.array(ends)[:, 0], "high": np.array(ends)[:, 1], "williams": _p(of_williams),
            "independent": _p(apart), "p12": p_of_r(r12, self.points), "p13": p_of_r(r13, self.points),
        }  # fmt: skip


def _p(values: list[float | None]) -> np.ndarray:
    """Return p-values; 1 where the test is not defined, so that it finds nothing."""
    return np.array([1.0 if p is None else p for p in values])


def p_of_r(r: np.ndarray, points: int) -> np.ndarray:
    """Return the two-sided p of the test against a correlation of 0, as scipy's pearsonr has it.

    Parameters
    ----------
    r : ndarray of shape (sample,)
    points : int

    Examples
    --------
    >>> p_of_r(np.array([0.0, 1.0]), 10).tolist()
    [1.0, 0.0]
    """
    spread = np.sqrt(np.maximum(1 - r**2, 0.0))
    t = np.divide(np.abs(r) * (points - 2) ** 0.5, spread, out=np.full_like(r, np.inf), where=spread > 0)
    return 2 * stdtr(points - 2, -t)


def differ(run: Run[Correlations], test: str) -> np.ndarray:
    """Say of each sample whether a way to compare two metrics finds a difference, shape (sample,).

    Parameters
    ----------
    run : Run of Correlations
    test : str
        A key of `TESTS`; "one" takes it for a difference when one of the two correlations is significant and the other
        is not.
    """
    if test == "one":
        return (run["p12"] < ALPHA) != (run["p13"] < ALPHA)
    return run[test] < ALPHA


@dataclass(frozen=True)
class CorrelationSummary:
    """What the samples so far show.

    Attributes
    ----------
    mean, low, high : float
        Mean, and 2.5% and 97.5% quantiles, of r.
    covered : float
        Share of Fisher's intervals that contain the truth.
    shares : mapping of test to float
        Share of the samples in which each way to compare finds a difference of the metrics.
    share_intervals : mapping of test to tuple of two float
        Exact 95% intervals of these shares.
    """

    mean: float
    low: float
    high: float
    covered: float
    shares: dict[str, float]
    share_intervals: dict[str, tuple[float, float]]


def correlation_summary(run: Run[Correlations]) -> CorrelationSummary:
    """Sum up the samples so far; there must be one.

    Parameters
    ----------
    run : Run of Correlations
    """
    r, truth = run["r12"], run.simulation.truth
    low, high = np.quantile(r, [ALPHA / 2, 1 - ALPHA / 2])
    counts = {test: int(differ(run, test).sum()) for test in TESTS}
    return CorrelationSummary(
        float(r.mean()), float(low), float(high), float(np.mean((run["low"] <= truth) & (truth <= run["high"]))),
        {test: n / run.n for test, n in counts.items()},
        {test: exact_interval(n, run.n) for test, n in counts.items()},
    )  # fmt: skip


def williams_by_r23(r12: float, r13: float, points: int, r23: np.ndarray) -> np.ndarray:
    """Return p of Williams' test by the correlation of the two metrics; NaN where no three variables correlate so.

    Parameters
    ----------
    r12, r13 : float
    points : int
    r23 : ndarray of shape (value,)
    """
    possible = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23 >= 0
    tests = [williams(r12, r13, float(r), points) if there else None for r, there in zip(r23, possible, strict=True)]
    return np.array([np.nan if test is None or test.p_two_sided is None else test.p_two_sided for test in tests])
