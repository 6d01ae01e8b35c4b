"""What the lessons draw from: invented populations whose truth is known, and scores of an open experiment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.significance.distributions import ndtri

Shape = Literal["normal", "skewed", "humps"]
MEAN, SD = 50.0, 15.0  # of the invented populations
SIZE = 4000  # their values: quantiles, so that they are the same for every seed
_SKEW = 0.8  # sd of the logarithm of the skewed shape
_HUMPS = 0.9  # share of the variance that lies between the two humps
MOST_BARS = 20


@dataclass(frozen=True, eq=False)
class Population:
    """Values that samples are drawn from, with replacement.

    Parameters
    ----------
    values : ndarray of shape (member,)
    label : str
        What a value is, for people.
    texts : SegmentStatistics, optional
        Of one output, where the values are the scores of its segments: gives scores of whole samples of segments.
    """

    values: np.ndarray
    label: str = "score"
    texts: SegmentStatistics | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if len(self.values) < 2 or not np.isfinite(self.values).all():
            raise ValueError("a population needs at least two values, all of them numbers.")

    @cached_property
    def mean(self) -> float:
        """Mean of all values."""
        return float(self.values.mean())

    @cached_property
    def sd(self) -> float:
        """Standard deviation of all values (ddof 0: they are the population)."""
        return float(self.values.std())


def shaped(shape: Shape, sd: float = SD) -> Population:
    """Return an invented population of mean 50.

    Parameters
    ----------
    shape : {"normal", "skewed", "humps"}
        A normal distribution; a lognormal one with a long tail to the right; two normal ones of half the values each.
    sd : float
        Standard deviation of the values.

    Examples
    --------
    >>> population = shaped("humps", sd=10)
    >>> round(population.mean, 6), round(population.sd, 6)
    (50.0, 10.0)
    """
    if shape not in get_args(Shape):
        raise ValueError(f"shape must be one of {', '.join(get_args(Shape))}; not {shape!r}.")
    z = ndtri((np.arange(SIZE) + 0.5) / SIZE)
    if shape == "skewed":
        z = np.exp(_SKEW * z)
    if shape == "humps":
        within = ndtri((np.arange(SIZE // 2) + 0.5) / (SIZE // 2)) * (1 - _HUMPS) ** 0.5
        z = np.concatenate([within - _HUMPS**0.5, within + _HUMPS**0.5])
    return Population(MEAN + sd * (z - z.mean()) / z.std())


def of_bars(heights: Sequence[int], low: float = 0.0, high: float = 100.0) -> Population:
    """Return the population that bars of equal width describe, each value spread evenly over its bar.

    Parameters
    ----------
    heights : sequence of int
        How much of the population each bar holds, in any unit.
    low, high : float
        Where the first bar begins and the last one ends.

    Examples
    --------
    >>> of_bars([1, 0, 1]).mean
    50.0
    """
    if not 2 <= len(heights) <= MOST_BARS or min(heights) < 0 or not sum(heights):
        raise ValueError(f"expected 2 to {MOST_BARS} heights of 0 or more, not all 0; got {list(heights)}.")
    edges = np.linspace(low, high, len(heights) + 1)
    share = np.asarray(heights) / sum(heights)
    at = (np.arange(SIZE) + 0.5) / SIZE
    return Population(np.interp(at, np.concatenate([[0.0], np.cumsum(share)]), edges))


def segment_scores(statistics: SegmentStatistics, system: str) -> Population:
    """Return the scores of the segments of a system's first replica as a population.

    Parameters
    ----------
    statistics : SegmentStatistics
    system : str
    """
    metric = statistics.metric
    one = statistics.of(system)[0]
    name = statistics.names(system)[0]
    texts = SegmentStatistics(metric, statistics.test_set, statistics.signature, (system,), ((name,),), one[None])
    scores = metric.segment_score(one)
    return Population(scores[np.isfinite(scores)], f"{metric.label} of a segment", texts)
