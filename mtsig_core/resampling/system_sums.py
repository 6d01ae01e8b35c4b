"""Exchanges of segments between many systems: what a permutation moves is summed once per system, not per pair.

A permutation swaps the same segments for all pairs. What leaves A is the sum of A's outputs over these segments, and
what comes back is the sum of B's, so the sums of each system serve all pairs that it is in.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field

import numpy as np

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import random_streams
from mtsig_core.resampling.executor import spread
from mtsig_core.resampling.memory import fitting
from mtsig_core.resampling.products import compact
from mtsig_core.resampling.random_streams import Chunk, Stream
from mtsig_core.resampling.schemes import ROW_BLOCK
from mtsig_core.runtime.jobs import Progress, Repeated, no_progress


@dataclass(eq=False)
class SystemSums:
    """For each permutation and system, the sum of its outputs over the segments that are swapped.

    Parameters
    ----------
    statistics : SegmentStatistics
    n_permutations, seed : int
    """

    statistics: SegmentStatistics
    n_permutations: int
    seed: int
    _sums: dict[str, np.ndarray] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def fits(self) -> bool:
        """Whether the sums of all systems may be held at once."""
        size = 8 * self.n_permutations * self.statistics.metric.n_statistics * len(self.statistics.systems)
        return fitting(size, most=2) == 2

    def of(self, system: str, progress: Progress = no_progress) -> np.ndarray:
        """Return the sums over all replicas of a system, shape (permutation, statistic), float64."""
        with self._lock:
            if self._sums is None:
                self._sums = self._compute(progress)
        return self._sums[system]

    def _compute(self, progress: Progress) -> dict[str, np.ndarray]:
        systems = self.statistics.systems
        blocks = np.concatenate([self.statistics.of(system).sum(axis=0) for system in systems], axis=1)
        work, report = _Swapped(compact(blocks), self.seed), Repeated(progress)
        sums = np.empty((len(systems), self.n_permutations, self.statistics.metric.n_statistics))
        chunks: Sequence[Chunk] = list(random_streams.chunks(self.n_permutations, random_streams.EXCHANGE_CHUNK))
        with closing(spread(work, chunks, report.again)) as swapped:
            for chunk, of_chunk in zip(chunks, swapped, strict=True):
                sums[:, chunk.start : chunk.stop] = of_chunk.reshape(chunk.size, len(systems), -1).swapaxes(0, 1)
                report(chunk.stop / self.n_permutations, "exchanging outputs")
        return dict(zip(systems, sums, strict=True))


@dataclass(frozen=True, eq=False)
class _Swapped:
    """Sums of rows, shape (segment, statistic), over the segments that each permutation of a chunk swaps."""

    rows: np.ndarray
    seed: int

    def __call__(self, chunk: Chunk) -> np.ndarray:
        sums = np.zeros((chunk.size, self.rows.shape[1]))
        for block, start in enumerate(range(0, len(self.rows), ROW_BLOCK)):
            own = self.rows[start : start + ROW_BLOCK]
            packed = random_streams.swap_bits(self.seed, Stream.SWAP, chunk, block, len(own))
            bits = np.unpackbits(packed, axis=1, count=len(own), bitorder="little")
            sums += bits.astype(own.dtype) @ own
        return sums
