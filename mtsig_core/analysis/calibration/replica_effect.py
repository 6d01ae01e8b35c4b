"""The whole-replica effect: do replicas differ more than independent outputs would.

Clark et al. (2011) separate optimizer instability from test-set variation; this is the test of whether a system's
replicas differ *as a whole*, against the same outputs assigned to the replicas at random, segment by segment.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import shuffled_scores
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance import OfSystem, Result, Scope, with_numbers
from mtsig_core.significance.closed_form.crossed import two_way
from mtsig_core.significance.distributions import fdtrc, fdtri

PERMUTATIONS = 999
FEWEST_PERMUTATIONS = 199
_MOST_NUMBERS = 1e8  # statistics permuted: larger pools get fewer permutations, or the closed form alone
FEW_REPLICAS = 10


@dataclass(frozen=True)
class ReplicaEffect(OfSystem):
    """The whole-replica effect of one system; numbers are None where `note` says why.

    Attributes
    ----------
    scope : Scope
    n : int
    s_test : float or None
        Standard deviation of the replicas' scores.
    f : float or None
        s_test^2 over its mean when outputs are assigned to replicas at random; MSa/MSe where `n_permutations` is 0.
    p : float or None
        (c + 1)/(R + 1) by random assignment, or from F(n - 1, (n - 1)(L - 1)).
    f_closed, p_closed : float or None
        The closed form: MSa/MSe of the pseudo-values, and its p.
    n_permutations : int
        R; 0 where the closed form stands in.
    sd, sd_low, sd_high : float or None
        Standard deviation of whole replicas that F implies, in score units, and its interval at 1 - alpha.
    note : str
    """

    scope: Scope
    n: int
    s_test: float | None = None
    f: float | None = None
    p: float | None = None
    f_closed: float | None = None
    p_closed: float | None = None
    n_permutations: int = 0
    sd: float | None = None
    sd_low: float | None = None
    sd_high: float | None = None
    note: str = ""


@dataclass(frozen=True)
class ReplicaEffects(Result):
    """Effects of several systems and metrics.

    Examples
    --------
    >>> import mtsig_core
    >>> bench = mtsig_core.Workbench(mtsig_core.load_example(4))
    >>> [row.system for row in bench.replica_effects(n_permutations=100).rows]
    ['system1', 'system2']
    """

    rows: tuple[ReplicaEffect, ...]
    alpha: float

    def to_frame(self) -> pd.DataFrame:
        """Return one row per metric and system."""
        names = {"label": "metric", "system": "system", "n": "n", "s_test": "s_test", "f": "F", "p": "p",
                 "sd": "replica sd", "sd_low": "sd low", "sd_high": "sd high", "note": "note"}
        rows = [[getattr(row, key) for key in names] for row in self.rows]
        return with_numbers(pd.DataFrame(rows, columns=list(names.values())))


def affordable_permutations(statistics: SegmentStatistics, system: str, wanted: int = PERMUTATIONS) -> int:
    """Return how many permutations a pool of this size allows: fewer for larger ones, 0 for the closed form alone."""
    affordable = int(_MOST_NUMBERS / max(1, statistics.of(system).size))
    return min(wanted, affordable) if affordable >= min(wanted, FEWEST_PERMUTATIONS) else 0


def replica_effect(
    statistics: SegmentStatistics, system: str, *, alpha: float = 0.05, n_permutations: int = PERMUTATIONS,
    seed: int = 12345, progress: Progress = no_progress,
) -> ReplicaEffect:  # fmt: skip
    """Test whether a system's replicas differ as a whole.

    Parameters
    ----------
    statistics : SegmentStatistics
    system : str
    alpha : float
        The interval of the replica sd has level 1 - alpha.
    n_permutations : int
        How often outputs are assigned to replicas at random; 0 for the closed form. Large pools get fewer.
    seed : int
    progress : Progress
    """
    scope, scores = Scope.of(statistics, system), statistics.scores_of(system)
    n, n_segments = len(scores), statistics.n_segments
    if reason := _why_undefined(n, n_segments, scores):
        return ReplicaEffect(scope, n, note=f"Not defined: {reason}")
    observed = float(scores.var(ddof=1))
    ms_replica, ms_rest = two_way(statistics.pseudo_values(system))
    tiny = (1e-12 * max(1.0, float(np.abs(scores).max()))) ** 2
    if observed <= tiny:
        note = "All replicas score the same." if ms_rest > tiny else "All replicas are equal in every segment."
        return ReplicaEffect(scope, n, 0.0, 0.0, 1.0, 0.0, 1.0, sd=0.0, note=note)
    if ms_rest <= n_segments * tiny:
        note = "Not defined: replicas differ by the same in every segment, so nothing is left to set that against."
        return ReplicaEffect(scope, n, math.sqrt(observed), note=note)
    effect = replace(_closed_form(scope, n, n_segments, (ms_replica, ms_rest), alpha), s_test=math.sqrt(observed))
    if affordable := affordable_permutations(statistics, system, n_permutations):
        effect = _permuted(effect, observed, shuffled_scores(statistics, system, affordable, seed, progress=progress))
    return replace(effect, note=_few(n) if effect.p is not None and effect.p >= alpha else "")


def _permuted(effect: ReplicaEffect, observed: float, scores: np.ndarray) -> ReplicaEffect:
    """Replace the closed form by scores, shape (permutation, replica), of outputs assigned to replicas at random."""
    n, variances = len(scores), scores.var(axis=1, ddof=1)
    p = (int(np.count_nonzero(variances >= observed * (1 - 1e-12))) + 1) / (n + 1)
    return replace(effect, f=observed / float(variances.mean()), p=p, n_permutations=n)


def _closed_form(
    scope: Scope, n: int, n_segments: int, squares: tuple[float, float], alpha: float
) -> ReplicaEffect:
    """Return F, p and the replicas' standard deviation from the mean squares of replicas and of the residual."""
    ms_replica, ms_rest = squares
    df = n - 1, (n - 1) * (n_segments - 1)
    ratio = ms_replica / ms_rest
    p = max(float(np.finfo(float).tiny), float(fdtrc(*df, ratio)))
    ends = [ratio / float(fdtri(*df, q)) for q in (1 - alpha / 2, alpha / 2)]
    sd, low, high = (math.sqrt(max(0.0, x - 1) * ms_rest / n_segments) for x in (ratio, *ends))
    return ReplicaEffect(scope, n, None, ratio, p, ratio, p, 0, sd, low, high)


