"""Luck of one run: experiments with one replica of each system, drawn again and again, and the best of some."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from mtsig_core.analysis.replicas.lottery import Lottery, lottery
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.metrics.outside.outside_metric import OutsideMetric
from mtsig_core.resampling import Settings, random_streams
from mtsig_core.resampling.random_streams import Chunk, Stream
from mtsig_core.significance.simulated import World, simulated
from mtsig_core.teaching.run import Run

A, B = "A", "B"
Report = Literal["first", "best", "hunt"]
ALPHA = 0.05
MOST_RUNS = 20
_POOL = 40  # replicas of each invented system
_PERMUTATIONS = 400  # of each test of two outputs
_STREAM = 4  # which random numbers choose the replicas


def invented_pools(segments: int, gain: float, replica_sd: float) -> SegmentStatistics:
    """Return invented segment scores of 40 replicas of each of two systems.

    Parameters
    ----------
    segments : int
    gain : float
        By how much B is better, on average over its replicas.
    replica_sd : float
        Standard deviation of the effect of a whole replica.

    Examples
    --------
    >>> pools = invented_pools(50, gain=1.5, replica_sd=1)
    >>> round(float(pools.scores_of("B").mean() - pools.scores_of("A").mean()), 9)
    1.5
    """
    world = World(n=_POOL, segments=segments, replica_sd=replica_sd)
    a, b = (50 + scores[0] for scores in simulated(world, Chunk(0, 0, 1), seed=1))
    scores = np.concatenate([a, b - b.mean() + a.mean() + gain])
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    names = tuple(str(i + 1) for i in range(_POOL))
    return SegmentStatistics(OutsideMetric("Score"), "invented", "", (A, B), (names, names), values)


def places_of_best(n: int, runs: int) -> np.ndarray:
    """Return how likely each of n replicas, worst first, is the best of so many drawn with replacement; shape (n,).

    Parameters
    ----------
    n, runs : int

    Examples
    --------
    >>> places_of_best(2, 2).tolist()
    [0.25, 0.75]
    """
    return np.diff((np.arange(n + 1) / n) ** runs)


def expected_best(scores: np.ndarray, runs: int) -> float:
    """Return the expected score of the best of so many replicas (Dodge et al. 2019).

    Parameters
    ----------
    scores : ndarray of shape (replica,)
        Worst first.
    runs : int
    """
    return float(places_of_best(len(scores), runs) @ scores)


@dataclass(frozen=True, eq=False)
class SingleRuns:
    """Experiments that report one replica of each system, and test those two outputs over segments.

    Parameters
    ----------
    statistics : SegmentStatistics
    a, b : str
    report : {"first", "best", "hunt"}
        The only run of each; the best run of B; or, of pairs of new runs of both, the first one in which B is
        significantly better, and the one with the largest gain where there is none.
    runs : int
        Runs of B, or pairs of runs; 1 for "first".
    both : bool
        With "best": whether A reports the best of as many runs as well, rather than its only one.
    seed : int

    Raises
    ------
    ValueError
        For an unknown way to report, a number of runs out of range, or systems with a single replica.
    """

    statistics: SegmentStatistics
    a: str
    b: str
    report: Report = "first"
    runs: int = 1
    both: bool = False
    seed: int = 1

    chunk_size = 256
    most = 10_000

    def __post_init__(self) -> None:
        if self.report not in get_args(Report):
            raise ValueError(f"report must be one of {', '.join(get_args(Report))}; not {self.report!r}.")
        if not 1 <= self.runs <= MOST_RUNS:
            raise ValueError(f"expected 1 to {MOST_RUNS} runs; got {self.runs}.")
        if min(len(self.statistics.names(system)) for system in (self.a, self.b)) < 2:
            raise ValueError("This lesson needs at least 2 replicas of each system: it draws one of them at a time.")

    @cached_property
    def tested(self) -> Lottery:
        """Every replica of A against every replica of B."""
        return lottery(self.statistics, self.a, self.b, Settings(n_permutations=_PERMUTATIONS, alpha=ALPHA, seed=1))

    @cached_property
    def verdicts(self) -> np.ndarray:
        """Who is significantly better for each pair of replicas, worst first: 1 for B, -1 for A, 0 for neither."""
        towards = 1 if self.tested.higher_is_better else -1
        return np.where(self.tested.p < ALPHA, towards * np.sign(self.tested.differences), 0).astype(int)

    @property
    def truth(self) -> float:
        """Mean of B minus mean of A, over all replicas."""
        return float(self.tested.scores_b.mean() - self.tested.scores_a.mean())

    def draw(self, chunk: Chunk) -> dict[str, np.ndarray]:
        """Return the score of each system, their difference and the verdict of a chunk of experiments."""
        rng = random_streams.generator(self.seed, Stream.LESSON, chunk.index, _STREAM)
        a, b = (rng.integers(0, n, (chunk.size, MOST_RUNS))[:, : self.runs] for n in self.verdicts.shape)
        chosen_a, chosen_b = a[:, 0], b[:, 0]
        if self.report == "best":
            chosen_a, chosen_b = a.max(axis=1) if self.both else chosen_a, b.max(axis=1)
        elif self.report == "hunt":
            pair = np.arange(chunk.size), self._finds(a, b)
            chosen_a, chosen_b = a[pair], b[pair]
        scores = self.tested.scores_a[chosen_a], self.tested.scores_b[chosen_b]
        return {"a": scores[0], "b": scores[1], "difference": scores[1] - scores[0],
                "verdict": self.verdicts[chosen_a, chosen_b]}  # fmt: skip

    def _finds(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return which pair a hunter reports, shape (draw,), of pairs of shape (draw, pair)."""
        gains = self.tested.differences[a, b] * (1 if self.tested.higher_is_better else -1)
        wins = self.verdicts[a, b] > 0
        return np.where(wins.any(axis=1), wins.argmax(axis=1), gains.argmax(axis=1))


@dataclass(frozen=True)
class LuckSummary:
    """What the experiments so far say.

    Attributes
    ----------
    b_better, a_better, undecided : float
        Shares of the verdicts.
    mean : float
        Of the differences.
    score_a, score_b : float
        Means of what each system reported.
    """

    b_better: float
    a_better: float
    undecided: float
    mean: float
    score_a: float
    score_b: float


def luck_summary(run: Run[SingleRuns]) -> LuckSummary:
    """Sum up the experiments so far; there must be one.

    Parameters
    ----------
    run : Run of SingleRuns
    """
    verdict = run["verdict"]
    b, a, neither = (float(np.mean(verdict == side)) for side in (1, -1, 0))
    return LuckSummary(b, a, neither, *(float(run[name].mean()) for name in ("difference", "a", "b")))


def means_so_far(run: Run[SingleRuns]) -> np.ndarray:
    """Return the mean difference after each experiment, shape (draw,); there must be one.

    Parameters
    ----------
    run : Run of SingleRuns
    """
    return run["difference"].cumsum() / np.arange(1, run.n + 1)
