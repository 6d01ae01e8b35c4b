"""Random streams: draws in chunks of fixed size, so that one seed gives the same numbers whatever else is computed.

A generator belongs to one (stream, chunk, block of rows), so neither the order of chunks, nor the
number of workers, nor the other systems and metrics of a call change what is drawn. The numbers of streams are
part of every result: they never change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations, islice
from math import comb

import numpy as np

EXCHANGE_CHUNK = 256  # draws in one chunk of exchanges
_BOOTSTRAP_CHUNK = 256  # draws in one chunk of test sets, fewer where ...
_BOOTSTRAP_INDICES = 2**22  # ... so many drawn segments fill the memory set aside
_REPLICA_PLACES = 2**16  # replicas drawn in one chunk of draws
_MOST_TABULATED = 4096  # assignments of one segment that are tabulated rather than drawn output by output


class Stream(IntEnum):
    """What a stream of random numbers is for: two purposes never share numbers."""

    BOOTSTRAP_SEGMENT = 0
    BOOTSTRAP_DOCUMENT = 1
    SWAP = 2
    ASSIGNMENT = 3
    PAIRING = 4
    REPLICA_SWAP = 5
    REPLICA_ASSIGNMENT = 6
    BOOTSTRAP_REPLICA = 7
    BOOTSTRAP_HYPOTHESIS = 8
    HALF = 9
    POOL_SWAP = 10
    POOL_SAMPLE = 11
    SEGMENT_SHUFFLE = 12
    LESSON = 13


@dataclass(frozen=True)
class Chunk:
    """Draws start..stop-1 of a stream, with the number of their chunk."""

    index: int
    start: int
    stop: int

    @property
    def size(self) -> int:
        """Number of draws."""
        return self.stop - self.start


def generator(seed: int, stream: Stream, chunk: int = 0, block: int = 0) -> np.random.Generator:
    """Return the generator of one chunk (and block of rows) of a stream."""
    sequence = np.random.SeedSequence(seed, spawn_key=(int(stream), chunk, block))
    return np.random.Generator(np.random.PCG64DXSM(sequence))


def chunks(n_draws: int, size: int) -> Iterator[Chunk]:
    """Cut n_draws draws into chunks of a fixed size; only the last may be shorter."""
    for index, start in enumerate(range(0, n_draws, size)):
        yield Chunk(index, start, min(start + size, n_draws))


def bootstrap_chunk_size(n_units: int) -> int:
    """Return the draws in a chunk of test sets: it depends on their size alone."""
    return max(1, min(_BOOTSTRAP_CHUNK, _BOOTSTRAP_INDICES // n_units))


def bootstrap_counts(seed: int, stream: Stream, chunk: Chunk, n_units: int) -> np.ndarray:
    """Draw test sets of n_units units with replacement.

    Returns
    -------
    ndarray of int of shape (draw, unit)
        How often each unit was drawn; a row sums to n_units.
    """
    units = generator(seed, stream, chunk.index).integers(0, n_units, size=(chunk.size, n_units))
    units += n_units * np.arange(chunk.size)[:, None]
    return np.bincount(units.ravel(), minlength=chunk.size * n_units).reshape(chunk.size, n_units)


def half_counts(seed: int, chunk: Chunk, n_units: int) -> np.ndarray:
    """Draw test sets of half the units without replacement.

    Returns
    -------
    ndarray of int of shape (draw, unit)
        1 for a unit drawn; a row sums to n_units // 2, at least 1.
    """
    keys = generator(seed, Stream.HALF, chunk.index).random((chunk.size, n_units))
    size = max(1, n_units // 2)
    counts = np.zeros((chunk.size, n_units), dtype=np.int64)
    np.put_along_axis(counts, np.argpartition(keys, size - 1, axis=1)[:, :size], 1, axis=1)
    return counts


def replica_chunk_size(n: int) -> int:
    """Return the draws in a chunk of draws of n replicas: it depends on their number alone."""
    return max(1, _REPLICA_PLACES // n)


def replica_places(seed: int, chunk: Chunk, n: int, system: int) -> np.ndarray:
    """Draw n of a system's n replicas with replacement, shape (draw, n); `system` numbers the stream."""
    return generator(seed, Stream.BOOTSTRAP_REPLICA, chunk.index, system).integers(0, n, size=(chunk.size, n))


