"""Three ways to use replicas, side by side (Fu, Xue, Zhang and Hao, Tables 6 to 8, Figures 2 and 3).

*Riezler*: one replica of each system, drawn segment by segment. *Clark*: all replicas, their n L single outputs
pooled as if independent. *Test-set level*: whole outputs of all replicas. Each with a bootstrap and with approximate
randomization, counting as the paper does (more extreme, and one added).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
import pandas as pd

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import Settings, bootstrap_means, bootstrap_scores, hypothesis_bootstrap
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance import Pair, Result, Scope, Scoped, run_on
from mtsig_core.significance.conventions import Convention
from mtsig_core.significance.normal_fits import NormalInterval, fit, overlap_ratio
from mtsig_core.significance.run import tail_count

Method = Literal["riezler", "clark", "test-set level"]
METHODS: dict[Method, str] = {
    "riezler": "Riezler (one replica, segments)",
    "clark": "Clark (all replicas, single outputs)",
    "test-set level": "Test-set level (whole outputs)",
}
_RANDOMIZATION = {"riezler": "sacrebleu-ar", "clark": "multeval-ar", "test-set level": "fu-ar"}
_RULE = Convention(centre="mean", strict=True)


@dataclass(frozen=True)
class MethodInterval:
    """A system's interval by one method (Table 7).

    Attributes
    ----------
    method : {"riezler", "clark", "test-set level"}
    system : str
    score : float
        What the method takes for the system's score.
    interval : NormalInterval or None
    reason : str
        Why there is none.
    """

    method: Method
    system: str
    score: float
    interval: NormalInterval | None
    reason: str = ""


@dataclass(frozen=True)
class MethodPair:
    """Two systems by one method (Table 8 and Figures 2 and 3).

    Attributes
    ----------
    method : {"riezler", "clark", "test-set level"}
    a, b : str
    difference : float
    randomization, bootstrap : float or None
        p of either way of resampling.
    overlap : float or None
        Overlap ratio of the two intervals.
    reason : str
    """

    method: Method
    a: str
    b: str
    difference: float
    randomization: float | None
    bootstrap: float | None
    overlap: float | None
    reason: str = ""


@dataclass(frozen=True, eq=False)
class ThreeMethods(Scoped, Result):
    """Intervals and tests of several systems by the three methods.

    Attributes
    ----------
    scope : Scope
    alpha : float
        The intervals have level 1 - alpha.
    intervals : tuple of MethodInterval
    pairs : tuple of MethodPair
    replica : mapping of system to the one replica that Riezler's method uses: the median one by score

    Examples
    --------
    >>> import mtsig_core
    >>> pair = mtsig_core.Workbench(mtsig_core.load_example()).pair()
    >>> sorted(pair.three_methods(n_bootstrap=100, n_permutations=100).replica)
    ['system1', 'system2']
    """

    scope: Scope
    alpha: float
    intervals: tuple[MethodInterval, ...]
    pairs: tuple[MethodPair, ...]
    replica: dict[str, str]

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return self.scope.systems

    @property
    def level(self) -> float:
        """Confidence level of the intervals."""
        return 1 - self.alpha

    def to_frame(self) -> pd.DataFrame:
        """Return Table 8, as `pair_frame`."""
        return self.pair_frame()

    def interval_frame(self) -> pd.DataFrame:
        """Return Table 7: one row per system and method."""
        rows = [
            (i.system, METHODS[i.method], i.score, *((i.interval.low, i.interval.high) if i.interval else (None, None)))
            for system in self.systems for i in self.intervals if i.system == system
        ]  # fmt: skip
        return pd.DataFrame(rows, columns=["system", "method", self.label, "low", "high"])

    def pair_frame(self) -> pd.DataFrame:
        """Return Table 8: one row per pair and method."""
        rows = [
            (f"{p.a} – {p.b}", METHODS[p.method], p.difference, p.randomization, p.bootstrap, p.overlap, p.reason)
            for p in sorted(self.pairs, key=lambda p: (self.systems.index(p.a), self.systems.index(p.b)))
        ]
        columns = ["systems", "method", "B − A", "p, randomization", "p, bootstrap", "overlap ratio", "note"]
        frame = pd.DataFrame(rows, columns=columns)
        return frame if frame["note"].any() else frame.drop(columns="note")


def three_methods(
    statistics: SegmentStatistics, settings: Settings, *, systems: Sequence[str] | None = None,
    progress: Progress = no_progress,
) -> ThreeMethods:  # fmt: skip
    """Return intervals, overlaps and tests of systems by the three methods.

    Parameters
    ----------
    statistics : SegmentStatistics
    settings : Settings
    systems : sequence of str, optional
        All by default.
    progress : callable
    """
    names = statistics.systems if systems is None else tuple(systems)
    single, chosen = _median_replicas(statistics, names)
    samples = _samples(statistics, single, settings, names, subprogress(progress, 0, 0.4))
    level = 1 - settings.alpha
    intervals = {
        (m, s): _interval(m, s, samples[m], k, len(statistics.names(s)), level)
        for m in METHODS
        for k, s in enumerate(names)
    }
    couples = list(combinations(range(len(names)), 2))
    pairs = []
    for step, (i, j) in enumerate(couples):
        sub = subprogress(progress, 0.4 + 0.6 * step / len(couples), 0.4 + 0.6 * (step + 1) / len(couples))
        for m in METHODS:
            source = single if m == "riezler" else statistics
            ends = intervals[m, names[i]], intervals[m, names[j]]
            pair = Pair(source, names[i], names[j], settings)
            pairs.append(_pair(m, pair, ends, samples[m].draws[:, j] - samples[m].draws[:, i], sub))
    scope = Scope.of(statistics, *names)
    return ThreeMethods(scope, settings.alpha, tuple(intervals.values()), tuple(pairs), chosen)


@dataclass(frozen=True, eq=False)
class _Sample:
    """One method's scores of the systems, shape (system,), and their bootstrap draws, shape (draw, system)."""

    scores: list[float]
    draws: np.ndarray


