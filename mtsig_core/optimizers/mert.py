"""MERT: minimum error rate training by exact line searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mtsig_core.optimizers.base import Optimizer, Trajectory
from mtsig_core.optimizers.line_search import StepFunction, along_lines
from mtsig_core.optimizers.problem import TuningProblem
from mtsig_core.optimizers.scored_list import tidy
from mtsig_core.runtime.jobs import Progress

_LEAST_GAIN = 1e-9
_MOST_SCORES = 2**22  # model scores of all restarts that are climbed together


@dataclass(frozen=True)
class MERT(Optimizer):
    """Climb the dev score itself along one direction after the other, from several starts; keep the best end.

    An iteration searches the line along every feature, then along some random directions, and moves at once to the
    best point of each. A restart ends when an iteration gains nothing.

    Parameters
    ----------
    restarts : int
        Starts, the decoder's weights being the first.
    low, high : float
        Range of random starts, in weights of features that are divided by their standard deviation.
    random_directions : int
        Besides the features, in each iteration.
    iterations : int
        At most.

    References
    ----------
    Och 2003, "Minimum error rate training in statistical machine translation", section 5; Cer, Jurafsky and Manning
    2008 for random directions; Moore and Quirk 2008 for random restarts.
    """

    restarts: int = 20
    low: float = -1.0
    high: float = 1.0
    random_directions: int = 2
    iterations: int = 25

    name: ClassVar[str] = "mert"
    label: ClassVar[str] = "MERT"
    paper: ClassVar[str] = "Och 2003"
    explanation: ClassVar[str] = (
        "MERT maximises the dev score itself: along a line through weight space it is a step function whose steps are "
        "known exactly. It stops at a local optimum, which depends on its random starts and random directions."
    )

    def __post_init__(self) -> None:
        self._check(restarts=1, random_directions=0, iterations=1, high=self.low)

    def tune(
        self, problem: TuningProblem, rngs: Sequence[np.random.Generator], progress: Progress
    ) -> list[Trajectory]:
        """Return one trajectory per generator: that of the restart that ends best."""
        return [self._tune_one(problem, rng, progress) for rng in rngs]

    def _tune_one(self, problem: TuningProblem, rng: np.random.Generator, progress: Progress) -> Trajectory:
        starts = problem.starts(rng, self.restarts, self.low, self.high)
        # drawn before the climb, so that they do not depend on how long it takes
        directions = rng.standard_normal((self.iterations, self.random_directions, problem.n_features))
        size = max(1, _MOST_SCORES // problem.dev.rows.size)
        paths: list[list[tuple[np.ndarray, float]]] = []
        for first in range(0, len(starts), size):
            climb = Climb(problem, starts[first : first + size])
            for iteration, own in enumerate(directions):
                done = (first + min(size, len(starts) - first) * iteration / self.iterations) / len(starts)
                if not climb.iterate(own, done, progress):
                    break
            paths += climb.paths
        path = max(paths, key=lambda one: one[-1][1])  # the first of equals
        weights, objective = (np.array(column) for column in zip(*path, strict=True))
        return Trajectory(weights, problem.dev.oriented(objective), len(path) - 1)


@dataclass(frozen=True, eq=False)
class LineStep:
    """One line search of one restart.

    Parameters
    ----------
    direction : ndarray of shape (feature,)
        Scaled.
    line : StepFunction
        The objective along start + x direction.
    x : float
        The best point of the line.
    start, end : ndarray of shape (feature,)
        Scaled weights before and after; equal where the line has nothing better.
    before, after : float
        The objective at both.
    """

    direction: np.ndarray
    line: StepFunction
    x: float
    start: np.ndarray
    end: np.ndarray
    before: float
    after: float


class Climb:
    """Several restarts that climb side by side; none depends on the others.

    Parameters
    ----------
    problem : TuningProblem
    starts : ndarray of shape (restart, feature)
        Tidy scaled weights.
    """

    def __init__(self, problem: TuningProblem, starts: np.ndarray) -> None:
        self.dev = problem.dev
        self.weights = starts.copy()
        self.scores = self.dev.model_scores(starts)
        self.objective = self.dev.objective(starts)
        self.paths = [[(w, float(v))] for w, v in zip(starts, self.objective, strict=True)]
        self.climbing = np.arange(len(starts))

    def iterate(self, random_directions: np.ndarray, done: float, progress: Progress) -> bool:
        """Search along every direction once; say whether any restart still climbs."""
        before = self.objective.copy()
        for direction in self.directions(random_directions):
            progress(done, "MERT")
            self.search(direction)
        self.climbing = self.climbing[self.objective[self.climbing] > before[self.climbing]]
        for i in self.climbing:
            self.paths[i].append((self.weights[i].copy(), float(self.objective[i])))
        return bool(len(self.climbing))

    def directions(self, random_directions: np.ndarray) -> np.ndarray:
        """Return the directions of an iteration, shape (direction, feature): each feature, then random ones."""
        n_features = self.weights.shape[1]
        return np.concatenate([np.eye(n_features), random_directions.reshape(-1, n_features)])

    def search(self, direction: np.ndarray) -> list[LineStep]:
        """Move each climbing restart to the best point of a line, where that is better."""
        nonzero = np.flatnonzero(direction)
        along_feature = len(nonzero) == 1 and direction[nonzero[0]] == 1
        slopes = self.dev.features[nonzero] if along_feature else self.dev.model_scores(direction[None])
        own = self.climbing
        lines = along_lines(self.dev, self.scores[own], slopes)
        steps, promised = (np.array(column) for column in zip(*(line.best() for line in lines), strict=True))
        starts, before = self.weights[own], self.objective[own]
        better = np.flatnonzero(promised > before + _LEAST_GAIN)
        if len(better):
            self._move(own[better], tidy(starts[better] + steps[better, None] * direction))
        return [
            LineStep(direction, line, float(x), start, self.weights[i].copy(), float(value), float(self.objective[i]))
            for i, line, x, start, value in zip(own, lines, steps, starts, before, strict=True)
        ]

    def _move(self, restarts: np.ndarray, weights: np.ndarray) -> None:
        """Take over weights where they are better: rounding may choose otherwise than the envelope promised."""
        scores = self.dev.model_scores(weights)
        reached = self.dev.objective_of(self.dev.sums(scores.argmax(axis=2)))
        improved = np.flatnonzero(reached > self.objective[restarts] + _LEAST_GAIN)
        self.weights[restarts[improved]] = weights[improved]
        self.scores[restarts[improved]] = scores[improved]
        self.objective[restarts[improved]] = reached[improved]