def replica_bits(seed: int, chunk: Chunk, n: int, system: int) -> np.ndarray:
    """Return the random bits that `replica_places` makes places of, in their order, uint32."""
    words = -(-chunk.size * n // 2)
    raw = generator(seed, Stream.BOOTSTRAP_REPLICA, chunk.index, system).bit_generator.random_raw(words)
    return raw.astype("<u8", copy=False).view("<u4")[: chunk.size * n].astype(np.uint32, copy=False)


def swap_bits(seed: int, stream: Stream, chunk: Chunk, block: int, n_rows: int) -> np.ndarray:
    """Draw one fair bit for each draw and row.

    Returns
    -------
    ndarray of uint8 of shape (draw, byte)
        Packed, lowest bit first, at least n_rows bits in a row.
    """
    words = -(-n_rows // 64)
    raw = generator(seed, stream, chunk.index, block).bit_generator.random_raw(chunk.size * words)
    return raw.astype("<u8", copy=False).view(np.uint8).reshape(chunk.size, 8 * words)


def all_swaps(start: int, stop: int) -> np.ndarray:
    """Return the swap patterns start..stop-1 as packed bits, shape (pattern, 8): pattern 0 swaps nothing."""
    return np.arange(start, stop, dtype="<u8").view(np.uint8).reshape(stop - start, 8)


def pairings(seed: int, n_segments: int, n: int) -> np.ndarray:
    """Draw, once per segment, which replica of B each replica of A is paired with; shape (segment, n)."""
    return np.argsort(generator(seed, Stream.PAIRING).random((n_segments, n)), axis=1)


def all_assignments(n_outputs: int, n_chosen: int, start: int = 0, stop: int | None = None) -> np.ndarray:
    """Return the assignments start..stop-1 (all by default) of n_chosen out of n_outputs to system A.

    Returns
    -------
    ndarray of 0/1 of shape (assignment, output)
        Assignment 0 chooses the first outputs.
    """
    stop = comb(n_outputs, n_chosen) if stop is None else stop
    table = np.zeros((stop - start, n_outputs), dtype=np.uint8)
    for row, chosen in zip(table, islice(combinations(range(n_outputs), n_chosen), start, stop), strict=True):
        row[list(chosen)] = 1
    return table


def slot_bits(n_outputs: int) -> int:
    """Return how many bits the packed assignment of one unit takes: the next of 8, 16, 32, or a multiple of 64."""
    return next((bits for bits in (8, 16, 32) if n_outputs <= bits), 64 * -(-n_outputs // 64))


def pack_assignments(chosen: np.ndarray) -> np.ndarray:
    """Pack 0/1, shape (..., output), into bytes, lowest bit first, shape (..., slot_bits / 8)."""
    packed = np.zeros((*chosen.shape[:-1], slot_bits(chosen.shape[-1]) // 8), dtype=np.uint8)
    packed[..., : -(-chosen.shape[-1] // 8)] = np.packbits(chosen, axis=-1, bitorder="little")
    return packed


def random_assignments(
    rng: np.random.Generator, shape: tuple[int, int], n_outputs: int, n_chosen: int
) -> np.ndarray:
    """Choose n_chosen of each unit's n_outputs again and again, all choices equally likely.

    Parameters
    ----------
    rng : Generator
    shape : (draw, unit)
    n_outputs, n_chosen : int

    Returns
    -------
    ndarray of uint8 of shape (draw, unit, byte)
        Packed as by `pack_assignments`.
    """
    if comb(n_outputs, n_chosen) <= _MOST_TABULATED:
        table = pack_assignments(all_assignments(n_outputs, n_chosen))
        return table[rng.integers(0, len(table), size=shape)]
    if n_outputs > 64:
        keys = (rng.random(shape, dtype=np.float32) for _ in range(n_outputs))
        return pack_assignments(_selection(keys, n_outputs, n_chosen))
    fewer = min(n_chosen, n_outputs - n_chosen)
    codes = _distinct(rng, shape, n_outputs, fewer)
    if fewer < n_chosen:
        codes ^= np.uint64(2**n_outputs - 1)
    return codes.astype("<u8", copy=False).view(np.uint8).reshape(*shape, 8)[..., : slot_bits(n_outputs) // 8]


def _distinct(rng: np.random.Generator, shape: tuple[int, int], n_outputs: int, n_chosen: int) -> np.ndarray:
    """Choose n_chosen of up to 64 outputs by Floyd's method (Bentley and Floyd 1987), as the bits of a uint64."""
    codes = np.zeros(shape, dtype=np.uint64)
    for last in range(n_outputs - n_chosen, n_outputs):
        output = np.uint64(1) << rng.integers(0, last + 1, size=shape, dtype=np.uint8).astype(np.uint64)
        codes |= np.where(codes & output, np.uint64(1 << last), output)
    return codes


def output_assignments(seed: int, chunks: Sequence[Chunk], n_outputs: int, n_chosen: int) -> np.ndarray:
    """Choose whole outputs, as `random_assignments` does for one unit; 0/1 of shape (draw, output).

    Parameters
    ----------
    seed : int
    chunks : sequence of Chunk
        Those whose draws are wanted.
    n_outputs, n_chosen : int
    """
    rngs = [generator(seed, Stream.REPLICA_ASSIGNMENT, chunk.index) for chunk in chunks]
    if n_outputs > 64 and comb(n_outputs, n_chosen) > _MOST_TABULATED:
        keys = [rng.random((n_outputs, chunk.size), dtype=np.float32) for rng, chunk in zip(rngs, chunks, strict=True)]
        return _selection(np.concatenate(keys, axis=1), n_outputs, n_chosen)
    packed = [
        random_assignments(rng, (chunk.size, 1), n_outputs, n_chosen)[:, 0]
        for rng, chunk in zip(rngs, chunks, strict=True)
    ]
    return np.unpackbits(np.concatenate(packed), axis=1, count=n_outputs, bitorder="little")


def _selection(keys: Iterable[np.ndarray], n_outputs: int, n_chosen: int) -> np.ndarray:
    """Choose outputs by selection sampling: each with probability (still needed) / (still to come).

    Parameters
    ----------
    keys : iterable of n_outputs arrays of uniform random numbers, float32
    n_outputs, n_chosen : int

    Returns
    -------
    ndarray of 0/1 of the shape of a key with one more axis: outputs
    """
    chosen: list[np.ndarray] = []
    needed = np.asarray(n_chosen, dtype=np.float32)
    for key in keys:
        taken = key < needed / np.float32(n_outputs - len(chosen))
        needed = needed - taken
        chosen.append(taken.view(np.uint8))
    return np.stack(chosen, axis=-1)
