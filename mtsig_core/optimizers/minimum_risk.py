"""Minimum risk: the score of expected sufficient statistics, by its gradient."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mtsig_core.optimizers.base import Optimizer, Trajectory, trajectory
from mtsig_core.optimizers.problem import TuningProblem
from mtsig_core.optimizers.scored_list import ScoredList, tidy
from mtsig_core.optimizers.smooth import minimise
from mtsig_core.runtime.jobs import Progress


@dataclass(frozen=True)
class MinimumRisk(Optimizer):
    """Maximise expected BLEU: the metric of the statistics that a softmax over candidates expects.

    Parameters
    ----------
    low, high : float
        Range of the random start, of features that are divided by their standard deviation.
    regularization : float
        Factor of the mean squared weight, in points of the score: keeps the softmax from becoming a step.
    iterations : int
        Of L-BFGS, at most.

    References
    ----------
    Smith and Eisner 2006, "Minimum risk annealing for training log-linear models"; Rosti, Zhang, Matsoukas and
    Schwartz 2010, "BBN system description for WMT10 system combination task", section 3, for expected BLEU.
    """

    low: float = -1.0
    high: float = 1.0
    regularization: float = 0.01
    iterations: int = 100

    name: ClassVar[str] = "risk"
    label: ClassVar[str] = "minimum risk"
    paper: ClassVar[str] = "Smith and Eisner 2006"
    explanation: ClassVar[str] = (
        "Minimum risk replaces the choice of the best candidate by a softmax, so that the expected score is smooth, "
        "and climbs along its gradient. It isn't concave, so where it ends depends on its random start."
    )

    def __post_init__(self) -> None:
        self._check(regularization=0, iterations=1, high=self.low)

    def tune(
        self, problem: TuningProblem, rngs: Sequence[np.random.Generator], progress: Progress
    ) -> list[Trajectory]:
        """Return one trajectory per generator: that of L-BFGS."""
        return [self._tune_one(problem, rng, progress) for rng in rngs]

    def _tune_one(self, problem: TuningProblem, rng: np.random.Generator, progress: Progress) -> Trajectory:
        start = self.low + (self.high - self.low) * rng.random(problem.n_features)
        path = [tidy(start)]

        def keep(weights: np.ndarray) -> None:
            path.append(tidy(weights))

        def risk(weights: np.ndarray) -> tuple[float, np.ndarray]:
            progress(min(0.99, len(path) / (self.iterations + 1)), self.label)
            value, gradient = expected_objective(problem.dev, weights)
            penalty = self.regularization * float((weights**2).mean())
            return penalty - value, 2 * self.regularization * weights / len(weights) - gradient

        end = tidy(minimise(risk, start, iterations=self.iterations, after_each=keep))
        return trajectory(problem, path if (path[-1] == end).all() else [*path, end], best=False)


def expected_objective(scored: ScoredList, weights: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the score of expected statistics (higher is better) and its gradient, shape (feature,).

    Candidate c of a segment has the probability exp(model score of c) over the sum of those of the segment.

    Parameters
    ----------
    scored : ScoredList
    weights : ndarray of shape (feature,)
        Scaled, not tidy: their size is the sharpness of the softmax.
    """
    probability = probabilities(scored, weights)
    flat = probability.ravel()
    rows = scored.rows.ravel()
    columns = scored.statistics.T[:, rows]
    sums = np.array([(flat * column).sum() for column in columns])
    value = float(scored.oriented(scored.metric.score(sums)))
    slope = scored.oriented(scored.metric.gradient(sums))
    values = np.zeros(len(rows))
    for factor, column in zip(slope, columns, strict=True):
        values += factor * column
    worth = values.reshape(probability.shape)
    pull = probability * (worth - (probability * worth).sum(axis=1, keepdims=True))
    return value, np.array([(pull * column).sum() for column in scored.features])


def probabilities(scored: ScoredList, weights: np.ndarray) -> np.ndarray:
    """Return the softmax over the candidates of each segment, shape (segment, place); 0 beyond a list's end."""
    scores = scored.model_scores(weights[None])[0]
    scores = np.where(scored.is_candidate, scores, -np.inf)
    weight = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weight / weight.sum(axis=1, keepdims=True)
