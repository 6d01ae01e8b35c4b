"""Many comparisons sampled from two pools of outputs, tested together: sums are computed once and shared.

Approximate randomization of a comparison needs, for every permutation, the statistics that change sides. These are
sums over its outputs (segments swapped as blocks) or over its pairs of outputs (hypotheses swapped one by one),
so the sums of all outputs, or of all pairs, are computed once per permutation and added up for each comparison.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from mtsig_core.metrics.base import Metric
from mtsig_core.resampling import products, random_streams
from mtsig_core.resampling.executor import spread
from mtsig_core.resampling.memory import fitting
from mtsig_core.resampling.random_streams import Chunk, Stream
from mtsig_core.resampling.redundant_columns import find_redundant_columns
from mtsig_core.resampling.threads import side_by_side
from mtsig_core.runtime.jobs import Progress, Repeated, no_progress

PoolUnit = Literal["segment", "hypothesis"]
_BLOCK = 2**14  # segments whose bits are unpacked at once
_NUMBERS = 2**18  # numbers held at once by one array, so that it stays in the cache: 2 MB
_TIE = 1e-12


@dataclass(frozen=True, eq=False)
class Pools:
    """Two pools of outputs on the same segments.

    Parameters
    ----------
    metric : Metric
    a, b : ndarray of shape (output, segment, statistic)
    """

    metric: Metric
    a: np.ndarray
    b: np.ndarray

    @cached_property
    def totals(self) -> tuple[np.ndarray, np.ndarray]:
        """Statistics of whole outputs of either pool, each of shape (output, statistic)."""
        return self.a.sum(axis=1), self.b.sum(axis=1)


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Comparisons of equally many outputs per side.

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
        """Outputs per side."""
        return self.a.shape[1]

    def __len__(self) -> int:
        return len(self.a)


@dataclass(frozen=True, eq=False)
class PoolTest:
    """The results of approximate randomization of comparisons.

    Parameters
    ----------
    differences : ndarray of shape (comparison,)
        D of pooled scores, B minus A.
    p : ndarray of shape (comparison,)
        (c + 1) / (R + 1), c the number of permutations with |D_r| >= |D|.
    """

    differences: np.ndarray
    p: np.ndarray


def all_pairs(n_a: int, n_b: int) -> Comparisons:
    """Return every comparison of one output with one other, B's changing fastest."""
    a, b = np.divmod(np.arange(n_a * n_b), n_b)
    return Comparisons(a[:, None], b[:, None])


def sampled_comparisons(n_a: int, n_b: int, n: int, n_draws: int, seed: int) -> Comparisons:
    """Draw n of either pool's outputs without replacement, again and again; the draws depend on seed and n only.

    Raises
    ------
    ValueError
        When a pool has fewer than n outputs, or n < 1.
    """
    if not 1 <= n <= min(n_a, n_b):
        raise ValueError(f"{n} outputs cannot be drawn from pools of {n_a} and {n_b}.")
    rng = random_streams.generator(seed, Stream.POOL_SAMPLE, n)
    a, b = (np.argsort(rng.random((n_draws, size)), axis=1)[:, :n] for size in (n_a, n_b))
    return Comparisons(a, b)


def pool_tests(
    pools: Pools, groups: Sequence[Comparisons], n_permutations: int, seed: int, *, unit: PoolUnit = "segment",
    progress: Progress = no_progress,
) -> list[PoolTest]:  # fmt: skip
    """Test comparisons sampled from two pools by approximate randomization, all with the same permutations.

    Parameters
    ----------
    pools : Pools
    groups : sequence of Comparisons
    n_permutations, seed : int
    unit : {"segment", "hypothesis"}
        ``segment`` swaps all outputs of a segment as one block; ``hypothesis`` swaps each pair of outputs (the
        k-th of A with the k-th of B) of each segment on its own. Then no output of A may occur twice in a comparison.
    progress : callable

    Returns
    -------
    list of PoolTest
        One per group. Exchanges are drawn, never enumerated.

    Raises
    ------
    ValueError
        When n_permutations < 1.
    """
    if n_permutations < 1:
        raise ValueError(f"n_permutations must be at least 1; got {n_permutations}.")
    counters = [_Counter(pools, group) for group in groups]
    moved = _OutputSums(pools.a, pools.b) if unit == "segment" else _PairSums(pools.a, pools.b)
    counts = _count(_ExtremeCounts(moved, counters, seed), n_permutations, progress)
    return [
        PoolTest(counter.differences, (extreme + 1) / (n_permutations + 1))
        for counter, extreme in zip(counters, counts, strict=True)
    ]


