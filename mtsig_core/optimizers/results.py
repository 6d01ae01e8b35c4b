"""What tuning gives: replicas with weights, scores and trajectories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.optimizers.base import Optimizer, Trajectory
from mtsig_core.optimizers.problem import TuningProblem


@dataclass(frozen=True, eq=False)
class TunedReplica:
    """One run of an optimizer.

    Parameters
    ----------
    name : str
        ``seed1``, ``seed2``, ...
    weights : ndarray of float64 of shape (feature,)
        Plain weights: for the features as the n-best list gives them.
    dev : float
        Corpus score on the set that was tuned on.
    test : float or None
        On the test set; None without one.
    trajectory : Trajectory
    """

    name: str
    weights: np.ndarray
    dev: float
    test: float | None
    trajectory: Trajectory


@dataclass(frozen=True, eq=False)
class TuningResult:
    """The replicas of one optimizer on one system's lists.

    Parameters
    ----------
    problem : TuningProblem
    optimizer : Optimizer
    seed : int
    replicas : tuple of TunedReplica
    """

    problem: TuningProblem
    optimizer: Optimizer
    seed: int
    replicas: tuple[TunedReplica, ...]

    @property
    def weights(self) -> np.ndarray:
        """Plain weights, shape (replica, feature)."""
        return np.stack([replica.weights for replica in self.replicas])

    @property
    def dev_scores(self) -> np.ndarray:
        """Scores on the dev set, shape (replica,)."""
        return np.array([replica.dev for replica in self.replicas])

    @property
    def test_scores(self) -> np.ndarray | None:
        """Scores on the test set, shape (replica,), or None without one."""
        if self.problem.test is None:
            return None
        return np.array([replica.test for replica in self.replicas], dtype=float)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per replica: optimizer, replica, dev and test score, iterations, one column per weight."""
        rows = [
            {
                "optimizer": self.optimizer.label,
                "replica": replica.name,
                "dev": replica.dev,
                "test": replica.test,
                "iterations": len(replica.trajectory.dev) - 1,
                **dict(zip(self.problem.feature_names, replica.weights.tolist(), strict=True)),
            }
            for replica in self.replicas
        ]
        return pd.DataFrame(rows)


def tuned_replicas(
    problem: TuningProblem, trajectories: Sequence[Trajectory]
) -> tuple[TunedReplica, ...]:
    """Return the replicas of some trajectories, named seed1, seed2, ..., scored on dev and test."""
    scaled = np.stack([trajectory.result for trajectory in trajectories])
    dev = problem.dev.scores(scaled)
    test = None if problem.test is None else problem.test.scores(scaled)
    return tuple(
        TunedReplica(
            name=f"seed{i + 1}",
            weights=problem.plain(scaled[i]),
            dev=float(dev[i]),
            test=None if test is None else float(test[i]),
            trajectory=trajectory,
        )
        for i, trajectory in enumerate(trajectories)
    )
