"""Corrections of p-values for the number of questions asked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def holm(p: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return Holm's corrected p-values (1979): they bound the chance of any false alarm among all questions.

    The k-th smallest of m, counted from 0, is multiplied by m - k; none falls below a smaller one's.
    """
    values = _checked(p)
    order = np.argsort(values, kind="stable")
    corrected = np.empty_like(values)
    steps = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    corrected[order] = np.minimum(1.0, steps)
    return corrected


def benjamini_hochberg(p: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return p-values corrected by Benjamini and Hochberg (1995): they bound the share of false alarms among alarms."""
    values = _checked(p)
    order = np.argsort(values, kind="stable")
    corrected = np.empty_like(values)
    steps = values[order] * (len(values) / np.arange(1, len(values) + 1))
    corrected[order] = np.minimum(1.0, np.minimum.accumulate(steps[::-1])[::-1])
    return corrected


def _checked(p: Sequence[float] | np.ndarray) -> np.ndarray:
    values = np.asarray(p, dtype=float)
    if values.ndim != 1 or not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"expected a row of p-values between 0 and 1; got {p!r}.")
    return values
