"""PRO: pairwise ranking optimization."""

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

_LBFGS_ITERATIONS = 200
_LEVELS = np.uint16(2**16 - 1)


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
            if len(differences):
                learned = minimise(
                    _LogisticLoss(differences, self.regularization), learned, iterations=_LBFGS_ITERATIONS
                )
            if learned.any():
                weights = tidy((1 - self.interpolation) * weights + self.interpolation * tidy(learned))
            path.append(weights)
        return trajectory(problem, path, best=False)

    def _pairs(self, dev: ScoredList, rng: np.random.Generator) -> np.ndarray:
        """Return features of the better minus those of the worse candidate, shape (feature, pair)."""
        sizes = dev.is_candidate.sum(axis=1)
        first, second = ((rng.random((dev.n_segments, self.samples)) * sizes[:, None]).astype(np.int64) for _ in "ab")
        difference = np.take_along_axis(dev.gains, first, 1) - np.take_along_axis(dev.gains, second, 1)
        size = np.abs(difference)
        size[size < max(self.least_difference, 1e-12)] = 0
        largest = _order(size)[:, : self.kept]
        segment, place = np.nonzero(np.take_along_axis(size, largest, 1) > 0)
        sample = largest[segment, place]
        one, other = first[segment, sample], second[segment, sample]
        better = np.where(difference[segment, sample] > 0, one, other)
        worse = np.where(difference[segment, sample] > 0, other, one)
        return dev.features[:, segment, better] - dev.features[:, segment, worse]


def _order(size: np.ndarray) -> np.ndarray:
    """Return places from the largest to the smallest, shape (segment, sample), of sizes of at least 0.

    Compared as 16-bit numbers, which numpy sorts ten times as fast; of equal ones the first drawn comes first.
    """
    top = float(size.max())
    levels = np.rint(size * (_LEVELS / top if top > 0 else 0.0)).astype(np.uint16)
    return np.argsort(_LEVELS - levels, axis=1, kind="stable")


@dataclass(frozen=True, eq=False)
class _LogisticLoss:
    """Mean logistic loss of pairs, and its gradient; both orders of a pair have the same loss."""

    differences: np.ndarray
    regularization: float

    def __call__(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        margin = np.zeros(self.differences.shape[1])
        for weight, column in zip(weights, self.differences, strict=True):
            margin += weight * column
        decay = np.exp(-np.abs(margin))
        loss = float((np.maximum(-margin, 0) + np.log1p(decay)).mean() + self.regularization * (weights**2).sum())
        push = -np.where(margin > 0, decay, 1.0) / (1.0 + decay) / len(margin)
        gradient = np.array([(push * column).sum() for column in self.differences])
        return loss, gradient + 2 * self.regularization * weights
