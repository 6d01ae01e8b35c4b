"""The standard bootstrap: intervals of each system's score and of their difference, four ways.

Neubig's chapter, Algorithm 4 (after Koehn 2004); Graham's lecture on confidence intervals. Whether the intervals of
two systems overlap is the wrong question for outputs of the same segments; whether the interval of their difference
covers 0 is the right one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import Sampling, Settings, bootstrap_scores
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance import OfPair, Result, Scope
from mtsig_core.significance.distributions import ndtr, ndtri
from mtsig_core.significance.pair import TIE

Kind = Literal["percentile", "sorted elements", "basic", "BCa"]
Size = Literal["full", "half"]
Bounds = tuple[float, float]


@dataclass(frozen=True)
class IntervalRow:
    """One interval.

    Attributes
    ----------
    subject : {"A", "B", "B − A"}
    size : {"full", "half"}
        Draws of L segments with replacement, or of L/2 without.
    kind : {"percentile", "sorted elements", "basic", "BCa"}
    low, high : float or None
        Score units.
    reason : str
        Why there is no interval; empty otherwise.
    """

    subject: str
    size: Size
    kind: Kind
    low: float | None
    high: float | None
    reason: str = ""


@dataclass(frozen=True, eq=False)
class BootstrapIntervals(OfPair, Result):
    """Intervals of two systems and of their difference.

    Attributes
    ----------
    scope : Scope
    level : float
    scores : mapping of subject to float
        The score of A, of B, and D.
    rows : tuple of IntervalRow
    draws : mapping of size to ndarray of shape (draw, 2)
        Scores of A and B.
    overlap : bool or None
        Whether the percentile intervals of A and B overlap: the wrong question. None where one is not defined.
    covers_zero : bool or None
        Whether the percentile interval of B − A covers 0: the right one. None where it is not defined.

    Examples
    --------
    >>> import mtsig_core
    >>> pair = mtsig_core.Workbench(mtsig_core.load_example()).pair()
    >>> pair.bootstrap_intervals(n_bootstrap=100).covers_zero
    False
    """

    scope: Scope
    level: float
    scores: dict[str, float]
    rows: tuple[IntervalRow, ...]
    draws: dict[Size, np.ndarray]
    overlap: bool | None
    covers_zero: bool | None

    def row(self, subject: str, size: Size = "full", kind: Kind = "percentile") -> IntervalRow:
        """Return one interval."""
        return next(r for r in self.rows if (r.subject, r.size, r.kind) == (subject, size, kind))

    def to_frame(self) -> pd.DataFrame:
        """Return one row per interval, with headings for people."""
        names = {"A": self.a, "B": self.b, "B − A": f"{self.b} − {self.a}"}
        rows = [
            (names[r.subject], self.scores[r.subject], f"{r.size} draws", r.kind, r.low, r.high, r.reason)
            for r in self.rows
        ]
        frame = pd.DataFrame(rows, columns=["of", "score", "draws", "interval", "low", "high", "note"])
        return frame if any(r.reason for r in self.rows) else frame.drop(columns="note")


def bootstrap_intervals(
    statistics: SegmentStatistics, a: str, b: str, settings: Settings, *, bootstrap: np.ndarray | None = None,
    progress: Progress = no_progress,
) -> BootstrapIntervals:  # fmt: skip
    """Return percentile, sorted-element, basic and BCa intervals from full draws, and the first three from half draws.

    Parameters
    ----------
    statistics : SegmentStatistics
    a, b : str
        Baseline and system; the score of a system is the mean over its replicas.
    settings : Settings
        Intervals have level 1 - alpha.
    bootstrap : ndarray of shape (draw, output), optional
        Scores of all outputs on bootstrap resamples of full size, to reuse.
    progress : callable
    """
    draws = _draws(statistics, (a, b), settings, bootstrap, progress)
    subjects = _subjects(statistics, a, b)
    rows = [row for subject in subjects for size in draws for row in _rows(subject, size, draws[size], settings.alpha)]
    of_a, of_b, of_difference = (_percentile(rows, subject.name) for subject in subjects)
    return BootstrapIntervals(
        scope=Scope.of(statistics, a, b),
        level=1 - settings.alpha,
        scores={subject.name: subject.score for subject in subjects},
        rows=tuple(rows),
        draws=draws,
        overlap=None if of_a is None or of_b is None else max(of_a[0], of_b[0]) <= min(of_a[1], of_b[1]),
        covers_zero=None if of_difference is None else of_difference[0] <= 0 <= of_difference[1],
    )


def _draws(
    statistics: SegmentStatistics, systems: tuple[str, str], settings: Settings, bootstrap: np.ndarray | None,
    progress: Progress,
) -> dict[Size, np.ndarray]:
    """Return the systems' scores on bootstrap samples of full and of half size."""
    n, seed = settings.n_bootstrap, settings.seed
    if bootstrap is None:
        full = bootstrap_scores(statistics, n, seed, systems=systems, progress=subprogress(progress, 0, 0.5))
    else:
        full = np.concatenate([bootstrap[:, statistics.rows(name)] for name in systems], axis=1)
    half = bootstrap_scores(
        statistics, n, seed, sampling=Sampling(size="half"), systems=systems, progress=subprogress(progress, 0.5, 1)
    )
    n_a = len(statistics.names(systems[0]))
    return {"full": _by_system(full, n_a), "half": _by_system(half, n_a)}


@dataclass(frozen=True, eq=False)
class _Subject:
    """What an interval is of: A, B or their difference."""

    name: str
    score: float
    left_out: np.ndarray  # with each segment left out, shape (segment,)
    tolerance: float

    def draws(self, by_system: np.ndarray) -> np.ndarray:
        """Return the draws of the subject, shape (draw,), of those of A and B, shape (draw, 2)."""
        if self.name == "A":
            return by_system[:, 0]
        return by_system[:, 1] if self.name == "B" else by_system[:, 1] - by_system[:, 0]


