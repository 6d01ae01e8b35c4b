"""The dev score against the iteration, for every replica of several optimizers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.analysis.tuning.scope import TuningScope, scope_of
from mtsig_core.optimizers import Baselines, TuningResult, baselines, system_names


@dataclass(frozen=True, eq=False)
class Path:
    """The path of one replica.

    Parameters
    ----------
    name, replica : str
        The optimizer (or system) and the replica.
    dev : ndarray of shape (iteration,)
        The start first.
    chosen : int
        The iteration whose weights the optimizer returns.
    weights : ndarray of shape (feature,)
        Those weights, for features divided by their standard deviation; absolute values sum to 1.
    test : float or None
    """

    name: str
    replica: str
    dev: np.ndarray
    chosen: int
    weights: np.ndarray
    test: float | None


@dataclass(frozen=True, eq=False)
class Trajectories:
    """All paths, and what stands beside them.

    Parameters
    ----------
    scope : TuningScope
    paths : tuple of Path
    dev : Baselines
        1-best, oracle and random choice on the dev set.
    """

    scope: TuningScope
    paths: tuple[Path, ...]
    dev: Baselines

    def to_frame(self) -> pd.DataFrame:
        """Return one row per replica and iteration: optimizer, replica, iteration, dev score, whether returned."""
        rows = [
            (path.name, path.replica, iteration, float(score), iteration == path.chosen)
            for path in self.paths for iteration, score in enumerate(path.dev)
        ]  # fmt: skip
        return pd.DataFrame(rows, columns=["optimizer", "replica", "iteration", "dev", "returned"])


def trajectories(results: Sequence[TuningResult]) -> Trajectories:
    """Return the paths of all replicas of several results on the same lists."""
    paths = tuple(
        Path(name, replica.name, replica.trajectory.dev, replica.trajectory.chosen, replica.trajectory.result,
             replica.test)
        for name, result in zip(system_names(results), results, strict=True) for replica in result.replicas
    )  # fmt: skip
    problem = results[0].problem
    return Trajectories(scope_of(problem), paths, baselines(problem.dev))
