"""An n-best list as arrays: candidates, segment by segment, with features and texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from mtsig_core.loading.nbest.lines import Groups


@dataclass(frozen=True, eq=False)
class NbestList:
    """The candidates of one system on one test set; every segment has at least one.

    Parameters
    ----------
    name : str
        For messages: the file, or the files that were merged.
    groups : Groups
        Names of features and how many values each has.
    offsets : ndarray of int64 of shape (segment + 1,)
        Candidates offsets[l] to offsets[l + 1] belong to segment l, in the order of the list.
    features : ndarray of float64 of shape (candidate, feature)
    texts : tuple of str, one per candidate
        Equal texts are one object.
    totals : ndarray of float64 of shape (candidate,)
        The decoder's score; NaN where the list has none.
    first_id : int
        Id of segment 0 in the list: 0 or 1.
    notes : tuple of str
        What to know about the list, one sentence each.
    """

    name: str
    groups: Groups
    offsets: np.ndarray
    features: np.ndarray
    texts: tuple[str, ...]
    totals: np.ndarray
    first_id: int = 0
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        n = len(self.texts)
        if self.features.shape != (n, self.n_features) or self.totals.shape != (n,) or self.offsets[-1] != n:
            raise ValueError(
                f"{self.name}: {n:,} texts, features of shape {self.features.shape}, {self.totals.shape[0]} totals and "
                f"{self.offsets[-1]} candidates by the offsets do not belong together."
            )
        if (np.diff(self.offsets) < 1).any():
            raise ValueError(f"{self.name}: a segment has no candidate.")
        for array in (self.offsets, self.features, self.totals):
            array.setflags(write=False)

    @property
    def n_segments(self) -> int:
        """Number of segments L."""
        return len(self.offsets) - 1

    @property
    def n_features(self) -> int:
        """Number of feature values of a candidate."""
        return sum(size for _, size in self.groups)

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """One name per feature value: ``lm``, or ``tm.1``, ``tm.2`` where a name has several values."""
        names = []
        for name, size in self.groups:
            shown = name or "feature"
            names += [shown] if size == 1 and name else [f"{shown}.{k}" for k in range(1, size + 1)]
        return tuple(names)

    @cached_property
    def segment_of(self) -> np.ndarray:
        """Segment of each candidate, shape (candidate,)."""
        return np.repeat(np.arange(self.n_segments), np.diff(self.offsets))

    def selected(self, segments: Sequence[int] | np.ndarray) -> NbestList:
        """Return the list of some segments, in the order given."""
        rows = [np.arange(self.offsets[i], self.offsets[i + 1]) for i in segments]
        return self._of_rows(np.concatenate(rows), np.array([len(r) for r in rows]))

    def without_empty(self) -> NbestList:
        """Return the list without empty hypotheses, wherever a segment has any other candidate.

        An empty hypothesis has few costs, so that a model may well prefer it; it is never the best output.
        """
        filled = np.array([bool(text) for text in self.texts], dtype=bool)
        only_empty = ~np.logical_or.reduceat(filled, self.offsets[:-1])
        keep = filled | (only_empty[self.segment_of] & (np.arange(len(filled)) == self.offsets[self.segment_of]))
        if keep.all():
            return self
        return self._of_rows(np.flatnonzero(keep), np.add.reduceat(keep.astype(np.int64), self.offsets[:-1]))

    def padded(self, n_segments: int) -> NbestList:
        """Return the list with segments added at the end up to a number, each with one empty hypothesis."""
        n = n_segments - self.n_segments
        if n <= 0:
            return self
        note = f"The last {n:,} of {n_segments:,} segments have no candidate; the output there is empty."
        return replace(
            self,
            offsets=np.concatenate([self.offsets, self.offsets[-1] + np.arange(1, n + 1)]),
            features=np.concatenate([self.features, np.zeros((n, self.n_features))]),
            texts=(*self.texts, *[""] * n),
            totals=np.concatenate([self.totals, np.full(n, np.nan)]),
            notes=(*self.notes, note),
        )

    def with_groups(self, groups: Groups) -> NbestList:
        """Return the list with these features in this order; 0 where it lacks one."""
        if groups == self.groups:
            return self
        starts = dict(zip((name for name, _ in self.groups), _starts(self.groups), strict=True))
        features = np.zeros((len(self.texts), sum(size for _, size in groups)))
        for (name, size), start in zip(groups, _starts(groups), strict=True):
            if name in starts:
                features[:, start : start + size] = self.features[:, starts[name] : starts[name] + size]
        return replace(self, groups=groups, features=features)

    def first_best(self) -> np.ndarray:
        """Return the decoder's own choice of each segment, shape (segment,), as numbers of candidates.

        The highest total, the first of equals; the first candidate of a segment where totals are missing.
        """
        totals = np.where(np.isnan(self.totals), -np.inf, self.totals)
        return first_of_highest(totals, self.offsets)

    def _of_rows(self, rows: np.ndarray, sizes: np.ndarray) -> NbestList:
        return replace(
            self,
            offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            features=self.features[rows],
            texts=tuple(self.texts[row] for row in rows),
            totals=self.totals[rows],
        )


def first_of_highest(values: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Return the first candidate with the highest value of each segment, shape (segment,).

    Parameters
    ----------
    values : ndarray of shape (candidate,)
    offsets : ndarray of shape (segment + 1,)
    """
    highest = np.maximum.reduceat(values, offsets[:-1])
    places = np.flatnonzero(values == np.repeat(highest, np.diff(offsets)))
    return places[np.searchsorted(places, offsets[:-1])]


def _starts(groups: Groups) -> list[int]:
    """Return the first column of each group."""
    starts, column = [], 0
    for _, size in groups:
        starts.append(column)
        column += size
    return starts
