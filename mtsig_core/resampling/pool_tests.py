"""Many comparisons drawn from two pools of outputs, tested together: sums are made once and shared.

Approximate randomization of a comparison needs, for every shuffle, the statistics that change sides. These are
sums over its outputs (segments swapped as blocks) or over its pairs of outputs (hypotheses swapped one by one),
so the sums of all outputs, or of all pairs, are made once a shuffle and added up for each comparison.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

import numpy as np

from mtsig_core.metrics.base import Metric
from mtsig_core.resampling import products
from mtsig_core.resampling import random_streams as draws
from mtsig_core.resampling.executor import spread
from mtsig_core.resampling.memory import fitting
from mtsig_core.resampling.random_streams import Chunk, Stream
from mtsig_core.resampling.redundant_columns import alike
from mtsig_core.resampling.threads import side_by_side
from mtsig_core.runtime.jobs import Progress, Repeated, no_progress

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
    n_permutations: int,
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
    n_permutations, seed : int
    unit : {"segment", "hypothesis"}
        ``segment`` swaps all outputs of a segment as one block; ``hypothesis`` swaps each pair of outputs (the
        k-th of A with the k-th of B) of each segment on its own. Then no output of A may occur twice in a comparison.
    progress : callable

    Returns
    -------
    list of PoolTest
        One a group. Exchanges are drawn, never enumerated.
    """
    if n_permutations < 1:
        raise ValueError(f"n_permutations must be at least 1; got {n_permutations}.")
    totals = a.sum(axis=1), b.sum(axis=1)
    counters = [_Counter(metric, totals, group) for group in groups]
    moved = _OutputSums(a, b) if unit == "segment" else _PairSums(a, b)
    chunks, report = list(draws.chunks(n_permutations, moved.chunk_size)), Repeated(progress)
    extreme = [np.zeros(len(group), dtype=np.int64) for group in groups]
    # one chunk at a time holds what memory allows, and shares the cores
    with closing(spread(_Extreme(moved, counters, seed), chunks, report.again, most=1)) as counted:
        for chunk, found in zip(chunks, counted, strict=True):
            for so_far, more in zip(extreme, found, strict=True):
                so_far += more
            report(chunk.stop / n_permutations, "exchanging outputs")
    return [
        PoolTest(c.differences, (found + 1) / (n_permutations + 1)) for c, found in zip(counters, extreme, strict=True)
    ]


@dataclass(frozen=True, eq=False)
class _Extreme:
    """Counts, for each comparison of each group, the shuffles of a chunk at least as extreme as the data."""

    moved: _OutputSums | _PairSums
    counters: Sequence[_Counter]
    seed: int

    def __call__(self, chunk: Chunk) -> list[np.ndarray]:
        counts = [np.zeros(len(counter.group), dtype=np.int64) for counter in self.counters]
        for some in _slices(chunk.size, fitting(self.moved.bytes_a_draw, most=chunk.size)):
            sums = self.moved.of(self.seed, chunk, some)

            def count(what: tuple[int, slice], sums: np.ndarray = sums) -> None:
                k, part = what
                counter = self.counters[k]
                counts[k][part] += counter.extreme(part, self.moved.of_comparisons(sums, counter.group, part))

            n_draws = some.stop - some.start
            parts = [(k, part) for k, counter in enumerate(self.counters) for part in counter.parts(n_draws)]
            deque(side_by_side(count, parts), maxlen=0)
        return counts


def _slices(n: int, step: int) -> Iterator[slice]:
    for start in range(0, n, step):
        yield slice(start, min(start + step, n))


