"""Numbers and small phrases for people: few digits, a true minus sign, a dash for what is undefined, never a p of 0."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

UNDEFINED = "—"
MINUS = "\u2212"
_LEVEL = 0.05  # what a p is commonly held against
_MOST_DECIMALS = 6
_ROUNDING = 1e-3  # 1/10001 is printed 0.0001


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


def format_p(p: float | None, smallest: float | None = None, *, exact: bool = False) -> str:
    """Return a p-value with the digits that its draws support.

    Two significant digits, at least three decimals, and no more decimals than the smallest reachable
    p of the draws has: 10000 draws reach ``0.0001``, 1000 draws ``0.001``. A positive p that would
    round to nothing is printed as ``< 0.001``, so that no p is ever shown as 0. One that lies below
    0.05 and would round up to it gets the decimals that show it: ``0.0496``, not ``0.050``; and one
    that would round to less than the smallest reachable p gets the decimals that do not.

    Parameters
    ----------
    p : float or None
        None gives a dash.
    smallest : float, optional
        Smallest p that the test could have returned; None for a closed form.
    exact : bool
        All permutations were enumerated: without Monte-Carlo error one decimal more holds.
    """
    if p is None:
        return UNDEFINED
    if p >= 1:
        return "1"
    floor = smallest or 0.0
    # 1/(R+1) is a little below a power of ten: the .01 keeps 1/10001 at four decimals
    supported = max(3, math.ceil(-math.log10(floor) - 0.01)) if floor > 0 else 3
    supported += exact and floor > 0
    wanted = max(3, 1 - math.floor(math.log10(p))) if p > 0 else supported
    decimals = min(supported, wanted)
    if p < 0.5 * 10**-decimals:
        return f"< {10**-decimals:.{decimals}f}"
    while decimals < _MOST_DECIMALS and (
        p < _LEVEL <= float(f"{p:.{decimals}f}") or float(f"{p:.{decimals}f}") < min(floor, p) * (1 - _ROUNDING)
    ):
        decimals += 1
    return f"{p:.{decimals}f}"


def p_phrase(p: float | None, smallest: float | None = None, *, exact: bool = False) -> str:
    """Return ``p = 0.031`` or ``p < 0.001``."""
    text = format_p(p, smallest, exact=exact)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def score_decimals(scores: Iterable[float]) -> int:
    """Return how many decimals scores of this size deserve: 2 on a scale of 100 or 10, 4 on a scale of 1."""
    largest = max((abs(float(x)) for x in scores), default=0.0)
    return 2 if largest >= 2 else 4


def separating_decimals(scores: Iterable[float], most: int = 4) -> int:
    """Return the fewest decimals, from 2 on, with which different scores are printed differently.

    >>> separating_decimals([0.1884, 0.2451]), separating_decimals([0.1884, 0.1869])
    (2, 3)
    """
    different = {round(float(score), most) for score in scores}
    return next((d for d in range(2, most) if len({f"{score:.{d}f}" for score in different}) == len(different)), most)


def format_score(value: float | None, decimals: int = 2, *, small: int = 2) -> str:
    """Return a score or a difference of scores; None gives a dash.

    A value that is not 0 but would be printed as 0 gets the decimals that its first (`small`) digits need.
    """
    if value is None or math.isnan(value):
        return UNDEFINED
    if value != 0 and abs(value) < 0.5 * 10**-decimals:
        decimals = min(12, small - 1 - math.floor(math.log10(abs(value))))
    return number(value, decimals)


def format_interval(interval: tuple[float, float] | None, decimals: int = 2) -> str:
    """Return ``-0.34 to 0.91``; None gives a dash. An end near 0 shows its first digit, so that its side is seen."""
    if interval is None:
        return UNDEFINED
    return " to ".join(format_score(end, decimals, small=1) for end in interval)


def format_percent(share: float | None) -> str:
    """Return a share of 1 as whole percent (``5%``), with one decimal below 10 and above 99 (``2.5%``, ``99.5%``).

    A share below 1 is never ``100%``.
    """
    if share is None:
        return UNDEFINED
    percent = round(100 * share, 9)  # 1 - 0.005 is not 99.5 percent to the last digit
    if 99 < percent < 100:
        percent = min(percent, 99.9)
    digits = 0 if 10 <= percent <= 99 or percent == round(percent) else 1
    return f"{percent:.{digits}f}%"


def with_names(text: str, a: str, b: str) -> str:
    """Return a sentence on systems A and B with the systems' own names.

    >>> with_names("B's training setup against this very output of A.", "base", "new")
    "new's training setup against this very output of base."
    """
    return re.sub(r"\b[AB]\b", lambda match: a if match[0] == "A" else b, text)


def count(n: int, noun: str) -> str:
    """Return ``1 replica``, ``3 replicas``, ``2,500 replicas``."""
    return f"{n} {noun}" if n == 1 else f"{n:,} {noun}s"


def rare_share(share: float | None, draws: int = 0) -> str:
    """Return a share of 1 as percent; one too small to print is "< 0.01%", not 0.

    Parameters
    ----------
    share : float or None
    draws : int
        How many draws the share was counted in; the smallest share shown is one of them. 0: a closed form.
    """
    if share is None or math.isnan(share):
        return UNDEFINED
    floor = max(0.0001, 1 / draws if draws else 0.0)
    if share < floor / 2:
        return f"< {100 * floor:.2g}%"
    return format_percent(share) if share >= 0.001 else f"{100 * share:.2f}%"


def rare_range(low: float, high: float) -> str:
    """Return a range of shares of 1 as percent; both ends once where they print alike.

    Examples
    --------
    >>> rare_range(0.00001, 0.02), rare_range(0.00001, 0.00002)
    ('< 0.01% to 2%', '< 0.01%')
    """
    ends = rare_share(low), rare_share(high)
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def better_by(
    name: str, other: str, difference: float, label: str, higher_is_better: bool | None, decimals: int = 2
) -> str:
    """Return ``B is better than A by 0.29 BLEU`` or, for error rates, ``B is better than A: 0.80 TER lower``.

    Parameters
    ----------
    name, other : str
        The system that is the subject, and the one that it is compared with.
    difference : float
        Score of `name` minus score of `other`, in score units.
    label : str
        What people call the metric.
    higher_is_better : bool or None
        None where neither direction is: ``B is higher than A by 1.20 Length``.
    """
    size = format_score(abs(difference), decimals)
    if difference == 0:
        return f"{name} and {other} have the same {label}"
    if higher_is_better is None:
        return f"{name} is {'higher' if difference > 0 else 'lower'} than {other} by {size} {label}"
    word = "better" if (difference > 0) == higher_is_better else "worse"
    if higher_is_better:
        return f"{name} is {word} than {other} by {size} {label}"
    side = "higher" if difference > 0 else "lower"
    return f"{name} is {word} than {other}: {size} {label} {side}"


#: Characters that show nothing, move the cursor or turn the direction of writing, and halves of surrogate pairs.
_HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
                     "\ud800-\udfff]")  # fmt: skip


def visible(text: str) -> str:
    r"""Return a text in which characters that cannot be seen, or that act on a terminal, are written as <U+001B>.

    Examples
    --------
    >>> visible("a\x1b[31mb")
    'a<U+001B>[31mb'
    """
    return text if text.isprintable() else _HIDDEN.sub(lambda match: f"<U+{ord(match[0]):04X}>", text)