def _subjects(statistics: SegmentStatistics, a: str, b: str) -> tuple[_Subject, _Subject, _Subject]:
    of_a, of_b = (float(statistics.scores_of(name).mean()) for name in (a, b))
    left_a, left_b = (jackknife(statistics, name) for name in (a, b))
    tolerance = TIE * max(1.0, abs(of_a), abs(of_b))
    difference = 0.0 if abs(of_b - of_a) <= tolerance else of_b - of_a
    return (
        _Subject("A", of_a, left_a, tolerance),
        _Subject("B", of_b, left_b, tolerance),
        _Subject("B − A", difference, left_b - left_a, tolerance),
    )


def _by_system(scores: np.ndarray, n_a: int) -> np.ndarray:
    return np.stack([scores[:, :n_a].mean(axis=1), scores[:, n_a:].mean(axis=1)], axis=1)


def _percentile(rows: list[IntervalRow], subject: str) -> Bounds | None:
    row = next(r for r in rows if (r.subject, r.size, r.kind) == (subject, "full", "percentile"))
    return None if row.low is None or row.high is None else (row.low, row.high)


def _why_undefined(subject: _Subject, draws: np.ndarray) -> str:
    """Return why there is no interval of any kind; empty where there is."""
    if len(subject.left_out) < 2:
        return "it takes scores of two or more segments"
    if not np.isfinite(draws).all() or not math.isfinite(subject.score):
        return "the score is not defined on some draws"
    if subject.name == "B − A" and np.ptp(draws) <= subject.tolerance < abs(subject.score):
        return "the difference is the same in every draw, so its variance is 0"
    return ""


def _rows(subject: _Subject, size: Size, by_system: np.ndarray, alpha: float) -> list[IntervalRow]:
    draws, score = subject.draws(by_system), subject.score
    undefined = _why_undefined(subject, draws)
    if not undefined and np.ptp(draws) <= subject.tolerance:  # a point, but for rounding
        draws = np.full_like(draws, score)
    kinds: dict[Kind, Callable[[], Bounds | str]] = {
        "percentile": lambda: percentile_interval(draws, alpha),
        "sorted elements": lambda: sorted_interval(draws, alpha),
        "basic": lambda: basic_interval(draws, score, alpha),
    }
    if size == "full":
        kinds["BCa"] = lambda: bca_interval(draws, score, subject.left_out, alpha)
    rows = []
    for kind, interval in kinds.items():
        bounds = undefined or interval()
        if isinstance(bounds, str):
            rows.append(IntervalRow(subject.name, size, kind, None, None, f"not defined: {bounds}"))
        else:
            rows.append(IntervalRow(subject.name, size, kind, *bounds))
    return rows


def jackknife(statistics: SegmentStatistics, system: str) -> np.ndarray:
    """Return a system's mean score with each segment left out, shape (segment,); undefined for a single one."""
    if statistics.n_segments < 2:
        return np.full(statistics.n_segments, math.nan)
    values = statistics.of(system)
    total = np.zeros(statistics.n_segments)
    for output in values:  # one at a time: all at once would be as large as the statistics
        total += statistics.metric.score(output.sum(axis=0) - output)
    return total / len(values)


def percentile_interval(draws: np.ndarray, alpha: float) -> Bounds:
    """Return the alpha/2 and 1 - alpha/2 quantiles of draws, shape (draw,)."""
    low, high = np.quantile(draws, (alpha / 2, 1 - alpha / 2))
    return float(low), float(high)


def sorted_interval(draws: np.ndarray, alpha: float) -> Bounds:
    """Return the elements M alpha/2 and M (1 - alpha/2), counted from 1, of the sorted draws (Algorithm 4)."""
    ordered = np.sort(draws)
    places = [math.ceil(round(len(draws) * share, 9)) for share in (alpha / 2, 1 - alpha / 2)]
    low, high = (float(ordered[min(max(1, place), len(draws)) - 1]) for place in places)
    return low, high


def basic_interval(draws: np.ndarray, observed: float, alpha: float) -> Bounds:
    """Return the percentile interval mirrored at the observed value."""
    low, high = percentile_interval(draws, alpha)
    return 2 * observed - high, 2 * observed - low


def bca_interval(draws: np.ndarray, observed: float, left_out: np.ndarray, alpha: float) -> Bounds | str:
    """Return Efron's bias-corrected and accelerated interval (1987), or why it is not defined.

    Parameters
    ----------
    draws : ndarray of shape (draw,)
    observed : float
    left_out : ndarray of shape (segment,)
        The statistic with each segment left out.
    alpha : float
    """
    if not np.isfinite(left_out).all():
        return "the score is not defined with a segment left out"
    share = float(np.mean(draws < observed) + np.mean(draws <= observed)) / 2
    if share in (0.0, 1.0) or np.ptp(draws) == 0:
        return "all draws lie on one side of the score"
    influence = left_out.mean() - left_out
    square = float((influence**2).sum())
    if square <= (1e-13 * max(1.0, abs(observed))) ** 2 * len(left_out):
        return "no segment makes a difference"
    acceleration = float((influence**3).sum()) / (6 * square**1.5)
    bias = ndtri(share)
    z = bias + ndtri(np.array([alpha / 2, 1 - alpha / 2]))
    levels = ndtr(bias + z / (1 - acceleration * z))
    if not np.isfinite(levels).all():
        return "the acceleration is too large"
    low, high = np.quantile(draws, levels)
    return float(low), float(high)
