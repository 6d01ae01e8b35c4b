"""Which optimizer varies least from run to run (Clark et al. 2011, Table 1), and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.analysis.tuning.generalisation import spread
from mtsig_core.analysis.tuning.scope import TuningScope, scope_of
from mtsig_core.optimizers import TuningResult, system_names
from mtsig_core.significance.corrections import holm
from mtsig_core.significance.distributions import chdtri, fdtrc, fdtri


@dataclass(frozen=True)
class SpreadRow:
    """One optimizer against the one that varies least.

    Parameters
    ----------
    name : str
    n : int
        Replicas.
    mean, sd : float
        Of the replicas' scores; sd (ddof 1) is s_test, or s_dev without a test set.
    low, high : float
        95% interval of the standard deviation new replicas would show, by chi-squared.
    ratio : float or None
        sd over the least sd; None for the least itself and where that is 0.
    ratio_low, ratio_high : float or None
        95% interval of the ratio, by F.
    p : float or None
        Two-sided F test of equal variances, Holm-corrected over the optimizers compared. It supposes scores that are
        close to normal.
    p_robust : float or None
        Brown and Forsythe's test, which does not, corrected likewise.
    """

    name: str
    n: int
    mean: float
    sd: float
    low: float
    high: float
    ratio: float | None = None
    ratio_low: float | None = None
    ratio_high: float | None = None
    p: float | None = None
    p_robust: float | None = None


@dataclass(frozen=True)
class LeastVariance:
    """All optimizers, the least variance first.

    Parameters
    ----------
    scope : TuningScope
    on : str
        The set that the scores are of.
    rows : tuple of SpreadRow
    alpha : float
    """

    scope: TuningScope
    on: str
    rows: tuple[SpreadRow, ...]
    alpha: float = 0.05

    @property
    def not_worse(self) -> tuple[str, ...]:
        """Names of the optimizers that may vary as little as the first: no significant difference by either test."""
        return tuple(row.name for row in self.rows[1:] if not self._differs(row))

    def _differs(self, row: SpreadRow) -> bool:
        return None not in (row.p, row.p_robust) and max(row.p or 0.0, row.p_robust or 0.0) < self.alpha

    def to_frame(self) -> pd.DataFrame:
        """Return one row per optimizer: replicas, mean, sd with interval, ratio to the least with interval, p."""
        names = {
            "name": "optimizer", "n": "replicas", "mean": "average", "sd": "s_test" if self.scope.test else "s_dev",
            "low": "from", "high": "to", "ratio": "times the least", "ratio_low": "ratio from",
            "ratio_high": "ratio to", "p": "p (F, Holm)", "p_robust": "p (Brown-Forsythe, Holm)",
        }  # fmt: skip
        frame = pd.DataFrame([[getattr(row, key) for key in names] for row in self.rows], columns=list(names.values()))
        return frame.astype(dict.fromkeys(frame.columns[2:], float))


def least_variance(results: Sequence[TuningResult], alpha: float = 0.05) -> LeastVariance:
    """Return the optimizers in the order of their standard deviation over replicas, on the test set if there is one.

    The least of several is compared with the others because it came out least, which makes p somewhat too small.

    Parameters
    ----------
    results : sequence of TuningResult
        On the same lists, each with two replicas or more.
    alpha : float

    Raises
    ------
    ValueError
        When a result has one replica only.
    """
    problem = results[0].problem
    on = (problem.test or problem.dev).test_set
    scores: dict[str, np.ndarray] = {}
    for name, result in zip(system_names(results), results, strict=True):
        if len(result.replicas) < 2:
            raise ValueError(f"{name}: one replica has no variance; tune at least two.")
        scores[name] = result.dev_scores if result.test_scores is None else result.test_scores
    rows = sorted((_alone(name, own) for name, own in scores.items()), key=lambda row: row.sd)
    first, others = rows[0], rows[1:]
    pairs = [(row, scores[row.name], scores[first.name]) for row in others]
    p = _corrected([_f_test(own, least) for _, own, least in pairs])
    robust = _corrected([_brown_forsythe(own, least) for _, own, least in pairs])
    compared = [_against(*pair, *both) for pair, *both in zip(pairs, p, robust, strict=True)]
    return LeastVariance(scope_of(problem), on, (first, *compared), alpha)


def _alone(name: str, scores: np.ndarray) -> SpreadRow:
    n, sd = len(scores), spread(scores) or 0.0
    low, high = (sd * math.sqrt((n - 1) / float(chdtri(n - 1, q))) for q in (0.025, 0.975))
    return SpreadRow(name, n, float(scores.mean()), sd, low, high)


def _against(
    row: SpreadRow, scores: np.ndarray, least: np.ndarray, p: float | None, p_robust: float | None
) -> SpreadRow:
    smallest = spread(least) or 0.0
    ratio = low = high = None
    if smallest:
        ratio = row.sd / smallest
        freedoms = len(scores) - 1, len(least) - 1
        low, high = (ratio / math.sqrt(float(fdtri(*freedoms, q))) for q in (0.975, 0.025))
    return SpreadRow(row.name, row.n, row.mean, row.sd, row.low, row.high, ratio, low, high, p, p_robust)


def _f_test(scores: np.ndarray, least: np.ndarray) -> float | None:
    """Return the two-sided p of equal variances; None where the smaller one is 0."""
    smaller = spread(least)
    if not smaller:
        return None
    ratio = ((spread(scores) or 0.0) / smaller) ** 2
    upper = float(fdtrc(len(scores) - 1, len(least) - 1, ratio))
    return min(1.0, 2 * min(upper, 1 - upper))


def _brown_forsythe(scores: np.ndarray, least: np.ndarray) -> float | None:
    """Return the p of a one-way ANOVA of absolute deviations from the medians (Brown and Forsythe 1974)."""
    if np.ptp(scores) == 0 or np.ptp(least) == 0:
        return None
    a, b = (np.abs(values - np.median(values)) for values in (scores, least))
    n = len(a) + len(b)
    mean = (a.sum() + b.sum()) / n
    between = len(a) * (a.mean() - mean) ** 2 + len(b) * (b.mean() - mean) ** 2
    within = ((a - a.mean()) ** 2).sum() + ((b - b.mean()) ** 2).sum()
    return float(fdtrc(1, n - 2, between * (n - 2) / within)) if within > 0 else None


def _corrected(values: Sequence[float | None]) -> list[float | None]:
    known = [value for value in values if value is not None]
    corrected = iter(np.asarray(holm(known)).tolist() if known else [])
    return [None if value is None else next(corrected) for value in values]
