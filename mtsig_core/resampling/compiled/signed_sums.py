"""The kernel of signed sums: many draws at once. Importing this module compiles it, or loads it from disk.

An exchange needs T plus or minus the signed sum of D, and that follows from the sum of the rows that change sides.
Eight rows have 256 subsets, so the sums of all of them are tabulated and each byte of a draw's bits looks up its own
("the four Russians": Arlazarov, Dinic, Kronrod and Faradzev 1970). Several small whole numbers are added at once as
the lanes of a 64-bit word; the caller ensures that no lane can overflow.
"""

from __future__ import annotations

import numba
import numpy as np

Array = np.ndarray
_BITS, _WORDS = numba.uint8[:, ::1], numba.int64[:, :, ::1]


@numba.njit((_BITS, numba.int64, _WORDS, _WORDS), cache=True, nogil=True)
def add_selected(bits: Array, first: int, rows: Array, out: Array) -> None:
    """Add to each draw the rows whose bit is set.

    Parameters
    ----------
    bits : ndarray of uint8 of shape (draw, byte)
        Packed bits, lowest first.
    first : int
        Byte of the bits at which the rows begin.
    rows : ndarray of int64 of shape (pair of words, row, 2)
        Their number is a multiple of 32.
    out : ndarray of int64 of shape (pair of words, draw, 2)
    """
    table = np.zeros((4, 256, 2), np.int64)
    for pair in range(rows.shape[0]):
        for byte in range(0, rows.shape[1] // 8, 4):
            for part in range(4):
                for bit in range(8):
                    row = 8 * (byte + part) + bit
                    low, high = rows[pair, row, 0], rows[pair, row, 1]
                    half = 1 << bit
                    for subset in range(half):
                        table[part, half + subset, 0] = table[part, subset, 0] + low
                        table[part, half + subset, 1] = table[part, subset, 1] + high
            place = first + byte
            for draw in range(bits.shape[0]):
                a, b = bits[draw, place], bits[draw, place + 1]
                c, d = bits[draw, place + 2], bits[draw, place + 3]
                low = (table[0, a, 0] + table[1, b, 0]) + (table[2, c, 0] + table[3, d, 0])
                high = (table[0, a, 1] + table[1, b, 1]) + (table[2, c, 1] + table[3, d, 1])
                out[pair, draw, 0] += low
                out[pair, draw, 1] += high


@numba.njit((numba.uint32[::1], numba.float64[:, ::1], numba.float64[::1]), cache=True, nogil=True)
def add_resampled(random: Array, scores: Array, out: Array) -> bool:
    """Sum scores drawn with replacement: the places are numpy's own bounded integers, the order of sums is numpy's.

    Parameters
    ----------
    random : ndarray of uint32 of shape (draw x place,)
        Random bits; each makes a place by the high half of its product with the number of scores (Lemire 2019).
    scores : ndarray of float64 of shape (1 or draw, place)
        At most 128 of them, which numpy sums in eight lanes.
    out : ndarray of float64 of shape (draw,)

    Returns
    -------
    bool
        False where numpy would have rejected some of the bits, so that the sums are of no use.
    """
    n, step = scores.shape[1], 1 if scores.shape[0] > 1 else 0
    places = np.empty(n, np.uint32)
    low, shift = np.uint64(2**32 - 1), np.uint64(32)
    rejected, least = np.uint32(2**32 % n), np.uint32(2**32 - 1)
    eights = n - n % 8
    for draw in range(out.shape[0]):
        for i in range(n):
            product = np.uint64(n) * np.uint64(random[draw * n + i])
            least = min(least, np.uint32(product & low))
            places[i] = np.uint32(product >> shift)
        row, total = scores[draw * step], 0.0
        if eights:
            a, b, c, d = row[places[0]], row[places[1]], row[places[2]], row[places[3]]
            e, f, g, h = row[places[4]], row[places[5]], row[places[6]], row[places[7]]
            for i in range(8, eights, 8):
                a, b, c, d = a + row[places[i]], b + row[places[i + 1]], c + row[places[i + 2]], d + row[places[i + 3]]
                e, f = e + row[places[i + 4]], f + row[places[i + 5]]
                g, h = g + row[places[i + 6]], h + row[places[i + 7]]
            total = ((a + b) + (c + d)) + ((e + f) + (g + h))
        for i in range(eights, n):
            total += row[places[i]]
        out[draw] = total
    return bool(least >= rejected)
