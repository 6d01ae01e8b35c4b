"""Draws of replicas, whole or by single outputs (Fu et al., Tables 3 and 6), and outputs dealt among replicas."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import random_streams as draws
from mtsig_core.resampling.compiled import SIGNED_SUMS
from mtsig_core.resampling.products import WeightedSums
from mtsig_core.resampling.random_streams import Chunk, Stream
from mtsig_core.resampling.threads import cores, side_by_side
from mtsig_core.runtime.jobs import Progress, no_progress

_DEALT_NUMBERS = 2**20  # statistics dealt at once
_COMPILED_REPLICAS = 128  # most for which the compiled sum adds in numpy's order
_SHARES = 2  # tasks for each core: chunks alone are over too soon to be handed out
_WORTH_LOADING = 2**26  # replicas drawn in one call from which loading the kernel pays


def redrawn_means(scores: np.ndarray, n_draws: int, seed: int, *, system: int = 0) -> np.ndarray:
    """Return means over replicas drawn with replacement, shape (draw,).

    Parameters
    ----------
    scores : ndarray of shape (replica,) or (draw, replica)
        Scores of a system's replicas on the test set, or on each of n_draws drawn test sets: then replicas
        and segments are redrawn together.
    n_draws, seed : int
    system : int
        Numbers the stream of draws: systems of different numbers are redrawn independently, systems of one
        number and equally many replicas take the same places of their lists.

    Raises
    ------
    ValueError
        When there are no replicas, or not one row of scores a draw.
    """
    scores = np.asarray(scores, dtype=float)
    n = scores.shape[-1]
    if n < 1 or (scores.ndim == 2 and len(scores) != n_draws):
        raise ValueError(f"expected scores of shape (replica,) or ({n_draws}, replica); got {scores.shape}.")
    rows = np.ascontiguousarray(scores.reshape(-1, n))
    sums = np.empty(n_draws)

    def redraw(some: Sequence[Chunk]) -> None:
        for chunk in some:
            part = slice(chunk.start, chunk.stop)
            own = rows[part] if scores.ndim == 2 else rows
            kernel = SIGNED_SUMS.loaded if n <= _COMPILED_REPLICAS else None
            if kernel is None or not kernel.add_redrawn(draws.replica_bits(seed, chunk, n, system), own, sums[part]):
                places = draws.replica_places(seed, chunk, n, system)
                drawn = own[0].take(places) if len(own) == 1 else np.take_along_axis(own, places, axis=1)
                sums[part] = drawn.sum(axis=1)

    if n * n_draws > _WORTH_LOADING:
        SIGNED_SUMS.start()
    chunks = list(draws.chunks(n_draws, draws.replica_chunk_size(n)))
    together = -(-len(chunks) // (_SHARES * cores()))
    deque(side_by_side(redraw, [chunks[i : i + together] for i in range(0, len(chunks), together)]), maxlen=0)
    return sums / n


def hypothesis_bootstrap(
    statistics: SegmentStatistics,
    n_draws: int,
    seed: int,
    *,
    systems: Sequence[str] | None = None,
    progress: Progress = no_progress,
) -> np.ndarray:
    """Score systems on draws of their n L single outputs, pooled as if independent (Fu et al., Table 6: "Clark").

    Systems with equally many replicas share the drawn (replica, segment) places.

    Parameters
    ----------
    statistics : SegmentStatistics
    n_draws, seed : int
    systems : sequence of str, optional
        All by default.
    progress : callable

    Returns
    -------
    ndarray of shape (draw, system)
        In the metric's score units.
    """
    if n_draws < 1:
        raise ValueError(f"n_draws must be at least 1; got {n_draws}.")
    names = statistics.systems if systems is None else tuple(systems)
    scores = np.empty((n_draws, len(names)))
    sizes = [len(statistics.names(name)) for name in names]
    done = 0
    for n in dict.fromkeys(sizes):
        members = [k for k, size in enumerate(sizes) if size == n]
        pooled = np.stack([statistics.of(names[k]).reshape(-1, statistics.metric.n_statistics) for k in members])
        sums, n_units = WeightedSums(pooled), pooled.shape[1]
        for chunk in draws.chunks(n_draws, draws.bootstrap_chunk_size(n_units)):
            counts = draws.bootstrap_counts(seed, Stream.BOOTSTRAP_HYPOTHESIS, chunk, n_units)
            scores[chunk.start : chunk.stop, members] = statistics.metric.score(sums(counts))
            progress((done + len(members) * chunk.stop / n_draws) / len(names), "drawing single outputs")
        done += len(members)
    return scores


def reshuffled_scores(
    statistics: SegmentStatistics, system: str, n_draws: int, seed: int, *, progress: Progress = no_progress
) -> np.ndarray:
    """Score a system's replicas after the outputs of each segment have been dealt among them at random.

    What a replica has as a whole is lost in the deal, what happens within segments stays.

    Returns
    -------
    ndarray of shape (draw, replica)
        In the metric's score units.
    """
    values = np.ascontiguousarray(statistics.of(system).transpose(1, 0, 2))  # (segment, replica, statistic)
    n_segments, n, n_statistics = values.shape
    scores = np.empty((n_draws, n))
    size = max(1, _DEALT_NUMBERS // max(1, n_segments * n * n_statistics))
    places = np.arange(n_segments)[:, None]
    for chunk in draws.chunks(n_draws, size):
        rng = draws.generator(seed, Stream.SEGMENT_SHUFFLE, chunk.index)
        order = rng.permuted(np.tile(np.arange(n, dtype=np.int32), (chunk.size, n_segments, 1)), axis=-1)
        sums = values[places, order].sum(axis=1)
        scores[chunk.start : chunk.stop] = statistics.metric.score(sums)
        progress(chunk.stop / n_draws, "dealing outputs among replicas")
    return scores
