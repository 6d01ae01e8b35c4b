"""Minimising a smooth function with the same result whatever library multiplies behind scipy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mtsig_core.resampling.threads import single_threaded_products

_GRID = 2.0**24


def minimise(
    function: Callable[[np.ndarray], tuple[float, np.ndarray]], start: np.ndarray, *, iterations: int,
    after_each: Callable[[np.ndarray], None] | None = None,
) -> np.ndarray:  # fmt: skip
    """Return where L-BFGS ends, shape (feature,), on a grid of 2**-24.

    The function is only ever asked at points of the grid. The last bits of what L-BFGS computes in between depend on
    the linear algebra library and the processor; rounded away each time, they cannot add up.

    Parameters
    ----------
    function : callable
        Returns value and gradient, shape (feature,), computed in a fixed order.
    start : ndarray of shape (feature,)
    iterations : int
        At most.
    after_each : callable, optional
        Called with the point that each iteration reaches.
    """
    from scipy.optimize import minimize

    def at_grid(point: np.ndarray) -> tuple[float, np.ndarray]:
        return function(on_grid(point))

    def report(point: np.ndarray) -> None:
        if after_each:
            after_each(on_grid(point))

    options = {"maxiter": iterations, "ftol": 1e-9, "gtol": 1e-6}
    with single_threaded_products():  # a few numbers: threads of the library would only wait for one another
        end = minimize(at_grid, on_grid(start), jac=True, method="L-BFGS-B", callback=report, options=options)
    return on_grid(end.x)


def on_grid(point: np.ndarray) -> np.ndarray:
    """Return a point rounded to multiples of 2**-24, shape (feature,)."""
    return np.rint(_GRID * point) / _GRID
