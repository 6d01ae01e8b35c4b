"""The single-replica lottery: what an experiment with one replica of each system shows (Clark et al. 2011, Table 2).

Every replica of A is tested against every replica of B as if there were no others, by approximate randomization
over segments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypedDict

import numpy as np
import pandas as pd

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import Settings
from mtsig_core.resampling.pool_tests import Comparisons, Pools, PoolTest, all_pairs, pool_tests
from mtsig_core.runtime.jobs import Progress, no_progress
from mtsig_core.significance import OfPair, Result, Scope

MOST_PAIRS = 2500  # pairs tested; of larger pools a random subset
_STREAM = 200  # separates the choice of a subset from other draws of one seed
_RANKS: tuple[tuple[str, str], ...] = (("best", "worst"), ("median", "median"), ("worst", "best"))

Side = Literal["a", "b", "none"]


class _Shares(TypedDict):
    """The fields of a `Lottery` that depend on alpha."""

    significant: float
    wrong: float | None


@dataclass(frozen=True)
class Scenario:
    """A row of Table 2: one replica of each system, chosen by quality.

    Attributes
    ----------
    rank_a, rank_b : {"worst", "median", "best"}
    replica_a, replica_b : str
    score_a, score_b, difference : float
        Score units; the difference is B minus A.
    p : float
    """

    rank_a: str
    rank_b: str
    replica_a: str
    replica_b: str
    score_a: float
    score_b: float
    difference: float
    p: float


@dataclass(frozen=True, eq=False)
class Lottery(OfPair, Result):
    """Outcomes of all experiments with one replica of each system.

    Attributes
    ----------
    scope : Scope
    replicas_a, replicas_b : tuple of str
        The replicas tested, from worst to best.
    scores_a, scores_b : ndarray of shape (n_a,), (n_b,)
    pool_a, pool_b : int
        Sizes of the pools that the replicas come from.
    p, differences : ndarray of shape (n_a, n_b)
    difference : float
        D of all replicas, which says who is better.
    alpha : float
    n_permutations : int
    significant, wrong : float; wrong may be None
        Share of the pairs with p < alpha; share of the pairs with p < alpha for the side that loses by the
        averages of all replicas (None when these are equal).
    scenarios : tuple of Scenario

    Examples
    --------
    >>> import mtsig_core
    >>> pair = mtsig_core.Workbench(mtsig_core.load_example()).pair()
    >>> pair.lottery(n_permutations=50).p.shape  # replica of A, replica of B
    (3, 3)
    """

    scope: Scope
    replicas_a: tuple[str, ...]
    replicas_b: tuple[str, ...]
    scores_a: np.ndarray
    scores_b: np.ndarray
    pool_a: int
    pool_b: int
    p: np.ndarray
    differences: np.ndarray
    difference: float
    alpha: float
    n_permutations: int
    significant: float
    wrong: float | None
    scenarios: tuple[Scenario, ...]

    @property
    def is_subset(self) -> bool:
        """Whether a random subset of the pools was tested."""
        return self.p.shape != (self.pool_a, self.pool_b)

    def at(self, alpha: float) -> Lottery:
        """Return the same p-values judged at another alpha."""
        return replace(self, alpha=alpha, **_shares(self.p, self.differences, self.difference, alpha))

    def winner(self, difference: float) -> Side:
        """Return the side that a difference favours."""
        if difference == 0:
            return "none"
        return "b" if (difference > 0) == self.higher_is_better else "a"

    def to_frame(self) -> pd.DataFrame:
        """Return one row per pair of replicas."""
        n_a, n_b = self.p.shape
        return pd.DataFrame({
            self.a: np.repeat(self.replicas_a, n_b), self.b: np.tile(self.replicas_b, n_a),
            "difference": self.differences.ravel(), "p": self.p.ravel(),
        })  # fmt: skip

    def matrix(self) -> pd.DataFrame:
        """Return p, replicas of A as rows and of B as columns, each from worst to best."""
        return pd.DataFrame(self.p, index=list(self.replicas_a), columns=list(self.replicas_b))

    def scenario_frame(self) -> pd.DataFrame:
        """Return the first rows of Table 2."""
        rows = [
            (f"{s.rank_a} {s.replica_a}", f"{s.rank_b} {s.replica_b}", s.score_a, s.score_b, s.difference, s.p)
            for s in self.scenarios
        ]
        columns = [f"A: {self.a}", f"B: {self.b}", "score A", "score B", "B − A", "p"]
        return pd.DataFrame(rows, columns=columns)


def lottery(
    statistics: SegmentStatistics, a: str, b: str, settings: Settings, *, most_pairs: int = MOST_PAIRS,
    progress: Progress = no_progress,
) -> Lottery:  # fmt: skip
    """Test each replica of A against each of B by approximate randomization, all with the same permutations.

    Parameters
    ----------
    statistics, a, b, settings
        As of `mtsig_core.significance.Pair`.
    most_pairs : int
        Of pools with more pairs a random subset is tested; worst, median and best are those of the whole pools.
    progress : callable

    Raises
    ------
    ValueError
        When a replica has no score.
    """
    pools = _Pools(statistics, a, b)
    if not all(np.isfinite(x).all() for x in pools.scores):
        raise ValueError(f"a replica of {a} or {b} has no score on {statistics.test_set!r}.")
    subsets = _subsets(pools.order, most_pairs, settings.seed)
    marked = [_marked(places) for places in pools.order]
    scenarios = Comparisons(*(np.array([[marked[side][pair[side]]] for pair in _RANKS]) for side in (0, 1)))
    grid = all_pairs(len(subsets[0]), len(subsets[1]))
    pairs = Comparisons(subsets[0][grid.a], subsets[1][grid.b])
    used = [np.unique([*subset, *marks.values()]) for subset, marks in zip(subsets, marked, strict=True)]
    tested = Pools(statistics.metric, statistics.of(a)[used[0]], statistics.of(b)[used[1]])
    groups = [_within(group, used) for group in (pairs, scenarios)]
    of_pairs, of_scenarios = pool_tests(tested, groups, settings.n_permutations, settings.seed, progress=progress)
    return _lottery(pools, subsets, of_pairs, _scenarios(scenarios, pools, of_scenarios.p), settings)


@dataclass(frozen=True, eq=False)
class _Pools:
    """All replicas of both systems."""

    statistics: SegmentStatistics
    a: str
    b: str

    @property
    def scores(self) -> tuple[np.ndarray, np.ndarray]:
        return self.statistics.scores_of(self.a), self.statistics.scores_of(self.b)

    @property
    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return self.statistics.names(self.a), self.statistics.names(self.b)

    @property
    def order(self) -> list[np.ndarray]:
        """Places of the replicas, worst first; a stable sort keeps the order of names among equals."""
        rising = self.statistics.metric.higher_is_better
        return [np.argsort(x if rising else -x, kind="stable") for x in self.scores]


def _lottery(
    pools: _Pools, subsets: Sequence[np.ndarray], tests: PoolTest, scenarios: tuple[Scenario, ...], settings: Settings
) -> Lottery:
    shape = len(subsets[0]), len(subsets[1])
    p, differences = tests.p.reshape(shape), tests.differences.reshape(shape)
    scores, names = pools.scores, pools.names
    difference = float(scores[1].mean() - scores[0].mean())
    return Lottery(
        scope=Scope.of(pools.statistics, pools.a, pools.b),
        replicas_a=tuple(names[0][i] for i in subsets[0]),
        replicas_b=tuple(names[1][i] for i in subsets[1]),
        scores_a=scores[0][subsets[0]],
        scores_b=scores[1][subsets[1]],
        pool_a=len(scores[0]),
        pool_b=len(scores[1]),
        p=p,
        differences=differences,
        difference=difference,
        alpha=settings.alpha,
        n_permutations=settings.n_permutations,
        scenarios=scenarios,
        **_shares(p, differences, difference, settings.alpha),
    )


def _shares(p: np.ndarray, differences: np.ndarray, difference: float, alpha: float) -> _Shares:
    small = p < alpha
    wrong = None if difference == 0 else float(np.mean(small & (differences * difference < 0)))
    return {"significant": float(small.mean()), "wrong": wrong}


def _subsets(order: Sequence[np.ndarray], most_pairs: int, seed: int) -> list[np.ndarray]:
    """Return the places of the replicas to test, worst first: all, or random subsets of similar size."""
    sizes = [len(places) for places in order]
    if sizes[0] * sizes[1] <= most_pairs:
        return list(order)
    each = max(1, int(most_pairs**0.5))
    chosen = [min(sizes[0], max(each, most_pairs // sizes[1])), min(sizes[1], max(each, most_pairs // sizes[0]))]
    rng = np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(seed, spawn_key=(_STREAM,))))
    return [
        places[np.sort(rng.choice(len(places), size=n, replace=False))] for places, n in zip(order, chosen, strict=True)
    ]


def _marked(order: np.ndarray) -> dict[str, int]:
    """Return the places of the worst, median and best replica; of two middle ones the worse."""
    return {"worst": int(order[0]), "median": int(order[(len(order) - 1) // 2]), "best": int(order[-1])}


def _within(group: Comparisons, used: Sequence[np.ndarray]) -> Comparisons:
    """Return comparisons by place among the outputs used."""
    return Comparisons(np.searchsorted(used[0], group.a), np.searchsorted(used[1], group.b))


def _scenarios(chosen: Comparisons, pools: _Pools, p: np.ndarray) -> tuple[Scenario, ...]:
    scores, names = pools.scores, pools.names
    rows = []
    for k, (rank_a, rank_b) in enumerate(_RANKS):
        i, j = int(chosen.a[k, 0]), int(chosen.b[k, 0])
        of_a, of_b = float(scores[0][i]), float(scores[1][j])
        rows.append(Scenario(rank_a, rank_b, names[0][i], names[1][j], of_a, of_b, of_b - of_a, float(p[k])))
    return tuple(rows)
