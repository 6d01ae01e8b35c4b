"""Intervals that overlap: those of two systems on the same segments against the interval of their difference."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from mtsig_core.analysis.systems.overlap import Overlap, from_bounds
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import random_streams
from mtsig_core.resampling.random_streams import Chunk, Stream
from mtsig_core.significance.distributions import ndtr, normal_quantile
from mtsig_core.significance.normal_fits import normal_interval, overlap_ratio
from mtsig_core.teaching.run import Run

LEVEL = 0.95
SD = 15.0  # of an output's segments, in the invented systems
_STREAM = 6  # which random numbers choose the segments
_Z = normal_quantile((1 + LEVEL) / 2)


class Source(Protocol):
    """Two outputs of endlessly many segments, or of the segments there are."""

    @property
    def truth(self) -> float:
        """The true difference B - A."""

    @property
    def correlation(self) -> float:
        """Correlation over segments of the drawn scores of the two systems."""

    @property
    def sds(self) -> tuple[float, float]:
        """Standard deviations over segments of A and of B."""

    def segments(self, chunk: Chunk, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the segment scores of A and of B on the test sets of a chunk, each of shape (draw, segment)."""


@dataclass(frozen=True)
class InventedScores:
    """Normal segment scores with a given correlation.

    Parameters
    ----------
    correlation : float
        Over segments, from 0 to 1 (less than 1): how much difficult segments are difficult for both.
    truth : float
        By how much B is better.
    """

    correlation: float
    truth: float

    @property
    def sds(self) -> tuple[float, float]:
        """The same for both."""
        return SD, SD

    def segments(self, chunk: Chunk, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """Draw new segments."""
        rng = random_streams.generator(seed, Stream.LESSON, chunk.index, _STREAM)
        shared, a, b = rng.standard_normal((3, chunk.size, n))
        own, common = (1 - self.correlation) ** 0.5, self.correlation**0.5
        return 50 + SD * (common * shared + own * a), 50 + SD * (common * shared + own * b) + self.truth


@dataclass(frozen=True, eq=False)
class DrawnScores:
    """Segments of the first replica of each of two systems, drawn with replacement.

    Parameters
    ----------
    statistics : SegmentStatistics
    a, b : str
    same : bool
        Whether both systems have the same segments drawn, or each has its own.
    level : bool
        Take the true difference from B, so that the systems are equally good.

    Raises
    ------
    ValueError
        Where there is one segment.
    """

    statistics: SegmentStatistics
    a: str
    b: str
    same: bool = True
    level: bool = False

    def __post_init__(self) -> None:
        if self.statistics.n_segments < 2:
            raise ValueError("This lesson needs at least 2 segments.")

    @cached_property
    def scores(self) -> tuple[np.ndarray, np.ndarray]:
        """Pseudo-values of the first replica of A and of B, shape (segment,)."""
        a, b = (self.statistics.pseudo_values(name)[0] for name in (self.a, self.b))
        return a, b - (b.mean() - a.mean() if self.level else 0.0)

    @property
    def truth(self) -> float:
        """The difference on all segments."""
        return float(self.scores[1].mean() - self.scores[0].mean())

    @cached_property
    def correlation(self) -> float:
        """That of the scores; 0 where each system has its own segments, or where nothing varies."""
        if not self.same or min(self.sds) == 0:
            return 0.0
        return float(np.corrcoef(*self.scores)[0, 1])

    @property
    def sds(self) -> tuple[float, float]:
        """Those of the scores."""
        return float(self.scores[0].std()), float(self.scores[1].std())

    def segments(self, chunk: Chunk, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """Draw segments."""
        rng = random_streams.generator(seed, Stream.LESSON, chunk.index, _STREAM)
        of_a, of_b = rng.integers(0, self.statistics.n_segments, (2, chunk.size, n))
        return self.scores[0][of_a], self.scores[1][of_a if self.same else of_b]


@dataclass(frozen=True, eq=False)
class Overlaps:
    """Test sets drawn again and again: an interval of each system, their overlap, and the interval of the difference.

    Parameters
    ----------
    source : Source
    size : int
        Segments of a test set.
    seed : int

    Raises
    ------
    ValueError
        For a size below 2.
    """

    source: Source
    size: int = 200
    seed: int = 1

    chunk_size = 128
    most = 10_000

    def __post_init__(self) -> None:
        if self.size < 2:
            raise ValueError(f"a test set needs at least 2 segments; got {self.size}.")

    def draw(self, chunk: Chunk) -> dict[str, np.ndarray]:
        """Return means and standard errors of a chunk of test sets, the difference with its own, and Fu's ratio."""
        a, b = self.source.segments(chunk, self.size, self.seed)
        root = self.size**0.5
        means, errors = (np.stack([f(a), f(b)], axis=1) for f in (_mean, lambda x: _sd(x) / root))
        rows = np.concatenate([means, errors], axis=1)
        ratios = np.array([overlap_ratio(m_a, e_a, m_b, e_b, LEVEL) for m_a, m_b, e_a, e_b in rows.tolist()])
        difference = b - a
        return {"mean": means, "error": errors, "difference": _mean(difference), "error of difference":
                _sd(difference) / root, "ratio": ratios}  # fmt: skip

    @property
    def errors(self) -> tuple[float, float]:
        """The true standard errors of A and of B."""
        of_a, of_b = self.source.sds
        return of_a / self.size**0.5, of_b / self.size**0.5


def _mean(x: np.ndarray) -> np.ndarray:
    return x.mean(axis=1)


def _sd(x: np.ndarray) -> np.ndarray:
    return x.std(axis=1, ddof=1)


def apart(run: Run[Overlaps]) -> np.ndarray:
    """Say of each test set whether the intervals of the two systems do not overlap, shape (draw,)."""
    gap = np.abs(np.diff(run["mean"], axis=1)[:, 0])
    return gap > _Z * run["error"].sum(axis=1)


def differs(run: Run[Overlaps]) -> np.ndarray:
    """Say of each test set whether the interval of the difference excludes 0, shape (draw,)."""
    return np.abs(run["difference"]) > _Z * run["error of difference"]


def p_values(run: Run[Overlaps]) -> np.ndarray:
    """Return the two-sided p of each difference by its standard error, shape (draw,); 1 where nothing varies."""
    error = run["error of difference"]
    z = np.divide(np.abs(run["difference"]), error, out=np.zeros(run.n), where=error > 0)
    return 2 * ndtr(-z)


@dataclass(frozen=True)
class OverlapSummary:
    """What the test sets so far say.

    Attributes
    ----------
    apart, differs : float
        Shares of the test sets on which the two intervals do not overlap, and on which the interval of the difference
        excludes 0.
    missed : float
        Share of the test sets on which the intervals overlap although the interval of the difference excludes 0.
    ratio : float
        Mean of Fu's ratio.
    """

    apart: float
    differs: float
    missed: float
    ratio: float


def overlap_summary(run: Run[Overlaps]) -> OverlapSummary:
    """Sum up the test sets so far; there must be one.

    Parameters
    ----------
    run : Run of Overlaps
    """
    separate, different = apart(run), differs(run)
    return OverlapSummary(*(float(np.mean(x)) for x in (separate, different, different & ~separate, run["ratio"])))


def expected_shares(
    truth: float, errors: tuple[float, float], correlations: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return how often either rule finds a difference, by the correlation of the systems' scores.

    Parameters
    ----------
    truth : float
        The true difference.
    errors : tuple of two float
        Standard errors of the systems' scores, not 0.
    correlations : ndarray of shape (number,)
        Less than 1.

    Returns
    -------
    tuple of two ndarray of shape (number,)
        The intervals do not overlap; the interval of the difference excludes 0. For normal means with known errors.
    """
    spread = np.sqrt(errors[0] ** 2 + errors[1] ** 2 - 2 * correlations * errors[0] * errors[1])
    shares = []
    for limit in (_Z * (errors[0] + errors[1]), _Z * spread):
        shares.append(ndtr((truth - limit) / spread) + ndtr((-truth - limit) / spread))
    return shares[0], shares[1]


def ratio_by_p(p: np.ndarray, errors: tuple[float, float], correlation: float) -> np.ndarray:
    """Return Fu's ratio of two systems whose difference has a given p, shape of p.

    Parameters
    ----------
    p : ndarray of shape (number,)
        Two-sided, between 0 and 1.
    errors : tuple of two float
        Standard errors of the systems' scores, not 0.
    correlation : float
        Of the scores: the same p belongs to a small or to a large overlap by it alone.
    """
    error_a, error_b = errors
    spread = max(0.0, error_a**2 + error_b**2 - 2 * correlation * error_a * error_b) ** 0.5
    gaps = [-spread * normal_quantile(x / 2) for x in p.tolist()]
    return np.array([overlap_ratio(0.0, error_a, gap, error_b, LEVEL) for gap in gaps])


def newest_overlap(run: Run[Overlaps]) -> Overlap:
    """Return the intervals of the newest test set, and their overlap; there must be one.

    Parameters
    ----------
    run : Run of Overlaps
    """
    a, b = (normal_interval(mean, error, LEVEL) for mean, error in zip(run["mean"][-1], run["error"][-1], strict=True))
    return from_bounds((a.low, a.high), (b.low, b.high), LEVEL)
