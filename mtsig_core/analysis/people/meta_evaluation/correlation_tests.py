"""Is one correlation with people larger than another? Williams, a permutation test, and Fisher for other items."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd

from mtsig_core.analysis.people.meta_evaluation.correlation import row_correlations, why_undefined
from mtsig_core.resampling import Settings
from mtsig_core.resampling.random_streams import Stream, chunks, generator
from mtsig_core.significance import holm
from mtsig_core.significance.scope import Result

#: Points up to which all exchanges are counted instead of drawn.
_MOST_EXACT = 13
_CHUNK = 1024


@dataclass(frozen=True)
class CorrelationTest:
    """A test of a difference of two correlations with people.

    Attributes
    ----------
    difference : float or None
        First minus second.
    statistic : float or None
        t, z, or the difference itself for the permutation test.
    df : int or None
    p : float or None
        One-sided: that the first correlation is larger.
    p_two_sided : float or None
    note : str
        Why there is no p, or what was done.
    """

    difference: float | None
    statistic: float | None
    df: int | None
    p: float | None
    p_two_sided: float | None
    note: str = ""


def williams(r12: float, r13: float, r23: float, n: int) -> CorrelationTest:
    """Test r12 against r13, which share variable 1, on the same n points (Williams 1959).

    Parameters
    ----------
    r12, r13 : float
        Correlations of two metrics with people. For an error rate, give the correlation of its negative.
    r23 : float
        Correlation of the two metrics with each other, both oriented alike.
    n : int

    Raises
    ------
    ValueError
        When a correlation is outside -1 to 1 or not a number.

    References
    ----------
    Graham and Baldwin 2014, "Testing for significance of increased correlation with human judgment", equation 1; t has
    n - 3 degrees of freedom.
    """
    from scipy.special import stdtr  # takes a second to import

    if any(not -1 <= r <= 1 for r in (r12, r13, r23)):
        raise ValueError(f"correlations lie between -1 and 1; got {r12}, {r13}, {r23}.")
    difference = r12 - r13
    if n <= 3:
        note = f"Not defined: {n} points leave no degree of freedom; Williams' test needs four at least."
        return CorrelationTest(difference, None, None, None, None, note)
    # the determinant of three correlations is never negative but for rounding of its arguments
    k = max(0.0, 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23)
    spread = 2 * k * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if spread <= 1e-15:
        note = "Not defined: the two metrics order the points in the same way (their correlation is 1)."
        return CorrelationTest(difference, None, n - 3, None, None, note)
    t = difference * math.sqrt((n - 1) * (1 + r23)) / math.sqrt(spread)
    p = float(stdtr(n - 3, -t))
    return CorrelationTest(difference, t, n - 3, p, 2 * min(p, 1 - p))


def independent_correlations(r_a: float, n_a: int, r_b: float, n_b: int) -> CorrelationTest:
    """Test r_a against r_b, which come from different points, by Fisher's z.

    Use `williams` where both metrics were scored on the same points.
    """
    from scipy.special import ndtr  # takes a second to import

    if min(n_a, n_b) <= 3 or max(abs(r_a), abs(r_b)) >= 1:
        note = "Not defined: Fisher's z needs four points at least in each sample, and correlations between -1 and 1."
        return CorrelationTest(r_a - r_b, None, None, None, None, note)
    z = (math.atanh(r_a) - math.atanh(r_b)) / math.sqrt(1 / (n_a - 3) + 1 / (n_b - 3))
    p = float(ndtr(-z))
    return CorrelationTest(r_a - r_b, z, None, p, 2 * min(p, 1 - p))


def exchange_test(human: np.ndarray, metric_a: np.ndarray, metric_b: np.ndarray, settings: Settings) -> CorrelationTest:
    """Test a difference of Pearson correlations by exchanging the two metrics' standardised scores, point by point.

    Parameters
    ----------
    human, metric_a, metric_b : ndarray of shape (point,)
        Oriented so that higher is better.
    settings : Settings
        Permutations and seed; with at most 13 points all exchanges are counted and p is exact.

    References
    ----------
    Deutsch, Dror and Roth 2021, "A statistical analysis of summarization evaluation metrics using resampling methods",
    section 4.2; Noreen 1989.
    """
    reason = why_undefined(metric_a, human) or why_undefined(metric_b, human)
    if reason:
        return CorrelationTest(None, None, None, None, None, reason)
    a, b = ((m - m.mean()) / m.std() for m in (metric_a, metric_b))
    own = row_correlations(np.stack([a, b]), np.broadcast_to(human, (2, len(human))))
    observed = float(own[0] - own[1])
    n, slack = len(human), 1e-12
    exact = n <= _MOST_EXACT
    larger = both = total = 0
    for swaps in _swaps(n, settings, exact):
        first = np.where(swaps, b, a)
        second = np.where(swaps, a, b)
        shape = first.shape
        drawn = row_correlations(first, np.broadcast_to(human, shape)) - row_correlations(
            second, np.broadcast_to(human, shape))  # fmt: skip
        drawn = np.nan_to_num(drawn)
        larger += int((drawn >= observed - slack).sum())
        both += int((np.abs(drawn) >= abs(observed) - slack).sum())
        total += len(drawn)
    extra = 0 if exact else 1
    note = f"All {total} exchanges were counted." if exact else ""
    return CorrelationTest(
        observed, observed, None, (larger + extra) / (total + extra), (both + extra) / (total + extra), note
    )


def _swaps(n: int, settings: Settings, exact: bool) -> Iterator[np.ndarray]:
    """Yield blocks of exchanges, bool of shape (exchange, point)."""
    if exact:
        yield (np.arange(2**n)[:, None] >> np.arange(n) & 1).astype(bool)
        return
    for chunk in chunks(settings.n_permutations, _CHUNK):
        yield generator(settings.seed, Stream.SWAP, chunk.index).random((chunk.size, n)) < 0.5


@dataclass(frozen=True, eq=False)
class MetricPair:
    """One pair of metrics compared by their correlation with people; a has the larger correlation."""

    a: str
    b: str
    r_a: float
    r_b: float
    r_ab: float
    williams: CorrelationTest
    exchange: CorrelationTest
    williams_holm: float | None = None


@dataclass(frozen=True, eq=False)
class MetricComparisons(Result):
    """All pairs of metrics on the same points.

    Attributes
    ----------
    n : int
        Points.
    metrics : tuple of str
        With the largest correlation first; those without one are left out.
    correlations : mapping of metric to float
        Pearson's r with people, oriented by quality.
    pairs : tuple of MetricPair
    undefined : mapping of metric to str
        Why a metric has no correlation.
    """

    n: int
    metrics: tuple[str, ...]
    correlations: dict[str, float]
    pairs: tuple[MetricPair, ...]
    undefined: dict[str, str]

    def matrix(self) -> pd.DataFrame:
        """Return one-sided Williams p: that the row's metric correlates more with people than the column's."""
        matrix = pd.DataFrame(np.nan, index=list(self.metrics), columns=list(self.metrics))
        for pair in self.pairs:
            if pair.williams.p is not None:
                matrix.loc[pair.a, pair.b], matrix.loc[pair.b, pair.a] = pair.williams.p, 1 - pair.williams.p
        return matrix

    def to_frame(self) -> pd.DataFrame:
        """Return one row per pair of metrics."""
        rows = [
            (p.a, p.b, p.r_a, p.r_b, p.r_ab, p.r_a - p.r_b, p.williams.statistic, p.williams.df, p.williams.p,
             p.williams.p_two_sided, p.williams_holm, p.exchange.p, p.exchange.p_two_sided, p.williams.note)
            for p in self.pairs
        ]  # fmt: skip
        names = ["metric A", "metric B", "r A", "r B", "r AB", "r A − r B", "Williams t", "df", "Williams p",
                 "Williams p, two-sided", "Williams p, two-sided, Holm", "permutation p", "permutation p, two-sided",
                 "note"]  # fmt: skip
        return pd.DataFrame(rows, columns=names).astype(dict.fromkeys(names[8:13], float))


def compare_metrics(
    human: np.ndarray, metrics: Sequence[str], scores: np.ndarray, higher_is_better: Sequence[bool], settings: Settings
) -> MetricComparisons:
    """Compare all pairs of metrics by their correlation with people on the points that all of them score.

    Parameters
    ----------
    human : ndarray of shape (point,)
        Higher is better.
    metrics : sequence of str
    scores : ndarray of shape (metric, point)
    higher_is_better : sequence of bool
        Direction of each metric; error rates are turned around, so that correlations compare.
    settings : Settings
    """
    used = np.isfinite(human) & np.isfinite(scores).all(axis=0)
    signs = np.where(np.asarray(higher_is_better), 1.0, -1.0)[:, None]
    human, quality = human[used], (scores * signs)[:, used]
    reasons = {name: why_undefined(own, human) for name, own in zip(metrics, quality, strict=True)}
    defined = [k for k, name in enumerate(metrics) if not reasons[name]]
    undefined = {name: reason for name, reason in reasons.items() if reason}
    if not defined:
        return MetricComparisons(len(human), (), {}, (), undefined)
    table = np.clip(np.corrcoef(np.vstack([human, quality[defined]])), -1.0, 1.0)
    order = sorted(range(len(defined)), key=lambda k: -table[0, k + 1])
    names = [metrics[k] for k in defined]

    def pair(first: int, second: int) -> MetricPair:
        r_a, r_b, r_ab = (float(table[i, j]) for i, j in ((0, first + 1), (0, second + 1), (first + 1, second + 1)))
        permuted = exchange_test(human, quality[defined[first]], quality[defined[second]], settings)
        return MetricPair(
            names[first], names[second], r_a, r_b, r_ab, williams(r_a, r_b, r_ab, len(human)), permuted,
        )  # fmt: skip

    pairs = [pair(first, second) for first, second in combinations(order, 2)]
    against_people = {names[k]: float(table[0, k + 1]) for k in order}
    return MetricComparisons(
        len(human), tuple(against_people), against_people, tuple(_corrected(pairs)), undefined,
    )  # fmt: skip


def _corrected(pairs: list[MetricPair]) -> list[MetricPair]:
    p = [pair.williams.p_two_sided for pair in pairs]
    corrected = iter(holm([value for value in p if value is not None]).tolist())
    return [replace(pair, williams_holm=None if value is None else next(corrected))
            for pair, value in zip(pairs, p, strict=True)]  # fmt: skip
