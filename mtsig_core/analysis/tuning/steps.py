"""MERT in slow motion: one start, one line search after the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.analysis.tuning.scope import TuningScope, scope_of
from mtsig_core.optimizers import TuningProblem
from mtsig_core.optimizers.mert import Climb, LineStep


@dataclass(frozen=True, eq=False)
class SlowRun:
    """The line searches of one start.

    Parameters
    ----------
    scope : TuningScope
    steps : tuple of LineStep
    """

    scope: TuningScope
    steps: tuple[LineStep, ...]

    def to_frame(self) -> pd.DataFrame:
        """Return one row per line search: feature, steps of the line, where it moves, dev score before and after."""
        rows = [
            (self.direction(i), len(step.line.x), step.x if self.moves(i) else 0.0, *self.scores(i))
            for i, step in enumerate(self.steps)
        ]
        return pd.DataFrame(rows, columns=["direction", "corners", "step", "dev before", "dev after"])

    def direction(self, i: int) -> str:
        """Return the name of the feature that step i searches along."""
        return self.scope.features[int(np.abs(self.steps[i].direction).argmax())]

    def moves(self, i: int) -> bool:
        """Say whether step i finds something better on its line."""
        return self.steps[i].after > self.steps[i].before

    def half_width(self, i: int) -> float:
        """Return how far the line of step i is to be shown on both sides: to its best point, within 1 to 3."""
        return min(3.0, max(1.0, 1.2 * abs(self.steps[i].x))) if self.moves(i) else 1.0

    def positions(self, i: int, n: int = 9) -> tuple[float, ...]:
        """Return places to visit on the line of step i: n along it from left to right, then where the weights go."""
        width = self.half_width(i)
        return (*np.linspace(-width, width, n).tolist(), self.steps[i].x if self.moves(i) else 0.0)

    def scores(self, i: int) -> tuple[float, float]:
        """Return the dev score before and after step i."""
        sign = 1 if self.scope.higher_is_better else -1
        return sign * self.steps[i].before, sign * self.steps[i].after


def slow_run(problem: TuningProblem, *, seed: int = 12345, random_start: bool = True, iterations: int = 5) -> SlowRun:
    """Return the line searches of MERT along every feature, from one start, until an iteration gains nothing.

    Parameters
    ----------
    problem : TuningProblem
    seed : int
        Of the start.
    random_start : bool
        Start at random weights and not at the decoder's.
    iterations : int
        At most.
    """
    rng = np.random.Generator(np.random.PCG64DXSM(seed))
    start = problem.starts(rng, 2, -1.0, 1.0)[int(random_start)]
    climb = Climb(problem, start[None])
    steps: list[LineStep] = []
    for _ in range(iterations):
        round_of_steps = [climb.search(direction)[0] for direction in np.eye(problem.n_features)]
        steps += round_of_steps
        if round_of_steps[-1].after <= round_of_steps[0].before:
            break
    return SlowRun(scope_of(problem), tuple(steps))
