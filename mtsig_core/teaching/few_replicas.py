"""Few replicas: experiments with a handful of runs, their exact p-values, power, and what significance exaggerates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb

import numpy as np

from mtsig_core.analysis.calibration import arena
from mtsig_core.analysis.planning.planner import Pilot, PlanCell, plan_cell
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling.random_streams import Chunk
from mtsig_core.significance.simulated import World, p_values_of, simulated
from mtsig_core.teaching.run import Run

ALPHA = 0.05
EXACT, WELCH, COHERENT = "ar-replica", "welch-replicas", "coherent"
RULES = {EXACT: "Whole runs permuted, exactly", WELCH: "Welch's t-test", COHERENT: "Coherent test"}
MOST_REPLICAS = 6  # so many against as many have 924 assignments, which are all enumerated
SEGMENTS = 100
OUTPUT_SD = 5.0  # of a single output on a segment, in the invented world
_DRAWS = 999  # never needed: the assignments are enumerated


@dataclass(frozen=True)
class FewReplicas:
    """Experiments in a world whose truth is known, with n replicas of each system.

    Parameters
    ----------
    world : World
        With the same number of replicas of each system.
    seed : int
    rule : str
        The test that is shown, a key of `RULES`; all are run.

    Raises
    ------
    ValueError
        For an unknown test, or a number of replicas out of range.
    """

    world: World
    seed: int = 1
    rule: str = EXACT

    chunk_size = 128
    most = 10_000

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise ValueError(f"rule must be one of {', '.join(RULES)}; not {self.rule!r}.")
        n_a, n_b = self.world.replicas
        if n_a != n_b or not 2 <= n_a <= MOST_REPLICAS:
            raise ValueError(f"expected 2 to {MOST_REPLICAS} replicas of each system; got {n_a} and {n_b}.")

    def draw(self, chunk: Chunk) -> dict[str, np.ndarray]:
        """Return the differences of a chunk of experiments, and p of each test."""
        a, b = simulated(self.world, chunk, self.seed)
        p_values = p_values_of(tuple(RULES), a, b, _DRAWS, self.seed, chunk.index)
        return p_values | {"difference": b.mean(axis=(1, 2)) - a.mean(axis=(1, 2))}


def invented_world(n: int, replica_sd: float, gain: float) -> World:
    """Return a world in which runs differ as wholes, and single outputs by 5 on each of 100 segments.

    Parameters
    ----------
    n : int
    replica_sd, gain : float
    """
    return World(n=n, segments=SEGMENTS, replica_sd=replica_sd, residual_sd=OUTPUT_SD, gain=gain)


def world_of(statistics: SegmentStatistics, a: str, b: str) -> World:
    """Return a world in which a difference varies as that of two systems does, in score units.

    It has 100 segments whatever the test set has: single outputs and strengths vary less or more by as much, so that
    they have the same part in the variance of the difference. The gain is the observed difference.

    Parameters
    ----------
    statistics : SegmentStatistics
    a, b : str
        The baseline and the system: the gain is what the second is better by.

    Raises
    ------
    ValueError
        Where a system has one replica, nothing varies, or there is one segment.
    """
    world = arena.world_of(statistics, a, b)
    if world is None:
        raise ValueError("This lesson needs at least 2 replicas of each system, and 2 segments, whose scores vary.")
    shrunk = (SEGMENTS / world.segments) ** 0.5
    return replace(world, n=2, n_b=None, segments=SEGMENTS, strength_sd=world.strength_sd * shrunk,
                   residual_sd=world.residual_sd * shrunk)  # fmt: skip


def smallest_p(n_a: int, n_b: int) -> float:
    """Return the smallest two-sided p of permuting whole runs.

    Parameters
    ----------
    n_a, n_b : int

    Examples
    --------
    >>> smallest_p(3, 3), round(smallest_p(4, 4), 3)
    (0.1, 0.029)
    """
    return (2 if n_a == n_b else 1) / comb(n_a + n_b, n_a)


def steps(n: int) -> int:
    """Return how many different p-values n runs against n can give, ties apart.

    Parameters
    ----------
    n : int
    """
    return comb(2 * n, n) // 2


@dataclass(frozen=True)
class FewSummary:
    """What the experiments so far say under one test.

    Attributes
    ----------
    significant : int
        Experiments with p < .05.
    power : float
        Their share.
    exaggeration : float or None
        Type M: mean size of the significant differences over that of the true one; None where none is significant, or
        there is no difference.
    wrong_sign : float or None
        Type S: share of the significant differences with the wrong sign; None likewise.
    smallest : float
        The smallest p.
    """

    significant: int
    power: float
    exaggeration: float | None
    wrong_sign: float | None
    smallest: float


def few_summary(run: Run[FewReplicas], rule: str = "") -> FewSummary:
    """Sum up the experiments so far; there must be one.

    Parameters
    ----------
    run : Run of FewReplicas
    rule : str
        A key of `RULES`; the one that is shown if left out.
    """
    rule = rule or run.simulation.rule
    small, gain = run[rule] < ALPHA, run.simulation.world.gain
    significant = run["difference"][small]
    known = len(significant) > 0 and gain != 0
    return FewSummary(
        len(significant), float(small.mean()), float(np.abs(significant).mean() / abs(gain)) if known else None,
        float(np.mean(significant * gain < 0)) if known else None, float(run[rule].min()),
    )  # fmt: skip


@lru_cache(maxsize=256)
def planned(world: World, n: int) -> PlanCell | None:
    """Return what the planner expects of the coherent test with n replicas of each system; None without a difference.

    Parameters
    ----------
    world : World
    n : int
    """
    if world.gain == 0:
        return None
    replica, residual = (sd**2 for sd in world.replica_sds), world.residual_sd**2
    pilot = Pilot(tuple(replica), (residual, residual), 2 * world.strength_sd**2, world.segments, world.segments)
    return plan_cell(pilot, world.gain, n, world.segments)