def _why_undefined(n: int, n_segments: int, scores: np.ndarray) -> str:
    if n < 2:
        return "one replica shows no variation."
    if n_segments < 2:
        return "with a single segment, a replica effect cannot be separated from single outputs."
    return "" if np.isfinite(scores).all() else "a replica has no score."


def _few(n: int) -> str:
    return f"With {n} replicas this is no evidence that there is none." if n < FEW_REPLICAS else ""


def replica_effects(
    statistics: Sequence[SegmentStatistics], *, systems: Sequence[str] | None = None, alpha: float = 0.05,
    n_permutations: int = PERMUTATIONS, seed: int = 12345, progress: Progress = no_progress,
) -> ReplicaEffects:  # fmt: skip
    """Test the whole-replica effect of every system (or of those named) under every metric.

    Parameters
    ----------
    statistics : sequence of SegmentStatistics
        One per metric.
    systems : sequence of str, optional
    alpha, n_permutations, seed, progress
        As of `replica_effect`.
    """
    asked = [(s, name) for s in statistics for name in s.systems if systems is None or name in systems]
    rows = [
        replica_effect(s, name, alpha=alpha, n_permutations=n_permutations, seed=seed,
                       progress=subprogress(progress, i / len(asked), (i + 1) / len(asked)))
        for i, (s, name) in enumerate(asked)
    ]
    return ReplicaEffects(tuple(rows), alpha)
