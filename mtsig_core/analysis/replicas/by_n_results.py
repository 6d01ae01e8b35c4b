"""Results of the difference against the number of replicas, and the design that they answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from mtsig_core.significance import OfPair, Result, Scope, with_numbers

Model = Literal["redraw", "normal"]
DEFAULT_NS = (1, 2, 3, 5, 10, 20, 50)
SMALL_POOL = 10  # below it, a redrawn pool shows the few replicas again rather than the training setup


@dataclass(frozen=True)
class ByNDesign:
    """Which numbers of replicas to look at, and how.

    Parameters
    ----------
    ns : tuple of int
        Numbers of replicas of each system, at least 1.
    draws : int
        Random draws for each n.
    seed : int
        Draws for n depend on the seed and n only, not on the other numbers.
    replace : bool
        Draw with replacement; without, n must be below the size of both pools.
    tolerance : float or None
        In score units: asks for P(|D_n - D| > tolerance).
    model : {"redraw", "normal"} or None
        None takes the normal model when a pool has fewer than 10 replicas.

    Raises
    ------
    ValueError
        When an n or draws is below 1, the tolerance is negative, or the model is unknown.
    """

    ns: tuple[int, ...] = DEFAULT_NS
    draws: int = 10000
    seed: int = 12345
    replace: bool = True
    tolerance: float | None = None
    model: Model | None = None

    def __post_init__(self) -> None:
        if not self.ns or min(self.ns) < 1 or self.draws < 1:
            raise ValueError(
                f"numbers of replicas and draws must be at least 1; got {list(self.ns)} and {self.draws}."
            )
        if self.tolerance is not None and self.tolerance < 0:
            raise ValueError(f"the tolerance must be 0 or more; got {self.tolerance}.")
        if self.model not in (None, "redraw", "normal"):
            raise ValueError(f"model must be 'redraw', 'normal' or None; not {self.model!r}.")


@dataclass(frozen=True)
class ByNRow:
    """Distribution of the difference for n replicas of each system.

    Attributes
    ----------
    n : int
    mean, low, median, high : float or None
        Of the difference D_n, in score units; low and high are the 2.5% and 97.5% points.
    closed_form_sd : float or None
        Theoretical standard deviation of resampling the pools of N replicas: ddof 0 with replacement; without,
        ddof 1 times the finite-population correction ``sqrt(1 - n/N)``.
    expected_sd : float or None
        ``sqrt(s_A^2/n + s_B^2/n)`` with ddof 1: expected for new replicas.
    p_wrong_sign : float or None
        Probability that D_n has the sign opposite to D; a D_n of exactly 0 counts half.
    p_far : float or None
        Probability that D_n lies farther than the tolerance from D; None without a tolerance.
    reason : str
        Why numbers are None; empty otherwise.
    p_wrong_range : (float, float) or None
        Of a wrong sign with new replicas, at the ends of the 95% interval of their standard deviation: from a small
        pool the point alone means little.
    """

    n: int
    mean: float | None
    low: float | None
    median: float | None
    high: float | None
    closed_form_sd: float | None
    expected_sd: float | None
    p_wrong_sign: float | None
    p_far: float | None
    reason: str = ""
    p_wrong_range: tuple[float, float] | None = None


@dataclass(frozen=True)
class Pool:
    """The replicas of one system that n are drawn from.

    Attributes
    ----------
    size : int
    sd : float or None
        s_test (ddof 1), in score units; None with one replica.
    """

    size: int
    sd: float | None


@dataclass(frozen=True)
class SettledSign:
    """How many replicas settle the sign of the difference (normal model).

    Attributes
    ----------
    needed : mapping of float to int or None
        Smallest n at which the probability of a wrong sign is below .05 and below .01; None when it cannot be
        determined, or beyond 1000.
    note : str
        The same in words, or why it cannot be determined.
    """

    needed: Mapping[float, int | None]
    note: str


@dataclass(frozen=True, eq=False)
class ByN(OfPair, Result):
    """Distribution of the difference for each number of replicas.

    Attributes
    ----------
    scope : Scope
    design : ByNDesign
    model : {"redraw", "normal"}
        The model that was used.
    rows : tuple of ByNRow
    differences : mapping of n to ndarray of shape (draw,)
        D_n of each draw; under the normal model its evenly spaced quantiles, without random draws.
    bin_edges : ndarray of shape (bin + 1,)
        Bins common to all n, in score units.
    frequencies : mapping of n to ndarray of shape (bin,)
        Relative frequency of D_n in each bin, summing to 1.
    difference : float
        D, mean of B's scores minus mean of A's.
    pool_a, pool_b : Pool
    sign : SettledSign

    Examples
    --------
    >>> import mtsig_core
    >>> bench = mtsig_core.Workbench(mtsig_core.load_example())
    >>> [(row.n, round(row.expected_sd, 3)) for row in bench.pair().by_n([1, 2]).rows]
    [(1, 0.084), (2, 0.059)]
    """

    scope: Scope
    design: ByNDesign
    model: Model
    rows: tuple[ByNRow, ...]
    differences: Mapping[int, np.ndarray]
    bin_edges: np.ndarray
    frequencies: Mapping[int, np.ndarray]
    difference: float
    pool_a: Pool
    pool_b: Pool
    sign: SettledSign

    @property
    def needed(self) -> Mapping[float, int | None]:
        """Smallest n at which a wrong sign is rarer than .05 and than .01."""
        return self.sign.needed

    @property
    def note(self) -> str:
        """How many replicas settle the sign, in words."""
        return self.sign.note

    @property
    def model_note(self) -> str:
        """Explains the normal model where it was used; else empty."""
        if self.model == "redraw" or not self.differences:
            return ""
        return (
            f"With fewer than {SMALL_POOL} replicas, redrawing them would only show the same few again. These numbers "
            "come from a normal model with the variance expected of new replicas."
        )

    def to_frame(self) -> pd.DataFrame:
        """Return one row per number of replicas, with headings for people."""
        names = {
            "n": "replicas", "mean": "mean", "low": "2.5%", "median": "median", "high": "97.5%",
            "closed_form_sd": "sd of the redrawn pool", "expected_sd": "sd of new replicas",
            "p_wrong_sign": "P(wrong sign)", "p_far": "P(far from D)", "reason": "note",
        }  # fmt: skip
        if self.design.tolerance is None:
            del names["p_far"]
        return with_numbers(
            pd.DataFrame([{title: getattr(row, key) for key, title in names.items()} for row in self.rows])
        )
