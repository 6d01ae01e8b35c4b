"""What one replica per system would have reported: the spread of a correlation over the choice of replicas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np
import pandas as pd

from mtsig_core.analysis.people.items import interval
from mtsig_core.analysis.people.meta_evaluation.correlation import TWO_POINTS, row_correlations, why_undefined
from mtsig_core.resampling import Settings
from mtsig_core.resampling.random_streams import Stream, generator
from mtsig_core.significance.scope import Result


@dataclass(frozen=True, eq=False)
class ReplicaSpread(Result):
    """Pearson's r of one metric with people, over averaged replicas and over single ones.

    Attributes
    ----------
    metric : str
    alpha : float
    n_replicas : tuple of int
        Of each system.
    averaged : float or None
        r of the mean score of each system's replicas.
    draws : ndarray of shape (draw,)
        r with one replica of each system, drawn at random or, where they are few, every choice once.
    interval : tuple of two float, or None
        Central interval of the draws at level 1 - alpha.
    exact : bool
        Whether every choice was counted.
    note : str
    """

    metric: str
    alpha: float
    n_replicas: tuple[int, ...]
    averaged: float | None
    draws: np.ndarray
    interval: tuple[float, float] | None
    exact: bool
    note: str = ""

    def to_frame(self) -> pd.DataFrame:
        """Return one row: r of averaged replicas, and quantiles and extremes of r of single ones."""
        some = self.draws if len(self.draws) else np.array([np.nan])
        row = (self.metric, self.averaged, float(np.median(some)), *(self.interval or (None, None)), float(some.min()),
               float(some.max()), self.note)  # fmt: skip
        names = ["metric", "averaged replicas", "one replica: median", "low", "high", "smallest", "largest", "note"]
        return pd.DataFrame([row], columns=names).astype(dict.fromkeys(names[1:7], float))


def replica_spread(
    metric: str, scores: Sequence[np.ndarray], human: np.ndarray, settings: Settings, *, higher_is_better: bool = True
) -> ReplicaSpread:
    """Return the correlation of averaged replicas with people, and its spread when one replica per system is drawn.

    Parameters
    ----------
    metric : str
    scores : sequence of ndarray of shape (replica,)
        Scores of each system's replicas.
    human : ndarray of shape (system,)
        Higher is better.
    settings : Settings
    higher_is_better : bool
        Of the metric.
    """
    sign = 1.0 if higher_is_better else -1.0
    own = [sign * np.asarray(values, float) for values in scores]
    sizes = tuple(map(len, own))
    means = np.array([values.mean() for values in own])
    reason = why_undefined(means, np.asarray(human, float))
    if reason:
        return ReplicaSpread(metric, settings.alpha, sizes, None, np.empty(0), None, False, reason)
    averaged = float(row_correlations(means[None], np.asarray(human, float)[None])[0])
    if max(sizes) == 1:
        note = "Each system has one replica, so nothing is known about how r varies between replicas."
        return ReplicaSpread(metric, settings.alpha, sizes, averaged, np.empty(0), None, False, note)
    exact = prod(sizes) <= settings.n_bootstrap
    if exact:
        drawn = np.array(list(product(*own)))
    else:
        rng = generator(settings.seed, Stream.POOL_SAMPLE)
        drawn = np.stack([values[rng.integers(0, len(values), settings.n_bootstrap)] for values in own], axis=1)
    r = row_correlations(drawn, np.broadcast_to(human, drawn.shape))
    r = r[np.isfinite(r)]
    note = TWO_POINTS if len(sizes) == 2 else ""
    return ReplicaSpread(metric, settings.alpha, sizes, averaged, r, interval(r, settings.alpha), exact, note)
