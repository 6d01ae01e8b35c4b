"""Equivalence and non-inferiority: tests of a difference against the smallest one that matters.

Two one-sided tests (Schuirmann 1987) of the coherent test. Equivalence exists only with a margin, the smallest
difference that matters, which the user states: a large p-value is no evidence of equality.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from mtsig_core.significance.closed_form.bounds import Bounded
from mtsig_core.significance.closed_form.coherent import CoherentResult

Size = Literal["", "at least the margin", "smaller than the margin", "unknown"]


@dataclass(frozen=True)
class MarginTest(Bounded):
    """A difference against a margin, in quality: a gain is a difference for the better, of error rates too.

    Parameters
    ----------
    margin : float
        The smallest difference that matters, in score units.
    alpha : float
    low, high : float or None
        Interval of the gain at level 1 - 2 alpha, to be compared with (-margin, margin).
    p_equivalent : float or None
        The larger p of the two one-sided tests; below alpha the systems are equivalent.
    p_not_worse : float or None
        One-sided p of "B is worse by the margin or more".
    p_worse_by_margin : float or None
        One-sided p of "B is not worse by more than the margin".
    p_better_by_margin : float or None
        One-sided p of "B is not better by more than the margin".
    """

    margin: float
    alpha: float
    low: float | None
    high: float | None
    p_equivalent: float | None
    p_not_worse: float | None
    p_worse_by_margin: float | None
    p_better_by_margin: float | None

    @property
    def equivalent(self) -> bool | None:
        """Whether the difference was shown to be smaller than the margin; None where no test is defined."""
        return None if self.p_equivalent is None else self.p_equivalent < self.alpha

    @property
    def not_worse(self) -> bool | None:
        """Whether B is not worse by the margin: True or False where it was shown, else None."""
        if self.p_not_worse is None or self.p_worse_by_margin is None:
            return None
        if self.p_not_worse < self.alpha:
            return True
        return False if self.p_worse_by_margin < self.alpha else None

    @property
    def size(self) -> Size:
        """How the size of the difference compares with the margin, as far as it was shown."""
        if self.equivalent is None:
            return ""
        if self.equivalent:
            return "smaller than the margin"
        sides = (self.p_worse_by_margin, self.p_better_by_margin)
        return "at least the margin" if any(p is not None and p < self.alpha for p in sides) else "unknown"


def margin_test(coherent: CoherentResult, margin: float, *, higher_is_better: bool = True) -> MarginTest:
    """Test a difference against a margin.

    Parameters
    ----------
    coherent : CoherentResult
        Its alpha is the level of each one-sided test.
    margin : float
        Above 0, in score units.
    higher_is_better : bool

    Raises
    ------
    ValueError
        When the margin is no positive number.
    """
    if not (math.isfinite(margin) and margin > 0):
        raise ValueError(f"expected a margin above 0; got {margin}.")
    alpha = coherent.alpha
    if coherent.p is None or not coherent.tests:  # where no score varies, nothing is shown of new runs or new text
        return MarginTest(margin, alpha, None, None, None, None, None, None)
    sign = 1.0 if higher_is_better else -1.0
    gain, half = sign * coherent.difference, coherent.half_width(2 * alpha)
    above, below = (coherent.p_above, coherent.p_below) if higher_is_better else (coherent.p_below, coherent.p_above)
    p_not_worse, p_not_better = above(-sign * margin), below(sign * margin)
    return MarginTest(
        margin, alpha, gain - half, gain + half, _larger(p_not_worse, p_not_better), p_not_worse,
        below(-sign * margin), above(sign * margin),
    )  # fmt: skip


def _larger(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else max(one, other)
