"""Many comparisons drawn from two pools of outputs, tested together: sums are made once and shared.

Approximate randomization of a comparison needs, for every shuffle, the statistics that change sides. These are
sums over its outputs (segments swapped as blocks) or over its pairs of outputs (hypotheses swapped one by one),
so the sums of all outputs, or of all pairs, are made once a shuffle and added up for each comparison.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from mtsig_core.jobs import Progress, no_progress
from mtsig_core.metrics.base import Metric
from mtsig_core.resampling import draws, products
from mtsig_core.resampling.draws import Chunk, Stream
from mtsig_core.resampling.memory import fitting

PoolUnit = Literal["segment", "hypothesis"]
_BLOCK = 2**14  # segments whose bits are unpacked at once
_NUMBERS = 2**18  # numbers held at once by one array, so that it stays in the cache: 2 MB
_TIE = 1e-12


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Comparisons of equally many outputs a side.

    Parameters
    ----------
    a, b : ndarray of int of shape (comparison, n)
        Places of the outputs of either side in their pools.
    """

    a: np.ndarray
    b: np.ndarray

    def __post_init__(self) -> None:
        if self.a.ndim != 2 or self.a.shape != self.b.shape or not self.a.size:
            raise ValueError(f"expected places of shape (comparison, n) twice; got {self.a.shape}, {self.b.shape}.")

    @property
    def n(self) -> int:
        """Outputs a side."""
        return self.a.shape[1]

    def __len__(self) -> int:
        return len(self.a)


@dataclass(frozen=True, eq=False)
class PoolTest:
    """What approximate randomization says of comparisons.

    Parameters
    ----------
    differences : ndarray of shape (comparison,)
        D of pooled scores, B minus A.
    p : ndarray of shape (comparison,)
        (c + 1) / (R + 1), c the shuffles with |D_r| >= |D|.
    """

    differences: np.ndarray
    p: np.ndarray


def all_pairs(n_a: int, n_b: int) -> Comparisons:
    """Return every comparison of one output with one other, B's changing fastest."""
    a, b = np.divmod(np.arange(n_a * n_b), n_b)
    return Comparisons(a[:, None], b[:, None])


def drawn_comparisons(n_a: int, n_b: int, n: int, n_draws: int, seed: int) -> Comparisons:
    """Draw n of either pool's outputs without replacement, again and again; the draws depend on seed and n only."""
    if not 1 <= n <= min(n_a, n_b):
        raise ValueError(f"{n} outputs cannot be drawn from pools of {n_a} and {n_b}.")
    rng = draws.generator(seed, Stream.POOL_DRAW, n)
    a, b = (np.argsort(rng.random((n_draws, size)), axis=1)[:, :n] for size in (n_a, n_b))
    return Comparisons(a, b)


def pool_tests(
    metric: Metric,
    a: np.ndarray,
    b: np.ndarray,
    groups: Sequence[Comparisons],
    shuffles: int,
    seed: int,
    *,
    unit: PoolUnit = "segment",
    progress: Progress = no_progress,
) -> list[PoolTest]:
    """Test comparisons drawn from two pools by approximate randomization, all with the same shuffles.

    Parameters
    ----------
    metric : Metric
    a, b : ndarray of shape (output, segment, statistic)
        The pools, on the same segments.
    groups : sequence of Comparisons
    shuffles, seed : int
    unit : {"segment", "hypothesis"}
        ``segment`` swaps all outputs of a segment as one block; ``hypothesis`` swaps each pair of outputs (the
        k-th of A with the k-th of B) of each segment on its own. Then no output of A may occur twice in a comparison.
    progress : callable

    Returns
    -------
    list of PoolTest
        One a group. Exchanges are drawn, never enumerated.
    """
    if shuffles < 1:
        raise ValueError(f"shuffles must be at least 1; got {shuffles}.")
    totals = a.sum(axis=1), b.sum(axis=1)
    counters = [_Counter(metric, totals, group) for group in groups]
    moved = _OutputSums(a, b) if unit == "segment" else _PairSums(a, b)
    for chunk in draws.chunks(shuffles, moved.chunk_size):
        for some in _slices(chunk.size, fitting(moved.bytes_a_draw, most=chunk.size)):
            sums = moved.of(seed, chunk, some)
            for counter in counters:
                for part in counter.parts(some.stop - some.start):
                    counter.count(part, moved.of_comparisons(sums, counter.group, part))
        progress(chunk.stop / shuffles, "exchanging outputs")
    return [counter.result(shuffles) for counter in counters]

def _slices(n: int, step: int) -> Iterator[slice]:
    for start in range(0, n, step):
        yield slice(start, min(start + step, n))


