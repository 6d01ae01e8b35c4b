"""Compiled upper envelopes. Importing this module compiles it, or loads it from disk.

The same comparisons and the same two operations per crossing as the numpy way, so the same numbers, bit for bit.
"""

from __future__ import annotations

import numba
import numpy as np

Array = np.ndarray
_LINES = numba.types.Array(numba.float64, 2, "C", readonly=True)


@numba.njit((_LINES, _LINES), cache=True, nogil=True)
def envelopes(intercepts: Array, slopes: Array) -> tuple[Array, Array, Array, Array, Array]:
    """Return first, row, x, before, after of `line_search.Corners`.

    Parameters
    ----------
    intercepts : ndarray of float64 of shape (row, line)
    slopes : ndarray of float64 of shape (set of slopes, line)
        Row r has the slopes r modulo their number.
    """
    n_rows, n_lines, n_sets = intercepts.shape[0], intercepts.shape[1], slopes.shape[0]
    first = np.empty(n_rows, np.int64)
    size, n = 8 * n_rows + n_lines, 0
    row, before, after = np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64)
    x = np.empty(size, np.float64)
    for r in range(n_rows):
        s = r % n_sets
        current = 0
        for c in range(1, n_lines):
            lower = slopes[s, c] < slopes[s, current]
            if lower or (slopes[s, c] == slopes[s, current] and intercepts[r, c] > intercepts[r, current]):
                current = c
        first[r] = current
        reached = -np.inf
        while True:
            nearest, following = np.inf, -1
            for c in range(n_lines):
                rise = slopes[s, c] - slopes[s, current]
                if rise > 0.0:
                    crossing = (intercepts[r, current] - intercepts[r, c]) / rise
                    if crossing < nearest:
                        nearest, following = crossing, c
            if following < 0:
                break
            reached = max(reached, nearest)
            if n == size:
                row, before = np.concatenate((row, row)), np.concatenate((before, before))
                after, x = np.concatenate((after, after)), np.concatenate((x, x))
                size *= 2
            row[n], x[n], before[n], after[n] = r, reached, current, following
            n += 1
            current = following
    return first, row[:n], x[:n], before[:n], after[:n]
