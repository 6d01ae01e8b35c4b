"""The objective along one direction: its steps, and the smoothed risk over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.analysis.tuning.scope import TuningScope, scope_of
from mtsig_core.optimizers import TuningProblem
from mtsig_core.optimizers.line_search import along_lines
from mtsig_core.optimizers.minimum_risk import expected_objective

DEFAULT_SHARPNESS = (10.0, 30.0, 100.0)
_POINTS = 201


@dataclass(frozen=True, eq=False)
class LineObjective:
    """The dev score along start + x direction.

    Parameters
    ----------
    scope : TuningScope
    direction : str
        What the line is along, for people.
    corners : ndarray of shape (corner,)
        Where a segment changes its candidate, within the range shown.
    values : ndarray of shape (corner + 1,)
        The score between corners.
    x : ndarray of shape (point,)
        Where the smoothed score is known; its ends are the range shown.
    smoothed : ndarray of shape (sharpness, point)
        The score of expected statistics under a softmax of each sharpness.
    sharpness : tuple of float
        What tidy weights are multiplied by: the larger, the closer to the steps.
    n_local_optima : int
        Intervals (plateaus) of the whole line that are better than both neighbours.
    """

    scope: TuningScope
    direction: str
    corners: np.ndarray
    values: np.ndarray
    x: np.ndarray
    smoothed: np.ndarray
    sharpness: tuple[float, ...]
    n_local_optima: int

    def to_frame(self) -> pd.DataFrame:
        """Return one row per interval: from, to, score."""
        edges = np.concatenate([self.x[:1], self.corners, self.x[-1:]])
        return pd.DataFrame({"from": edges[:-1], "to": edges[1:], self.scope.label: self.values})


def objective_along_line(
    problem: TuningProblem, start: np.ndarray, direction: np.ndarray | str, *, half_width: float = 1.0,
    sharpness: Sequence[float] = DEFAULT_SHARPNESS,
) -> LineObjective:  # fmt: skip
    """Return the dev score along a line, exactly, and smoothed.

    Parameters
    ----------
    problem : TuningProblem
    start : ndarray of shape (feature,)
        Plain weights.
    direction : ndarray of shape (feature,) or str
        Scaled, or the name of a feature.
    half_width : float
        The line is shown from -half_width to half_width, in units of the sum of absolute scaled weights.
    sharpness : sequence of float
    """
    name = direction if isinstance(direction, str) else "a random direction"
    along = _feature(problem, direction) if isinstance(direction, str) else direction
    dev = problem.dev
    begin = problem.scaled(start)
    begin = begin / (np.abs(begin).sum() or 1.0)
    (line,) = along_lines(dev, dev.model_scores(begin[None]), dev.model_scores(along[None]))
    first, last = np.searchsorted(line.x, [-half_width, half_width])
    x = np.linspace(-half_width, half_width, _POINTS)
    smoothed = [[expected_objective(dev, sharp * (begin + at * along))[0] for at in x] for sharp in sharpness]
    return LineObjective(
        scope_of(problem), name, line.x[first:last], dev.oriented(line.values[first : last + 1]), x,
        dev.oriented(np.array(smoothed).reshape(len(sharpness), len(x))), tuple(sharpness), _n_optima(line.values),
    )  # fmt: skip


def _feature(problem: TuningProblem, name: str) -> np.ndarray:
    """Return the direction of a feature, shape (feature,)."""
    if name not in problem.feature_names:
        raise ValueError(f"No feature {name!r}; there are: {', '.join(problem.feature_names)}.")
    return np.eye(problem.n_features)[problem.feature_names.index(name)]


def _n_optima(values: np.ndarray) -> int:
    """Return how many plateaus are higher than both neighbours."""
    plateaus = values[np.concatenate([[True], np.diff(values) != 0])]
    padded = np.concatenate([[-np.inf], plateaus, [-np.inf]])
    return int(((padded[1:-1] > padded[:-2]) & (padded[1:-1] > padded[2:])).sum())
