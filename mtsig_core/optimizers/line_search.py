"""The exact line search of minimum error rate training (Och 2003, section 5; Macherey et al. 2008, section 3).

Along a line w + x d the model score of a candidate is itself a line in x. Which candidate of a segment wins is the
upper envelope of these lines, so the corpus score is a step function that changes only where envelopes have corners.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtsig_core.optimizers.compiled import ENVELOPES
from mtsig_core.optimizers.scored_list import ScoredList

_BLOCK = 2**15  # candidates whose envelopes are computed at a time by numpy
_WORTH_LOADING = 2**15  # candidates in one call from which loading the kernel pays
LEAST_WIDTH = 1e-6  # of an interval that a step may aim at: rounding must not throw it out again
_BEYOND = 1.0  # how far a step goes past the outermost corner


@dataclass(frozen=True, eq=False)
class Corners:
    """Corners of the upper envelopes of many sets of lines.

    Parameters
    ----------
    first : ndarray of int64 of shape (row,)
        The line that is highest at x = -inf.
    row, before, after : ndarray of int64 of shape (corner,)
        The set, and the lines that meet: `after` is higher to the right. Corners of a row stand in the order of x.
    x : ndarray of float64 of shape (corner,)
    """

    first: np.ndarray
    row: np.ndarray
    x: np.ndarray
    before: np.ndarray
    after: np.ndarray


def upper_envelopes(intercepts: np.ndarray, slopes: np.ndarray) -> Corners:
    """Return the upper envelope of each row of lines.

    Walks from the line that is highest at -inf to the next corner: the nearest crossing with a steeper line, the
    first of equally near ones (where lines meet in one point, corners of equal x follow each other).

    Parameters
    ----------
    intercepts : ndarray of float64 of shape (row, line)
    slopes : ndarray of float64 of shape (set of slopes, line)
        Row r has the slopes r modulo their number, which divides that of the rows.
    """
    if intercepts.size > _WORTH_LOADING:
        ENVELOPES.start()
    if kernels := ENVELOPES.loaded:
        return Corners(*kernels.envelopes(np.ascontiguousarray(intercepts), np.ascontiguousarray(slopes)))
    step = max(1, _BLOCK // intercepts.shape[1])
    blocks = []
    for start in range(0, len(intercepts), step):
        rows = np.arange(start, min(start + step, len(intercepts)))
        blocks.append(_envelopes(intercepts[rows], slopes[rows % len(slopes)], start))
    return Corners(*(np.concatenate(column) for column in zip(*blocks, strict=True)))


def _envelopes(intercepts: np.ndarray, slopes: np.ndarray, offset: int) -> tuple[np.ndarray, ...]:
    """Return first, row, x, before, after of `Corners`, without compiled kernels."""
    lowest = slopes.min(axis=1, keepdims=True)
    current = np.where(slopes == lowest, intercepts, -np.inf).argmax(axis=1)
    first, rows = current, np.arange(len(slopes))
    reached = np.full(len(slopes), -np.inf)
    corners: list[tuple[np.ndarray, ...]] = []
    while len(rows):
        own = np.arange(len(rows)), current
        rise = slopes - slopes[own][:, None]
        crossing = intercepts[own][:, None] - intercepts
        steeper = rise > 0
        np.divide(crossing, rise, out=crossing, where=steeper)
        crossing[~steeper] = np.inf
        following = crossing.argmin(axis=1)
        nearest = crossing[own[0], following]
        goes_on = np.flatnonzero(nearest < np.inf)
        rows, before, current = rows[goes_on], current[goes_on], following[goes_on]
        reached = np.maximum(reached[goes_on], nearest[goes_on])  # rounding must not put corners out of order
        corners.append((rows + offset, reached, before, current))
        if len(goes_on) < len(slopes):
            intercepts, slopes = intercepts[goes_on], slopes[goes_on]
    row, x, before, after = (np.concatenate(column) for column in zip(*corners, strict=True))
    order = np.argsort(row, kind="stable")
    return first, row[order], x[order], before[order], after[order]


@dataclass(frozen=True, eq=False)
class StepFunction:
    """The objective along a line.

    Parameters
    ----------
    x : ndarray of float64 of shape (corner,)
        Where some segment changes its candidate, in order.
    values : ndarray of float64 of shape (corner + 1,)
        The objective (higher is better) left of the first corner, between corners, and right of the last one.
    """

    x: np.ndarray
    values: np.ndarray

    def at(self, x: np.ndarray) -> np.ndarray:
        """Return the objective at places x; at a corner that on its right."""
        return self.values[np.searchsorted(self.x, x, side="right")]

    def best(self) -> tuple[float, float]:
        """Return the middle of the best interval, the nearest to 0 of equals, and the objective in it."""
        if not len(self.x):
            return 0.0, float(self.values[0])
        low = np.concatenate([[self.x[0] - 2 * _BEYOND], self.x])
        high = np.concatenate([self.x, [self.x[-1] + 2 * _BEYOND]])
        values = np.where(high - low >= LEAST_WIDTH, self.values, -np.inf)
        middle = (low + high) / 2
        equals = np.flatnonzero(values == values.max())
        place = equals[np.abs(middle[equals]).argmin()]
        return float(middle[place]), float(self.values[place])


def along_lines(scored: ScoredList, intercepts: np.ndarray, slopes: np.ndarray) -> list[StepFunction]:
    """Return the objective along several lines, exactly.

    Parameters
    ----------
    scored : ScoredList
    intercepts : ndarray of shape (point, segment, place)
        Model scores at x = 0.
    slopes : ndarray of shape (point or 1, segment, place)
        Model scores of the directions, or of the one of all points.
    """
    n_points, n_segments, n_places = intercepts.shape
    corners = upper_envelopes(intercepts.reshape(-1, n_places), slopes.reshape(-1, n_places))
    point, segment = np.divmod(corners.row, n_segments)
    order = np.lexsort((corners.x, point))  # stable: at equal x segments stay in their order
    point, segment, x = point[order], segment[order], corners.x[order]
    statistics, rows = scored.statistics, scored.rows
    change = statistics[rows[segment, corners.after[order]]] - statistics[rows[segment, corners.before[order]]]
    sums = scored.sums(corners.first.reshape(n_points, n_segments))
    ends = np.searchsorted(point, np.arange(n_points + 1))
    totals = [
        np.cumsum(np.concatenate([sums[i, None], change[ends[i] : ends[i + 1]]]), axis=0) for i in range(n_points)
    ]
    values = scored.objective_of(np.concatenate(totals))
    starts = ends + np.arange(n_points + 1)
    return [StepFunction(x[ends[i] : ends[i + 1]], values[starts[i] : starts[i + 1]]) for i in range(n_points)]
