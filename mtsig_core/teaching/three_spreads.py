"""Three spreads: experiments drawn again and again, how much scores vary in each, and which intervals hold."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import random_streams
from mtsig_core.resampling.random_streams import Chunk, Stream
from mtsig_core.significance.closed_form.crossed import segment_mean_square, two_way
from mtsig_core.significance.distributions import normal_quantile
from mtsig_core.significance.simulated import World, simulated
from mtsig_core.significance.simulation.designs import Variation
from mtsig_core.significance.simulation.mean_squares import of_scores
from mtsig_core.teaching.run import Run

ALPHA = 0.05
MOST_REPLICAS = 60
METHODS = {
    "single": "One run each", "pooled": "Pooled outputs", "replica": "Whole replicas", "coherent": "Coherent test",
}  # fmt: skip
SPREADS = ("s_dev", "s_test", "s_sel")
_SHARED, _STRENGTH, _RESIDUAL = 0.7, 0.2, 0.1  # parts of the variance between segments, in the invented systems
_STREAM = 5  # which random numbers choose what an experiment consists of


@dataclass(frozen=True, eq=False)
class Experiments:
    """Pseudo-values of experiments, and the scores on a tuning set where there is one.

    Parameters
    ----------
    a, b : ndarray of shape (draw, replica, segment)
    tuning : ndarray of shape (draw, replica), or None
        Of B.
    """

    a: np.ndarray
    b: np.ndarray
    tuning: np.ndarray | None = None


class Source(Protocol):
    """Where experiments come from."""

    @property
    def truth(self) -> float:
        """The true difference B - A, over all replicas and segments there could be."""

    @property
    def variation(self) -> Variation:
        """Variances of whole replicas, of single outputs, and of the difference of strengths by segment."""

    @property
    def segment_sd(self) -> float:
        """Standard deviation over segments of an output of B."""

    def experiments(self, chunk: Chunk, n: int, segments: int, seed: int) -> Experiments:
        """Return the experiments of a chunk, with n replicas of each system on so many segments."""


@dataclass(frozen=True)
class InventedRuns:
    """Two equally good systems; most of the variance between segments is shared by both.

    Parameters
    ----------
    replica_sd : float
        Of the effect of a whole replica, the same on the tuning set and on the test set.
    segment_sd : float
        Of the scores of an output's segments.
    """

    replica_sd: float
    segment_sd: float

    @property
    def truth(self) -> float:
        """The systems are equal."""
        return 0.0

    @property
    def variation(self) -> Variation:
        """The variances that the systems have by construction."""
        square = self.segment_sd**2
        return Variation((self.replica_sd**2,) * 2, (_RESIDUAL * square,) * 2, 2 * _STRENGTH * square)

    def experiments(self, chunk: Chunk, n: int, segments: int, seed: int) -> Experiments:
        """Draw new replicas and new segments; the tuning set has as many segments as the test set."""
        strength, residual = (self.segment_sd * part**0.5 for part in (_STRENGTH, _RESIDUAL))
        world = World(n=n, segments=segments, strength_sd=strength, residual_sd=residual)
        rng = random_streams.generator(seed, Stream.LESSON, chunk.index, _STREAM)
        shared = 50 + self.segment_sd * _SHARED**0.5 * rng.standard_normal((chunk.size, 1, segments))
        effects = self.replica_sd * rng.standard_normal((2, chunk.size, n, 1))
        tuning = 50 + effects[1, :, :, 0] + residual / segments**0.5 * rng.standard_normal((chunk.size, n))
        a, b = (y + shared + u for y, u in zip(simulated(world, chunk, seed), effects, strict=True))
        return Experiments(a, b, tuning)


@dataclass(frozen=True, eq=False)
class DrawnRuns:
    """Replicas and segments of two systems' outputs, drawn with replacement.

    Parameters
    ----------
    statistics : SegmentStatistics
    a, b : str

    Raises
    ------
    ValueError
        Where a system has one replica, or there is one segment.
    """

    statistics: SegmentStatistics
    a: str
    b: str

    def __post_init__(self) -> None:
        if min(len(self.statistics.names(name)) for name in (self.a, self.b)) < 2 or self.statistics.n_segments < 2:
            raise ValueError("This lesson needs at least 2 replicas of each system, and at least 2 segments.")

    @cached_property
    def scores(self) -> tuple[np.ndarray, np.ndarray]:
        """Pseudo-values of A and of B, shape (replica, segment)."""
        return self.statistics.pseudo_values(self.a), self.statistics.pseudo_values(self.b)

    @cached_property
    def truth(self) -> float:
        """The difference over all replicas and segments that are drawn from."""
        return float(self.scores[1].mean() - self.scores[0].mean())

    @cached_property
    def variation(self) -> Variation:
        """The variances of what is drawn from: mean squares without the allowance for a sample."""
        length = self.statistics.n_segments
        left = (length - 1) / length
        replica, residual = [], []
        for y in self.scores:
            ms_replica, ms_residual = two_way(y)
            of_all = (len(y) - 1) / len(y)
            replica.append(of_all * ms_replica / length)
            residual.append(of_all * left * ms_residual)
        between, _ = segment_mean_square(self.scores[1].mean(axis=0) - self.scores[0].mean(axis=0), None)
        return Variation(tuple(replica), tuple(residual), left * between)

    @cached_property
    def segment_sd(self) -> float:
        """Mean over the replicas of B."""
        return float(self.scores[1].std(axis=1).mean())

    def experiments(self, chunk: Chunk, n: int, segments: int, seed: int) -> Experiments:
        """Draw replicas of each system, and segments for both together; there is no tuning set."""
        rng = random_streams.generator(seed, Stream.LESSON, chunk.index, _STREAM)
        where = rng.integers(0, self.statistics.n_segments, (chunk.size, 1, segments))
        a, b = (y[rng.integers(0, len(y), (chunk.size, n, 1)), where] for y in self.scores)
        return Experiments(a, b)


@dataclass(frozen=True, eq=False)
class ThreeSpreads:
    """Experiments with n replicas of each of two systems: the three spreads of B, and four intervals of B - A.

    Parameters
    ----------
    source : Source
    n : int
        Replicas of each system.
    segments : int
    seed : int

    Raises
    ------
    ValueError
        For numbers out of range.
    """

    source: Source
    n: int = 5
    segments: int = 200
    seed: int = 1

    chunk_size = 32
    most = 5000

    def __post_init__(self) -> None:
        if not 2 <= self.n <= MOST_REPLICAS or self.segments < 2:
            raise ValueError(f"expected 2 to {MOST_REPLICAS} replicas and at least 2 segments.")

    def draw(self, chunk: Chunk) -> dict[str, np.ndarray]:
        """Return the spreads of a chunk of experiments, and the intervals by method, shape (draw, 2)."""
        drawn = self.source.experiments(chunk, self.n, self.segments, self.seed)
        spreads = {
            "s_test": drawn.b.mean(axis=2).std(axis=1, ddof=1),
            "s_sel": drawn.b.std(axis=2).mean(axis=1) / self.segments**0.5,
        }
        if drawn.tuning is not None:
            spreads["s_dev"] = drawn.tuning.std(axis=1, ddof=1)
        return spreads | intervals(drawn.a, drawn.b)


def intervals(a: np.ndarray, b: np.ndarray) -> dict[str, np.ndarray]:
    """Return the 95% intervals of B - A by each method, shape (draw, 2), in place of endlessly many bootstrap draws.

    Parameters
    ----------
    a, b : ndarray of shape (draw, replica, segment)

    Returns
    -------
    dict of method to ndarray
        ``single``: the first replica of each, segments drawn; ``pooled``: the n L pairs of outputs drawn as if
        independent; ``replica``: whole replicas of each system drawn; ``coherent``: the coherent test.
    """
    n, segments = a.shape[1:]
    squares = of_scores(a, b)
    z = normal_quantile(1 - ALPHA / 2)
    one = b[:, 0] - a[:, 0]
    pooled = (b - a).reshape(len(a), -1)
    halves = {
        "single": z * one.std(axis=1) / segments**0.5,
        "pooled": z * pooled.std(axis=1) / (n * segments) ** 0.5,
        "replica": z * np.sqrt((n - 1) / n * sum(squares.replica)),
        "coherent": squares.half_widths(ALPHA),
    }
    centres = dict.fromkeys(halves, squares.difference) | {"single": one.mean(axis=1)}
    return {name: np.stack([centres[name] - half, centres[name] + half], axis=1) for name, half in halves.items()}


def expected_spreads(simulation: ThreeSpreads) -> dict[str, float]:
    """Return what the spreads of B are by formula, as roots of mean squares.

    Parameters
    ----------
    simulation : ThreeSpreads
    """
    of, segments = simulation.source.variation, simulation.segments
    runs = (of.replica[1] + of.residual[1] / segments) ** 0.5
    return {"s_dev": runs, "s_test": runs, "s_sel": simulation.source.segment_sd / segments**0.5}


def standard_errors(variation: Variation, n: np.ndarray, segments: int) -> dict[str, np.ndarray]:
    """Return the standard errors of B - A that each method means to see, and the true one, by the number of replicas.

    Parameters
    ----------
    variation : Variation
    n : ndarray of int of shape (number,)
    segments : int

    Returns
    -------
    dict of str to ndarray of shape (number,)
        A key for each method but the coherent test, and ``true``: over new replicas on new text.
    """
    replica, residual = sum(variation.replica), sum(variation.residual)
    text = variation.interaction / segments
    ones = np.ones(len(n))
    return {
        "single": ones * np.sqrt(text + residual / segments),
        "pooled": np.sqrt((replica + residual + variation.interaction) / (n * segments)),
        "replica": np.sqrt((n - 1) / n * (replica + residual / segments) / n),
        "true": np.sqrt(replica / n + text + residual / (n * segments)),
    }


@dataclass(frozen=True)
class SpreadSummary:
    """What the experiments so far show.

    Attributes
    ----------
    spreads : dict of str to float
        Root of the mean square of each spread; one that is not known is left out.
    covered : dict of method to float
        Share of the intervals that contain the truth.
    widths : dict of method to float
        Mean widths.
    larger : float or None
        Share of the experiments in which s_test is larger than s_dev.
    """

    spreads: dict[str, float]
    covered: dict[str, float]
    widths: dict[str, float]
    larger: float | None


def holds(run: Run[ThreeSpreads], method: str) -> np.ndarray:
    """Say of each interval of a method whether it contains the truth, shape (draw,)."""
    low, high = run[method].T
    truth = run.simulation.source.truth
    return (low <= truth) & (truth <= high)


def spread_summary(run: Run[ThreeSpreads]) -> SpreadSummary:
    """Sum up the experiments so far; there must be one.

    Parameters
    ----------
    run : Run of ThreeSpreads
    """
    known = [name for name in SPREADS if name in run.computed]
    return SpreadSummary(
        {name: float(np.sqrt(np.mean(run[name] ** 2))) for name in known},
        {method: float(holds(run, method).mean()) for method in METHODS},
        {method: float(np.diff(run[method]).mean()) for method in METHODS},
        float(np.mean(run["s_test"] > run["s_dev"])) if "s_dev" in known else None,
    )
