"""The numbers that a figure shows, as a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape
from itertools import zip_longest
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from mtsig_core.analysis.replicas.variance import VarianceRow

_COLUMNS = ("series", "x", "y", "low", "high")


def score_frame(rows: Sequence[VarianceRow]) -> pd.DataFrame:
    """Return one row per replica with its score, of systems under one metric."""
    return pd.DataFrame(
        [(row.system, replica, round(score, 4)) for row in rows for replica, score in row.scores.items()],
        columns=["system", "replica", rows[0].label],
    )


def figure_frame(figure: go.Figure) -> pd.DataFrame:
    """Return one row per mark of a figure.

    Parameters
    ----------
    figure : plotly Figure
        With scatter, bar, histogram, violin, box or heatmap traces.

    Returns
    -------
    DataFrame
        Columns series, x and y, and low and high where there are error bars; of a heatmap x, y and value. Columns that
        would be empty are left out. Numbers are numbers, in the units of the axes; where an axis only names rows, its
        column has the names.
    """
    rows = [row for trace in figure.data for row in _named(figure, trace)]
    frame = pd.DataFrame(rows, columns=[*_COLUMNS, "value"])
    return frame.replace({"series": {"": None}}).dropna(axis="columns", how="all")


def _named(figure: go.Figure, trace: Any) -> Iterator[tuple]:
    names = [_names(figure, trace, axis) for axis in "xy"]
    for series, *places, low, high, value in _rows(trace):
        x, y = (own.get(round(at), at) if own and isinstance(at, int | float) else at
                for own, at in zip(names, places, strict=True))  # fmt: skip
        yield series, x, y, low, high, value


def _names(figure: go.Figure, trace: Any, axis: str) -> dict[int, str]:
    """Return what an axis calls the rows 0, 1 or −1, ...; nothing where it measures."""
    which = getattr(trace, f"{axis}axis", None) or axis
    drawn = figure.layout[f"{axis}axis{which[1:]}"]
    places, texts = drawn.tickvals or (), drawn.ticktext or ()
    if not texts or {abs(place) for place in places} != set(range(len(texts))):
        return {}
    return {round(at): unescape(re.sub(r"<[^>]*>", " ", text)) for at, text in zip(places, texts, strict=True)}


def _rows(trace: Any) -> Iterator[tuple]:
    name = trace.name or ""
    if trace.type == "heatmap":
        for y, line in zip_longest(_values(trace.y), trace.z if trace.z is not None else ()):
            for x, value in zip_longest(_values(trace.x), _values(line)):
                yield name, x, y, None, None, value
        return
    xs, ys = _values(trace.x), _values(trace.y)
    low, high = _ends(trace, "x", xs) or _ends(trace, "y", ys) or ((), ())
    for x, y, lower, upper in zip_longest(xs, ys, low, high):
        if x is not None or y is not None:
            yield name, x, y, lower, upper, None


def _ends(trace: Any, axis: str, centres: list) -> tuple[list, list] | None:
    """Return both ends of the error bars along an axis, or None where there are none."""
    bars = getattr(trace, f"error_{axis}", None)
    if bars is None or bars.array is None:
        return None
    above = np.asarray(bars.array, float)
    below = above if bars.arrayminus is None else np.asarray(bars.arrayminus, float)
    middle = np.asarray(centres, float)
    return list(middle - below), list(middle + above)


def _values(data: Any) -> list:
    return [] if data is None else list(np.asarray(data, dtype=object).ravel())
