"""Replicas: weight vectors that a stochastic optimizer reaches from different starts.

Each replica climbs on the dev set's BLEU by accepting random steps that do not lower it. Climbing squeezes
the dev scores together; on other text the same weights keep more of their scatter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from data.builder import bleu
from data.builder.candidates import UNIT, Lists

START = (1.0, 0.8, 0.5, 0.5, 0.6, 0.2, 0.6, 0.3)  # a reasonable decoder, in the order of FEATURES


@dataclass(frozen=True)
class Optimizer:
    """How replicas are tuned.

    Parameters
    ----------
    replicas : int
    spare : int
        Replicas tuned besides, to stand in for those that end where another did.
    starts : int
        Random starts of a replica, of which the best on dev is climbed from.
    scatter : float
        Standard deviation of a start's weights.
    step, last_step : float
        Standard deviation of the first and the last step; those between shrink geometrically.
    steps : int
    """

    replicas: int
    spare: int
    starts: int
    scatter: float
    step: float
    last_step: float
    steps: int


def tune(dev: Lists, optimizer: Optimizer, rng: np.random.Generator) -> np.ndarray:
    """Return weights, shape (replicas + spare, feature), float64 holding whole numbers."""
    shape = (optimizer.replicas + optimizer.spare, len(START))
    weights, best = np.zeros(shape), np.zeros(shape[0])
    for _ in range(optimizer.starts):
        start = _whole(np.array(START) + optimizer.scatter * rng.standard_normal(shape))
        _keep_better(weights, best, start, dev)
    for step in np.geomspace(optimizer.step, optimizer.last_step, optimizer.steps):
        _keep_better(weights, best, weights + _whole(step * rng.standard_normal(shape)), dev)
    return weights


def _keep_better(weights: np.ndarray, best: np.ndarray, proposal: np.ndarray, dev: Lists) -> None:
    """Replace, in place, the weights of the replicas that score at least as well with what is proposed."""
    scores = dev_scores(dev, proposal)
    better = scores >= best
    weights[better], best[better] = proposal[better], scores[better]


def choose(lists: Lists, weights: np.ndarray) -> np.ndarray:
    """Return the index of the best candidate, shape (replica, segment)."""
    n_segments, n_candidates, n_features = lists.features.shape
    model = weights @ lists.features.reshape(-1, n_features).T
    return model.reshape(-1, n_segments, n_candidates).argmax(axis=2)


def dev_scores(lists: Lists, weights: np.ndarray) -> np.ndarray:
    """Return BLEU of each replica, shape (replica,)."""
    chosen = choose(lists, weights)
    return bleu.score(lists.statistics[np.arange(chosen.shape[1]), chosen].sum(axis=1))


def _whole(values: np.ndarray) -> np.ndarray:
    return np.round(UNIT * values)