def _count(work: _ExtremeCounts, n_permutations: int, progress: Progress) -> list[np.ndarray]:
    """Return, for each comparison of each group, the number of permutations at least as extreme as the data."""
    chunks = list(random_streams.chunks(n_permutations, work.moved.chunk_size))
    report = Repeated(progress)
    totals = [np.zeros(len(counter.group), dtype=np.int64) for counter in work.counters]
    # one chunk at a time holds what memory allows, and shares the cores
    with closing(spread(work, chunks, report.again, most=1)) as counted:
        for chunk, of_chunk in zip(chunks, counted, strict=True):
            for total, more in zip(totals, of_chunk, strict=True):
                total += more
            report(chunk.stop / n_permutations, "exchanging outputs")
    return totals


@dataclass(frozen=True, eq=False)
class _ExtremeCounts:
    """Counts, for each comparison of each group, the permutations of a chunk at least as extreme as the data."""

    moved: _OutputSums | _PairSums
    counters: Sequence[_Counter]
    seed: int

    def __call__(self, chunk: Chunk) -> list[np.ndarray]:
        counts = [np.zeros(len(counter.group), dtype=np.int64) for counter in self.counters]
        for some in _slices(chunk.size, fitting(self.moved.bytes_per_draw, most=chunk.size)):
            sums = self.moved.of(self.seed, chunk, some)

            def count(task: tuple[int, slice], sums: np.ndarray = sums) -> None:
                k, rows = task
                counter = self.counters[k]
                counts[k][rows] += counter.extreme(rows, self.moved.of_comparisons(sums, counter.group, rows))

            n_draws = some.stop - some.start
            tasks = [(k, rows) for k, counter in enumerate(self.counters) for rows in counter.slices(n_draws)]
            deque(side_by_side(count, tasks), maxlen=0)
        return counts


def _slices(n: int, step: int) -> Iterator[slice]:
    for start in range(0, n, step):
        yield slice(start, min(start + step, n))


