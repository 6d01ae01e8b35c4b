"""Segment level: correlation of a metric with people by segment and over all, and accuracy with tie calibration."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.analysis.people.items import interval
from mtsig_core.analysis.people.meta_evaluation.correlation import (
    Coefficient,
    coefficient,
    row_correlations,
    why_undefined,
)
from mtsig_core.formatting import count
from mtsig_core.resampling import Settings
from mtsig_core.resampling.random_streams import Stream, bootstrap_chunk_size, bootstrap_counts, chunks
from mtsig_core.significance.scope import Result

GROUPED, UNGROUPED = "grouped by segment", "ungrouped"
QUESTIONS = {
    GROUPED: "Which translation of this segment is better?",
    UNGROUPED: "Which of all translations, of whatever segment, are good?",
}


@dataclass(frozen=True)
class SegmentCoefficient:
    """One statistic at segment level.

    Attributes
    ----------
    name : str
    grouping : str
        `GROUPED` (mean over segments of the statistic over systems) or `UNGROUPED` (over all outputs together).
    value : float or None
    interval : tuple of two float, or None
        Percentile bootstrap over segments; for grouped statistics.
    n : int
        Segments on which it is defined, or outputs.
    note : str
    """

    name: str
    grouping: str
    value: float | None
    interval: tuple[float, float] | None
    n: int
    note: str = ""


@dataclass(frozen=True)
class TieCalibration:
    """Pairwise accuracy in which ties count, with the best threshold for a tie of the metric.

    Attributes
    ----------
    accuracy : float or None
        At the threshold found.
    accuracy_without : float or None
        With a threshold of 0: only equal scores are a tie of the metric.
    epsilon : float or None
        Differences of the metric up to it are ties, in units of the metric. It is found on these data themselves, so
        the accuracy is a little too high.
    n_pairs, n_human_ties : int
    """

    accuracy: float | None
    accuracy_without: float | None
    epsilon: float | None
    n_pairs: int
    n_human_ties: int


@dataclass(frozen=True, eq=False)
class SegmentLevel(Result):
    """One metric against people at segment level.

    Attributes
    ----------
    metric : str
    alpha : float
    coefficients : tuple of SegmentCoefficient
    ties : TieCalibration
    """

    metric: str
    alpha: float
    coefficients: tuple[SegmentCoefficient, ...]
    ties: TieCalibration

    def to_frame(self) -> pd.DataFrame:
        """Return one row per statistic."""
        rows = [
            (self.metric, c.name, c.grouping, c.n, c.value, *(c.interval or (None, None)), c.note)
            for c in self.coefficients
        ]
        note = "" if self.ties.epsilon is None else (
            f"Differences up to {self.ties.epsilon:.4g} count as ties, a threshold found on these data.")
        rows.append(
            (
                self.metric,
                "pairwise accuracy with ties, calibrated",
                GROUPED,
                self.ties.n_pairs,
                self.ties.accuracy,
                None,
                None,
                note,
            )
        )
        names = ["metric", "statistic", "grouping", "n", "value", "low", "high", "note"]
        return pd.DataFrame(rows, columns=names).astype(dict.fromkeys(["value", "low", "high"], float))


def segment_level(metric: str, human: np.ndarray, scores: np.ndarray, settings: Settings) -> SegmentLevel:
    """Compare segment scores of a metric with those of people.

    Parameters
    ----------
    metric : str
    human, scores : ndarray of shape (segment, system)
        Higher is better; NaN where missing.
    settings : Settings

    References
    ----------
    Deutsch, Foster and Freitag 2023, "Ties matter: meta-evaluating modern metrics with pairwise accuracy and tie
    calibration".
    """
    there = np.isfinite(human) & np.isfinite(scores)
    human, scores = np.where(there, human, np.nan), np.where(there, scores, np.nan)
    grouped = [
        _grouped("Pearson's r", _by_row_pearson(human, scores), settings),
        _grouped("Kendall's tau-b", _by_row_kendall(human, scores), settings),
    ]
    x, y = scores[there], human[there]
    reason = why_undefined(x, y)
    overall = []
    names: dict[Coefficient, str] = {"pearson": "Pearson's r", "kendall": "Kendall's tau-b"}
    for key, name in names.items():
        value = None if reason else coefficient(key, x, y)[0]
        overall.append(SegmentCoefficient(name, UNGROUPED, value, None, len(x), reason))
    return SegmentLevel(metric, settings.alpha, (*grouped, *overall), tie_calibration(human, scores))


def _grouped(name: str, by_segment: np.ndarray, settings: Settings) -> SegmentCoefficient:
    """Return the mean over segments, with its bootstrap interval over the segments that have a value."""
    values = by_segment[np.isfinite(by_segment)]
    n_undefined = len(by_segment) - len(values)
    note = ""
    if n_undefined:
        verb = "is" if n_undefined == 1 else "are"
        note = f"{count(n_undefined, 'segment')} without variation or with fewer than two outputs {verb} left out."
    if not len(values):
        return SegmentCoefficient(name, GROUPED, None, None, 0, "Not defined: no segment has scores that vary.")
    means = [
        bootstrap_counts(settings.seed, Stream.BOOTSTRAP_SEGMENT, chunk, len(values)) @ values / len(values)
        for chunk in chunks(settings.n_bootstrap, bootstrap_chunk_size(len(values)))
    ]
    ends = interval(np.concatenate(means), settings.alpha) if len(values) > 1 else None
    return SegmentCoefficient(name, GROUPED, float(values.mean()), ends, len(values), note)


def _by_row_pearson(human: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Return Pearson's r over the systems of each segment, shape (segment,); NaN where not defined."""
    there = np.isfinite(human)
    n = there.sum(axis=1, keepdims=True)
    centred = []
    for values in (human, scores):
        mean = np.divide(np.nansum(values, axis=1, keepdims=True), n, out=np.zeros(n.shape), where=n > 0)
        centred.append(np.where(there, values - mean, 0.0))
    return np.where(n[:, 0] > 1, row_correlations(*centred), np.nan)


