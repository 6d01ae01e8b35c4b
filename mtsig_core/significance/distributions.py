"""Distribution functions and quantiles, by scipy, which is imported when the first of them is asked for.

Importing ``scipy.special`` takes longer than importing numpy, and tables of scores and many tests need none of it.
Arguments broadcast; names are scipy's.
"""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

_NORMAL = NormalDist()


@cache
def _special() -> Any:
    from scipy import special

    return special


def normal_quantile(p: float) -> float:
    """Return the standard normal quantile of one probability, without scipy (Wichura 1988, AS 241)."""
    if p in (0.0, 1.0):
        return math.copysign(math.inf, p - 0.5)
    return _NORMAL.inv_cdf(p)


def ndtr(x: ArrayLike) -> np.ndarray:
    """Return the standard normal probability below x."""
    return _special().ndtr(x)


def ndtri(p: ArrayLike) -> np.ndarray:
    """Return the standard normal quantile of p."""
    return _special().ndtri(p)


def stdtr(df: ArrayLike, t: ArrayLike) -> np.ndarray:
    """Return the probability below t of Student's t with df degrees of freedom."""
    return _special().stdtr(df, t)


def stdtrit(df: ArrayLike, p: ArrayLike) -> np.ndarray:
    """Return the quantile of p of Student's t with df degrees of freedom."""
    return _special().stdtrit(df, p)


def fdtrc(dfn: ArrayLike, dfd: ArrayLike, x: ArrayLike) -> np.ndarray:
    """Return the probability above x of F with dfn and dfd degrees of freedom."""
    return _special().fdtrc(dfn, dfd, x)


def fdtri(dfn: ArrayLike, dfd: ArrayLike, p: ArrayLike) -> np.ndarray:
    """Return the quantile of p of F with dfn and dfd degrees of freedom."""
    return _special().fdtri(dfn, dfd, p)


def chdtri(df: ArrayLike, p: ArrayLike) -> np.ndarray:
    """Return what chi-square with df degrees of freedom exceeds with probability p."""
    return _special().chdtri(df, p)


def betaincinv(a: ArrayLike, b: ArrayLike, p: ArrayLike) -> np.ndarray:
    """Return the quantile of p of Beta(a, b)."""
    return _special().betaincinv(a, b, p)


def gammaln(x: ArrayLike) -> np.ndarray:
    """Return the logarithm of the size of Gamma(x)."""
    return _special().gammaln(x)
