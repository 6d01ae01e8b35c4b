"""The products that every resampling comes down to, and the choice of their precision.

The only place where a number type is chosen. A float32 product of integers is exact while no
partial sum can reach 2^24; only then is it used, so precision never depends on chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from types import ModuleType

import numpy as np

from mtsig_core.resampling.compiled import SIGNED_SUMS
from mtsig_core.resampling.redundant_columns import find_redundant_columns

_EXACT_FLOAT32 = 2.0**24
_TILE = 2048  # rows whose bits are unpacked at once: a multiple of _PIECE that stays in the cache
_PIECE = 256  # rows of one matrix product
_LANE = 16  # bits of one of the four numbers in a word of the compiled kernel
_LANES = 64 // _LANE
_GROUP = 32  # rows that the compiled kernel takes at once
_SUBSETS = 256  # of eight rows
_TABLES = 16  # of 4 kB each, looked up at once by numpy
_TABLE_DRAWS = 512  # of one call, from which numpy looks up sooner than it multiplies
_TABLE_BYTES = 2**24
_WORTH_LOADING = 2**24  # rows times draws in one call from which loading the kernel pays
_PRODUCT = 2**18  # multiplications of one matrix product: above it, BLAS starts threads that cost more than they bring


def is_integer(values: np.ndarray) -> bool:
    """Say whether all values are whole numbers."""
    return bool(np.all(values == np.rint(values)))


def compact(rows: np.ndarray) -> np.ndarray:
    """Return rows, shape (row, statistic), in float32 where the sum of any subset of them is exact in it."""
    largest = np.abs(rows).sum(axis=0).max(initial=0.0)
    return rows.astype(np.float32) if largest < _EXACT_FLOAT32 and is_integer(rows) else rows


def subset_sums(bits: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Sum the rows whose bit is set, for each draw, as a matrix product.

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


class SubsetSums:
    """Sums of the rows whose bit is set: the product behind every exchange.

    By tables where the rows are small whole numbers, compiled when the kernel is ready; else a matrix product. All
    are exact for whole numbers, so the result does not depend on which one is used.

    Parameters
    ----------
    rows : ndarray of shape (row, statistic)
    """

    def __init__(self, rows: np.ndarray) -> None:
        self.n_rows = len(rows)
        keys = [blake2b(np.ascontiguousarray(column).data).digest() for column in rows.T]
        distinct = list(dict.fromkeys(keys))  # columns that are equal, or constant, are summed once
        self.columns = [distinct.index(key) for key in keys]
        self.rows = compact(rows[:, [keys.index(key) for key in distinct]])

    @cached_property
    def packed(self) -> _Packed | None:
        """The rows as the compiled kernel wants them; None where their sums do not fit its words."""
        return _pack(self.rows) if is_integer(self.rows) else None

    def __call__(self, bits: np.ndarray) -> np.ndarray:
        """Return the sums, shape (draw, statistic), float64, of packed bits, shape (draw, byte), lowest first."""
        if len(bits) * self.n_rows > _WORTH_LOADING:
            SIGNED_SUMS.start()
        kernel = SIGNED_SUMS.loaded
        if self.packed is not None and (kernel is not None or self.packed.worth_tables(len(bits))):
            return self.packed.sums(kernel, bits)[:, self.columns]
        return subset_sums(bits, self.rows)[:, self.columns]


@dataclass(frozen=True, eq=False)
class _Packed:
    """Rows as lanes of words, in tiles whose sums cannot overflow a lane.

    Parameters
    ----------
    words : ndarray of int64 of shape (pair of words, row, 2)
    tiles : tuple of slice
        Of rows.
    n_statistics : int
    """

    words: np.ndarray
    tiles: tuple[slice, ...]
    n_statistics: int

    def worth_tables(self, n_draws: int) -> bool:
        """Say whether to look sums up in numpy's way too: tables must be small, and be used often."""
        return n_draws >= _TABLE_DRAWS and self.words.nbytes * (_SUBSETS // 8) <= _TABLE_BYTES

    @cached_property
    def tables(self) -> np.ndarray:
        """Sums of all subsets of each eight rows, two words as one number, shape (pair, byte, subset), complex128."""
        eights = self.words.reshape(len(self.words), -1, 8, 2)
        tables = np.zeros((*eights.shape[:2], _SUBSETS, 2), dtype=np.int64)
        for bit in range(8):
            half = 1 << bit
            np.add(tables[:, :, :half], eights[:, :, bit, None], out=tables[:, :, half : 2 * half])
        return tables.view(np.complex128)[..., 0]

    def _look_up(self, bits: np.ndarray, tile: slice, out: np.ndarray) -> None:
        """Do what the kernel's ``add_selected`` does, several bytes of many draws at a time."""
        firsts = _SUBSETS * np.arange(_TABLES)[:, None]
        places = np.empty((_TABLES, len(bits)), dtype=np.intp)
        words = np.empty((_TABLES, len(bits)), dtype=np.complex128)
        for pair, tables in enumerate(self.tables):
            for start in range(tile.start // 8, tile.stop // 8, _TABLES):
                own = tables[start : min(start + _TABLES, tile.stop // 8)]
                n = len(own)
                np.add(bits[:, start : start + n].T, firsts[:n], out=places[:n])
                own.reshape(-1).take(places[:n], mode="clip", out=words[:n])
                out[pair] += words[:n].view(np.int64).reshape(n, len(bits), 2).sum(axis=0)

    def sums(self, kernel: ModuleType | None, bits: np.ndarray) -> np.ndarray:
        """Return sums, shape (draw, statistic), float64; without the kernel by numpy."""
        bits = np.ascontiguousarray(np.pad(bits, ((0, 0), (0, max(0, self.words.shape[1] // 8 - bits.shape[1])))))
        sums = np.zeros((len(bits), 2 * _LANES * len(self.words)))
        for tile in self.tiles:
            out = np.zeros((len(self.words), len(bits), 2), dtype=np.int64)
            if kernel is None:
                self._look_up(bits, tile, out)
            else:
                kernel.add_selected(bits, tile.start // 8, np.ascontiguousarray(self.words[:, tile]), out)
            words = out.transpose(1, 0, 2).reshape(len(bits), -1)
            for lane in range(_LANES):
                number = words.astype(np.int16)  # keeps the lowest lane, with its sign
                sums[:, lane::_LANES] += number
                words = (words - number) >> _LANE
        return sums[:, : self.n_statistics]


def _pack(rows: np.ndarray) -> _Packed | None:
    n_rows, n_statistics = rows.shape
    if not n_rows:
        return None
    n_words = 2 * -(-n_statistics // (2 * _LANES))
    words = np.zeros((-(-n_rows // _GROUP) * _GROUP, n_words), dtype=np.int64)
    sizes = np.zeros((len(words) // _GROUP, n_statistics), dtype=np.int64)
    for k in range(n_statistics):  # a column at a time, so that little is held
        column = np.zeros(len(words), dtype=np.int64)
        column[:n_rows] = rows[:, k]
        sizes[:, k] = np.abs(column).reshape(-1, _GROUP).sum(axis=1)
        words[:, k // _LANES] += column << (_LANE * (k % _LANES))
    tiles = _tiles(sizes.cumsum(axis=0))
    pairs = words.reshape(len(words), -1, 2).transpose(1, 0, 2)
    return _Packed(np.ascontiguousarray(pairs), tiles, n_statistics) if tiles else None


def _tiles(totals: np.ndarray) -> tuple[slice, ...]:
    """Cut groups of rows, whose sizes add up to totals, shape (group, statistic), where a lane would overflow."""
    tiles, start, before = [], 0, np.zeros(totals.shape[1], dtype=np.int64)
    while start < len(totals):
        fits = (totals[start:] - before < 2 ** (_LANE - 1)).all(axis=1)
        stop = len(totals) if fits.all() else start + int(fits.argmin())
        if stop == start:
            return ()
        tiles.append(slice(_GROUP * start, _GROUP * stop))
        start, before = stop, totals[stop - 1]
    return tuple(tiles)


class WeightedSums:
    """Sums of statistics under draw counts, for many outputs at once.

    Parameters
    ----------
    values : ndarray of shape (output, unit, statistic)
    """

    def __init__(self, values: np.ndarray) -> None:
        self.shape = values.shape
        columns = _columns(values)
        self.values = values if columns is None else values[:0]
        self.columns = None if columns is None else _Columns(columns)

    @property
    def exact(self) -> bool:
        """Whether sums are of whole numbers, so that none is rounded."""
        return self.columns is not None

    def __call__(self, counts: np.ndarray, wanted: slice = slice(None)) -> np.ndarray:
        """Return sums, shape (draw, output, statistic), float64, of counts, shape (draw, unit), of wanted draws."""
        if self.columns is not None:
            return self.columns.sums(counts[wanted])
        # One product an output, so that rounding does not depend on the other outputs of the call.
        return np.matmul(counts.astype(float), self.values).transpose(1, 0, 2)[wanted]


def _columns(values: np.ndarray) -> np.ndarray | None:
    """Return values, shape (output, unit, statistic), as float32 of shape (statistic, output, unit), if exact in it."""
    n_outputs, n_units, n_statistics = values.shape
    columns = np.empty((n_statistics, n_outputs, n_units), dtype=np.float32)
    for number, output in enumerate(values):
        # one unit may be drawn every time
        if not n_units * np.abs(output).max(initial=0.0) < _EXACT_FLOAT32 or not is_integer(output):
            return None
        columns[:, number] = output.T
    return columns


class _Columns:
    """Sums of whole numbers; redundant columns are not summed over all units (`find_redundant_columns`).

    Parameters
    ----------
    columns : ndarray of float32 of shape (statistic, output, unit)
    """

    def __init__(self, columns: np.ndarray) -> None:
        self.shape = columns.shape
        outputs = [columns[:, k].T for k in range(columns.shape[1])]
        self.redundancy = find_redundant_columns(outputs, whole=True)
        self.summed = [columns[k] for k in self.redundancy.summed]
        bases = [self.summed[place] if place >= 0 else None for place in self.redundancy.base]
        # what each column has besides its base: the same for all outputs, except on few units
        first = columns[:, 0].astype(float)
        self.same = np.stack([own - (0 if base is None else base[0]) for own, base in zip(first, bases, strict=True)])
        self.corrections = {}
        for k in self.redundancy.corrected:
            own, base, few = columns[k], bases[k], self.redundancy.few
            self.corrections[k] = own[:, few].astype(float) - (0 if base is None else base[:, few])
            self.same[k, few] = 0

    def sums(self, counts: np.ndarray) -> np.ndarray:
        """Return sums, shape (draw, output, statistic), float64, of counts, shape (draw, unit)."""
        n_statistics, n_outputs, _ = self.shape
        single, double = counts.astype(np.float32), counts.astype(float)
        summed = [single @ column.T for column in self.summed]
        same, few = double @ self.same.T, double[:, self.redundancy.few]
        sums = np.empty((n_statistics, len(counts), n_outputs))  # a statistic at a time, as scores want it
        for k, place in enumerate(self.redundancy.base):
            sums[k] = same[:, k, None]
            if place >= 0:
                sums[k] += summed[place]
            if k in self.corrections:
                sums[k] += few @ self.corrections[k].T
        return sums.transpose(1, 2, 0)
