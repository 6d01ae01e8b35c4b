"""Batch MIRA: the margin-infused relaxed algorithm on n-best lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mtsig_core.optimizers.base import Optimizer, Trajectory, trajectory
from mtsig_core.optimizers.problem import TuningProblem
from mtsig_core.optimizers.scored_list import ScoredList, tidy
from mtsig_core.runtime.jobs import Progress

_SEGMENTS_BETWEEN_REPORTS = 25


@dataclass(frozen=True)
class BatchMIRA(Optimizer):
    """Walk through the segments in random order; move towards hope and away from fear until the margin holds.

    Hope is the candidate with the highest model score plus gain, fear that with the highest model score minus gain.
    The gain of a candidate is the corpus score of a decaying background plus the candidate, times the segments in the
    background, so that it is in units of segments. Each epoch ends with the average of all weights so far in it, and
    the epoch with the best dev score is returned.

    Parameters
    ----------
    c : float
        The largest step.
    decay : float
        What is left of the background after each segment.
    epochs : int

    References
    ----------
    Cherry and Foster 2012, "Batch tuning strategies for statistical machine translation", section 3.2; Chiang, Marton
    and Resnik 2008 for hope, fear and the background.
    """

    c: float = 0.01
    decay: float = 0.999
    epochs: int = 60

    name: ClassVar[str] = "mira"
    label: ClassVar[str] = "batch MIRA"
    paper: ClassVar[str] = "Cherry and Foster 2012"
    explanation: ClassVar[str] = (
        "MIRA looks at one segment after the other and changes the weights as little as it must, so that a good "
        "candidate beats a tempting bad one. Its randomness is the order of the segments."
    )
    batch: ClassVar[int] = 15

    def __post_init__(self) -> None:
        self._check(c=0, decay=0, epochs=1)
        if self.decay > 1:
            raise ValueError(f"{self.label}: decay is a share, 0 to 1; not {self.decay!r}.")

    def tune(
        self, problem: TuningProblem, rngs: Sequence[np.random.Generator], progress: Progress
    ) -> list[Trajectory]:
        """Return one trajectory per generator: that of the epochs' averages."""
        walk = _Walk(problem.dev, np.repeat(problem.start[None], len(rngs), axis=0), self.c, self.decay)
        paths = [[problem.start] for _ in rngs]
        for epoch in range(self.epochs):
            orders = np.stack([rng.permutation(problem.dev.n_segments) for rng in rngs])
            total = np.zeros_like(walk.weights)
            for k, segments in enumerate(orders.T):
                if k % _SEGMENTS_BETWEEN_REPORTS == 0:
                    progress((epoch + k / orders.shape[1]) / self.epochs, self.label)
                walk.step(segments)
                total += walk.weights
            for path, weights in zip(paths, tidy(total / orders.shape[1]), strict=True):
                path.append(weights)
        return [trajectory(problem, path, best=True) for path in paths]


class _Walk:
    """Several replicas that walk side by side, each over its own segments."""

    def __init__(self, dev: ScoredList, weights: np.ndarray, c: float, decay: float) -> None:
        self.dev, self.weights, self.c, self.decay = dev, weights, c, decay
        self.scale = 100.0 if "100" in dev.metric.scale else 1.0
        self.background = np.ones((len(weights), dev.statistics.shape[1]))
        self.n_background = np.ones(len(weights))
        self.by_segment = np.ascontiguousarray(dev.features.transpose(1, 0, 2))
        self.statistics = dev.statistics[dev.rows]

    def step(self, segments: np.ndarray) -> None:
        """Let replica r look at segments[r]."""
        replica = np.arange(len(segments))
        features, statistics = self.by_segment[segments], self.statistics[segments]
        model = np.zeros(statistics.shape[:2])
        for k in range(features.shape[1]):
            model += self.weights[:, k, None] * features[:, k]
        corpus = self.dev.oriented(self.dev.scores_of(self.background[:, None] + statistics))
        gain = np.nan_to_num(corpus) / self.scale * (self.n_background[:, None] + 1)
        hope, fear = (model + gain).argmax(axis=1), (model - gain).argmax(axis=1)
        change = features[replica, :, hope] - features[replica, :, fear]
        cost = gain[replica, hope] - gain[replica, fear]
        loss = cost - (model[replica, hope] - model[replica, fear])
        square = np.zeros(len(segments))
        for column in change.T:
            square += column**2
        size = np.divide(loss, square, out=np.zeros(len(segments)), where=(loss > 0) & (square > 0))
        self.weights = self.weights + np.minimum(self.c, size)[:, None] * change
        self.background = self.decay * self.background + statistics[replica, hope]
        self.n_background = self.decay * self.n_background + 1
