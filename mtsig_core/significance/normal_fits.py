"""Normal fits of scores, their intervals, and the area that two of them share (Fu et al., section 4.2)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mtsig_core.significance.distributions import ndtr, normal_quantile

_ROUNDING = 1e-12  # of a score's size: values so close are equal but for rounding
_LOG_ROOT_2_PI = 0.5 * math.log(2 * math.pi)


@dataclass(frozen=True)
class NormalInterval:
    """A normal fit and its central interval.

    Attributes
    ----------
    mean, sd : float
        In score units; sd (ddof 1) is 0 when all draws are equal.
    low, high : float
        ``mean -+ z sd``, z the normal quantile of the interval's level (1.96 at .95).
    """

    mean: float
    sd: float
    low: float
    high: float

    def density(self, x: np.ndarray) -> np.ndarray:
        """Return the normal density at x; 0 everywhere for a point (sd 0), which has no density to draw."""
        return np.exp(self.log_density(x)) if self.sd > 0 else np.zeros_like(x, dtype=float)

    def log_density(self, x: np.ndarray | float) -> np.ndarray:
        """Return the logarithm of the normal density at x; sd must not be 0."""
        return -0.5 * ((np.asarray(x, dtype=float) - self.mean) / self.sd) ** 2 - math.log(self.sd) - _LOG_ROOT_2_PI

    def below(self, x: float) -> float:
        """Return the probability of values below x; sd must not be 0."""
        return float(ndtr((x - self.mean) / self.sd))


def normal_interval(mean: float, sd: float, level: float = 0.95) -> NormalInterval:
    """Return the central interval of a normal of this mean and standard deviation."""
    check_level(level)
    half = normal_quantile((1 + level) / 2) * sd
    return NormalInterval(mean, sd, mean - half, mean + half)


def fit(draws: np.ndarray, level: float = 0.95) -> NormalInterval:
    """Return the normal fit of draws, shape (draw,), and its central interval; equal draws are a point.

    Raises
    ------
    ValueError
        When there are no draws, or one is not a number.
    """
    if draws.ndim != 1 or draws.size == 0 or not np.isfinite(draws).all():
        raise ValueError(f"expected a row of numbers, got shape {draws.shape} or undefined scores.")
    # equal draws are a point: their computed sd would be rounding noise, and so may their differences be
    sd = 0.0 if np.ptp(draws) <= _rounding(draws[0]) else float(draws.std(ddof=1))
    return normal_interval(float(draws[0]) if sd == 0 else float(draws.mean()), sd, level)


def _rounding(score: float) -> float:
    return _ROUNDING * max(1.0, abs(float(score)))


def overlap_ratio(mu_a: float, sd_a: float, mu_b: float, sd_b: float, level: float = 0.95) -> float:
    """Return Fu's overlap ratio of two normal fits.

    S_overlap / (S_total - S_overlap): S_total is the area under both densities, each over its own
    interval (twice the level); S_overlap the integral of the smaller density over the intersection of the
    intervals. Where the paper's formula is defined the two agree; this one also holds for equal means and
    unequal sigmas.

    Parameters
    ----------
    mu_a, sd_a, mu_b, sd_b : float
        In score units; a point (sd 0) overlaps only with the same point.
    level : float
    """
    if min(sd_a, sd_b) < 0:
        raise ValueError(f"standard deviations must be 0 or more; got {sd_a} and {sd_b}.")
    a, b = normal_interval(mu_a, sd_a, level), normal_interval(mu_b, sd_b, level)
    if sd_a == 0 or sd_b == 0:
        return float(abs(mu_a - mu_b) <= _rounding(mu_a) and sd_a == sd_b)
    low, high = max(a.low, b.low), min(a.high, b.high)
    if low >= high:
        return 0.0
    shared = _smaller_area(a, b, low, high)
    return min(1.0, shared / (2 * level - shared))


def _smaller_area(a: NormalInterval, b: NormalInterval, low: float, high: float) -> float:
    """Integrate min(density a, density b) over [low, high] in closed form, piece by piece."""
    cuts = [low, *sorted(x for x in _crossings(a, b) if low < x < high), high]
    area = 0.0
    for left, right in zip(cuts[:-1], cuts[1:], strict=True):
        middle = (left + right) / 2
        f = a if a.log_density(middle) <= b.log_density(middle) else b
        area += f.below(right) - f.below(left)
    return area


def _crossings(a: NormalInterval, b: NormalInterval) -> list[float]:
    """Return where the two densities are equal: the roots of a quadratic, in units of a's sd around a's mean."""
    m, s = (b.mean - a.mean) / a.sd, b.sd / a.sd
    # x^2 = ((x - m)/s)^2 + 2 ln s
    c2, c1, c0 = s * s - 1, 2 * m, -m * m - 2 * s * s * np.log(s)
    if abs(c2) < 1e-12:
        return [a.mean + a.sd * m / 2] if m else []
    root = np.sqrt(max(0.0, c1 * c1 - 4 * c2 * c0))
    # the stable pair of roots: no difference of nearly equal numbers
    q = -(c1 + np.copysign(root, c1)) / 2
    roots = [q / c2] + ([c0 / q] if q else [])
    return [float(a.mean + a.sd * r) for r in roots]


def check_level(level: float) -> None:
    """Raise ValueError unless a level lies between 0 and 1."""
    if not 0 < level < 1:
        raise ValueError(f"the level of an interval must lie between 0 and 1; got {level}.")
