"""Compiled sums of chosen rows, many draws at once. Importing this module compiles it, or loads it from disk.

Eight rows have 256 subsets, so the sums of all of them are tabulated and each byte of a draw's bits looks up its
own ("the four Russians": Arlazarov, Dinic, Kronrod and Faradzev 1970). Several small whole numbers are added at
once as the lanes of a 64-bit word; the caller sees to it that no lane can overflow.
"""

from __future__ import annotations

import numba
import numpy as np

Array = np.ndarray
_BITS, _WORDS = numba.uint8[:, ::1], numba.int64[:, :, ::1]


@numba.njit((_BITS, numba.int64, _WORDS, _WORDS), cache=True, nogil=True)
def add_chosen(bits: Array, first: int, rows: Array, out: Array) -> None:
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
