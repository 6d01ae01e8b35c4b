"""The dev score on a random plane through weight space, with its local optima."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.analysis.tuning.scope import TuningScope, scope_of
from mtsig_core.optimizers import ScoredList, TuningProblem
from mtsig_core.runtime.jobs import Progress, no_progress


@dataclass(frozen=True, eq=False)
class WeightPlane:
    """Scores on a grid; the weights in the middle are those given.

    Parameters
    ----------
    scope : TuningScope
    x, y : ndarray of shape (column,), (row,)
        Distances along two random, orthogonal directions of length 1.
    scores : ndarray of shape (row, column)
    optima : ndarray of shape (optimum, 3)
        x, y and score of each plateau of the grid whose neighbours are all worse, best first; a plateau stands at
        its cell nearest to its centre.
    """

    scope: TuningScope
    x: np.ndarray
    y: np.ndarray
    scores: np.ndarray
    optima: np.ndarray

    def to_frame(self) -> pd.DataFrame:
        """Return one row per local optimum, best first: x, y, score."""
        return pd.DataFrame(self.optima, columns=["x", "y", self.scope.label])


def weight_plane(
    problem: TuningProblem, centre: np.ndarray, *, seed: int = 12345, half_width: float = 0.5, n_points: int = 61,
    progress: Progress = no_progress,
) -> WeightPlane:  # fmt: skip
    """Return the dev score on a plane.

    Parameters
    ----------
    problem : TuningProblem
    centre : ndarray of shape (feature,)
        Plain weights.
    seed : int
        Of the two directions.
    half_width : float
        In units of the sum of absolute scaled weights of the centre.
    n_points : int
        Rows, and columns.
    progress : Progress
    """
    if problem.n_features < 2:
        raise ValueError("A plane needs at least two features.")
    middle = problem.scaled(centre)
    middle = middle / (np.abs(middle).sum() or 1.0)
    across, up = _directions(problem.n_features, seed)
    base, slope_x, slope_y = problem.dev.model_scores(np.stack([middle, across, up]))
    grid = np.linspace(-half_width, half_width, n_points)
    objective = np.empty((n_points, n_points))
    for row, y in enumerate(grid):
        progress(row / n_points, "plane")
        objective[row] = _row(problem.dev, base + y * slope_y, slope_x, grid)
    optima = [(grid[column], grid[row], objective[row, column]) for row, column in _optima(objective)]
    optima.sort(key=lambda one: -one[2])
    table = np.array(optima).reshape(-1, 3)
    table[:, 2] = problem.dev.oriented(table[:, 2])
    return WeightPlane(scope_of(problem), grid, grid, problem.dev.oriented(objective), table)


def _directions(n_features: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.Generator(np.random.PCG64DXSM(seed))
    one, other = rng.standard_normal((2, n_features))
    one = one / np.sqrt((one**2).sum())
    other = other - (one * other).sum() * one
    return one, other / np.sqrt((other**2).sum())


def _row(dev: ScoredList, base: np.ndarray, slope: np.ndarray, grid: np.ndarray) -> np.ndarray:
    places = np.stack([(base + x * slope).argmax(axis=1) for x in grid])
    return dev.objective_of(dev.sums(places))


def _optima(values: np.ndarray) -> Iterator[tuple[int, int]]:
    """Yield the cell nearest to the centre of each plateau whose eight neighbours are all lower."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    cells = np.arange(values.size).reshape(values.shape)
    shifts = ((cells[:, 1:], cells[:, :-1]), (cells[1:], cells[:-1]), (cells[1:, 1:], cells[:-1, :-1]),
              (cells[1:, :-1], cells[:-1, 1:]))  # fmt: skip
    one = np.concatenate([a.ravel() for a, _ in shifts])
    other = np.concatenate([b.ravel() for _, b in shifts])
    flat = values.ravel()
    equal = flat[one] == flat[other]
    graph = coo_array((np.ones(equal.sum()), (one[equal], other[equal])), shape=(flat.size, flat.size))
    n_plateaus, plateau = connected_components(graph, directed=False)
    beaten = np.zeros(n_plateaus, dtype=bool)
    beaten[plateau[one[flat[one] < flat[other]]]] = True
    beaten[plateau[other[flat[other] < flat[one]]]] = True
    for number in np.flatnonzero(~beaten):
        rows, columns = np.divmod(np.flatnonzero(plateau == number), values.shape[1])
        nearest = ((rows - rows.mean()) ** 2 + (columns - columns.mean()) ** 2).argmin()
        yield int(rows[nearest]), int(columns[nearest])
