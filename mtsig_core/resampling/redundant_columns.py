"""Statistics that move alike: what an exchange moves of one column tells what it moves of another.

Totals of n-grams are the length less n - 1, but for outputs shorter than n words; with one reference its length
is the same for all outputs, so that none of it moves. Whatever two columns differ by cancels out where it is the
same for all outputs of a segment; so of such columns one is summed over all segments, the others over the few
segments where the difference is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

_LOOK_EVERY = 8  # outputs
_FEW = 8  # a column is told by another one when they part ways on at most one in so many segments


@dataclass(frozen=True, eq=False)
class Alike:
    """Which columns are summed over all segments, and what else it takes to have the others.

    Attributes
    ----------
    kept : tuple of int
        Statistics that are summed over all segments.
    like : tuple of int
        For each statistic the place in `kept` of the one that it moves like; -1 for one that never moves.
    more : tuple of int
        Statistics that move otherwise on few segments.
    few : ndarray of int of shape (segment,)
        These segments.
    """

    kept: tuple[int, ...]
    like: tuple[int, ...]
    more: tuple[int, ...]
    few: np.ndarray

    def of_all(self, output: np.ndarray) -> np.ndarray:
        """Return what is summed over all segments, shape (kept, segment), of an output, (segment, statistic)."""
        return output[:, list(self.kept)].T

    def of_few(self, output: np.ndarray) -> np.ndarray:
        """Return what is summed besides over few segments, shape (more, few), of an output, (segment, statistic)."""
        rows = output[self.few]
        found = [rows[:, k] - (rows[:, self.kept[self.like[k]]] if self.like[k] >= 0 else 0) for k in self.more]
        return np.array(found).reshape(len(self.more), len(self.few))

    def add(self, sums: np.ndarray, kept: np.ndarray, more: np.ndarray) -> None:
        """Add to sums, shape (..., statistic, draw), those of kept and more columns, (..., kept or more, draw)."""
        for k, place in enumerate(self.like):
            if place >= 0:
                sums[..., k, :] += kept[..., place, :]
        for place, k in enumerate(self.more):
            sums[..., k, :] += more[..., place, :]


def alike(outputs: Iterable[np.ndarray], whole: bool) -> Alike:
    """Find the columns of outputs, each of shape (segment, statistic), that move alike.

    Parameters
    ----------
    outputs : iterable of ndarray
    whole : bool
        Whether all statistics are whole numbers; others are rounded, so that each is summed on its own.
    """
    outputs = list(outputs)
    n_segments, n_statistics = outputs[0].shape
    kept: list[int] = []
    like: list[int] = []
    parting: dict[int, np.ndarray] = {}
    for k in range(n_statistics):
        place, apart = _told(outputs, k, kept) if whole else (-1, None)
        if apart is None:
            like.append(len(kept))
            kept.append(k)
            continue
        like.append(place)
        if apart.any():
            parting[k] = apart
    few = np.flatnonzero(np.any(list(parting.values()), axis=0)) if parting else np.empty(0, dtype=np.intp)
    return Alike(tuple(kept), tuple(like), tuple(parting), few)


def _told(outputs: list[np.ndarray], k: int, kept: Sequence[int]) -> tuple[int, np.ndarray | None]:
    """Return the place in `kept` of the column that tells column k best, or -1, and where they part; None: no one."""
    best, apart = -1, None
    most = len(outputs[0]) // _FEW
    for place, other in enumerate((None, *kept), start=-1):
        found = _apart(outputs, k, other, most)
        if found is not None:
            best, apart, most = place, found, int(np.count_nonzero(found)) - 1  # the first of equally good ones
        if most < 0:
            break
    return best, apart


def _apart(outputs: list[np.ndarray], k: int, other: int | None, most: int) -> np.ndarray | None:
    """Say on which segments column k less another one (or nothing) is not the same for all outputs; None: too many."""

    def difference(output: np.ndarray) -> np.ndarray:
        return output[:, k] if other is None else output[:, k] - output[:, other]

    first = difference(outputs[0])
    apart = np.zeros(len(first), dtype=bool)
    for number, output in enumerate(outputs[1:]):
        apart |= difference(output) != first
        # more of them never get fewer, and most columns part at once
        if number % _LOOK_EVERY == 0 and np.count_nonzero(apart) > most:
            return None
    return apart if np.count_nonzero(apart) <= most else None
