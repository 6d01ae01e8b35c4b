"""Numbers in print: a true minus sign, and a dash for what is undefined."""

from __future__ import annotations

import math

UNDEFINED = "—"
MINUS = "\u2212"


def number(value: float | None, decimals: int = 2, *, sign: bool = False) -> str:
    """Return a number with a minus sign as long as a plus; a dash when it is undefined.

    Parameters
    ----------
    value : float or None
    decimals : int
    sign : bool
        Print "+" before positive numbers (differences).
    """
    if value is None or not math.isfinite(value):
        return UNDEFINED
    text = f"{value:+.{decimals}f}" if sign else f"{value:.{decimals}f}"
    if float(text) == 0:  # neither "-0.00" nor "+0.00"
        text = text.lstrip("+-")
    return text.replace("-", MINUS)
