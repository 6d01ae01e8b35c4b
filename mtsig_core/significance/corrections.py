"""Corrections of p-values for the number of questions asked."""

from __future__ import annotations

from collections.abc import Sequence

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
    values = _validated(p)
    order = np.argsort(values, kind="stable")
    corrected = np.empty_like(values)
    steps = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    corrected[order] = np.minimum(1.0, steps)
    return corrected


def benjamini_hochberg(p: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return p-values corrected by Benjamini and Hochberg (1995), which control the false discovery rate.

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
    values = _validated(p)
    order = np.argsort(values, kind="stable")
    corrected = np.empty_like(values)
    steps = values[order] * (len(values) / np.arange(1, len(values) + 1))
    corrected[order] = np.minimum(1.0, np.minimum.accumulate(steps[::-1])[::-1])
    return corrected


def _validated(p: Sequence[float] | np.ndarray) -> np.ndarray:
    values = np.asarray(p, dtype=float)
    if values.ndim != 1 or not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"expected a row of p-values between 0 and 1; got {p!r}.")
    return values
