"""Correlation of a metric with people: coefficients with intervals, outliers, and the distribution of r."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from mtsig_core.analysis.people.items import interval
from mtsig_core.resampling import Settings
from mtsig_core.resampling.random_streams import Stream, bootstrap_chunk_size, chunks, generator
from mtsig_core.significance.scope import Result

Coefficient = Literal["pearson", "spearman", "kendall"]
COEFFICIENTS: dict[Coefficient, str] = {
    "pearson": "Pearson's r", "spearman": "Spearman's rho", "kendall": "Kendall's tau-b",
}  # fmt: skip
#: Distance from the median, in robust standard deviations, beyond which a system is an outlier.
OUTLIER_CUT = 2.5
_MAD_TO_SD = 1.483
#: Points up to which Kendall's tau is bootstrapped by all pairs of points.
_MOST_POINTS = 400
#: Said of coefficients of two points.
TWO_POINTS = "A correlation of two points is always 1 or −1: it says only whether both put the same one first."


@dataclass(frozen=True)
class CorrelationValue:
    """One coefficient.

    Attributes
    ----------
    name : str
    value : float or None
        None where it is not defined.
    interval : tuple of two float, or None
        Percentile bootstrap over points.
    fisher : tuple of two float, or None
        Fisher's interval, for Pearson with more than three points.
    p_zero : float or None
        p of the test against r = 0. It does not say that one metric is better than another.
    note : str
    """

    name: str
    value: float | None
    interval: tuple[float, float] | None
    fisher: tuple[float, float] | None
    p_zero: float | None
    note: str = ""


@dataclass(frozen=True, eq=False)
class MetricAgainstPeople(Result):
    """One metric against people, one point per system (or segment).

    Attributes
    ----------
    metric : str
    higher_is_better : bool
        Of the metric; coefficients are those of quality, so an error rate that agrees with people has a positive one.
    alpha : float
        Intervals have level 1 - alpha.
    names : tuple of str
        Of the points that have both values.
    metric_scores, human_scores : ndarray of shape (point,)
        As given.
    coefficients : mapping of coefficient to CorrelationValue
    outliers : tuple of str
        Points whose human score lies far from the others.
    without_outliers : mapping of coefficient to CorrelationValue
        Empty where there is no outlier.
    draws : ndarray of shape (draw,)
        Pearson's r of points drawn with replacement; draws in which it is not defined are left out.
    missing : tuple of str
        Points that lack one of both values.
    """

    metric: str
    higher_is_better: bool
    alpha: float
    names: tuple[str, ...]
    metric_scores: np.ndarray
    human_scores: np.ndarray
    coefficients: dict[Coefficient, CorrelationValue]
    outliers: tuple[str, ...]
    without_outliers: dict[Coefficient, CorrelationValue]
    draws: np.ndarray
    missing: tuple[str, ...]

    def to_frame(self) -> pd.DataFrame:
        """Return one row per coefficient, with all points and without outliers."""
        rows = []
        for points, values in (("all", self.coefficients), ("without outliers", self.without_outliers)):
            n = len(self.names) - (len(self.outliers) if points != "all" else 0)
            for each in values.values():
                rows.append((self.metric, points, n, each.name, each.value, *(each.interval or (None, None)),
                             *(each.fisher or (None, None)), each.p_zero, each.note))  # fmt: skip
        names = ["metric", "points", "n", "coefficient", "value", "low", "high", "Fisher low", "Fisher high",
                 "p against 0", "note"]  # fmt: skip
        return pd.DataFrame(rows, columns=names).astype(dict.fromkeys(names[4:10], float))


def metric_against_people(
    metric: str, metric_scores: Sequence[float] | np.ndarray, human_scores: Sequence[float] | np.ndarray,
    names: Sequence[str], settings: Settings, *, higher_is_better: bool = True,
) -> MetricAgainstPeople:  # fmt: skip
    """Correlate the scores of a metric with those of people.

    Parameters
    ----------
    metric : str
    metric_scores, human_scores : array of shape (point,)
        NaN where a point has none; such points are left out and named.
    names : sequence of str
    settings : Settings
    higher_is_better : bool
        Of the metric; human scores are better when higher.

    References
    ----------
    Fisher 1921; Mathur, Baldwin and Cohn 2020, "Tangled up in BLEU", section 4 (outliers by the median absolute
    deviation).
    """
    x, y = np.asarray(metric_scores, float), np.asarray(human_scores, float)
    if not len(x) == len(y) == len(names):
        raise ValueError(f"{len(x)} metric scores, {len(y)} human scores and {len(names)} names; give equal numbers.")
    used = np.isfinite(x) & np.isfinite(y)
    missing = tuple(name for name, there in zip(names, used, strict=True) if not there)
    used_names = tuple(name for name, there in zip(names, used, strict=True) if there)
    x, y = x[used], y[used]
    quality, human = (x if higher_is_better else -x), y
    outlying = outliers(human)
    values, draws = _coefficients(quality, human, settings)
    without: dict[Coefficient, CorrelationValue] = {}
    if outlying.any():
        without, _ = _coefficients(quality[~outlying], human[~outlying], settings)
    far = tuple(name for name, out in zip(used_names, outlying, strict=True) if out)
    return MetricAgainstPeople(
        metric, higher_is_better, settings.alpha, used_names, x, y, values, far, without, draws, missing
    )


def outliers(human: np.ndarray) -> np.ndarray:
    """Say which human scores lie more than 2.5 robust standard deviations from their median; bool of shape (point,)."""
    if len(human) < 3:
        return np.zeros(len(human), dtype=bool)
    distance = np.abs(human - np.median(human))
    spread = _MAD_TO_SD * float(np.median(distance))
    return distance > OUTLIER_CUT * spread if spread > 0 else np.zeros(len(human), dtype=bool)


def _coefficients(x: np.ndarray, y: np.ndarray, settings: Settings
                  ) -> tuple[dict[Coefficient, CorrelationValue], np.ndarray]:  # fmt: skip
    reason = why_undefined(x, y)
    if reason:
        undefined = {
            key: CorrelationValue(label, None, None, None, None, reason) for key, label in COEFFICIENTS.items()
        }
        return undefined, np.empty(0)
    draws = bootstrap_correlations(x, y, settings)
    values: dict[Coefficient, CorrelationValue] = {}
    for key, label in COEFFICIENTS.items():
        value, p = coefficient(key, x, y)
        fisher = fisher_interval(value, len(x), settings.alpha) if key == "pearson" else None
        ends = interval(draws[key], settings.alpha) if key in draws and len(x) > 2 else None
        values[key] = CorrelationValue(label, value, ends, fisher, p, TWO_POINTS if len(x) == 2 else "")
    own = draws["pearson"]
    return values, own[np.isfinite(own)]


def why_undefined(x: np.ndarray, y: np.ndarray) -> str:
    """Return why two rows of numbers have no correlation, or ``""``."""
    if len(x) < 2:
        return f"Not defined: {len(x)} point with both scores; a correlation needs two at least."
    for values, whose in ((x, "the metric's"), (y, "people's")):
        if is_constant(values):
            return f"Not defined: constant input, as all of {whose} scores are equal."
    return ""


def is_constant(values: np.ndarray) -> bool:
    """Say whether numbers are equal but for rounding."""
    return bool(np.ptp(values) <= 1e-12 * max(1e-300, float(np.abs(values).max())))


def coefficient(key: Coefficient, x: np.ndarray, y: np.ndarray) -> tuple[float, float | None]:
    """Return one coefficient of two rows that vary, and the p of its test against 0 (None with two points)."""
    from scipy import stats  # takes a second to import

    functions = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
    result = functions[key](x, y)
    value = max(-1.0, min(1.0, float(result.statistic)))
    return value, None if len(x) < 3 else float(result.pvalue)


def fisher_interval(r: float, n: int, alpha: float) -> tuple[float, float] | None:
    """Return Fisher's interval of Pearson's r at level 1 - alpha; None with three points or fewer, or at |r| = 1."""
    from scipy.special import ndtri  # takes a second to import

    if n <= 3 or abs(r) >= 1:
        return None
    z, reach = math.atanh(r), float(ndtri(1 - alpha / 2)) / math.sqrt(n - 3)
    return math.tanh(z - reach), math.tanh(z + reach)


def bootstrap_correlations(x: np.ndarray, y: np.ndarray, settings: Settings) -> dict[Coefficient, np.ndarray]:
    """Return coefficients of points drawn with replacement, each of shape (draw,); NaN where a draw is constant.

    Kendall's is left out for more than 400 points.
    """
    n, results = len(x), dict[Coefficient, list[np.ndarray]]()
    signs = None
    if n <= _MOST_POINTS:
        signs = np.sign(x[:, None] - x), np.sign(y[:, None] - y)
    for chunk in chunks(settings.n_bootstrap, bootstrap_chunk_size(n)):
        rng = generator(settings.seed, Stream.BOOTSTRAP_SEGMENT, chunk.index)
        drawn = rng.integers(0, n, size=(chunk.size, n))
        results.setdefault("pearson", []).append(row_correlations(x[drawn], y[drawn]))
        results.setdefault("spearman", []).append(row_correlations(_ranks(x[drawn]), _ranks(y[drawn])))
        if signs is not None:
            counts = np.zeros((chunk.size, n))
            np.add.at(counts, (np.arange(chunk.size)[:, None], drawn), 1)
            results.setdefault("kendall", []).append(_kendall_of_counts(counts, *signs))
    return {key: np.concatenate(values) for key, values in results.items()}


def row_correlations(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return Pearson's r of each row of x with that of y, shape (row,); NaN where one is constant."""
    varies = _varies(x) & _varies(y)
    x = x - x.mean(axis=1, keepdims=True)
    y = y - y.mean(axis=1, keepdims=True)
    spread = np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    r = np.divide((x * y).sum(axis=1), spread, out=np.full(len(x), np.nan), where=varies & (spread > 0))
    return np.clip(r, -1.0, 1.0)


def _varies(values: np.ndarray) -> np.ndarray:
    """Say which rows hold numbers that differ by more than rounding, shape (row,)."""
    return np.asarray(np.ptp(values, axis=1) > 1e-12 * np.abs(values).max(axis=1, initial=0.0))


def _ranks(values: np.ndarray) -> np.ndarray:
    from scipy.stats import rankdata  # takes a second to import

    return rankdata(values, axis=1)


def _kendall_of_counts(counts: np.ndarray, sign_x: np.ndarray, sign_y: np.ndarray) -> np.ndarray:
    """Return tau-b of points that were drawn so many times, shape (draw,), from signs of differences of all pairs."""

    def form(matrix: np.ndarray) -> np.ndarray:
        return ((counts @ matrix) * counts).sum(axis=1)

    spread = np.sqrt(form(np.abs(sign_x)) * form(np.abs(sign_y)))
    return np.divide(form(sign_x * sign_y), spread, out=np.full(len(counts), np.nan), where=spread > 0)
