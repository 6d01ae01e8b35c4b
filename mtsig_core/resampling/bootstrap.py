"""The bootstrap: scores of outputs on test sets drawn with replacement."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from typing import Literal

import numpy as np

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import random_streams
from mtsig_core.resampling.executor import spread
from mtsig_core.resampling.memory import fitting
from mtsig_core.resampling.products import WeightedSums
from mtsig_core.resampling.random_streams import Chunk, Stream
from mtsig_core.resampling.schemes import Score
from mtsig_core.resampling.threads import cores, single_threaded_products
from mtsig_core.resampling.units import unit_values
from mtsig_core.runtime.jobs import Progress, Repeated, no_progress

BootstrapUnit = Literal["segment", "document"]
SampleSize = Literal["full", "half"]
_OUTPUT_BLOCK = 2**24  # statistics multiplied at once: 64 MB in float32
_COUNT_BYTES = 24  # held for each unit of a resample: what was drawn, its counts, and these converted
_STREAMS = {"segment": Stream.BOOTSTRAP_SEGMENT, "document": Stream.BOOTSTRAP_DOCUMENT}


@dataclass(frozen=True)
class Sampling:
    """What a bootstrap resample is drawn from, and how much of it.

    Parameters
    ----------
    unit : {"segment", "document"}
    size : {"full", "half"}
        ``full`` draws as many units as there are, with replacement; ``half`` draws half of them without.
    first : int
        Resamples before this one are left out, as an earlier call returned them.

    Raises
    ------
    ValueError
        When the size is unknown or first is negative.
    """

    unit: BootstrapUnit = "segment"
    size: SampleSize = "full"
    first: int = 0

    def __post_init__(self) -> None:
        if self.size not in ("full", "half"):
            raise ValueError(f"size must be 'full' or 'half'; not {self.size!r}.")
        if self.first < 0:
            raise ValueError(f"first must be 0 or more; got {self.first}.")

    @property
    def stream(self) -> Stream:
        """The random stream that the resamples come from."""
        return Stream.HALF if self.size == "half" else _STREAMS[self.unit]


def bootstrap_scores(
    statistics: SegmentStatistics,
    n_bootstrap: int,
    seed: int,
    *,
    sampling: Sampling = Sampling(),  # noqa: B008 (frozen)
    systems: Sequence[str] | None = None,
    progress: Progress = no_progress,
) -> np.ndarray:
    """Score every output on bootstrap resamples that all outputs share (Koehn 2004; Clark et al. 2011, section 3).

    The resamples depend on the seed, the unit and the number of units only, never on the systems, the metric or B.

    Parameters
    ----------
    statistics : SegmentStatistics
    n_bootstrap, seed : int
        Number B of resamples, and their seed.
    sampling : Sampling
    systems : sequence of str, optional
        Systems wanted, in the order wanted; all by default.
    progress : callable
        Called between chunks.

    Returns
    -------
    ndarray of shape (n_bootstrap - sampling.first, output)
        In the metric's score units.

    Raises
    ------
    ValueError
        When n_bootstrap < 1 or not above sampling.first, or there are no such units.
    """
    _check_counts(n_bootstrap, sampling.first)
    outputs = statistics.values
    if systems is not None:
        outputs = np.concatenate([statistics.of(system) for system in systems])
    values = unit_values(statistics, outputs, sampling.unit)
    return _Bootstrap(statistics.metric.score, values, n_bootstrap, seed, sampling).scores(progress)


def _check_counts(n_bootstrap: int, first: int = 0) -> None:
    if n_bootstrap < 1:
        raise ValueError(f"n_bootstrap must be at least 1; got {n_bootstrap}.")
    if first >= n_bootstrap:
        raise ValueError(f"first must lie between 0 and {n_bootstrap - 1}; got {first}.")


@dataclass(frozen=True, eq=False)
class _Bootstrap:
    """The resamples of one call, and the outputs that are scored on them.

    Parameters
    ----------
    score : callable
    values : ndarray of shape (output, unit, statistic)
    n_bootstrap, seed : int
    sampling : Sampling
    """

    score: Score
    values: np.ndarray
    n_bootstrap: int
    seed: int
    sampling: Sampling

    def scores(self, progress: Progress) -> np.ndarray:
        """Return scores, shape (resample, output); some outputs at a time, so that memory is bounded."""
        report = Repeated(progress)
        n_outputs, first = len(self.values), self.sampling.first
        scores = np.empty((self.n_bootstrap - first, n_outputs))
        chunks, together, step = self._cut()
        for start in range(0, n_outputs, step):
            block = slice(start, min(start + step, n_outputs))
            work = _ChunkScores(self.score, WeightedSums(self.values[block]), self.seed, self.sampling)
            # Rounding may depend on the number of threads of a product.
            with (
                nullcontext() if work.sums.exact else single_threaded_products(),
                closing(spread(work, chunks, report.again, together)) as scored,
            ):
                for chunk, of_chunk in zip(chunks, scored, strict=True):
                    scores[chunk.stop - first - len(of_chunk) : chunk.stop - first, block] = of_chunk
                    done = start + (block.stop - start) * (chunk.stop - first) / len(scores)
                    report(done / n_outputs, "drawing test sets")
        return scores

    def _cut(self) -> tuple[list[Chunk], int, int]:
        """Return the chunks, how many of them are worked on at a time, and the outputs of a block."""
        _, n_units, n_statistics = self.values.shape
        size = random_streams.bootstrap_chunk_size(n_units)
        all_chunks = random_streams.chunks(self.n_bootstrap, size)
        chunks = [chunk for chunk in all_chunks if chunk.stop > self.sampling.first]
        together = min(len(chunks), cores(), fitting(_COUNT_BYTES * size * n_units, most=cores()))
        # per output: its converted statistics and those that distinguish outputs, its sums and their conversion
        bytes_per_output = n_statistics * (8 * n_units + 28 * together * size)
        return chunks, together, fitting(bytes_per_output, most=max(1, _OUTPUT_BLOCK // (n_units * n_statistics)))


@dataclass(frozen=True, eq=False)
class _ChunkScores:
    """Scores outputs on the resamples of a chunk: those from number `sampling.first` on, shape (resample, output)."""

    score: Score
    sums: WeightedSums
    seed: int
    sampling: Sampling

    def __call__(self, chunk: Chunk) -> np.ndarray:
        n_units = self.sums.shape[1]
        # Rounding may depend on the shape of a product, so there it is always that of a whole chunk.
        size = random_streams.bootstrap_chunk_size(n_units)
        drawn = chunk if self.sums.exact else Chunk(chunk.index, chunk.start, chunk.start + size)
        if self.sampling.size == "half":
            counts = random_streams.half_counts(self.seed, drawn, n_units)
        else:
            counts = random_streams.bootstrap_counts(self.seed, self.sampling.stream, drawn, n_units)
        return self.score(self.sums(counts, slice(max(0, self.sampling.first - chunk.start), chunk.size)))


def hypothesis_bootstrap(
    statistics: SegmentStatistics, n_bootstrap: int, seed: int, *,
    systems: Sequence[str] | None = None, progress: Progress = no_progress,
) -> np.ndarray:  # fmt: skip
    """Score systems on resamples of their n L single outputs, pooled as if independent (Fu et al., Table 6: "Clark").

    Systems with equally many replicas share the drawn (replica, segment) places.

    Parameters
    ----------
    statistics : SegmentStatistics
    n_bootstrap, seed : int
    systems : sequence of str, optional
        All by default.
    progress : callable

    Returns
    -------
    ndarray of shape (n_bootstrap, system), in the metric's score units

    Raises
    ------
    ValueError
        When n_bootstrap < 1.
    """
    _check_counts(n_bootstrap)
    names = statistics.systems if systems is None else tuple(systems)
    scores, done = np.empty((n_bootstrap, len(names))), 0
    for members in _equally_many(statistics, names):
        pooled = np.stack([statistics.of(names[k]).reshape(-1, statistics.metric.n_statistics) for k in members])
        sums, n_units = WeightedSums(pooled), pooled.shape[1]
        for chunk in random_streams.chunks(n_bootstrap, random_streams.bootstrap_chunk_size(n_units)):
            counts = random_streams.bootstrap_counts(seed, Stream.BOOTSTRAP_HYPOTHESIS, chunk, n_units)
            scores[chunk.start : chunk.stop, members] = statistics.metric.score(sums(counts))
            progress((done + len(members) * chunk.stop / n_bootstrap) / len(names), "drawing single outputs")
        done += len(members)
    return scores


def _equally_many(statistics: SegmentStatistics, systems: Sequence[str]) -> list[list[int]]:
    """Return the places of systems with the same number of replicas, one list per number."""
    sizes = [len(statistics.names(name)) for name in systems]
    return [[k for k, size in enumerate(sizes) if size == n] for n in dict.fromkeys(sizes)]
