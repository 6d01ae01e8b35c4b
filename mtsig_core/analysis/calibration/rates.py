"""Error rates and power of the coherent test in known worlds, simulated on the test itself.

A world has no difference between its systems: effects of whole replicas, of systems on segments and residuals, as in
`mtsig_core.analysis.calibration.arena`, but as mean squares, so that tens of thousands of experiments take a moment.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.significance import Result
from mtsig_core.significance.simulation.designs import Design, Shape, Variation, simulate
from mtsig_core.significance.simulation.mean_squares import MeanSquares, two_sided

RESIDUAL_SD, SEGMENTS, SEED = 10.0, 1000, 12345
LEVELS = (0.05, 0.01)
REPLICA_SDS = ((0.0, 0.0), (0.3, 0.3), (1.0, 1.0), (3.0, 3.0), (0.0, 1.0), (1.0, 0.0), (0.0, 3.0), (3.0, 0.0))
STRENGTH_SDS = (0.0, 10.0)
_STREAM = 0xCA


def t3(rng: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
    """Return Student's t with 3 degrees of freedom, scaled to standard deviation 1."""
    return rng.standard_t(3, size) / math.sqrt(3)


def failing(rng: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
    """Return normal effects of which one in ten fails by 3 standard deviations; mean 0."""
    return rng.standard_normal(size) - 3.0 * (rng.random(size) < 0.1) + 0.3


def rarely_failing(rng: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
    """Return normal effects of which one in a hundred fails by 10 standard deviations; mean 0."""
    return rng.standard_normal(size) - 10.0 * (rng.random(size) < 0.01) + 0.1


def lognormal(rng: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
    """Return lognormal effects (sigma 1), mean 0 and standard deviation 1: very skewed."""
    return (np.exp(rng.standard_normal(size)) - math.exp(0.5)) / math.sqrt(math.exp(2) - math.exp(1))


SHAPES: dict[str, Shape | None] = {"normal": None, "t3": t3, "one run in ten fails by 3 sd": failing}


@dataclass(frozen=True)
class NullWorld:
    """A world without a difference: standard deviations of replicas' effects and of strengths by segment.

    Parameters
    ----------
    replica_sds : tuple of float
        One a system, or one of the paired differences.
    strength_sd : float
        Of each system on a segment.
    """

    replica_sds: tuple[float, ...]
    strength_sd: float

    @property
    def variation(self) -> Variation:
        """The world's variances; of paired replicas those of differences."""
        paired = len(self.replica_sds) == 1
        residual = ((2 if paired else 1) * RESIDUAL_SD**2,) * len(self.replica_sds)
        return Variation(tuple(sd**2 for sd in self.replica_sds), residual, 2 * self.strength_sd**2)


def worlds(paired: bool = False) -> list[NullWorld]:
    """Return the worlds over which the worst rate is taken."""
    sds: Sequence[tuple[float, ...]] = [(0.0,), (0.3,), (1.0,), (3.0,)] if paired else REPLICA_SDS
    return [NullWorld(sd, strength) for sd in sds for strength in STRENGTH_SDS]


@dataclass(frozen=True)
class Rate:
    """Shares of simulated experiments with p < .05 and p < .01.

    Attributes
    ----------
    at_5, at_1 : float
    trials : int
    """

    at_5: float
    at_1: float
    trials: int

    @property
    def errors(self) -> tuple[float, float]:
        """Monte-Carlo standard errors of both."""
        return _error(self.at_5, self.trials), _error(self.at_1, self.trials)


def _error(share: float, trials: int) -> float:
    return math.sqrt(share * (1 - share) / trials)


def rate_of(p: np.ndarray) -> Rate:
    """Return the shares of p below .05 and .01."""
    return Rate(float(np.mean(p < LEVELS[0])), float(np.mean(p < LEVELS[1])), p.size)


def worst_of(rates: Sequence[Rate]) -> Rate:
    """Return the largest share at each level."""
    return Rate(max(r.at_5 for r in rates), max(r.at_1 for r in rates), rates[0].trials)


def null_experiments(
    numbers: tuple[int, ...], world: NullWorld, shape: Shape | None | tuple[Shape | None, ...], trials: int, *,
    segments: int = SEGMENTS, difference: float = 0.0,
) -> MeanSquares:
    """Return the mean squares of experiments in a world.

    Parameters
    ----------
    numbers : tuple of int
        Replicas of each system, or the number of pairs.
    world : NullWorld
    shape : callable or tuple of callable, or None
        Of the effects of whole replicas; normal where None.
    trials, segments : int
    difference : float
        True difference; 0 for error rates.
    """
    key = (_STREAM, *numbers, segments, *(round(100 * sd) for sd in (*world.replica_sds, world.strength_sd)))
    rng = np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(SEED, spawn_key=key)))
    return simulate(Design(numbers, segments), world.variation, trials, rng, difference=difference, shape=shape)


def worst_rates(
    numbers: tuple[int, ...], shape: Shape | None, trials: int, *, segments: int = SEGMENTS
) -> tuple[Rate, Rate]:
    """Return the worst rates over the worlds: of the crossed test alone, and of the coherent test."""
    crossed, coherent = [], []
    for world in worlds(len(numbers) == 1):
        squares = null_experiments(numbers, world, shape, trials, segments=segments)
        first = squares.crossed_p()
        crossed.append(rate_of(first))
        coherent.append(rate_of(np.maximum(first, two_sided(squares.difference, *squares.replicas_alone()))))
    return worst_of(crossed), worst_of(coherent)


def family_rates(
    systems: int, n: int, world: NullWorld, trials: int, *, segments: int = SEGMENTS, seed: int = 12345
) -> tuple[float, float]:
    """Return the family-wise error rates of Holm's correction over all pairs: crossed alone, coherent.

    The systems' segment means are simulated as a Wishart matrix (Bartlett's decomposition), so that pairs share
    systems as they do in an experiment.

    Parameters
    ----------
    systems : int
        Equal systems with n replicas each.
    n : int
    world : NullWorld
        The first of its replica sds is that of every second system, beginning with the first; the second of the rest.
    trials, segments, seed : int
    """
    rng = np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(seed, spawn_key=(_STREAM, systems, n))))
    e = RESIDUAL_SD**2
    sds = np.array([world.replica_sds[k % len(world.replica_sds)] for k in range(systems)])
    variance = sds**2 + e / segments
    means = np.sqrt(variance / n) * rng.standard_normal((trials, systems))
    means += world.strength_sd / math.sqrt(segments) * rng.standard_normal((trials, systems))
    replica = variance / n * rng.chisquare(n - 1, (trials, systems)) / (n - 1)
    df = (n - 1) * (segments - 1)
    residual = e / (n * segments) * rng.chisquare(df, (trials, systems)) / df
    products = _wishart(systems, segments - 1, trials, rng) * (world.strength_sd**2 + e / n)
    p: list[list[np.ndarray]] = [[], []]
    for i in range(systems):
        for j in range(i + 1, systems):
            square = products[:, i, i] + products[:, j, j] - 2 * products[:, i, j]
            squares = MeanSquares(
                means[:, j] - means[:, i], (replica[:, i], replica[:, j]), (residual[:, i], residual[:, j]),
                square / (segments - 1) / segments, (n, n), segments, segments - 1.0,
            )  # fmt: skip
            p[0].append(squares.crossed_p())
            p[1].append(squares.coherent_p())
    crossed, coherent = (float(np.mean(_any_rejected(np.array(x)))) for x in p)
    return crossed, coherent