def _median_replicas(
    statistics: SegmentStatistics, names: Sequence[str]
) -> tuple[SegmentStatistics, dict[str, str]]:
    """Return statistics of each system's median replica (the worse of two middle ones), and its name."""
    rows, chosen = [], {}
    for system in names:
        scores = statistics.scores_of(system)
        order = np.argsort(scores if statistics.metric.higher_is_better else -scores, kind="stable")
        place = int(order[(len(order) - 1) // 2])
        rows.append(statistics.of(system)[place])
        chosen[system] = statistics.names(system)[place]
    single = SegmentStatistics(
        statistics.metric, statistics.test_set, statistics.signature, tuple(names),
        tuple((chosen[s],) for s in names), np.stack(rows), statistics.documents,
    )  # fmt: skip
    return single, chosen


def _samples(
    statistics: SegmentStatistics, single: SegmentStatistics, settings: Settings, names: Sequence[str],
    progress: Progress,
) -> dict[Method, _Sample]:
    """Return each method's scores and bootstrap draws."""
    n, seed = settings.n_bootstrap, settings.seed
    replicas = [bootstrap_means(statistics.scores_of(s), n, seed, system=k) for k, s in enumerate(names)]
    pooled = [float(statistics.metric.score(statistics.of(s).sum(axis=1).mean(axis=0))) for s in names]
    drawing = subprogress(progress, 0, 0.3)
    return {
        "riezler": _Sample(
            [float(single.scores_of(s)[0]) for s in names], bootstrap_scores(single, n, seed, progress=drawing)
        ),
        "clark": _Sample(
            pooled, hypothesis_bootstrap(statistics, n, seed, systems=names, progress=subprogress(progress, 0.3, 1))
        ),
        "test-set level": _Sample(
            [float(statistics.scores_of(s).mean()) for s in names], np.stack(replicas, axis=1)
        ),
    }


def _interval(method: Method, system: str, sample: _Sample, k: int, n: int, level: float) -> MethodInterval:
    """Return the interval of the k-th system, which has n replicas."""
    score, draws = sample.scores[k], sample.draws[:, k]
    if method == "test-set level" and n < 2:
        return MethodInterval(method, system, score, None, "one replica shows no variation")
    if not np.isfinite(draws).all():
        return MethodInterval(method, system, score, None, "the score is not defined on some draws")
    return MethodInterval(method, system, score, fit(draws, level))


def _pair(
    method: Method, pair: Pair, ends: tuple[MethodInterval, MethodInterval], drawn: np.ndarray, progress: Progress
) -> MethodPair:
    difference = ends[1].score - ends[0].score
    reason = ends[0].reason or ends[1].reason
    first, second = ends[0].interval, ends[1].interval
    if first is None or second is None:
        return MethodPair(method, pair.a, pair.b, difference, None, None, None, reason)
    permuted = run_on(pair, _RANDOMIZATION[method], progress)
    tolerance = 1e-12 * max(1.0, abs(first.mean), abs(second.mean))
    p: float | None
    if abs(difference) <= tolerance:
        p = 1.0
    elif np.ptp(drawn) <= tolerance:
        p, reason = None, "bootstrap not defined: the difference is the same in every draw"
    else:
        p = (tail_count(drawn - drawn.mean(), difference, _RULE, tolerance) + 1) / (len(drawn) + 1)
    overlap = overlap_ratio(first.mean, first.sd, second.mean, second.sd, 1 - pair.settings.alpha)
    note = permuted.note if permuted.p is None else reason
    return MethodPair(method, pair.a, pair.b, difference, permuted.p, p, overlap, note)