class _Counter:
    """Counts, for each comparison of a group, the shuffles at least as extreme as the data."""

    def __init__(self, metric: Metric, totals: tuple[np.ndarray, np.ndarray], group: Comparisons) -> None:
        self.metric, self.group = metric, group
        self.a, self.b = (t[places].sum(axis=1) for t, places in zip(totals, (group.a, group.b), strict=True))
        of_a, of_b = metric.score(self.a / group.n), metric.score(self.b / group.n)
        self.differences = of_b - of_a
        scale = np.maximum(1.0, np.maximum(np.abs(of_a), np.abs(of_b)))
        self.least = np.abs(self.differences) - _TIE * scale
        self.counts = np.zeros(len(group), dtype=np.int64)

    def parts(self, n_draws: int) -> Iterator[slice]:
        """Cut the comparisons so that the sums of one part fit the memory set aside."""
        step = max(1, _NUMBERS // (n_draws * self.a.shape[1]))
        yield from _slices(len(self.group), step)

    def count(self, part: slice, moved: np.ndarray) -> None:
        """Count the shuffles of a part, whose moved sums have shape (comparison, statistic, draw)."""
        n = self.group.n
        sides = ((self.b[part][:, :, None] + moved) / n, (self.a[part][:, :, None] - moved) / n)
        of_b, of_a = (self.metric.score(np.moveaxis(side, 1, -1)) for side in sides)
        self.counts[part] += (np.abs(of_b - of_a) >= self.least[part][:, None]).sum(axis=1)

    def result(self, shuffles: int) -> PoolTest:
        return PoolTest(self.differences, (self.counts + 1) / (shuffles + 1))


class _Bits:
    """Fair bits of every segment, in blocks, as a matrix fit for a product."""

    def __init__(self, n_segments: int, dtype: np.dtype) -> None:
        self.n_segments, self.dtype = n_segments, dtype

    def blocks(self, seed: int, chunk: Chunk, some: slice, stream: int) -> Iterator[tuple[slice, np.ndarray]]:
        """Yield segments and their bits, shape (segment, draw), of some draws of a chunk.

        Streams of different numbers are independent.
        """
        n_blocks = -(-self.n_segments // _BLOCK)
        for block in range(n_blocks):
            rows = slice(block * _BLOCK, min((block + 1) * _BLOCK, self.n_segments))
            size = rows.stop - rows.start
            packed = draws.flip_bits(seed, Stream.POOL_FLIP, chunk, stream * n_blocks + block, size)
            bits = np.unpackbits(packed[some], axis=1, count=size, bitorder="little")
            yield rows, np.ascontiguousarray(bits.T, dtype=self.dtype)


class _OutputSums:
    """For each shuffle and output, the sum over the swapped segments."""

    def __init__(self, a: np.ndarray, b: np.ndarray) -> None:
        outputs = [*a, *b]
        self.n_a, self.shape = len(a), (len(outputs), a.shape[2])
        # output by output, so that no second copy in double precision is held
        exact = all(products.compact(output).dtype == np.float32 for output in outputs)
        self.rows = np.empty((len(outputs) * a.shape[2], a.shape[1]), np.float32 if exact else np.float64)
        for k, output in enumerate(outputs):
            self.rows[k * a.shape[2] : (k + 1) * a.shape[2]] = output.T
        self.bits = _Bits(a.shape[1], self.rows.dtype)
        self.chunk_size = int(min(draws.EXCHANGE_CHUNK, max(8, 2**22 // len(self.rows))))
        self.bytes_a_draw = 16 * len(self.rows)

    def of(self, seed: int, chunk: Chunk, some: slice) -> np.ndarray:
        """Return sums of shape (output, statistic, draw) of some draws of a chunk."""
        sums = np.zeros((*self.shape, some.stop - some.start))
        for rows, bits in self.bits.blocks(seed, chunk, some, 0):
            sums += (self.rows[:, rows] @ bits).reshape(sums.shape)
        return sums

    def of_comparisons(self, sums: np.ndarray, group: Comparisons, part: slice) -> np.ndarray:
        """Return what leaves A for B less what comes back, shape (comparison, statistic, draw)."""
        moved = sums[group.a[part, 0]]
        moved -= sums[self.n_a + group.b[part, 0]]
        for k in range(1, group.n):
            moved += sums[group.a[part, k]]
            moved -= sums[self.n_a + group.b[part, k]]
        return moved


def _largest(values: np.ndarray) -> np.ndarray:
    """Return the largest size over outputs, shape (segment, statistic)."""
    return np.maximum(values.max(axis=0), -values.min(axis=0))


class _PairSums:
    """For each shuffle and pair of outputs, the sum of their difference over the segments swapped for A's output."""

    def __init__(self, a: np.ndarray, b: np.ndarray) -> None:
        self.n_a, self.n_b, self.n_statistics = len(a), len(b), a.shape[2]
        self.a, self.b = (x.transpose(0, 2, 1) for x in (a, b))  # (output, statistic, segment)
        probe = products.compact(_largest(a) + _largest(b))
        exact = probe.dtype == np.float32 and all(map(products.is_integer, (*a, *b)))
        self.dtype = np.dtype(np.float32 if exact else np.float64)
        self.bits = _Bits(a.shape[1], self.dtype)
        held = 8 * self.n_a * self.n_b * self.n_statistics
        self.chunk_size = int(min(draws.EXCHANGE_CHUNK, max(8, 2**25 // held)))
        self.bytes_a_draw = held
        self.rows_b = np.ascontiguousarray(self.b, dtype=self.dtype).reshape(-1, a.shape[1])

    def of(self, seed: int, chunk: Chunk, some: slice) -> np.ndarray:
        """Return sums of shape (pair, statistic, draw) of some draws of a chunk, B's output changing fastest."""
        n_draws = some.stop - some.start
        sums = np.zeros((self.n_a, self.n_b, self.n_statistics, n_draws), dtype=self.dtype)
        for i in range(self.n_a):
            own = self.a[i].astype(self.dtype)
            for rows, bits in self.bits.blocks(seed, chunk, some, i):
                from_b = (self.rows_b[:, rows] @ bits).reshape(sums.shape[1:])
                sums[i] += own[:, rows] @ bits - from_b
        return sums.reshape(self.n_a * self.n_b, self.n_statistics, n_draws)

    def of_comparisons(self, sums: np.ndarray, group: Comparisons, part: slice) -> np.ndarray:
        """Return what leaves A for B less what comes back, shape (comparison, statistic, draw)."""
        moved = np.zeros((part.stop - part.start, *sums.shape[1:]))
        for k in range(group.n):
            moved += sums[group.a[part, k] * self.n_b + group.b[part, k]]
        return moved