class _Counter:
    """Counts, for each comparison of a group, the permutations that are at least as extreme as the data."""

    def __init__(self, pools: Pools, group: Comparisons) -> None:
        self.metric, self.group = pools.metric, group
        self.a = pools.totals[0][group.a].sum(axis=1)
        self.b = pools.totals[1][group.b].sum(axis=1)
        of_a, of_b = self.metric.score(self.a / group.n), self.metric.score(self.b / group.n)
        self.differences = of_b - of_a
        scale = np.maximum(1.0, np.maximum(np.abs(of_a), np.abs(of_b)))
        self.least = np.abs(self.differences) - _TIE * scale

    def slices(self, n_draws: int) -> Iterator[slice]:
        """Cut the comparisons so that the sums of one slice fit the memory set aside."""
        step = max(1, _NUMBERS // (n_draws * self.a.shape[1]))
        yield from _slices(len(self.group), step)

    def extreme(self, rows: slice, moved: np.ndarray) -> np.ndarray:
        """Return their number, shape (comparison,), of the moved sums of some, (comparison, statistic, draw)."""
        n = self.group.n
        sides = ((self.b[rows][:, :, None] + moved) / n, (self.a[rows][:, :, None] - moved) / n)
        of_b, of_a = (self.metric.score(np.moveaxis(side, 1, -1)) for side in sides)
        return (np.abs(of_b - of_a) >= self.least[rows][:, None]).sum(axis=1)


class _Bits:
    """Fair bits of every segment, in blocks, as a matrix fit for a product."""

    def __init__(self, n_segments: int, few: np.ndarray, dtype: np.dtype) -> None:
        self.n_segments, self.few, self.dtype = n_segments, few, dtype

    def blocks(
        self, seed: int, chunk: Chunk, some: slice, stream: int
    ) -> Iterator[tuple[slice, np.ndarray, slice, np.ndarray]]:
        """Yield segments and their bits, shape (segment, draw), of some draws; then the same of the few segments.

        Streams of different numbers are independent.
        """
        n_blocks = -(-self.n_segments // _BLOCK)
        for block in range(n_blocks):
            rows = slice(block * _BLOCK, min((block + 1) * _BLOCK, self.n_segments))
            size = rows.stop - rows.start
            packed = random_streams.swap_bits(seed, Stream.POOL_SWAP, chunk, stream * n_blocks + block, size)
            bits = np.unpackbits(packed[some], axis=1, count=size, bitorder="little").astype(self.dtype)
            few = slice(*np.searchsorted(self.few, (rows.start, rows.stop)))
            yield rows, bits.T, few, bits[:, self.few[few] - rows.start].T


class _OutputSums:
    """For each permutation and output, the sum over the swapped segments, less what is the same for all outputs."""

    def __init__(self, a: np.ndarray, b: np.ndarray) -> None:
        outputs = [*a, *b]
        self.n_a, self.shape = len(a), (len(outputs), a.shape[2])
        # output by output, so that no second copy in double precision is held
        exact = all(products.compact(output).dtype == np.float32 for output in outputs)
        dtype = np.dtype(np.float32 if exact else np.float64)
        self.redundancy = find_redundant_columns(outputs, exact)
        self.rows = _stacked([self.redundancy.of_all(output) for output in outputs], dtype)
        self.few = _stacked([self.redundancy.of_few(output) for output in outputs], dtype)
        self.bits = _Bits(a.shape[1], self.redundancy.few, dtype)
        n_sums = self.shape[0] * self.shape[1]
        self.chunk_size = int(min(random_streams.EXCHANGE_CHUNK, max(8, 2**22 // n_sums)))
        self.bytes_per_draw = 16 * n_sums

    def of(self, seed: int, chunk: Chunk, some: slice) -> np.ndarray:
        """Return sums of shape (output, statistic, draw) of some draws of a chunk."""
        sums = np.zeros((*self.shape, some.stop - some.start))
        for rows, bits, few, bits_of_few in self.bits.blocks(seed, chunk, some, 0):
            self.redundancy.add(sums, _product(self.rows, rows, bits), _product(self.few, few, bits_of_few))
        return sums

    def of_comparisons(self, sums: np.ndarray, group: Comparisons, rows: slice) -> np.ndarray:
        """Return what leaves A for B less what comes back, shape (comparison, statistic, draw)."""
        moved = sums[group.a[rows, 0]]
        moved -= sums[self.n_a + group.b[rows, 0]]
        for k in range(1, group.n):
            moved += sums[group.a[rows, k]]
            moved -= sums[self.n_a + group.b[rows, k]]
        return moved


def _stacked(rows: Sequence[np.ndarray], dtype: np.dtype) -> np.ndarray:
    """Return the rows of outputs, each of shape (column, segment), as one array (output, column, segment)."""
    stacked = np.empty((len(rows), *rows[0].shape), dtype)
    for place, of_output in zip(stacked, rows, strict=True):
        place[:] = of_output
    return stacked


def _product(rows: np.ndarray, which: slice, bits: np.ndarray) -> np.ndarray:
    """Return the sums, shape (..., column, draw), of the rows, (..., column, segment), over some chosen segments."""
    flat = rows.reshape(rows.shape[0] * rows.shape[1], rows.shape[2])[:, which]
    return (flat @ bits).reshape(*rows.shape[:-1], bits.shape[1])


def _largest(values: np.ndarray) -> np.ndarray:
    """Return the largest size over outputs, shape (segment, statistic)."""
    return np.maximum(values.max(axis=0), -values.min(axis=0))


class _PairSums:
    """For each permutation and pair of outputs, their difference summed over the segments swapped for A's output."""

    def __init__(self, a: np.ndarray, b: np.ndarray) -> None:
        self.shape = len(a), len(b), a.shape[2]
        self.a = a
        probe = products.compact(_largest(a) + _largest(b))
        exact = probe.dtype == np.float32 and all(map(products.is_integer, (*a, *b)))
        self.dtype = np.dtype(np.float32 if exact else np.float64)
        self.redundancy = find_redundant_columns([*a, *b], exact)
        self.bits = _Bits(a.shape[1], self.redundancy.few, self.dtype)
        self.bytes_per_draw = 8 * len(a) * len(b) * a.shape[2]
        self.chunk_size = int(min(random_streams.EXCHANGE_CHUNK, max(8, 2**25 // self.bytes_per_draw)))
        self.rows_b = _stacked([self.redundancy.of_all(output) for output in b], self.dtype)
        self.few_b = _stacked([self.redundancy.of_few(output) for output in b], self.dtype)

    def of(self, seed: int, chunk: Chunk, some: slice) -> np.ndarray:
        """Return sums of shape (pair, statistic, draw) of some draws of a chunk, B's output changing fastest."""
        n_a, n_b, n_statistics = self.shape
        sums = np.zeros((*self.shape, some.stop - some.start), dtype=self.dtype)

        def add(i: int) -> None:
            columns = self.redundancy
            own, few_own = (of(self.a[i]).astype(self.dtype) for of in (columns.of_all, columns.of_few))
            for rows, bits, few, bits_of_few in self.bits.blocks(seed, chunk, some, i):
                summed = own[:, rows] @ bits - _product(self.rows_b, rows, bits)
                corrections = few_own[:, few] @ bits_of_few - _product(self.few_b, few, bits_of_few)
                columns.add(sums[i], summed, corrections)

        deque(side_by_side(add, range(n_a)), maxlen=0)
        return sums.reshape(n_a * n_b, n_statistics, -1)

    def of_comparisons(self, sums: np.ndarray, group: Comparisons, rows: slice) -> np.ndarray:
        """Return what leaves A for B less what comes back, shape (comparison, statistic, draw)."""
        moved = np.zeros((rows.stop - rows.start, *sums.shape[1:]))
        for k in range(group.n):
            moved += sums[group.a[rows, k] * self.shape[1] + group.b[rows, k]]
        return moved
