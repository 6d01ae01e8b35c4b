"""What an exchange is: swaps of pairs, random assignments within segments, swaps and assignments of whole outputs.

A scheme knows how many distinct exchanges it has and gives the statistic under drawn or enumerated
ones; number 0 of the enumeration is the observed arrangement. Where sums are exchanged, what leaves
one side enters the other, so the two sides partition the pool by construction.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from mtsig_core.resampling import random_streams
from mtsig_core.resampling.products import SubsetSums
from mtsig_core.resampling.random_streams import Chunk, Stream

Score = Callable[[np.ndarray], np.ndarray]
ROW_BLOCK = 2**16  # rows whose bits are drawn at once


class Scheme(Protocol):
    """A way to exchange the outputs of two systems."""

    @property
    def n_distinct(self) -> int | float:
        """Number of distinct exchanges (inf beyond what a float holds)."""

    def observed(self) -> float:
        """Return the statistic of the data."""

    def drawn(self, seed: int, chunks: Sequence[Chunk]) -> np.ndarray:
        """Return the statistic under the exchanges drawn in some chunks, shape (draw,)."""

    def enumerated(self, start: int, stop: int) -> np.ndarray:
        """Return the statistic under the distinct exchanges start..stop-1."""


def power(options: int, n: int) -> int | float:
    """Return options^n, or inf where a float cannot hold it."""
    return options**n if n * math.log2(options) < 1000 else math.inf


def _swap_bits(seed: int, stream: Stream, chunks: Sequence[Chunk], block: int, n_rows: int) -> np.ndarray:
    """Return the packed bits of some consecutive chunks, shape (draw, byte); those of each chunk are freed."""
    return np.concatenate([random_streams.swap_bits(seed, stream, chunk, block, n_rows) for chunk in chunks])


@dataclass(frozen=True, eq=False)
class PairSwaps:
    """Each pair of a list is swapped with probability 1/2; the statistic is a difference of pooled scores.

    Parameters
    ----------
    a, b : ndarray of shape (pair, statistic)
        Statistics of the members of each pair, multiplied by `scale`.
    scale : int
        Makes means over replicas whole numbers, so that ties are exact.
    score : callable
        (..., statistic) -> (...).
    stream : Stream
    every : bool
        Draw a bit for every pair, so that other lists of as many pairs are swapped at the same places; else only for
        pairs whose members differ.
    precomputed : callable, optional
        (start, stop) -> what changes sides in these draws, shape (draw, statistic), where that was summed before.
    """

    a: np.ndarray
    b: np.ndarray
    scale: int
    score: Score
    stream: Stream = Stream.SWAP
    every: bool = False
    precomputed: Callable[[int, int], np.ndarray] | None = None

    @cached_property
    def active(self) -> np.ndarray:
        """Places of the pairs whose members differ: only these change anything."""
        return np.flatnonzero(np.any(self.a != self.b, axis=1))

    @property
    def moved(self) -> np.ndarray:
        """A minus B of the pairs whose members differ, shape (pair, statistic)."""
        return self._moved(self.active)

    def _moved(self, places: np.ndarray) -> np.ndarray:
        moved = self.a[places]
        moved -= self.b[places]
        return moved

    @cached_property
    def blocks(self) -> list[SubsetSums]:
        """The moved pairs in blocks whose bits are drawn at once, ready for products."""
        places = np.arange(len(self.a)) if self.every else self.active
        starts = range(0, len(places), ROW_BLOCK)
        return [SubsetSums(self._moved(places[i : i + ROW_BLOCK])) for i in starts]

    @cached_property
    def totals(self) -> tuple[np.ndarray, np.ndarray]:
        """Observed sums of either side."""
        return self.a.sum(axis=0), self.b.sum(axis=0)

    @property
    def n_distinct(self) -> int | float:
        """2^m for the m pairs whose members differ."""
        return power(2, len(self.active))

    def sums(self, moved: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the sums of both sides once `moved`, shape (draw, statistic), has changed sides."""
        return self.totals[0] - moved, self.totals[1] + moved

    def _difference(self, moved: np.ndarray) -> np.ndarray:
        a, b = self.sums(moved)
        return self.score(b / self.scale) - self.score(a / self.scale)

    def moved_sums(self, seed: int, chunks: Sequence[Chunk]) -> np.ndarray:
        """Return what changes sides in each draw of some consecutive chunks, shape (draw, statistic)."""
        if self.precomputed is not None:
            return self.precomputed(chunks[0].start, chunks[-1].stop)
        moved = np.zeros((sum(c.size for c in chunks), self.a.shape[1]))
        for block, sums in enumerate(self.blocks):
            moved += sums(_swap_bits(seed, self.stream, chunks, block, sums.n_rows))
        return moved

    def observed(self) -> float:
        """Return D of the data."""
        return float(self._difference(np.zeros((1, self.a.shape[1])))[0])

    def drawn(self, seed: int, chunks: Sequence[Chunk]) -> np.ndarray:
        """Return D under drawn swaps, shape (draw,)."""
        return self._difference(self.moved_sums(seed, chunks))

    def enumerated(self, start: int, stop: int) -> np.ndarray:
        """Return D under swap patterns start..stop-1; pattern 0 swaps nothing."""
        return self._difference(SubsetSums(self.moved)(random_streams.all_swaps(start, stop)))


