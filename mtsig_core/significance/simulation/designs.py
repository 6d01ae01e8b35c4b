"""Experiments of a design under a normal model, as mean squares: what power and error rates are simulated from.

MSa ~ (L s2_a + s2_e) chi2/df, MSe ~ s2_e chi2/df, MSd ~ (s2_c + sum s2_e/n) chi2/df and D ~ N(delta, V) are independent
for normal effects, so no segments are needed. Effects of whole replicas may have another shape.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mtsig_core.significance.simulation.mean_squares import MeanSquares

Shape = Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]  # effects with mean 0 and standard deviation 1


@dataclass(frozen=True)
class Variation:
    """How scores vary, in squared score units.

    Parameters
    ----------
    replica : tuple of float
        Variance of a whole replica's effect: one a system, or one of the paired differences.
    residual : tuple of float
        Variance of a replica on a segment, likewise.
    interaction : float
        Variance over segments of the difference of the systems' strengths.
    """

    replica: tuple[float, ...]
    residual: tuple[float, ...]
    interaction: float = 0.0

    def __post_init__(self) -> None:
        if not self.replica or len(self.replica) != len(self.residual):
            raise ValueError(f"expected as many replica as residual variances; got {self.replica}, {self.residual}.")
        if min(*self.replica, *self.residual, self.interaction) < 0:
            raise ValueError("variances must be 0 or more.")


@dataclass(frozen=True)
class Design:
    """How large an experiment is.

    Parameters
    ----------
    numbers : tuple of int
        Replicas of each system, or the number of pairs; at least 2 each.
    n_segments : int
    text_df : float, optional
        Degrees of freedom of the text's part: independent units (documents) less 1; segments less 1 if left out.
    """

    numbers: tuple[int, ...]
    n_segments: int
    text_df: float | None = None

    def __post_init__(self) -> None:
        if min(self.numbers, default=0) < 2 or self.n_segments < 2:
            raise ValueError(
                f"A design takes two or more replicas and segments; got {self.numbers} and {self.n_segments}."
            )


def simulate(
    design: Design, variation: Variation, trials: int, rng: np.random.Generator, *, difference: float = 0.0,
    shape: Shape | tuple[Shape | None, ...] | None = None,
) -> MeanSquares:  # fmt: skip
    """Return the mean squares of simulated experiments.

    Parameters
    ----------
    design : Design
    variation : Variation
    trials : int
    rng : numpy.random.Generator
    difference : float
        The true difference, in score units.
    shape : callable or tuple of callable, optional
        Draws effects of whole replicas, of mean 0 and standard deviation 1; of all systems, or of each. Normal where
        left out.
    """
    length = design.n_segments
    text_df = length - 1.0 if design.text_df is None else max(1.0, design.text_df)
    expected = variation.interaction + sum(e / n for e, n in zip(variation.residual, design.numbers, strict=True))
    d = difference + np.sqrt(variation.interaction / length) * rng.standard_normal(trials)
    shapes = shape if isinstance(shape, tuple) else (shape,) * len(design.numbers)
    replica, residual = [], []
    sign = 1.0 if len(design.numbers) == 1 else -1.0  # of pairs, the differences B - A themselves
    for n, a, e, of in zip(design.numbers, variation.replica, variation.residual, shapes, strict=True):
        means, squares = _replica_part(n, a, e / length, trials, rng, of)
        d = d + sign * means
        sign = 1.0
        replica.append(squares / n)
        df = (n - 1) * (length - 1)
        residual.append(e / (n * length) * rng.chisquare(df, trials) / df)
    text = expected / length * rng.chisquare(text_df, trials) / text_df
    return MeanSquares(d, tuple(replica), tuple(residual), text, design.numbers, length, text_df)


def _replica_part(
    n: int, replica: float, noise: float, trials: int, rng: np.random.Generator, shape: Shape | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean and the variance (ddof 1) of n replicas' scores less the text's part, each of shape (trial,)."""
    if shape is None:
        variance = replica + noise
        means = np.sqrt(variance / n) * rng.standard_normal(trials)
        return means, variance * rng.chisquare(n - 1, trials) / (n - 1)
    scores = np.sqrt(replica) * shape(rng, (trials, n)) + np.sqrt(noise) * rng.standard_normal((trials, n))
    return scores.mean(axis=1), scores.var(axis=1, ddof=1)


def power_at(half_widths: np.ndarray, errors: np.ndarray, difference: float) -> float:
    """Return the power: the share of experiments whose interval excludes 0 when the true difference is `difference`.

    Parameters
    ----------
    half_widths : ndarray of shape (trial,)
        Of the intervals.
    errors : ndarray of shape (trial,)
        D less the true difference.
    difference : float
    """
    return float(np.mean(np.abs(errors + difference) > half_widths))


def difference_of_power(half_widths: np.ndarray, errors: np.ndarray, power: float = 0.8) -> float:
    """Return the true difference that is found with a power, by bisection over simulated experiments.

    Parameters
    ----------
    half_widths, errors : ndarray of shape (trial,)
        As in `power_at`.
    power : float
    """
    low, high = 0.0, float(half_widths.max() + np.abs(errors).max())
    if high == 0:
        return 0.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if power_at(half_widths, errors, middle) >= power else (middle, high)
    return high
