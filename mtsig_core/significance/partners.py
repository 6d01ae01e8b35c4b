"""Whether declared partners resemble each other: correlations of what is particular to a replica on a segment."""

from __future__ import annotations

import numpy as np

ALIKE = 0.1  # by how much partners must correlate more than others


def residual_correlations(y_a: np.ndarray, y_b: np.ndarray) -> np.ndarray:
    """Return the correlations of the replicas' residuals, shape (replica of A, replica of B); nan where none varies.

    Parameters
    ----------
    y_a, y_b : ndarray of shape (replica, segment)
        Pseudo-values; each replica's and each segment's mean are taken off.
    """
    left, right = (y - y.mean(axis=1, keepdims=True) - y.mean(axis=0) + y.mean() for y in (y_a, y_b))
    sizes = np.sqrt(np.outer((left**2).sum(axis=1), (right**2).sum(axis=1)))
    return np.divide(left @ right.T, sizes, out=np.full(sizes.shape, np.nan), where=sizes > 1e-9)


def partners_correlate(y_a: np.ndarray, y_b: np.ndarray) -> bool | None:
    """Return whether replicas of equal index correlate more than others; None where no replica has residuals.

    Parameters
    ----------
    y_a, y_b : ndarray of shape (replica, segment)
        As many replicas of one as of the other, at least two.
    """
    r = residual_correlations(y_a, y_b)
    equal = np.eye(len(r), dtype=bool)
    if not (np.isfinite(r[equal]).any() and np.isfinite(r[~equal]).any()):
        return None
    return bool(np.nanmean(r[equal]) - np.nanmean(r[~equal]) > ALIKE)
