"""The products that every resampling comes down to, and the choice of their precision.

The only place where a number type is chosen. A float32 product of integers is exact while no
partial sum can reach 2^24; only then is it used, so precision never depends on luck.
"""

from __future__ import annotations

import numpy as np

_EXACT_FLOAT32 = 2.0**24
_TILE = 2048  # rows whose bits are unpacked at once: a multiple of _PIECE that stays in the cache
_PIECE = 256  # rows of one matrix product
_PRODUCT = 2**18  # multiplications of one matrix product: above it, BLAS starts threads that cost more than they bring


def is_integer(values: np.ndarray) -> bool:
    """Say whether all values are whole numbers."""
    return bool(np.all(values == np.rint(values)))


def compact(rows: np.ndarray) -> np.ndarray:
    """Return rows, shape (row, statistic), in float32 where the sum of any subset of them is exact in it."""
    largest = np.abs(rows).sum(axis=0).max(initial=0.0)
    return rows.astype(np.float32) if largest < _EXACT_FLOAT32 and is_integer(rows) else rows


def subset_sums(bits: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Sum the rows whose bit is set, for each draw: the product behind every exchange by flips.

    Parameters
    ----------
    bits : ndarray of uint8 of shape (draw, byte)
        Packed bits, lowest first; bit r of a draw says whether row r takes part.
    rows : ndarray of shape (row, statistic)
        As `compact` returns them; the product has their precision.

    Returns
    -------
    ndarray of shape (draw, statistic), float64
    """
    n_draws, n_statistics = len(bits), rows.shape[1]
    height = _product_height(n_statistics)
    bits = np.pad(bits, ((0, -n_draws % height), (0, 0)))
    rows = np.pad(rows, ((0, -len(rows) % _PIECE), (0, 0)))
    sums = np.zeros((len(bits), n_statistics))
    buffer = np.empty((len(bits), min(_TILE, len(rows))), dtype=rows.dtype)
    for start in range(0, len(rows), _TILE):
        tile = rows[start : start + _TILE]
        packed = bits[:, start // 8 : (start + len(tile)) // 8]
        chosen = buffer[:, : len(tile)]
        chosen[:] = np.unpackbits(packed, axis=1, count=len(tile), bitorder="little")
        pieces = chosen.reshape(-1, height, len(tile) // _PIECE, _PIECE).swapaxes(1, 2)
        partial = pieces @ tile.reshape(-1, _PIECE, n_statistics)
        sums += partial.sum(axis=1).reshape(sums.shape)
    return sums[:n_draws]


def _product_height(n_statistics: int) -> int:
    """Return the draws of one matrix product: the largest power of two that keeps it below `_PRODUCT`."""
    return 1 << max(0, (_PRODUCT // (_PIECE * max(1, n_statistics))).bit_length() - 1)


class WeightedSums:
    """Sums of statistics under draw counts, for many outputs at once.

    Parameters
    ----------
    values : ndarray of shape (output, unit, statistic)
    """

    def __init__(self, values: np.ndarray) -> None:
        self.shape = values.shape
        worst = values.shape[1] * np.abs(values).max(initial=0.0)  # one unit drawn every time
        self.exact = bool(worst < _EXACT_FLOAT32) and is_integer(values)
        if self.exact:
            flat = values.transpose(1, 0, 2).astype(np.float32, order="C")
            self.values = flat.reshape(values.shape[1], -1)
        else:
            self.values = values

    def __call__(self, counts: np.ndarray, wanted: slice = slice(None)) -> np.ndarray:
        """Return sums, shape (draw, output, statistic), float64, of counts, shape (draw, unit), of wanted draws."""
        if self.exact:
            counts = counts[wanted]
            sums = counts.astype(np.float32) @ self.values
            return sums.astype(float).reshape(len(counts), self.shape[0], self.shape[2])
        # One product an output, so that rounding does not depend on the other outputs of the call.
        return np.matmul(counts.astype(float), self.values).transpose(1, 0, 2)[wanted]