def _wishart(size: int, df: int, trials: int, rng: np.random.Generator) -> np.ndarray:
    """Return Wishart matrices of identity scale, shape (trial, size, size)."""
    lower = np.tril(rng.standard_normal((trials, size, size)), -1)
    diagonal = np.sqrt(rng.chisquare(df - np.arange(size), (trials, size)))
    lower[:, np.arange(size), np.arange(size)] = diagonal
    return lower @ lower.transpose(0, 2, 1)


def _any_rejected(p: np.ndarray, alpha: float = 0.05) -> np.ndarray:
    """Say of each trial whether Holm's correction rejects any; p of shape (pair, trial). The smallest p decides."""
    return p.min(axis=0) * len(p) < alpha


@dataclass(frozen=True)
class Limit:
    """One case in which the coherent test rejects true null hypotheses more often than it says.

    Attributes
    ----------
    replicas : str
    world : str
        In words.
    rate : Rate
    """

    replicas: str
    world: str
    rate: Rate


@dataclass(frozen=True)
class Limits(Result):
    """The cases in which the headline exceeds its level, measured."""

    rows: tuple[Limit, ...]

    def to_frame(self) -> pd.DataFrame:
        """Return one row per case, with the Monte-Carlo standard error."""
        return pd.DataFrame(
            [(r.replicas, r.world, r.rate.at_5, r.rate.errors[0], r.rate.at_1, r.rate.errors[1]) for r in self.rows],
            columns=["replicas", "world", "p < 0.05", "error of it", "p < 0.01", "error of that"],
        )


FEW_AGAINST_MORE = "normal effects; the system with fewer replicas varies more"
SKEWED_WORLD = "very skewed (lognormal) effects of the replicas of one system"


def headline_limits(trials: int = 10_000) -> Limits:
    """Measure the cases that no test guards against, or that few replicas of unequal number leave.

    Parameters
    ----------
    trials : int
        Simulated experiments for each world.
    """
    rows = [
        Limit(f"{a} and {b}", FEW_AGAINST_MORE, worst_rates((a, b), None, trials)[1])
        for a, b in ((2, 3), (2, 5), (2, 10))
    ]
    for a, b in ((2, 2), (3, 3), (5, 5), (10, 10), (2, 10), (3, 10), (5, 8)):
        squares = null_experiments((a, b), NullWorld((3.0, 0.0), 0.0), (lognormal, None), trials)
        rows.append(Limit(f"{a} and {b}", SKEWED_WORLD, rate_of(squares.coherent_p())))
    return Limits(tuple(rows))
