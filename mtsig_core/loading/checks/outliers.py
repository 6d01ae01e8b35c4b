"""Replicas that lie so far from the others of their system that a run may have failed: an outlier test.

A replica is an outlier when it is one among the replicas of all systems together (residuals from each system's own
median, against their median absolute deviation; the largest of many residuals is judged as such, so that the error
rate holds for an experiment and not for each replica), and also stands apart from its own siblings, so that a system
that varies more than the others is not taken for failed runs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

ALPHA = 0.01  # error rate over the replicas of all systems
OWN_ALPHA = 0.05  # over the replicas of one system, against its own spread
FEWEST_SEGMENTS = 100  # below which a replica's score says too little of the run
FEWEST = 3  # replicas of a system that has outliers
SIMULATIONS = 1999
_MOST_VALUES = 2_000_000  # simulated at once
_SCREEN = 3.0  # residuals below so many deviations are no outliers in any experiment


@dataclass(frozen=True)
class Outlier:
    """A replica far from the others.

    Parameters
    ----------
    group, index : int
        System and replica.
    deviation : float
        Its number less the median of its siblings'.
    p : float
        Of the largest residual over all systems being so large.
    """

    group: int
    index: int
    deviation: float
    p: float

    @property
    def direction(self) -> str:
        """Which way it lies."""
        return "above" if self.deviation > 0 else "below"


def outliers(groups: Sequence[np.ndarray], *, n_segments: int, seed: int = 12345) -> tuple[Outlier, ...]:
    """Return the replicas that are outliers at .01, over all systems together.

    Parameters
    ----------
    groups : sequence of ndarray of shape (replica,)
        A number for each replica (a score, a length) of each system.
    n_segments : int
        Of the test set; with fewer than 100 no replica is called an outlier.
    seed : int
        Of the simulated null distribution: normal numbers in systems of the same sizes.
    """
    sizes = [len(values) for values in groups]
    if n_segments < FEWEST_SEGMENTS or max(sizes, default=0) < FEWEST:
        return ()
    ratios = _ratios([np.asarray(values, dtype=float)[None] for values in groups if len(values) >= FEWEST])[0]
    if not np.isfinite(ratios).any() or np.nanmax(ratios) < _SCREEN:
        return ()
    null = _largest_ratios([n for n in sizes if n >= FEWEST], seed)
    places = [(g, i) for g, n in enumerate(sizes) if n >= FEWEST for i in range(n)]
    result = []
    for (group, index), ratio in zip(places, ratios, strict=True):
        p = (1 + np.count_nonzero(null >= ratio)) / (len(null) + 1)
        values = np.asarray(groups[group], dtype=float)
        if p < ALPHA and _apart_from_siblings(values, index):
            result.append(Outlier(group, index, float(values[index] - np.median(np.delete(values, index))), float(p)))
    return tuple(result)


def _ratios(groups: Sequence[np.ndarray]) -> np.ndarray:
    """Return sizes of residuals over their median absolute deviation, shape (trial, replica), of (trial, n) each."""
    residuals = np.concatenate([np.abs(y - np.median(y, axis=1, keepdims=True)) for y in groups], axis=1)
    spread = np.median(residuals, axis=1, keepdims=True)
    apart = np.where(residuals > 0, np.inf, 0.0)
    return np.divide(residuals, spread, out=apart, where=spread > 0)


def _largest_ratios(sizes: Sequence[int], seed: int) -> np.ndarray:
    """Return the largest ratio of each simulated experiment of normal numbers."""
    rng = np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(seed, spawn_key=(0x0D,))))
    step = max(1, _MOST_VALUES // sum(sizes))
    chunks = [min(step, SIMULATIONS - start) for start in range(0, SIMULATIONS, step)]
    return np.concatenate([_ratios([rng.standard_normal((k, n)) for n in sizes]).max(axis=1) for k in chunks])


def _apart_from_siblings(values: np.ndarray, index: int) -> bool:
    """Say whether a replica is far from its siblings by their own spread: a deleted t residual, for n replicas."""
    from scipy.special import stdtr  # takes long to import, and few experiments come here

    siblings = np.delete(values, index)
    n = len(siblings)
    distance = abs(float(values[index] - siblings.mean()))
    error = float(siblings.std(ddof=1)) * math.sqrt(1 + 1 / n)
    if error == 0:
        return distance > 0
    return bool(2 * stdtr(n - 1, -distance / error) * len(values) < OWN_ALPHA)
