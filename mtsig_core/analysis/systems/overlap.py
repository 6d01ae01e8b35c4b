"""Confidence intervals of two systems and how much they overlap.

Fu, Xue, Zhang and Hao (test-set-level significance), section 4.2, Table 7 and Figures 2 and 3.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from mtsig_core.significance import Result, Scope
from mtsig_core.significance.distributions import normal_quantile
from mtsig_core.significance.normal_fits import NormalInterval, check_level, fit, normal_interval, overlap_ratio

__all__ = [
    "NormalInterval", "Overlap", "OverlapCurves", "from_bounds", "interval_overlap", "normal_interval", "overlap_ratio",
]


@dataclass(frozen=True, eq=False)
class OverlapCurves:
    """What a figure of the overlap draws; all arrays of shape (points,).

    Attributes
    ----------
    x : ndarray
        Scores.
    density_a, density_b : ndarray
        Normal densities of the two fits.
    shared : ndarray
        The smaller density where the two intervals meet, 0 elsewhere: the shaded area.
    """

    x: np.ndarray
    density_a: np.ndarray
    density_b: np.ndarray
    shared: np.ndarray


@dataclass(frozen=True, eq=False)
class Overlap(Result):
    """Two intervals and their overlap.

    Attributes
    ----------
    a, b : NormalInterval
    level : float
        Level of both intervals.
    ratio : float
        Fu's overlap ratio of the two densities: 1 for identical fits, 0 for disjoint intervals.
    range_overlap : float
        Length that the two ranges share, of the length that they cover together.
    draws : tuple of two ndarray of shape (draw,), or None
        The scores of A and B behind the fits; None for printed intervals.
    scope : Scope
        Test set, metric and both systems, where they are known.

    Examples
    --------
    >>> import mtsig_core
    >>> pair = mtsig_core.Workbench(mtsig_core.load_example()).pair()
    >>> overlap = pair.overlap(n_bootstrap=100)
    >>> overlap.draws[0].shape, 0 <= overlap.ratio <= 1
    ((100,), True)
    """

    a: NormalInterval
    b: NormalInterval
    level: float
    ratio: float
    range_overlap: float
    draws: tuple[np.ndarray, np.ndarray] | None = None
    scope: Scope = Scope(systems=("A", "B"))

    def curves(self, points: int = 401) -> OverlapCurves:
        """Return both densities on a common grid and the area that they share."""
        spread = max(self.a.sd, self.b.sd) or max(1.0, abs(self.a.mean)) * 1e-3
        low = min(self.a.mean, self.b.mean) - 4 * spread
        high = max(self.a.mean, self.b.mean) + 4 * spread
        x = np.linspace(low, high, points)
        a, b = self.a.density(x), self.b.density(x)
        inside = (x >= max(self.a.low, self.b.low)) & (x <= min(self.a.high, self.b.high))
        return OverlapCurves(x, a, b, np.where(inside, np.minimum(a, b), 0.0))

    def to_frame(self) -> pd.DataFrame:
        """Return one row per system: mean, sd, low, high; the overlaps repeated in both."""
        rows = [(s, f.mean, f.sd, f.low, f.high) for s, f in (("A", self.a), ("B", self.b))]
        frame = pd.DataFrame(rows, columns=["system", "mean", "sd", "low", "high"])
        return frame.assign(**{"overlap ratio": self.ratio, "overlap of ranges": self.range_overlap})


def interval_overlap(
    draws_a: np.ndarray, draws_b: np.ndarray, level: float = 0.95, scope: Scope | None = None
) -> Overlap:
    """Return normal intervals of two sets of draws and their overlap.

    Parameters
    ----------
    draws_a, draws_b : ndarray of shape (draw,)
        Scores of each system on bootstrap draws; the numbers of draws may differ.
    level : float
    scope : Scope, optional
        Test set, metric and both systems, for figures and tables.

    Raises
    ------
    ValueError
        When a system has no draws, a draw is not a number, or the level is not between 0 and 1.
    """
    draws = np.asarray(draws_a, dtype=float), np.asarray(draws_b, dtype=float)
    a, b = (_fit(x, name, level) for x, name in zip(draws, "AB", strict=True))
    overlap = replace(_overlap(a, b, level), draws=draws)
    return overlap if scope is None else replace(overlap, scope=scope)


def _fit(draws: np.ndarray, name: str, level: float) -> NormalInterval:
    if draws.ndim != 1 or draws.size == 0 or not np.isfinite(draws).all():
        raise ValueError(f"draws of {name}: expected a row of numbers, got shape {draws.shape} or undefined scores.")
    return fit(draws, level)


def _overlap(a: NormalInterval, b: NormalInterval, level: float) -> Overlap:
    return Overlap(a, b, level, overlap_ratio(a.mean, a.sd, b.mean, b.sd, level), _range_overlap(a, b))


def from_bounds(a: tuple[float, float], b: tuple[float, float], level: float = 0.95) -> Overlap:
    """Return the overlap of two printed intervals, taken as exact: the centre is the mean, the width 2 z sd."""
    check_level(level)
    z = normal_quantile((1 + level) / 2)
    first, second = (normal_interval((low + high) / 2, (high - low) / (2 * z), level) for low, high in (a, b))
    return _overlap(first, second, level)


def _range_overlap(a: NormalInterval, b: NormalInterval) -> float:
    together = max(a.high, b.high) - min(a.low, b.low)
    if together == 0:
        return 1.0
    return max(0.0, min(a.high, b.high) - max(a.low, b.low)) / together
