"""What an optimizer is, and the path that it leaves behind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from mtsig_core.optimizers.problem import TuningProblem
from mtsig_core.runtime.jobs import Progress


@dataclass(frozen=True, eq=False)
class Trajectory:
    """The path of one replica.

    Parameters
    ----------
    weights : ndarray of float64 of shape (iteration, feature)
        Scaled weights (see `TuningProblem`) after each iteration; the first row is the start.
    dev : ndarray of float64 of shape (iteration,)
        Corpus score of these weights on the dev set.
    chosen : int
        The iteration whose weights the optimizer returns.
    """

    weights: np.ndarray
    dev: np.ndarray
    chosen: int

    @property
    def result(self) -> np.ndarray:
        """Scaled weights that the optimizer returns, shape (feature,)."""
        return self.weights[self.chosen]


@dataclass(frozen=True)
class Optimizer(ABC):
    """An optimizer with its options as fields.

    Attributes
    ----------
    name : str
        As on the command line.
    label : str
        What people read.
    paper : str
        Who proposed it.
    explanation : str
        What it does and where its randomness comes from, in a few sentences for people.
    batch : int
        Replicas that are tuned together because their steps are computed at once.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    paper: ClassVar[str]
    explanation: ClassVar[str]
    batch: ClassVar[int] = 1

    @abstractmethod
    def tune(
        self, problem: TuningProblem, rngs: Sequence[np.random.Generator], progress: Progress
    ) -> list[Trajectory]:
        """Return one trajectory per random generator; what a replica gets depends on its own generator alone."""

    @property
    def options(self) -> dict[str, Any]:
        """Names and values of the options."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def _check(self, **least: float) -> None:
        """Raise ValueError where an option lies below its least value, or is no whole number though it counts."""
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(field.default, int) and not isinstance(value, int):
                raise ValueError(f"{self.label}: {field.name} must be a whole number; not {value!r}.")
        for name, value in least.items():
            if not getattr(self, name) >= value:
                raise ValueError(f"{self.label}: {name} must be at least {value:g}; not {getattr(self, name)!r}.")


def trajectory(problem: TuningProblem, weights: Sequence[np.ndarray], *, best: bool) -> Trajectory:
    """Return the trajectory of some weights, the start first.

    Parameters
    ----------
    problem : TuningProblem
    weights : sequence of ndarray of shape (feature,)
        Tidy scaled weights.
    best : bool
        Return the weights with the best dev score (the first of equals) and not the last ones.
    """
    path = np.stack(list(weights))
    objective = problem.dev.objective(path)
    return Trajectory(path, problem.dev.oriented(objective), int(objective.argmax()) if best else len(path) - 1)