def _pair_differences(values: np.ndarray) -> np.ndarray:
    first, second = np.triu_indices(values.shape[1], 1)
    return np.round(values[:, first] - values[:, second], 12)


def _by_row_kendall(human: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Return tau-b over the systems of each segment, shape (segment,); NaN where not defined."""
    by_people, by_metric = (np.sign(_pair_differences(values)) for values in (human, scores))
    spread = np.sqrt(np.nansum(by_people**2, axis=1) * np.nansum(by_metric**2, axis=1))
    return np.divide(
        np.nansum(by_people * by_metric, axis=1), spread, out=np.full(len(human), np.nan), where=spread > 0
    )


def tie_calibration(human: np.ndarray, scores: np.ndarray) -> TieCalibration:
    """Return pairwise accuracy within segments, each segment counted alike, at the best threshold for ties.

    A pair is right where people and metric prefer the same output, or both see a tie; the metric sees one where its
    difference is at most epsilon. Among thresholds with the same accuracy the smallest is taken.

    Parameters
    ----------
    human, scores : ndarray of shape (segment, system)
        Higher is better; NaN where missing in either.
    """
    by_people, by_metric = _pair_differences(human), _pair_differences(scores)
    there = np.isfinite(by_people) & np.isfinite(by_metric)
    per_segment = there.sum(axis=1)
    n_segments = int((per_segment > 0).sum())
    if not n_segments:
        return TieCalibration(None, None, None, 0, 0)
    weights = np.broadcast_to(1.0 / np.maximum(1, per_segment)[:, None] / n_segments, there.shape)[there]
    people, metric = by_people[there], by_metric[there]
    size = np.abs(metric)
    tied = people == 0
    agreeing = ~tied & (np.sign(people) == np.sign(metric))
    order = np.argsort(size, kind="stable")
    # as the threshold passes a pair, a right order turns wrong and a tie of people turns right
    gained = np.cumsum((weights * (tied.astype(float) - agreeing))[order])
    accuracy = float((weights * agreeing).sum()) + gained
    last = np.flatnonzero(np.append(np.diff(size[order]) > 0, True))  # thresholds include all pairs of equal size
    values, epsilons = accuracy[last], size[order][last]
    without = float((weights * (agreeing | (tied & (size == 0)))).sum())
    if epsilons[0] > 0:
        values, epsilons = np.append(without, values), np.append(0.0, epsilons)
    best = int(np.argmax(values > values.max() - 1e-12))
    return TieCalibration(float(values[best]), without, float(epsilons[best]), len(people), int(tied.sum()))
