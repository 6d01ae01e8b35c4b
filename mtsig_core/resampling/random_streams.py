"""Random draws, in chunks of fixed size: one seed gives the same numbers whatever else is computed.

A generator belongs to one (stream, chunk, block of rows), so neither the order of chunks, nor the
number of workers, nor the other systems and metrics of a call change what is drawn.
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
_OPTION_TABLE = 4096  # deals of one segment that are tabulated rather than drawn output by output


class Stream(IntEnum):
    """What a series of random numbers is for: two purposes never share numbers."""

    BOOTSTRAP_SEGMENT = 0
    BOOTSTRAP_DOCUMENT = 1
    FLIP = 2
    DEAL = 3
    PAIRING = 4
    REPLICA_FLIP = 5
    REPLICA_DEAL = 6
    BOOTSTRAP_REPLICA = 7
    BOOTSTRAP_HYPOTHESIS = 8
    HALF = 9
    POOL_FLIP = 10
    POOL_DRAW = 11
    SEGMENT_SHUFFLE = 12


@dataclass(frozen=True)
class Chunk:
    """Draws start..stop-1 of a series, with the number of their chunk."""

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
    drawn = generator(seed, stream, chunk.index).integers(0, n_units, size=(chunk.size, n_units))
    drawn += n_units * np.arange(chunk.size)[:, None]
    return np.bincount(drawn.ravel(), minlength=chunk.size * n_units).reshape(chunk.size, n_units)


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


def flip_bits(seed: int, stream: Stream, chunk: Chunk, block: int, n_rows: int) -> np.ndarray:
    """Draw one fair bit for each draw and row.

    Returns
    -------
    ndarray of uint8 of shape (draw, byte)
        Packed, lowest bit first, at least n_rows bits in a row.
    """
    words = -(-n_rows // 64)
    raw = generator(seed, stream, chunk.index, block).bit_generator.random_raw(chunk.size * words)
    return raw.astype("<u8", copy=False).view(np.uint8).reshape(chunk.size, 8 * words)


def all_flips(start: int, stop: int) -> np.ndarray:
    """Return the flip patterns start..stop-1 as packed bits, shape (pattern, 8): pattern 0 flips nothing."""
    return np.arange(start, stop, dtype="<u8").view(np.uint8).reshape(stop - start, 8)


def pairings(seed: int, n_segments: int, n: int) -> np.ndarray:
    """Draw, once a segment, which replica of B each replica of A is paired with; shape (segment, n)."""
    return np.argsort(generator(seed, Stream.PAIRING).random((n_segments, n)), axis=1)


def all_deals(n_cards: int, n_dealt: int, start: int = 0, stop: int | None = None) -> np.ndarray:
    """Return the deals start..stop-1 (all by default) of n_dealt out of n_cards.

    Returns
    -------
    ndarray of 0/1 of shape (deal, card)
        Deal 0 takes the first cards.
    """
    stop = comb(n_cards, n_dealt) if stop is None else stop
    table = np.zeros((stop - start, n_cards), dtype=np.uint8)
    for row, cards in zip(table, islice(combinations(range(n_cards), n_dealt), start, stop), strict=True):
        row[list(cards)] = 1
    return table


def slot_bits(n_cards: int) -> int:
    """Return how many bits the packed deal of one unit takes: the next of 8, 16, 32, or a multiple of 64."""
    return next((bits for bits in (8, 16, 32) if n_cards <= bits), 64 * -(-n_cards // 64))


def pack_deals(dealt: np.ndarray) -> np.ndarray:
    """Pack 0/1, shape (..., card), into bytes, lowest bit first, shape (..., slot_bits / 8)."""
    packed = np.zeros((*dealt.shape[:-1], slot_bits(dealt.shape[-1]) // 8), dtype=np.uint8)
    packed[..., : -(-dealt.shape[-1] // 8)] = np.packbits(dealt, axis=-1, bitorder="little")
    return packed


def deals(
    seed: int, stream: Stream, chunk: Chunk, block: int, n_units: int, n_cards: int, n_dealt: int
) -> np.ndarray:
    """Deal n_dealt of each unit's n_cards again and again, all deals equally likely.

    Returns
    -------
    ndarray of uint8 of shape (draw, unit, byte)
        Packed as by `pack_deals`.
    """
    rng = generator(seed, stream, chunk.index, block)
    shape = (chunk.size, n_units)
    if comb(n_cards, n_dealt) <= _OPTION_TABLE:
        table = pack_deals(all_deals(n_cards, n_dealt))
        return table[rng.integers(0, len(table), size=shape)]
    if n_cards > 64:
        keys = (rng.random(shape, dtype=np.float32) for _ in range(n_cards))
        return pack_deals(_selection(keys, n_cards, n_dealt))
    fewer = min(n_dealt, n_cards - n_dealt)
    codes = _distinct(rng, shape, n_cards, fewer)
    if fewer < n_dealt:
        codes ^= np.uint64(2**n_cards - 1)
    return codes.astype("<u8", copy=False).view(np.uint8).reshape(*shape, 8)[..., : slot_bits(n_cards) // 8]


def _distinct(rng: np.random.Generator, shape: tuple[int, int], n_cards: int, n_dealt: int) -> np.ndarray:
    """Draw n_dealt of up to 64 cards by Floyd's method (Bentley and Floyd 1987), as the bits of a uint64."""
    codes = np.zeros(shape, dtype=np.uint64)
    for last in range(n_cards - n_dealt, n_cards):
        card = np.uint64(1) << rng.integers(0, last + 1, size=shape, dtype=np.uint8).astype(np.uint64)
        codes |= np.where(codes & card, np.uint64(1 << last), card)
    return codes


def whole_deals(seed: int, chunks: Sequence[Chunk], n_cards: int, n_dealt: int) -> np.ndarray:
    """Deal whole outputs, as `deals` does for one unit, in several chunks at a time; 0/1 of shape (draw, card)."""
    if n_cards > 64 and comb(n_cards, n_dealt) > _OPTION_TABLE:
        rngs = [generator(seed, Stream.REPLICA_DEAL, chunk.index) for chunk in chunks]
        keys = [rng.random((n_cards, chunk.size), dtype=np.float32) for rng, chunk in zip(rngs, chunks, strict=True)]
        return _selection(np.concatenate(keys, axis=1), n_cards, n_dealt)
    packed = [deals(seed, Stream.REPLICA_DEAL, chunk, 0, 1, n_cards, n_dealt)[:, 0] for chunk in chunks]
    return np.unpackbits(np.concatenate(packed), axis=1, count=n_cards, bitorder="little")


def _selection(keys: Iterable[np.ndarray], n_cards: int, n_dealt: int) -> np.ndarray:
    """Draw n_dealt cards by selection sampling: each with probability (still needed) / (still to come).

    Parameters
    ----------
    keys : iterable of n_cards arrays of uniform random numbers, float32
    n_cards, n_dealt : int

    Returns
    -------
    ndarray of 0/1 of the shape of a key with one more axis: cards
    """
    dealt: list[np.ndarray] = []
    needed = np.asarray(n_dealt, dtype=np.float32)
    for key in keys:
        taken = key < needed / np.float32(n_cards - len(dealt))
        needed = needed - taken
        dealt.append(taken.view(np.uint8))
    return np.stack(dealt, axis=-1)
