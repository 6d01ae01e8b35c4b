"""One matrix of named rows and columns, drawn with its values written in the cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from mtsig_core.figures.theme import PALETTE, base_figure, literal, short, translucent

_FAINT, _BLUE, _ORANGE = "rgba(128,128,128,0.08)", PALETTE[0], PALETTE[1]
_TINT, _SOLID = 0.62, 0.86  # up to and from this opacity a text has a contrast of 4.5, on a light page as on a dark one
_STEP = 2 / 3  # of the way to the end of a scale, where the opacities between are skipped
_DARK = "#0f0f0f"


def _side(colour: str) -> tuple[tuple[float, str], ...]:
    """Return a scale from nearly nothing to a colour."""
    return ((0.0, _FAINT), (_STEP, translucent(colour, _TINT)), (_STEP, translucent(colour, _SOLID)), (1.0, colour))


#: From the palette's colours: blue for one side, orange for the other, none in the middle.
SEQUENTIAL = _side(_BLUE)
DIVERGING = (
    *((0.5 - place / 2, colour) for place, colour in reversed(_side(_ORANGE))),
    *((0.5 + place / 2, colour) for place, colour in _side(_BLUE)[1:]),
)
_CELL, _EDGES = 34, 150  # pixels
_TWO_LINES = 42  # pixels of a row whose name takes two lines
_MOST_WRITTEN = 400  # cells beyond which values are shown on hover alone


def matrix_figure(
    frame: pd.DataFrame, write: Callable[[float], str], *, hover: Callable[[str, str, float], str],
    scale: Sequence[tuple[float, str]] = SEQUENTIAL, bounds: tuple[float, float] | None = None,
) -> go.Figure:  # fmt: skip
    """Return a matrix: the first row on top, the first column left; empty cells where a value is missing.

    Parameters
    ----------
    frame : DataFrame
        Numbers; index and columns name rows and columns.
    write : callable
        Returns what stands in a cell.
    hover : callable
        Returns what is said of a cell (row, column, value), literal.
    scale : sequence of (float, str)
    bounds : tuple of two float, optional
        Values of both ends of the scale; those of the frame when left out.
    """
    values = frame.to_numpy(float)
    finite = values[np.isfinite(values)]
    low, high = bounds or ((float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0))
    rows, columns = list(map(str, frame.index)), list(map(str, frame.columns))
    written = [[write(float(v)) if np.isfinite(v) else "" for v in row] for row in values]
    details = [
        [hover(row, column, float(v)) if np.isfinite(v) else "" for column, v in zip(columns, line, strict=True)]
        for row, line in zip(rows, values, strict=True)
    ]
    top = high if high > low else low + 1
    cell = max(_CELL, _TWO_LINES if any("<br>" in line for line in _lines(rows)) else 0)
    figure = base_figure(height=_EDGES + cell * len(rows), legend=False)
    figure.add_heatmap(
        z=[[None if not np.isfinite(v) else float(v) for v in row] for row in values],
        x=list(range(len(columns))), y=list(range(len(rows))), zmin=low, zmax=top,
        colorscale=[list(stop) for stop in scale], showscale=False, xgap=1, ygap=1,
        customdata=details, hovertemplate="%{customdata}<extra></extra>", hoverongaps=False,
    )  # fmt: skip
    if values.size <= _MOST_WRITTEN:
        _write(figure, written, (values - low) / (top - low), scale)
    _name_axes(figure, rows, columns)
    return figure


def _name_axes(figure: go.Figure, rows: Sequence[str], columns: Sequence[str]) -> None:
    figure.update_xaxes(tickmode="array", tickvals=list(range(len(columns))), ticktext=_lines(columns),
                        side="bottom", tickangle=-40, automargin=True, showgrid=False, showline=False)  # fmt: skip
    figure.update_yaxes(tickmode="array", tickvals=list(range(len(rows))), ticktext=_lines(rows),
                        autorange="reversed", automargin=True, showgrid=False)  # fmt: skip


def _lines(names: Sequence[str]) -> list[str]:
    """Return names with what stands in brackets, as the file of a dimension, on a line of its own."""
    return [short(name).replace(" (", "<br>(") for name in names]


def _write(
    figure: go.Figure, written: Sequence[Sequence[str]], places: np.ndarray, scale: Sequence[tuple[float, str]]
) -> None:
    """Write the cells: dark on a colour of the palette, and in the page's own colour where a cell has little or none.

    Parameters
    ----------
    figure : go.Figure
    written : sequence of sequence of str
    places : ndarray of shape (row, column)
        Place of each value on the scale, from 0 to 1.
    scale : sequence of (float, str)
    """
    solid = np.interp(places, [place for place, _ in scale], [_is_solid(colour) for _, colour in scale]) > 0.5
    for font, chosen in ({}, ~solid), ({"color": _DARK}, solid):
        cells = [(i, j) for i, row in enumerate(written) for j, text in enumerate(row) if text and chosen[i, j]]
        figure.add_scatter(
            x=[j for _, j in cells], y=[i for i, _ in cells], mode="text", text=[written[i][j] for i, j in cells],
            textfont=font, hoverinfo="skip",
        )


def _is_solid(colour: str) -> bool:
    return colour.startswith("#") or float(colour.rstrip(")").rpartition(",")[2]) >= _SOLID


def pair_hover(row: str, column: str, said: str) -> str:
    """Return what is said of a pair, its names literal."""
    return f"{literal(row)} against {literal(column)}<br>{said}"
