"""The whole-replica effect: do replicas differ more than the luck of single outputs makes them differ.

Clark et al. (2011) tell optimizer instability from test-set luck; this is the test of whether a system's replicas
differ *as a whole*, against the same outputs dealt among them segment by segment.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import shuffled_scores
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance.crossed import two_way
from mtsig_core.significance.distributions import fdtrc, fdtri

DEALS = 999
FEWEST_DEALS = 199
_MOST_NUMBERS = 1e8  # statistics dealt: larger pools get fewer deals, or the closed form alone
FEW_REPLICAS = 10


@dataclass(frozen=True)
class ReplicaEffect:
    """The whole-replica effect of one system; numbers are None where `note` says why.

    Attributes
    ----------
    test_set, metric, label, system : str
    n : int
    s_test : float or None
        Standard deviation of the replicas' scores.
    f : float or None
        s_test^2 over its mean when outputs are dealt among replicas; MSa/MSe where `deals` is 0.
    p : float or None
        (c + 1)/(R + 1) by dealing, or from F(n - 1, (n - 1)(L - 1)).
    f_closed, p_closed : float or None
        The closed form: MSa/MSe of the pseudo-values, and its p.
    deals : int
        R; 0 where the closed form stands in.
    sd, sd_low, sd_high : float or None
        Standard deviation of whole replicas that F implies, in score units, and its interval at 1 - alpha.
    note : str
    """

    test_set: str
    metric: str
    label: str
    system: str
    n: int
    s_test: float | None = None
    f: float | None = None
    p: float | None = None
    f_closed: float | None = None
    p_closed: float | None = None
    deals: int = 0
    sd: float | None = None
    sd_low: float | None = None
    sd_high: float | None = None
    note: str = ""


@dataclass(frozen=True)
class ReplicaEffects:
    """Effects of several systems and metrics."""

    rows: tuple[ReplicaEffect, ...]
    alpha: float

    def to_frame(self) -> pd.DataFrame:
        """Return a row a metric and system."""
        names = {"label": "metric", "system": "system", "n": "n", "s_test": "s_test", "f": "F", "p": "p",
                 "sd": "replica sd", "sd_low": "sd low", "sd_high": "sd high", "note": "note"}
        rows = [[getattr(row, key) for key in names] for row in self.rows]
        return pd.DataFrame(rows, columns=list(names.values()))


def affordable_deals(statistics: SegmentStatistics, system: str, wanted: int = DEALS) -> int:
    """Return how many deals a pool of this size allows: fewer for larger ones, 0 for the closed form alone."""
    fits = int(_MOST_NUMBERS / max(1, statistics.of(system).size))
    return min(wanted, fits) if fits >= min(wanted, FEWEST_DEALS) else 0


def replica_effect(
    statistics: SegmentStatistics,
    system: str,
    *,
    alpha: float = 0.05,
    deals: int = DEALS,
    seed: int = 12345,
    progress: Progress = no_progress,
) -> ReplicaEffect:
    """Test whether a system's replicas differ as a whole.

    Parameters
    ----------
    statistics : SegmentStatistics
    system : str
    alpha : float
        The interval of the replica sd has level 1 - alpha.
    deals : int
        How often outputs are dealt among replicas; 0 for the closed form. Large pools get fewer.
    seed : int
    progress : Progress
    """
    where = (statistics.test_set, statistics.metric.name, statistics.metric.label, system)
    scores = statistics.scores_of(system)
    n, n_segments = len(scores), statistics.n_segments
    reason = _why_undefined(n, n_segments, scores)
    if reason:
        return ReplicaEffect(*where, n, note=f"Not defined: {reason}")
    observed = float(scores.var(ddof=1))
    ms_replica, ms_rest = two_way(statistics.pseudo_values(system))
    tiny = (1e-12 * max(1.0, float(np.abs(scores).max()))) ** 2
    if observed <= tiny:
        note = "All replicas score the same." if ms_rest > tiny else "All replicas are alike in every segment."
        return ReplicaEffect(*where, n, 0.0, 0.0, 1.0, 0.0, 1.0, sd=0.0, note=note)
    if ms_rest <= n_segments * tiny:
        note = "Not defined: replicas differ by the same in every segment, so nothing is left to set that against."
        return ReplicaEffect(*where, n, math.sqrt(observed), note=note)
    df = n - 1, (n - 1) * (n_segments - 1)
    ratio = ms_replica / ms_rest
    p_closed = max(float(np.finfo(float).tiny), float(fdtrc(*df, ratio)))
    ends = [ratio / float(fdtri(*df, q)) for q in (1 - alpha / 2, alpha / 2)]
    sd, low, high = (math.sqrt(max(0.0, x - 1) * ms_rest / n_segments) for x in (ratio, *ends))
    found, p, n_deals = ratio, p_closed, affordable_deals(statistics, system, deals)
    if n_deals:
        dealt = shuffled_scores(statistics, system, n_deals, seed, progress=progress).var(axis=1, ddof=1)
        found = observed / float(dealt.mean())
        p = (int(np.count_nonzero(dealt >= observed * (1 - 1e-12))) + 1) / (n_deals + 1)
    return ReplicaEffect(
        *where, n, math.sqrt(observed), found, p, ratio, p_closed, n_deals, sd, low, high,
        _few(n) if p >= alpha else "",
    )


def _why_undefined(n: int, n_segments: int, scores: np.ndarray) -> str:
    if n < 2:
        return "one replica shows no spread."
    if n_segments < 2:
        return "one segment cannot tell a replica from an output."
    return "" if np.isfinite(scores).all() else "a replica has no score."


def _few(n: int) -> str:
    return f"With {n} replicas this is no evidence that there is none." if n < FEW_REPLICAS else ""


def replica_effects(
    statistics: Sequence[SegmentStatistics],
    *,
    systems: Sequence[str] | None = None,
    alpha: float = 0.05,
    deals: int = DEALS,
    seed: int = 12345,
    progress: Progress = no_progress,
) -> ReplicaEffects:
    """Test the whole-replica effect of every system (or of those named) under every metric."""
    asked = [(s, name) for s in statistics for name in s.systems if systems is None or name in systems]
    rows = [
        replica_effect(s, name, alpha=alpha, deals=deals, seed=seed,
                       progress=subprogress(progress, i / len(asked), (i + 1) / len(asked)))
        for i, (s, name) in enumerate(asked)
    ]
    return ReplicaEffects(tuple(rows), alpha)
