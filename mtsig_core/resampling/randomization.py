"""Approximate randomization: a statistic under random exchanges of two systems' outputs."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from math import lcm
from typing import Literal

import numpy as np

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import random_streams, schemes
from mtsig_core.resampling.executor import spread
from mtsig_core.resampling.memory import fitting
from mtsig_core.resampling.random_streams import Chunk
from mtsig_core.resampling.system_sums import SystemSums
from mtsig_core.resampling.threads import cores
from mtsig_core.resampling.units import unit_values
from mtsig_core.runtime.jobs import Progress, Repeated, no_progress

EXCHANGE_UNITS = ("segment", "document", "hypothesis", "replica", "replica-paired")
_TOGETHER = 7  # chunks of exchanges evaluated at once: tables of sums pay for many draws only
_CHUNK_BYTES = random_streams.EXCHANGE_CHUNK * 2**14
_ENUMERATED = 2**12  # distinct exchanges evaluated at once


@dataclass(frozen=True)
class ExchangeDesign:
    """What is exchanged, and how often.

    Parameters
    ----------
    unit : {"segment", "document", "hypothesis", "replica", "replica-paired"}
        ``segment`` and ``document`` swap all replicas of a unit as one block.
    n_permutations : int
        Number R of drawn exchanges.
    seed : int
    exact : bool
        Enumerate instead when the distinct exchanges do not outnumber the draws.

    Raises
    ------
    ValueError
        For an unknown unit, or fewer than one draw.
    """

    unit: str
    n_permutations: int
    seed: int
    exact: bool = True

    def __post_init__(self) -> None:
        if self.n_permutations < 1:
            raise ValueError(f"n_permutations must be at least 1; got {self.n_permutations}.")
        if self.unit not in EXCHANGE_UNITS:
            raise ValueError(f"unit must be one of {', '.join(EXCHANGE_UNITS)}; not {self.unit!r}.")


@dataclass(frozen=True, eq=False)
class Exchange:
    """A statistic as observed and under exchanges of two systems' outputs.

    Parameters
    ----------
    observed : float
        The statistic of the data: D, or Welch's t.
    difference : float
        D in score units, B minus A, as this test computes it.
    values : ndarray of shape (exchange,)
        The statistic under drawn exchanges, or under every distinct one when `exact`.
    exact : bool
    n_distinct : int or float
        Number of distinct exchanges.
    scale : float
        max(1, size of the scores): ties are judged to 1e-12 of it.
    statistic : {"difference", "welch-t"}
    scheme : str
        What was exchanged, in words.
    """

    observed: float
    difference: float
    values: np.ndarray
    exact: bool
    n_distinct: int | float
    scale: float
    statistic: Literal["difference", "welch-t"]
    scheme: str


def exchange(
    statistics: SegmentStatistics, a: str, b: str, design: ExchangeDesign, *, shared: SystemSums | None = None,
    progress: Progress = no_progress,
) -> Exchange:  # fmt: skip
    """Exchange the outputs of two systems at random (Noreen 1989; Riezler and Maxwell 2005; Clark et al. 2011).

    The statistic is the difference of pooled scores f(sum_l mean_i T), for whole outputs the difference of mean
    scores. Random assignments of whole outputs with unequal numbers of at least two replicas use Welch's t, since
    a permutation test of D errs when numbers and spreads are both unequal.

    Parameters
    ----------
    statistics : SegmentStatistics
    a, b : str
    design : ExchangeDesign
    shared : SystemSums, optional
        Of these statistics, draws and seed; exchanges of segments then sum once per system, not per pair.
    progress : callable

    Raises
    ------
    ValueError
        For an index swap of unequal numbers of replicas, or units that the test set does not have.
    """
    scheme, words = _scheme(statistics, (a, b), design, shared)
    observed = scheme.observed()
    enumerate_all = design.exact and scheme.n_distinct <= design.n_permutations
    welch = isinstance(scheme, schemes.ReplicaAssignments) and scheme.statistic is schemes.welch_t
    difference = float(_mean_difference(statistics, a, b)) if welch else observed
    scale = _t_scale(observed) if welch else _score_scale(statistics, a, b)
    values = _evaluate(scheme, design, enumerate_all, progress)
    return Exchange(
        observed, difference, values, enumerate_all, scheme.n_distinct, scale,
        statistic="welch-t" if welch else "difference", scheme=words,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _ChunkStatistics:
    """The statistic under the exchanges of some consecutive chunks, drawn or (without a seed) enumerated."""

    scheme: schemes.Scheme
    seed: int | None

    def __call__(self, chunks: Sequence[Chunk]) -> np.ndarray:
        if self.seed is None:
            return self.scheme.enumerated(chunks[0].start, chunks[-1].stop)
        return self.scheme.drawn(self.seed, chunks)


def _evaluate(
    scheme: schemes.Scheme, design: ExchangeDesign, enumerate_all: bool, progress: Progress
) -> np.ndarray:
    """Return the statistic under every distinct exchange, or under drawn ones, shape (exchange,)."""
    n = int(scheme.n_distinct) if enumerate_all else design.n_permutations
    values, report = np.empty(n), Repeated(progress)
    # of a chunk: packed bits of a block of rows, twice, and what a product makes of them
    together = 1 if enumerate_all else fitting(2 * cores() * _CHUNK_BYTES, most=_TOGETHER)
    chunks = list(random_streams.chunks(n, _ENUMERATED if enumerate_all else random_streams.EXCHANGE_CHUNK))
    groups = [chunks[i : i + together] for i in range(0, len(chunks), together)]
    work = _ChunkStatistics(scheme, None if enumerate_all else design.seed)
    with closing(spread(work, groups, report.again)) as evaluated:
        for group, of_group in zip(groups, evaluated, strict=True):
            values[group[0].start : group[-1].stop] = of_group
            report(group[-1].stop / n, "exchanging outputs")
    return values


def _mean_difference(statistics: SegmentStatistics, a: str, b: str) -> float:
    return float(statistics.scores_of(b).mean() - statistics.scores_of(a).mean())


def _score_scale(statistics: SegmentStatistics, a: str, b: str) -> float:
    return max(1.0, *(abs(float(statistics.scores_of(system).mean())) for system in (a, b)))


def _t_scale(t: float) -> float:
    return max(1.0, abs(t)) if np.isfinite(t) else 1.0


def _scheme(
    statistics: SegmentStatistics, pair: tuple[str, str], design: ExchangeDesign, shared: SystemSums | None
) -> tuple[schemes.Scheme, str]:
    """Return the scheme of a unit, and what it does in words."""
    if design.unit in ("segment", "document"):
        return _block_swaps(statistics, pair, design.unit, shared if design.unit == "segment" else None)
    if design.unit == "hypothesis":
        return _hypotheses(statistics, *pair, design.seed)
    if design.unit == "replica":
        return _replicas(statistics, *pair)
    return _paired_replicas(statistics, *pair)


def _block_swaps(
    statistics: SegmentStatistics, pair: tuple[str, str], unit: str, shared: SystemSums | None
) -> tuple[schemes.Scheme, str]:
    of_a, of_b = (unit_values(statistics, statistics.of(system), unit) for system in pair)
    scale = lcm(len(of_a), len(of_b))
    block_a, block_b = (of.sum(axis=0) * (scale // len(of)) for of in (of_a, of_b))
    words = f"the replicas of each {unit} swapped as one block"
    if len(of_a) == len(of_b) == 1:
        words = f"the two outputs of each {unit} swapped"
    moved = None
    if shared is not None and shared.fits:
        sums_a, sums_b = map(shared.of, pair)

        def moved(start: int, stop: int) -> np.ndarray:
            return sums_a[start:stop] * (scale // len(of_a)) - sums_b[start:stop] * (scale // len(of_b))

    score = statistics.metric.score
    return schemes.PairSwaps(block_a, block_b, scale, score, every=True, precomputed=moved), words


def _hypotheses(statistics: SegmentStatistics, a: str, b: str, seed: int) -> tuple[schemes.Scheme, str]:
    of_a, of_b = (statistics.of(system).transpose(1, 0, 2) for system in (a, b))  # (segment, replica, statistic)
    n_segments, n_a, n_statistics = of_a.shape
    score = statistics.metric.score
    if n_a != of_b.shape[1]:
        both = np.concatenate([of_a, of_b], axis=1)
        return schemes.SegmentAssignments(both, n_a, score), "the outputs of each segment assigned at random"
    paired = np.take_along_axis(of_b, random_streams.pairings(seed, n_segments, n_a)[:, :, None], axis=1)
    flat = (n_segments * n_a, n_statistics)
    scheme = schemes.PairSwaps(of_a.reshape(flat), paired.reshape(flat), n_a, score)
    words = "each pair of outputs swapped, the pairs of a segment drawn once"
    return scheme, words if n_a > 1 else "the two outputs of each segment swapped"


def _replicas(statistics: SegmentStatistics, a: str, b: str) -> tuple[schemes.Scheme, str]:
    of_a, of_b = statistics.scores_of(a), statistics.scores_of(b)
    scores = np.concatenate([of_a, of_b])
    # With one replica on a side Welch's t is not defined, and would order the assignments as D does.
    if len(of_a) == len(of_b) or min(len(of_a), len(of_b)) == 1:
        scheme = schemes.ReplicaAssignments(scores, len(of_a), schemes.mean_difference)
        return scheme, "whole outputs assigned at random"
    centred = scores - scores.mean()  # t is the same; rounding is less
    scheme = schemes.ReplicaAssignments(centred, len(of_a), schemes.welch_t)
    return scheme, "whole outputs assigned at random, compared by Welch's t as the systems differ in replicas"


def _paired_replicas(statistics: SegmentStatistics, a: str, b: str) -> tuple[schemes.Scheme, str]:
    of_a, of_b = statistics.scores_of(a), statistics.scores_of(b)
    if len(of_a) != len(of_b):
        raise ValueError(
            f"unit 'replica-paired' swaps replicas of equal index, but {a} has {len(of_a)} and {b} has "
            f"{len(of_b)}; use unit 'replica'."
        )
    return schemes.ReplicaSwaps(of_b - of_a), "whole outputs of equal index swapped"
