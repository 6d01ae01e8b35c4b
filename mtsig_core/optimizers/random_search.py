"""Random search: the baseline that every optimizer must beat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mtsig_core.optimizers.base import Optimizer, Trajectory, trajectory
from mtsig_core.optimizers.problem import TuningProblem
from mtsig_core.runtime.jobs import Progress

_TOGETHER = 25


@dataclass(frozen=True)
class RandomSearch(Optimizer):
    """Draw weights, keep those with the best dev score.

    Parameters
    ----------
    samples : int
        Weights that are tried, the decoder's being the first.
    low, high : float
        Range of the weights, of features that are divided by their standard deviation.

    References
    ----------
    Bergstra and Bengio 2012, "Random search for hyper-parameter optimization", section 2.
    """

    samples: int = 1000
    low: float = -1.0
    high: float = 1.0

    name: ClassVar[str] = "random"
    label: ClassVar[str] = "random search"
    paper: ClassVar[str] = "Bergstra and Bengio 2012"
    explanation: ClassVar[str] = (
        "Random search tries weights at random and keeps the best on the dev set. All of it is chance; what another "
        "optimizer gains over it is what its method is worth."
    )

    def __post_init__(self) -> None:
        self._check(samples=1, high=self.low)

    def tune(
        self, problem: TuningProblem, rngs: Sequence[np.random.Generator], progress: Progress
    ) -> list[Trajectory]:
        """Return one trajectory per generator: the best weights after every 25 samples."""
        return [self._tune_one(problem, rng, progress) for rng in rngs]

    def _tune_one(self, problem: TuningProblem, rng: np.random.Generator, progress: Progress) -> Trajectory:
        weights = problem.starts(rng, self.samples, self.low, self.high)
        path, best = [weights[0]], float(problem.dev.objective(weights[:1])[0])
        for start in range(0, len(weights), _TOGETHER):
            progress(start / len(weights), self.label)
            some = weights[start : start + _TOGETHER]
            reached = problem.dev.objective(some)
            place = int(reached.argmax())
            if reached[place] > best:
                path.append(some[place])
                best = float(reached[place])
            else:
                path.append(path[-1])
        return trajectory(problem, path, best=False)
