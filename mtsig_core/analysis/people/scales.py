"""Annotators who evidently used a smaller scale than others, such as 1 to 5 beside 0 to 100."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from mtsig_core.analysis.people.items import of_dimension, outputs_only

_FEWEST = 10  # judgements of an annotator that show a scale
_SMALL, _LARGE = 10.0, 20.0  # tops of scales that nobody takes for one another


@dataclass(frozen=True)
class SmallerScale:
    """Annotators whose scores end far below where those of others are.

    Attributes
    ----------
    annotators : tuple of str
    most : float
        Their largest score.
    others_most : float
        The largest score of the others.

    Examples
    --------
    >>> rows = [("a", k % 5 + 1) for k in range(20)] + [("b", 5 * k) for k in range(20)]
    >>> judged = pd.DataFrame(rows, columns=["annotator", "score"]).assign(dimension="adequacy", item_type="TGT")
    >>> smaller_scale(judged, "adequacy")
    SmallerScale(annotators=('a',), most=5.0, others_most=95.0)
    """

    annotators: tuple[str, ...]
    most: float
    others_most: float


def smaller_scale(frame: pd.DataFrame, dimension: str) -> SmallerScale | None:
    """Return the annotators of a dimension who used a smaller scale; None where nobody evidently did.

    An annotator counts with ten judgements or more. The small scale ends at 10 or below; the others use one that ends
    above 20, and most of their scores lie above the small one, so that low scores alone make nobody an exception.

    Parameters
    ----------
    frame : DataFrame
        Judgements.
    dimension : str
    """
    scores = outputs_only(of_dimension(frame, dimension)).groupby("annotator")["score"]
    each = scores.agg(["size", "min", "max", "median"])
    each = each[(each["size"] >= _FEWEST) & (each["min"] >= 0)]
    small, large = each[each["max"] <= _SMALL], each[(each["max"] > _LARGE) & (each["median"] > _SMALL)]
    if small.empty or large.empty:
        return None
    return SmallerScale(tuple(map(str, small.index)), float(small["max"].max()), float(large["max"].max()))