class _Counter:
    """Says, for each comparison of a group, how many shuffles are at least as extreme as the data."""

    def __init__(self, metric: Metric, totals: tuple[np.ndarray, np.ndarray], group: Comparisons) -> None:
        self.metric, self.group = metric, group
        self.a, self.b = (t[places].sum(axis=1) for t, places in zip(totals, (group.a, group.b), strict=True))
        of_a, of_b = metric.score(self.a / group.n), metric.score(self.b / group.n)
        self.differences = of_b - of_a
        scale = np.maximum(1.0, np.maximum(np.abs(of_a), np.abs(of_b)))
        self.least = np.abs(self.differences) - _TIE * scale

    def parts(self, n_draws: int) -> Iterator[slice]:
        """Cut the comparisons so that the sums of one part fit the memory set aside."""
        step = max(1, _NUMBERS // (n_draws * self.a.shape[1]))
        yield from _slices(len(self.group), step)

    def extreme(self, part: slice, moved: np.ndarray) -> np.ndarray:
        """Return their number, shape (comparison,), of moved sums of a part, (comparison, statistic, draw)."""
        n = self.group.n
        sides = ((self.b[part][:, :, None] + moved) / n, (self.a[part][:, :, None] - moved) / n)
        of_b, of_a = (self.metric.score(np.moveaxis(side, 1, -1)) for side in sides)
        return (np.abs(of_b - of_a) >= self.least[part][:, None]).sum(axis=1)


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
            packed = draws.flip_bits(seed, Stream.POOL_FLIP, chunk, stream * n_blocks + block, size)
            bits = np.unpackbits(packed[some], axis=1, count=size, bitorder="little").astype(self.dtype)
            few = slice(*np.searchsorted(self.few, (rows.start, rows.stop)))
            yield rows, bits.T, few, bits[:, self.few[few] - rows.start].T


class _OutputSums:
    """For each shuffle and output, the sum over the swapped segments, less what is the same for all outputs."""

    def __init__(self, a: np.ndarray, b: np.ndarray) -> None:
        outputs = [*a, *b]
        self.n_a, self.shape = len(a), (len(outputs), a.shape[2])
        # output by output, so that no second copy in double precision is held
        exact = all(products.compact(output).dtype == np.float32 for output in outputs)
        dtype = np.dtype(np.float32 if exact else np.float64)
        self.alike = alike(outputs, exact)
        self.rows = _stacked([self.alike.of_all(output) for output in outputs], dtype)
        self.few = _stacked([self.alike.of_few(output) for output in outputs], dtype)
        self.bits = _Bits(a.shape[1], self.alike.few, dtype)
        n_sums = self.shape[0] * self.shape[1]
        self.chunk_size = int(min(draws.EXCHANGE_CHUNK, max(8, 2**22 // n_sums)))
        self.bytes_a_draw = 16 * n_sums

    def of(self, seed: int, chunk: Chunk, some: slice) -> np.ndarray:
        """Return sums of shape (output, statistic, draw) of some draws of a chunk."""
        sums = np.zeros((*self.shape, some.stop - some.start))
        for rows, bits, few, bits_of_few in self.bits.blocks(seed, chunk, some, 0):
            self.alike.add(sums, _product(self.rows, rows, bits), _product(self.few, few, bits_of_few))
        return sums

    def of_comparisons(self, sums: np.ndarray, group: Comparisons, part: slice) -> np.ndarray:
        """Return what leaves A for B less what comes back, shape (comparison, statistic, draw)."""
        moved = sums[group.a[part, 0]]
        moved -= sums[self.n_a + group.b[part, 0]]
        for k in range(1, group.n):
            moved += sums[group.a[part, k]]
            moved -= sums[self.n_a + group.b[part, k]]
        return moved


def _stacked(rows: Sequence[np.ndarray], dtype: np.dtype) -> np.ndarray:
    """Return the rows of outputs, each of shape (column, segment), as one array (output, column, segment)."""
    made = np.empty((len(rows), *rows[0].shape), dtype)
    for place, of_output in zip(made, rows, strict=True):
        place[:] = of_output
    return made


def _product(rows: np.ndarray, which: slice, bits: np.ndarray) -> np.ndarray:
    """Return the sums, shape (..., column, draw), of the rows, (..., column, segment), over some chosen segments."""
    flat = rows.reshape(rows.shape[0] * rows.shape[1], rows.shape[2])[:, which]
    return (flat @ bits).reshape(*rows.shape[:-1], bits.shape[1])


def _largest(values: np.ndarray) -> np.ndarray:
    """Return the largest size over outputs, shape (segment, statistic)."""
    return np.maximum(values.max(axis=0), -values.min(axis=0))


class _PairSums:
    """For each shuffle and pair of outputs, the sum of their difference over the segments swapped for A's output."""

    def __init__(self, a: np.ndarray, b: np.ndarray) -> None:
        self.shape = len(a), len(b), a.shape[2]
        self.a = a
        probe = products.compact(_largest(a) + _largest(b))
        exact = probe.dtype == np.float32 and all(map(products.is_integer, (*a, *b)))
        self.dtype = np.dtype(np.float32 if exact else np.float64)
        self.alike = alike([*a, *b], exact)
        self.bits = _Bits(a.shape[1], self.alike.few, self.dtype)
        held = 8 * len(a) * len(b) * a.shape[2]
        self.chunk_size = int(min(draws.EXCHANGE_CHUNK, max(8, 2**25 // held)))
        self.bytes_a_draw = held
        self.rows_b = _stacked([self.alike.of_all(output) for output in b], self.dtype)
        self.few_b = _stacked([self.alike.of_few(output) for output in b], self.dtype)

    def of(self, seed: int, chunk: Chunk, some: slice) -> np.ndarray:
        """Return sums of shape (pair, statistic, draw) of some draws of a chunk, B's output changing fastest."""
        n_a, n_b, n_statistics = self.shape
        sums = np.zeros((*self.shape, some.stop - some.start), dtype=self.dtype)

        def add(i: int) -> None:
            own, few_own = (of(self.a[i]).astype(self.dtype) for of in (self.alike.of_all, self.alike.of_few))
            for rows, bits, few, bits_of_few in self.bits.blocks(seed, chunk, some, i):
                kept = own[:, rows] @ bits - _product(self.rows_b, rows, bits)
                more = few_own[:, few] @ bits_of_few - _product(self.few_b, few, bits_of_few)
                self.alike.add(sums[i], kept, more)

        deque(side_by_side(add, range(n_a)), maxlen=0)
        return sums.reshape(n_a * n_b, n_statistics, -1)

    def of_comparisons(self, sums: np.ndarray, group: Comparisons, part: slice) -> np.ndarray:
        """Return what leaves A for B less what comes back, shape (comparison, statistic, draw)."""
        moved = np.zeros((part.stop - part.start, *sums.shape[1:]))
        for k in range(group.n):
            moved += sums[group.a[part, k] * self.shape[1] + group.b[part, k]]
        return moved
