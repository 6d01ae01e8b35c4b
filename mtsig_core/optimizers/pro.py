"""PRO: pairwise ranking optimization."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mtsig_core.optimizers.base import Optimizer, Trajectory, trajectory
from mtsig_core.optimizers.problem import TuningProblem
from mtsig_core.optimizers.scored_list import ScoredList, tidy
from mtsig_core.optimizers.smooth import on_grid
from mtsig_core.resampling.threads import single_threaded_products
from mtsig_core.runtime.jobs import Progress

_LEVELS = 2**16 - 1
_NEWTON_STEPS, _HALVINGS = 50, 30
_NO_RISE, _SMALL_STEP = 1e-12, 1e-6


@dataclass(frozen=True)
class PRO(Optimizer):
    """Learn to rank: a logistic regression on differences of pairs of candidates, drawn anew in each iteration.

    For each segment `samples` pairs are drawn; those whose sentence scores differ by `least_difference` at least are
    accepted, and the `kept` of them that differ most are learned from, in both orders. The weights of an iteration
    are interpolated with those before it.

    Parameters
    ----------
    samples : int
        Gamma of the paper.
    kept : int
        Xi of the paper.
    least_difference : float
        Alpha of the paper, in sentence BLEU from 0 to 100 (for other metrics: in points of the segment score).
    interpolation : float
        Psi of the paper: the share of the new weights.
    iterations : int
    regularization : float
        Half the factor of the squared weights, beside the mean loss of a pair.

    References
    ----------
    Hopkins and May 2011, "Tuning as ranking", sections 3 and 4 (Figure 4 for the sampler).
    """

    samples: int = 5000
    kept: int = 50
    least_difference: float = 5.0
    interpolation: float = 0.1
    iterations: int = 25
    regularization: float = 1e-3

    name: ClassVar[str] = "pro"
    label: ClassVar[str] = "PRO"
    paper: ClassVar[str] = "Hopkins and May 2011"
    explanation: ClassVar[str] = (
        "PRO learns by logistic regression which of two candidates of a segment has the better sentence score. Its "
        "randomness is the draw of pairs; interpolating many iterations averages most of it out."
    )

    def __post_init__(self) -> None:
        self._check(samples=1, kept=1, least_difference=0, interpolation=0, iterations=1, regularization=0)
        if self.interpolation > 1:
            raise ValueError(f"PRO: interpolation is a share, 0 to 1; not {self.interpolation!r}.")

    def tune(
        self, problem: TuningProblem, rngs: Sequence[np.random.Generator], progress: Progress
    ) -> list[Trajectory]:
        """Return one trajectory per generator: that of the interpolated weights, which end it."""
        return [self._tune_one(problem, rng, progress) for rng in rngs]

    def _tune_one(self, problem: TuningProblem, rng: np.random.Generator, progress: Progress) -> Trajectory:
        learned = np.zeros(problem.n_features)
        weights = problem.start
        path = [weights]
        for iteration in range(self.iterations):
            progress(iteration / self.iterations, "PRO")
            differences = self._pairs(problem.dev, rng)
            if differences.shape[1]:
                with single_threaded_products():
                    learned = _learned(differences, self.regularization, learned)
            if learned.any():
                weights = tidy((1 - self.interpolation) * weights + self.interpolation * tidy(learned))
            path.append(weights)
        return trajectory(problem, path, best=False)

    def _pairs(self, dev: ScoredList, rng: np.random.Generator) -> np.ndarray:
        """Return features of the better minus those of the worse candidate, shape (feature, pair)."""
        sizes = dev.is_candidate.sum(axis=1)[:, None]
        starts = dev.gains.shape[1] * np.arange(dev.n_segments)[:, None]
        first, second = (starts + (rng.random((dev.n_segments, self.samples)) * sizes).astype(np.int64) for _ in "ab")
        gains = dev.gains.ravel()
        size = np.abs(gains[first] - gains[second])
        size[size < max(self.least_difference, 1e-12)] = 0
        drawn = _largest(size, self.kept)
        accepted = np.take_along_axis(size, drawn, 1) > 0
        one, other = (np.take_along_axis(places, drawn, 1)[accepted] for places in (first, second))
        is_better = gains[one] > gains[other]
        features = dev.features.reshape(len(dev.features), -1)
        return features[:, np.where(is_better, one, other)] - features[:, np.where(is_better, other, one)]


def _largest(size: np.ndarray, n: int) -> np.ndarray:
    """Return the places of the n largest from the largest down, shape (segment, n), of sizes of at least 0.

    Compared as 16-bit numbers; of equal ones the first drawn comes first. Level and place share one number, since
    numpy selects among numbers many times as fast as among places.
    """
    n = min(n, size.shape[1])
    top = float(size.max())
    levels = np.rint(size * (_LEVELS / top if top > 0 else 0.0)).astype(np.int64)
    keys = (_LEVELS - levels) * size.shape[1] + np.arange(size.shape[1])
    keys.partition(n - 1, axis=1)
    return np.sort(keys[:, :n], axis=1) % size.shape[1]


def _learned(differences: np.ndarray, regularization: float, start: np.ndarray) -> np.ndarray:
    """Return the weights of the least loss, shape (feature,), by Newton's method.

    The loss of a pair is logistic, and the same in both orders; beside the mean stand the squared weights. A step is
    halved until the loss falls. Steps end on the grid of `minimise`, which rounds away what depends on the linear
    algebra library.
    """
    weights, loss = start, _loss(differences, regularization, start)
    for _ in range(_NEWTON_STEPS):
        step = _newton_step(differences, regularization, weights)
        before = loss
        for _ in range(_HALVINGS):
            loss = _loss(differences, regularization, on_grid(weights - step))
            if loss <= before + _NO_RISE:
                break
            step /= 2
        weights = on_grid(weights - step)
        if np.abs(step).max() < _SMALL_STEP:  # what is left is its square, far below the grid
            break
    return weights


def _loss(differences: np.ndarray, regularization: float, weights: np.ndarray) -> float:
    return float(np.logaddexp(0, -weights @ differences).mean() + regularization * (weights**2).sum())


def _newton_step(differences: np.ndarray, regularization: float, weights: np.ndarray) -> np.ndarray:
    """Return the gradient of the loss, multiplied by the inverse of its curvature, shape (feature,)."""
    wrong = np.exp(-np.logaddexp(0, weights @ differences)) / differences.shape[1]
    gradient = 2 * regularization * weights - differences @ wrong
    curvature = (differences * (wrong * (1 - wrong * differences.shape[1]))) @ differences.T
    curvature[np.diag_indices(len(curvature))] += 2 * regularization
    return np.linalg.lstsq(curvature, gradient, rcond=None)[0]
