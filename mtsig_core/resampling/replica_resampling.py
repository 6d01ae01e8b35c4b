"""Resampling of replicas: means of replicas drawn with replacement, and outputs shuffled between replicas."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import random_streams
from mtsig_core.resampling.compiled import SIGNED_SUMS
from mtsig_core.resampling.random_streams import Chunk, Stream
from mtsig_core.resampling.threads import cores, side_by_side
from mtsig_core.runtime.jobs import Progress, no_progress

_SHUFFLED_NUMBERS = 2**20  # statistics shuffled at once
_COMPILED_REPLICAS = 128  # most for which the compiled sum adds in numpy's order
_SHARES = 2  # tasks for each core: chunks alone are over too soon to be handed out
_WORTH_LOADING = 2**26  # replicas drawn in one call from which loading the kernel pays


def bootstrap_means(scores: np.ndarray, n_bootstrap: int, seed: int, *, system: int = 0) -> np.ndarray:
    """Return means over replicas drawn with replacement (Fu et al., Table 3), shape (n_bootstrap,).

    Parameters
    ----------
    scores : ndarray of shape (replica,) or (n_bootstrap, replica)
        Scores of a system's replicas on the test set, or on each of n_bootstrap resampled test sets: then replicas
        and segments are resampled together.
    n_bootstrap, seed : int
    system : int
        Numbers the random stream: systems of different numbers are resampled independently; systems of one
        number and equally many replicas take the same places of their lists.

    Raises
    ------
    ValueError
        When there are no replicas, or not one row of scores per resample.
    """
    scores = np.asarray(scores, dtype=float)
    n = scores.shape[-1]
    if n < 1 or (scores.ndim == 2 and len(scores) != n_bootstrap):
        raise ValueError(f"expected scores of shape (replica,) or ({n_bootstrap}, replica); got {scores.shape}.")
    if n * n_bootstrap > _WORTH_LOADING:
        SIGNED_SUMS.start()
    resampled = _ResampledSums(np.ascontiguousarray(scores.reshape(-1, n)), seed, system, np.empty(n_bootstrap))
    chunks = list(random_streams.chunks(n_bootstrap, random_streams.replica_chunk_size(n)))
    together = -(-len(chunks) // (_SHARES * cores()))
    groups = [chunks[i : i + together] for i in range(0, len(chunks), together)]
    deque(side_by_side(resampled.fill, groups), maxlen=0)
    return resampled.sums / n


@dataclass(frozen=True, eq=False)
class _ResampledSums:
    """Sums of scores of resampled replicas.

    Parameters
    ----------
    scores : ndarray of shape (1 or resample, replica)
    seed, system : int
    sums : ndarray of shape (resample,)
        Filled in chunk by chunk.
    """

    scores: np.ndarray
    seed: int
    system: int
    sums: np.ndarray

    def fill(self, chunks: Sequence[Chunk]) -> None:
        """Fill in the sums of some chunks: by the kernel where it is ready, else by numpy."""
        n = self.scores.shape[1]
        for chunk in chunks:
            rows = slice(chunk.start, chunk.stop)
            own = self.scores[rows] if len(self.scores) > 1 else self.scores
            kernel = SIGNED_SUMS.loaded if n <= _COMPILED_REPLICAS else None
            if kernel is not None:
                bits = random_streams.replica_bits(self.seed, chunk, n, self.system)
                if kernel.add_resampled(bits, own, self.sums[rows]):
                    continue
            places = random_streams.replica_places(self.seed, chunk, n, self.system)
            drawn = own[0].take(places) if len(own) == 1 else np.take_along_axis(own, places, axis=1)
            self.sums[rows] = drawn.sum(axis=1)


def shuffled_scores(
    statistics: SegmentStatistics, system: str, n_permutations: int, seed: int, *, progress: Progress = no_progress
) -> np.ndarray:
    """Score a system's replicas after the outputs of each segment have been shuffled between them.

    What distinguishes a replica as a whole is lost; what happens within segments stays.

    Returns
    -------
    ndarray of shape (n_permutations, replica)
        In the metric's score units.
    """
    values = np.ascontiguousarray(statistics.of(system).transpose(1, 0, 2))  # (segment, replica, statistic)
    n_segments, n, n_statistics = values.shape
    scores = np.empty((n_permutations, n))
    size = max(1, _SHUFFLED_NUMBERS // max(1, n_segments * n * n_statistics))
    places = np.arange(n_segments)[:, None]
    for chunk in random_streams.chunks(n_permutations, size):
        rng = random_streams.generator(seed, Stream.SEGMENT_SHUFFLE, chunk.index)
        order = rng.permuted(np.tile(np.arange(n, dtype=np.int32), (chunk.size, n_segments, 1)), axis=-1)
        sums = values[places, order].sum(axis=1)
        scores[chunk.start : chunk.stop] = statistics.metric.score(sums)
        progress(chunk.stop / n_permutations, "shuffling outputs between replicas")
    return scores
