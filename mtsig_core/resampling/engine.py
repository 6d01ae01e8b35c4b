"""The engine: statistics and a seed in, resampled scores and differences out, chunk by chunk."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from math import lcm
from typing import Literal

import numpy as np

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import random_streams as draws
from mtsig_core.resampling import schemes as exchanges
from mtsig_core.resampling.executor import spread
from mtsig_core.resampling.memory import fitting
from mtsig_core.resampling.products import WeightedSums
from mtsig_core.resampling.random_streams import Chunk, Stream
from mtsig_core.resampling.system_sums import SystemSums
from mtsig_core.resampling.threads import cores, single_threaded_products
from mtsig_core.resampling.units import unit_values
from mtsig_core.runtime.jobs import Progress, Repeated, no_progress

BootstrapUnit = Literal["segment", "document"]
DrawSize = Literal["full", "half"]
EXCHANGE_UNITS = ("segment", "document", "hypothesis", "replica", "replica-paired")
_OUTPUT_BLOCK = 2**24  # statistics multiplied at once: 64 MB in float32
_COUNT_BYTES = 24  # held for each unit of a draw: what was drawn, its counts, and these converted
_TOGETHER = 7  # chunks of exchanges evaluated at once: tables of sums pay for many draws only
_CHUNK_BYTES = draws.EXCHANGE_CHUNK * 2**14
_ENUMERATED = 2**12  # distinct exchanges evaluated at once


def bootstrap_scores(
    statistics: SegmentStatistics,
    n_draws: int,
    seed: int,
    *,
    unit: BootstrapUnit = "segment",
    size: DrawSize = "full",
    systems: Sequence[str] | None = None,
    first: int = 0,
    progress: Progress = no_progress,
) -> np.ndarray:
    """Score every output on bootstrap test sets that all outputs share (Koehn 2004; Clark et al. 2011, section 3).

    The drawn test sets depend on the seed, the unit and the number of units only, never on the
    systems, the metric or the number of draws.

    Parameters
    ----------
    statistics : SegmentStatistics
    n_draws : int
        Test sets B.
    seed : int
    unit : {"segment", "document"}
    size : {"full", "half"}
        ``full`` draws as many units as there are, with replacement; ``half`` draws half of them without.
    systems : sequence of str, optional
        Systems wanted, in the order wanted; all by default.
    first : int
        Draws before this one are left out, as they are known from an earlier call.
    progress : callable
        Called between chunks.

    Returns
    -------
    ndarray of shape (n_draws - first, output)
        In the metric's score units.

    Raises
    ------
    ValueError
        When n_draws < 1, first is not below it, the unit or the size is unknown, or documents are asked for and
        there are no ids.
    """
    if n_draws < 1:
        raise ValueError(f"n_draws must be at least 1; got {n_draws}.")
    if not 0 <= first < n_draws:
        raise ValueError(f"first must lie between 0 and {n_draws - 1}; got {first}.")
    if size not in ("full", "half"):
        raise ValueError(f"size must be 'full' or 'half'; not {size!r}.")
    wanted = statistics.values
    if systems is not None:
        wanted = np.concatenate([statistics.of(system) for system in systems])
    values = unit_values(statistics, wanted, unit)
    stream = Stream.HALF if size == "half" else _BOOTSTRAP_STREAMS[unit]
    return _drawn_scores(statistics.metric.score, values, (seed, stream), n_draws, first, progress)


_BOOTSTRAP_STREAMS = {"segment": Stream.BOOTSTRAP_SEGMENT, "document": Stream.BOOTSTRAP_DOCUMENT}


@dataclass(frozen=True, eq=False)
class _DrawnChunk:
    """Scores outputs on the test sets of a chunk of draws: those from number `first` on, shape (draw, output)."""

    score: exchanges.Score
    sums: WeightedSums
    seed: int
    stream: Stream
    first: int

    def __call__(self, chunk: Chunk) -> np.ndarray:
        n_units = self.sums.shape[1]
        # Rounding may depend on the shape of a product, so there it is always that of a whole chunk.
        size = draws.bootstrap_chunk_size(n_units)
        drawn = chunk if self.sums.exact else Chunk(chunk.index, chunk.start, chunk.start + size)
        if self.stream == Stream.HALF:
            counts = draws.half_counts(self.seed, drawn, n_units)
        else:
            counts = draws.bootstrap_counts(self.seed, self.stream, drawn, n_units)
        return self.score(self.sums(counts, slice(max(0, self.first - chunk.start), chunk.size)))


def _drawn_scores(
    score: exchanges.Score,
    values: np.ndarray,
    source: tuple[int, Stream],
    n_draws: int,
    first: int,
    progress: Progress,
) -> np.ndarray:
    """Return scores, shape (draw, output), of outputs, shape (output, unit, statistic), some at a time."""
    report = Repeated(progress)
    n_outputs, n_units, n_statistics = values.shape
    scores = np.empty((n_draws - first, n_outputs))
    chunk_size = draws.bootstrap_chunk_size(n_units)
    chunks = [chunk for chunk in draws.chunks(n_draws, chunk_size) if chunk.stop > first]
    together = min(len(chunks), cores(), fitting(_COUNT_BYTES * chunk_size * n_units, most=cores()))
    # of an output: its converted statistics and those that tell them from others, its sums and their conversion
    held = n_statistics * (8 * n_units + 28 * together * chunk_size)
    step = fitting(held, most=max(1, _OUTPUT_BLOCK // (n_units * n_statistics)))
    for start in range(0, n_outputs, step):
        block = slice(start, min(start + step, n_outputs))
        work = _DrawnChunk(score, WeightedSums(values[block]), *source, first)
        # Rounding may depend on the number of threads of a product.
        with (
            nullcontext() if work.sums.exact else single_threaded_products(),
            closing(spread(work, chunks, report.again, together)) as drawn,
        ):
            for chunk, found in zip(chunks, drawn, strict=True):
                scores[chunk.stop - first - len(found) : chunk.stop - first, block] = found
                done = start + (block.stop - start) * (chunk.stop - first) / len(scores)
                report(done / n_outputs, "drawing test sets")
    return scores


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
    statistics: SegmentStatistics,
    a: str,
    b: str,
    unit: str,
    n_permutations: int,
    seed: int,
    *,
    exact: bool = True,
    shared: SystemSums | None = None,
    progress: Progress = no_progress,
) -> Exchange:
    """Exchange the outputs of two systems at random (Noreen 1989; Riezler and Maxwell 2005; Clark et al. 2011).

    The statistic is the difference of pooled scores f(sum_l mean_i T), for whole outputs the
    difference of mean scores; free deals of whole outputs with unequal numbers of at least two
    replicas use Welch's t, as a deal of D errs when numbers and spreads are both unequal.

    Parameters
    ----------
    statistics : SegmentStatistics
    a, b : str
        Baseline and experiment.
    unit : {"segment", "document", "hypothesis", "replica", "replica-paired"}
        ``segment`` and ``document`` swap all replicas of a unit as one block.
    n_permutations : int
        Number R of drawn exchanges.
    seed : int
    exact : bool
        Enumerate instead when the distinct exchanges do not outnumber the shuffles.
    shared : SystemSums, optional
        Sums of all systems, of these statistics, shuffles and seed: exchanges of segments take from them what would
        be summed anew for each pair of systems.
    progress : callable
        Called between chunks.

    Raises
    ------
    ValueError
        For an unknown unit, fewer than one shuffle, or an index swap of unequal numbers of replicas.
    """
    if n_permutations < 1:
        raise ValueError(f"n_permutations must be at least 1; got {n_permutations}.")
    scheme, words = _scheme(statistics, a, b, unit, seed, shared)
    observed = scheme.observed()
    enumerate_all = exact and scheme.n_distinct <= n_permutations
    values = _evaluate(
        scheme, int(scheme.n_distinct) if enumerate_all else n_permutations, enumerate_all, seed, progress
    )
    welch = isinstance(scheme, exchanges.ReplicaDeals) and scheme.statistic is exchanges.welch_t
    return Exchange(
        observed=observed,
        difference=float(_mean_difference(statistics, a, b)) if welch else observed,
        values=values,
        exact=enumerate_all,
        n_distinct=scheme.n_distinct,
        scale=_t_scale(observed) if welch else _score_scale(statistics, a, b),
        statistic="welch-t" if welch else "difference",
        scheme=words,
    )


@dataclass(frozen=True, eq=False)
class _Exchanged:
    """The statistic under the exchanges of some consecutive chunks, drawn or (without a seed) enumerated."""

    scheme: exchanges.Scheme
    seed: int | None

    def __call__(self, chunks: Sequence[Chunk]) -> np.ndarray:
        if self.seed is None:
            return self.scheme.enumerated(chunks[0].start, chunks[-1].stop)
        return self.scheme.drawn(self.seed, chunks)


def _evaluate(scheme: exchanges.Scheme, n: int, enumerate_all: bool, seed: int, progress: Progress) -> np.ndarray:
    values, report = np.empty(n), Repeated(progress)
    # of a chunk: packed bits of a block of rows, twice, and what a product makes of them
    together = 1 if enumerate_all else fitting(2 * cores() * _CHUNK_BYTES, most=_TOGETHER)
    chunks = list(draws.chunks(n, _ENUMERATED if enumerate_all else draws.EXCHANGE_CHUNK))
    groups = [chunks[i : i + together] for i in range(0, len(chunks), together)]
    work = _Exchanged(scheme, None if enumerate_all else seed)
    with closing(spread(work, groups, report.again)) as exchanged:
        for group, found in zip(groups, exchanged, strict=True):
            values[group[0].start : group[-1].stop] = found
            report(group[-1].stop / n, "exchanging outputs")
    return values


def _mean_difference(statistics: SegmentStatistics, a: str, b: str) -> float:
    return float(statistics.scores_of(b).mean() - statistics.scores_of(a).mean())


def _score_scale(statistics: SegmentStatistics, a: str, b: str) -> float:
    return max(1.0, *(abs(float(statistics.scores_of(system).mean())) for system in (a, b)))


def _t_scale(t: float) -> float:
    return max(1.0, abs(t)) if np.isfinite(t) else 1.0


def _scheme(
    statistics: SegmentStatistics, a: str, b: str, unit: str, seed: int, shared: SystemSums | None
) -> tuple[exchanges.Scheme, str]:
    """Return the scheme of a unit, and what it does in words."""
    if unit in ("segment", "document"):
        return _blocks(statistics, a, b, unit, shared if unit == "segment" else None)
    if unit == "hypothesis":
        return _hypotheses(statistics, a, b, seed)
    if unit == "replica":
        return _replicas(statistics, a, b)
    if unit == "replica-paired":
        return _paired_replicas(statistics, a, b)
    raise ValueError(f"unit must be one of {', '.join(EXCHANGE_UNITS)}; not {unit!r}.")


def _blocks(
    statistics: SegmentStatistics, a: str, b: str, unit: str, shared: SystemSums | None
) -> tuple[exchanges.Scheme, str]:
    of_a, of_b = (unit_values(statistics, statistics.of(system), unit) for system in (a, b))
    scale = lcm(len(of_a), len(of_b))
    block_a, block_b = (of.sum(axis=0) * (scale // len(of)) for of in (of_a, of_b))
    words = f"the replicas of each {unit} swapped as one block"
    if len(of_a) == len(of_b) == 1:
        words = f"the two outputs of each {unit} swapped"
    known = None
    if shared is not None and shared.fits:
        sums_a, sums_b = shared.of(a), shared.of(b)

        def known(start: int, stop: int) -> np.ndarray:
            return sums_a[start:stop] * (scale // len(of_a)) - sums_b[start:stop] * (scale // len(of_b))

    return exchanges.PairFlips(block_a, block_b, scale, statistics.metric.score, every=True, known=known), words


def _hypotheses(statistics: SegmentStatistics, a: str, b: str, seed: int) -> tuple[exchanges.Scheme, str]:
    of_a, of_b = (statistics.of(system).transpose(1, 0, 2) for system in (a, b))  # (segment, replica, statistic)
    n_segments, n_a, n_statistics = of_a.shape
    score = statistics.metric.score
    if n_a != of_b.shape[1]:
        both = np.concatenate([of_a, of_b], axis=1)
        return exchanges.SegmentDeals(both, n_a, score), "the outputs of each segment dealt again"
    paired = np.take_along_axis(of_b, draws.pairings(seed, n_segments, n_a)[:, :, None], axis=1)
    flat = (n_segments * n_a, n_statistics)
    scheme = exchanges.PairFlips(of_a.reshape(flat), paired.reshape(flat), n_a, score)
    words = "each pair of outputs swapped, the pairs of a segment drawn once"
    return scheme, words if n_a > 1 else "the two outputs of each segment swapped"


def _replicas(statistics: SegmentStatistics, a: str, b: str) -> tuple[exchanges.Scheme, str]:
    of_a, of_b = statistics.scores_of(a), statistics.scores_of(b)
    scores = np.concatenate([of_a, of_b])
    # With one replica on a side Welch's t is not defined, and would order the deals as D does.
    if len(of_a) == len(of_b) or min(len(of_a), len(of_b)) == 1:
        return exchanges.ReplicaDeals(scores, len(of_a), exchanges.mean_difference), "whole outputs dealt again"
    centred = scores - scores.mean()  # t is the same; rounding is less
    scheme = exchanges.ReplicaDeals(centred, len(of_a), exchanges.welch_t)
    return scheme, "whole outputs dealt again, compared by Welch's t as the systems differ in replicas"


def _paired_replicas(statistics: SegmentStatistics, a: str, b: str) -> tuple[exchanges.Scheme, str]:
    of_a, of_b = statistics.scores_of(a), statistics.scores_of(b)
    if len(of_a) != len(of_b):
        raise ValueError(
            f"unit 'replica-paired' swaps replicas of equal index, but {a} has {len(of_a)} and {b} has "
            f"{len(of_b)}; use unit 'replica'."
        )
    return exchanges.ReplicaFlips(of_b - of_a), "whole outputs of equal index swapped"
