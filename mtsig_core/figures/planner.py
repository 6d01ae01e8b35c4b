"""Power over numbers of replicas and of segments."""

from __future__ import annotations

import math

import plotly.graph_objects as go

from mtsig_core.analysis.planning.planner import Plan
from mtsig_core.figures.theme import base_figure, literal
from mtsig_core.formatting import format_percent


def power_contour(result: Plan, height: int = 420) -> go.Figure:
    """Return power as contours over replicas and segments, the power wanted as a thick line.

    Parameters
    ----------
    result : Plan
    height : int
        Pixels.
    """
    ns = sorted({c.n for c in result.cells})
    lengths = sorted({c.n_segments for c in result.cells})
    power = {(c.n, c.n_segments): c.power for c in result.cells}
    grid = [[power[n, length] for n in ns] for length in lengths]
    figure = base_figure(x="Replicas of each system", y="Segments", height=height, legend=False)
    figure.add_contour(
        x=ns, y=lengths, z=grid, zmin=0, zmax=1, colorscale="Cividis",
        contours={"start": 0.1, "end": 0.9, "size": 0.1, "showlabels": True,
                  "labelfont": {"color": "white", "size": 12}},
        line={"color": "rgba(255,255,255,0.5)", "width": 1},
        colorbar={"title": {"text": "Power"}, "tickformat": ".0%"},
        hovertemplate="%{x} replicas, %{y} segments<br>power %{z:.0%}<extra></extra>",
    )
    if len({value >= result.design.target for row in grid for value in row}) > 1:
        figure.add_contour(
            x=ns, y=lengths, z=grid, showscale=False, hoverinfo="skip",
            contours={"coloring": "lines", "start": result.design.target, "end": result.design.target, "size": 1},
            colorscale=[[0, "#ff4b4b"], [1, "#ff4b4b"]], line={"width": 4},
        )
    figure.add_scatter(
        x=[ns[0], ns[-1]], y=[result.n_segments] * 2, mode="lines", hoverinfo="skip",
        line={"color": "white", "dash": "dash", "width": 2},
    )
    if result.needed is not None:
        figure.add_scatter(
            x=[result.needed], y=[result.n_segments], mode="markers",
            marker={"size": 14, "symbol": "star", "color": "white", "line": {"color": "black", "width": 1}},
            hovertemplate=f"{result.needed} replicas: power {literal(format_percent(result.design.target))} or more"
            "<extra></extra>",
        )
    figure.update_xaxes(type="log", range=[math.log10(ns[0]), math.log10(ns[-1])], tickmode="array",
                        tickvals=[n for n in (2, 3, 5, 10, 20, 50, 100) if n <= ns[-1]])
    ticks = [f"{length:,} (yours)" if length == result.n_segments else f"{length:,}" for length in lengths]
    figure.update_yaxes(
        type="log", range=[math.log10(lengths[0]), math.log10(lengths[-1])], tickmode="array", tickvals=lengths,
        ticktext=ticks, automargin=True,
    )
    return figure
