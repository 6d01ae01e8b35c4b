"""Two systems' means as columns of a table for people."""

from __future__ import annotations

from collections.abc import Sequence

from mtsig_core.formatting import UNDEFINED, format_interval, format_percent, format_score, number, score_decimals
from mtsig_core.significance.closed_form.two_means import TwoMeans

UNDECIDED, SAME = "inconclusive", "the same"


def means_columns(
    means: Sequence[TwoMeans], what: str, a: str, b: str, sides: tuple[str, str], decimals: int | None = None
) -> dict[str, list[str]]:
    """Return the columns of two systems' means: both, the difference, its interval, and how to read it.

    Parameters
    ----------
    means : sequence of TwoMeans
    what : str
        What is measured.
    a, b : str
        Baseline and system.
    sides : tuple of two str
        Phrases where the interval lies above 0 and below 0.
    decimals : int, optional
        By default what numbers of this size deserve.
    """
    if decimals is None:
        decimals = score_decimals(x for m in means for x in (m.a, m.b) if x is not None)
    words = {1: sides[0], -1: sides[1], 0: UNDECIDED}

    def read(m: TwoMeans) -> str:
        if m.interval is None:
            return UNDEFINED
        return SAME if m.interval == (0.0, 0.0) else words[m.side]

    return {
        f"{what}, {a}": [format_score(m.a, decimals) for m in means],
        f"{what}, {b}": [format_score(m.b, decimals) for m in means],
        "difference": [number(m.difference, decimals, sign=True) for m in means],
        "interval": [format_interval(m.interval, decimals) for m in means],
        "verdict": [read(m) for m in means],
    }


def notes_of_means(means: Sequence[TwoMeans]) -> list[str]:
    """Return why numbers are missing, each reason once."""
    return list(dict.fromkeys(m.note for m in means if m.note))


def caution(n: int, alpha: float) -> str:
    """Return what to keep in mind of so many intervals at once; empty for one."""
    if n < 2:
        return ""
    return (
        f"Each interval is at {format_percent(1 - alpha)} and holds for new replicas on these segments. Without any "
        f"difference, about {format_percent(alpha)} of such intervals would miss 0."
    )