@dataclass(frozen=True, eq=False)
class SegmentAssignments:
    """The outputs of each segment are assigned at random, n_a of them to A; D is a difference of pooled scores.

    Parameters
    ----------
    values : ndarray of shape (segment, output, statistic)
        The outputs of A first.
    n_a : int
    score : callable
    """

    values: np.ndarray
    n_a: int
    score: Score

    @cached_property
    def active(self) -> np.ndarray:
        """Statistics of the segments whose outputs are not all equal."""
        return self.values[np.any(self.values != self.values[:, :1], axis=(1, 2))]

    @cached_property
    def totals(self) -> tuple[np.ndarray, np.ndarray]:
        """Sums over the other segments for A, and over all segments and outputs."""
        everything = self.values.sum(axis=(0, 1))
        per_output = self.values[:, 0].sum(axis=0) - self.active[:, 0].sum(axis=0)
        return self.n_a * per_output, everything

    @cached_property
    def blocks(self) -> list[SubsetSums]:
        """The active segments in blocks that are drawn at once; their rows are (segment x slot)."""
        step = max(1, ROW_BLOCK // random_streams.slot_bits(self.n_outputs))
        return [self._rows(self.active[i : i + step]) for i in range(0, len(self.active), step)]

    @staticmethod
    def _rows(segments: np.ndarray) -> SubsetSums:
        n_segments, n_outputs, n_statistics = segments.shape
        slots = np.zeros((n_segments, random_streams.slot_bits(n_outputs), n_statistics))
        slots[:, :n_outputs] = segments
        return SubsetSums(slots.reshape(-1, n_statistics))

    @property
    def n_outputs(self) -> int:
        """Outputs of a segment, both systems together."""
        return self.values.shape[1]

    @property
    def n_distinct(self) -> int | float:
        """The product of the numbers of assignments of all active segments."""
        return power(math.comb(self.n_outputs, self.n_a), len(self.active))

    def _difference(self, sums: np.ndarray) -> np.ndarray:
        """Return D, shape (draw,), of what A is assigned of the active segments, shape (draw, statistic)."""
        inactive, everything = self.totals
        a = inactive + sums
        return self.score((everything - a) / (self.n_outputs - self.n_a)) - self.score(a / self.n_a)

    def observed(self) -> float:
        """Return D of the data."""
        return float(self._difference(self.active[:, : self.n_a].sum(axis=(0, 1))[None])[0])

    def drawn(self, seed: int, chunks: Sequence[Chunk]) -> np.ndarray:
        """Return D under drawn assignments, shape (draw,)."""
        assigned = np.zeros((sum(c.size for c in chunks), self.values.shape[2]))
        for block, sums in enumerate(self.blocks):
            n_segments = sums.n_rows // random_streams.slot_bits(self.n_outputs)
            bits = []
            for chunk in chunks:
                rng = random_streams.generator(seed, Stream.ASSIGNMENT, chunk.index, block)
                packed = random_streams.random_assignments(rng, (chunk.size, n_segments), self.n_outputs, self.n_a)
                bits.append(packed.reshape(chunk.size, -1))
            assigned += sums(np.concatenate(bits))
        return self._difference(assigned)

    def enumerated(self, start: int, stop: int) -> np.ndarray:
        """Return D under assignments start..stop-1, counted with one digit per segment; 0 is the observed one."""
        table = random_streams.pack_assignments(random_streams.all_assignments(self.n_outputs, self.n_a))
        digits = len(table) ** np.arange(len(self.active))
        chosen = np.arange(start, stop)[:, None] // digits % len(table)
        bits = table[chosen].reshape(stop - start, -1)
        return self._difference(self._rows(self.active)(bits))


@dataclass(frozen=True, eq=False)
class ReplicaSwaps:
    """Replicas of equal index change systems with probability 1/2; D is the difference of mean scores.

    Parameters
    ----------
    differences : ndarray of shape (replica,)
        Score of B's replica minus that of A's.
    """

    differences: np.ndarray

    @cached_property
    def active(self) -> np.ndarray:
        """The differences that are not 0."""
        return self.differences[self.differences != 0]

    @property
    def n_distinct(self) -> int | float:
        """2^m for the m pairs with different scores."""
        return power(2, len(self.active))

    def _difference(self, bits: np.ndarray) -> np.ndarray:
        swapped = np.unpackbits(bits, axis=1, count=len(self.active), bitorder="little").astype(float)
        return ((1 - 2 * swapped) * self.active).sum(axis=1) / len(self.differences)

    def observed(self) -> float:
        """Return D of the data."""
        return float(self._difference(random_streams.all_swaps(0, 1))[0])

    def drawn(self, seed: int, chunks: Sequence[Chunk]) -> np.ndarray:
        """Return D under drawn swaps, shape (draw,)."""
        return self._difference(_swap_bits(seed, Stream.REPLICA_SWAP, chunks, 0, len(self.active)))

    def enumerated(self, start: int, stop: int) -> np.ndarray:
        """Return D under swap patterns start..stop-1."""
        return self._difference(random_streams.all_swaps(start, stop))


@dataclass(frozen=True, eq=False)
class ReplicaAssignments:
    """Whole outputs are assigned at random, n_a of them to A; the statistic is of their scores.

    Parameters
    ----------
    scores : ndarray of shape (output,)
        The replicas of A first.
    n_a : int
    statistic : callable
        (draw, n_a) and (draw, n_b) scores -> (draw,).
    """

    scores: np.ndarray
    n_a: int
    statistic: Callable[[np.ndarray, np.ndarray], np.ndarray]

    @property
    def n_distinct(self) -> int:
        """C(n_a + n_b, n_a)."""
        return math.comb(len(self.scores), self.n_a)

    def _statistic(self, chosen: np.ndarray) -> np.ndarray:
        """Return the statistic, shape (draw,), of assignments, 0/1 of shape (draw, output)."""
        # A stable sort puts A's outputs first and keeps the order of scores, so equal assignments round equally.
        order = np.argsort(chosen == 0, axis=1, kind="stable")
        both = self.scores[order]
        return self.statistic(both[:, : self.n_a], both[:, self.n_a :])

    def observed(self) -> float:
        """Return the statistic of the data."""
        return float(self.statistic(self.scores[None, : self.n_a], self.scores[None, self.n_a :])[0])

    def drawn(self, seed: int, chunks: Sequence[Chunk]) -> np.ndarray:
        """Return the statistic under drawn assignments, shape (draw,)."""
        return self._statistic(random_streams.output_assignments(seed, chunks, len(self.scores), self.n_a))

    def enumerated(self, start: int, stop: int) -> np.ndarray:
        """Return the statistic under assignments start..stop-1."""
        return self._statistic(random_streams.all_assignments(len(self.scores), self.n_a, start, stop))


def mean_difference(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return mean(b) - mean(a) along the last axis."""
    return b.mean(axis=-1) - a.mean(axis=-1)


def welch_t(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return Welch's t of b against a along the last axis; 0 for equal constants, infinite for different ones."""
    difference = mean_difference(a, b)
    square = a.var(axis=-1, ddof=1) / a.shape[-1] + b.var(axis=-1, ddof=1) / b.shape[-1]
    largest = np.maximum(np.abs(a).max(axis=-1), np.abs(b).max(axis=-1))
    rounding = 1e-13 * largest
    error = np.sqrt(square)
    flat = error <= rounding
    t = difference / np.where(flat, 1.0, error)
    return np.where(flat, np.where(np.abs(difference) <= rounding, 0.0, np.copysign(np.inf, difference)), t)
