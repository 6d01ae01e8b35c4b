"""Two systems' means of a number that each replica has, and the interval of their difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtsig_core.significance.closed_form.welch import welch_test


@dataclass(frozen=True)
class TwoMeans:
    """Means of two systems over their replicas, and the interval of the difference.

    Attributes
    ----------
    a, b : float or None
        Means over replicas; None where the number is not defined for some replica.
    difference : float or None
        b - a.
    interval : tuple of two float, or None
        Of the difference, over replicas: this training setup, on this text.
    note : str
        Why something is None; may be empty.
    """

    a: float | None
    b: float | None
    difference: float | None
    interval: tuple[float, float] | None
    note: str = ""

    @property
    def side(self) -> int:
        """1 where the interval lies above 0, -1 where it lies below, 0 where it covers 0 or is not defined."""
        if self.interval is None or self.interval[0] <= 0 <= self.interval[1]:
            return 0
        return 1 if self.interval[0] > 0 else -1


def difference_columns(means: Sequence[TwoMeans], title: str = "difference") -> dict[str, list]:
    """Return the columns that every table of two means ends with: difference, its interval, and the note."""
    return {
        title: [m.difference for m in means],
        "low": [m.interval and m.interval[0] for m in means],
        "high": [m.interval and m.interval[1] for m in means],
        "note": [m.note for m in means],
    }


def two_means(
    values_a: np.ndarray, values_b: np.ndarray, *, alpha: float = 0.05, paired: bool = False
) -> TwoMeans:
    """Return the means of two systems and Welch's interval of their difference, the replicas being the units.

    Parameters
    ----------
    values_a, values_b : ndarray of shape (replica,)
        A number for each replica, not a number where it has none.
    alpha : float
        The interval is at level 1 - alpha.
    paired : bool
        Replicas of equal index belong together; used where their numbers are equal.
    """
    if not (np.isfinite(values_a).all() and np.isfinite(values_b).all()):
        return TwoMeans(None, None, None, None, "Not defined: there is nothing here to divide by.")
    a, b = float(values_a.mean()), float(values_b.mean())
    n_a, n_b = len(values_a), len(values_b)
    if min(n_a, n_b) < 2:
        return TwoMeans(a, b, b - a, None, why_no_interval(n_a, n_b))
    tested = welch_test(values_a, values_b, alpha=alpha, paired=paired and n_a == n_b)
    return TwoMeans(a, b, b - a, tested.interval, tested.note if tested.interval is None else "")


def why_no_interval(n_a: int, n_b: int) -> str:
    """Return why so few replicas give no interval, or nothing."""
    if min(n_a, n_b) > 1:
        return ""
    whose = "each system" if n_a == n_b else f"system {'A' if n_a == 1 else 'B'}"
    return f"Not defined: with one replica of {whose} nothing is known about how its replicas vary."
