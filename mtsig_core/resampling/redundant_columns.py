"""Redundant columns: statistics whose sums under an exchange follow from the sums of another column.

Totals of n-grams are the length less n - 1, except for outputs shorter than n words; with one reference its length
is the same for all outputs, so an exchange moves none of it. Whatever two columns differ by cancels out where it is
the same for all outputs of a segment. So one of such columns is summed over all segments, and the others only over
the few segments where the difference varies between outputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

_CHECK_EVERY = 8  # outputs
_FEW = 8  # a column counts as redundant when it deviates on at most one in so many segments


@dataclass(frozen=True, eq=False)
class RedundantColumns:
    """Which columns are summed over all segments, and what else it takes to have the others.

    Attributes
    ----------
    summed : tuple of int
        Statistics that are summed over all segments.
    base : tuple of int
        For each statistic the place in `summed` of the one that it follows; -1 for one that never moves.
    corrected : tuple of int
        Statistics that deviate from their base on few segments.
    few : ndarray of int of shape (segment,)
        These segments.
    """

    summed: tuple[int, ...]
    base: tuple[int, ...]
    corrected: tuple[int, ...]
    few: np.ndarray

    def of_all(self, output: np.ndarray) -> np.ndarray:
        """Return what is summed over all segments, shape (summed, segment), of an output, (segment, statistic)."""
        return output[:, list(self.summed)].T

    def of_few(self, output: np.ndarray) -> np.ndarray:
        """Return the deviations on the few segments, shape (corrected, few), of an output, (segment, statistic)."""
        rows = output[self.few]
        deviations = [
            rows[:, k] - (rows[:, self.summed[self.base[k]]] if self.base[k] >= 0 else 0) for k in self.corrected
        ]
        return np.array(deviations).reshape(len(self.corrected), len(self.few))

    def add(self, sums: np.ndarray, summed: np.ndarray, corrections: np.ndarray) -> None:
        """Add to sums, shape (..., statistic, draw), those of the summed and the corrected columns.

        Parameters
        ----------
        sums : ndarray of shape (..., statistic, draw)
            Changed in place.
        summed : ndarray of shape (..., summed, draw)
        corrections : ndarray of shape (..., corrected, draw)
        """
        for k, place in enumerate(self.base):
            if place >= 0:
                sums[..., k, :] += summed[..., place, :]
        for place, k in enumerate(self.corrected):
            sums[..., k, :] += corrections[..., place, :]


def find_redundant_columns(outputs: Iterable[np.ndarray], whole: bool) -> RedundantColumns:
    """Find the columns of outputs, each of shape (segment, statistic), that follow from others.

    Parameters
    ----------
    outputs : iterable of ndarray
    whole : bool
        Whether all statistics are whole numbers; others are rounded, so that each is summed on its own.
    """
    outputs = list(outputs)
    n_statistics = outputs[0].shape[1]
    summed: list[int] = []
    base: list[int] = []
    deviating: dict[int, np.ndarray] = {}
    for k in range(n_statistics):
        place, deviates = _best_base(outputs, k, summed) if whole else (-1, None)
        if deviates is None:
            base.append(len(summed))
            summed.append(k)
            continue
        base.append(place)
        if deviates.any():
            deviating[k] = deviates
    few = np.flatnonzero(np.any(list(deviating.values()), axis=0)) if deviating else np.empty(0, dtype=np.intp)
    return RedundantColumns(tuple(summed), tuple(base), tuple(deviating), few)


def _best_base(outputs: list[np.ndarray], k: int, summed: Sequence[int]) -> tuple[int, np.ndarray | None]:
    """Return the place in `summed` of the column that k follows best (-1: it never moves) and where k deviates.

    The second is None where k follows no column.
    """
    best, deviates = -1, None
    most = len(outputs[0]) // _FEW
    for place, other in enumerate((None, *summed), start=-1):
        candidate = _deviations(outputs, k, other, most)
        if candidate is not None:
            # the first of equally good ones
            best, deviates, most = place, candidate, int(np.count_nonzero(candidate)) - 1
        if most < 0:
            break
    return best, deviates


def _deviations(outputs: list[np.ndarray], k: int, other: int | None, most: int) -> np.ndarray | None:
    """Return on which segments column k less another one (or nothing) varies between outputs; None: on too many."""

    def difference(output: np.ndarray) -> np.ndarray:
        return output[:, k] if other is None else output[:, k] - output[:, other]

    first = difference(outputs[0])
    deviates = np.zeros(len(first), dtype=bool)
    for number, output in enumerate(outputs[1:]):
        deviates |= difference(output) != first
        # their number never falls, and most columns deviate at once
        if number % _CHECK_EVERY == 0 and np.count_nonzero(deviates) > most:
            return None
    return deviates if np.count_nonzero(deviates) <= most else None
