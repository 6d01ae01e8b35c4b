"""The numbers that a figure shows, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
        would be empty are left out. Numbers are numbers, in the units of the axes.
    """
    rows = [row for trace in figure.data for row in _rows(trace)]
    frame = pd.DataFrame(rows, columns=[*_COLUMNS, "value"])
    return frame.dropna(axis="columns", how="all")


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
