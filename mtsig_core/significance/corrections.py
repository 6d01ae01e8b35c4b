"""Corrections of p-values for the number of questions asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np


def holm(p: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return Holm's (1979) corrected p-values, which control the family-wise error rate.

    The k-th smallest of m, counted from 0, is multiplied by m - k; none falls below a smaller one's.

    Parameters
    ----------
    p : sequence of float, shape (test,)

    Returns
    -------
    ndarray of shape (test,)
        In the order given.

    Raises
    ------
    ValueError
        When a value is not between 0 and 1.
    """
    return _in_order(p, lambda values: np.maximum.accumulate(values * np.arange(len(values), 0, -1)))


def benjamini_hochberg(p: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return p-values corrected by Benjamini and Hochberg (1995), which control the false discovery rate.

    Takes, returns and refuses what `holm` does.
    """

    def corrected(values: np.ndarray) -> np.ndarray:
        steps = values * (len(values) / np.arange(1, len(values) + 1))
        return np.minimum.accumulate(steps[::-1])[::-1]

    return _in_order(p, corrected)


def _in_order(p: Sequence[float] | np.ndarray, correct: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Return p-values that were corrected in rising order, at most 1, in the order given."""
    values = _validated(p)
    order = np.argsort(values, kind="stable")
    corrected = np.empty_like(values)
    corrected[order] = np.minimum(1.0, correct(values[order]))
    return corrected


def _validated(p: Sequence[float] | np.ndarray) -> np.ndarray:
    values = np.asarray(p, dtype=float)
    if values.ndim != 1 or not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"expected a row of p-values between 0 and 1; got {p!r}.")
    return values
