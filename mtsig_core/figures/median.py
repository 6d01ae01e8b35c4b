"""Which replica to read, and how far the replicas differ on one segment."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from mtsig_core.analysis.reading.median import MedianReplica
from mtsig_core.analysis.reading.segments import SegmentTable, Spread
from mtsig_core.figures import theme
from mtsig_core.formatting import format_score, score_decimals

_MANY = 25  # replicas from which on their names no longer fit under the axis


def replica_order(
    median: MedianReplica, scores: Mapping[str, float], *, label: str = "score", higher_is_better: bool = True,
    colour: str = theme.PALETTE[0], height: int = theme.DEFAULT_HEIGHT,
) -> go.Figure:
    """Return the replicas of a system from worst to best, the chosen one marked.

    Parameters
    ----------
    median : MedianReplica
    scores : mapping of replica name to score
        On the selection test set.
    label : str
        What people call the metric.
    higher_is_better : bool
    colour : str
        The system's.
    height : int
        Pixels.
    """
    order = [name for name in median.order if name in scores and np.isfinite(scores[name])]
    if not order:
        return theme.message_figure("No replica has a score to be ordered by.")
    figure = theme.base_figure(x="Replicas, worst to best", y=theme.axis_title(label, higher_is_better), height=height)
    places = {name: i for i, name in enumerate(order)}
    middle = [name for name, _ in median.middle if name != median.replica]
    rest = [name for name in order if name != median.replica and name not in middle]
    chosen = {1: "the only replica", 2: "the worse of two"}.get(len(order), "median: read this one")
    digits = theme.hover_decimals(scores[n] for n in order)
    look = (
        (rest, "other replicas", {"symbol": "circle-open", "size": 9, "color": colour}),
        (middle, "the other middle one", {"symbol": "diamond-open", "size": 12, "color": colour}),
        ([median.replica], chosen, {"symbol": "diamond", "size": 15, "color": colour}),
    )
    for names, title, marker in look:
        if names:
            figure.add_scatter(
                x=[places[n] for n in names], y=[float(scores[n]) for n in names], mode="markers", name=title,
                marker=marker, customdata=[theme.literal(n) for n in names],
                hovertemplate=f"%{{customdata}}<br>{theme.literal(label)} %{{y:.{digits}f}}<extra>{title}</extra>",
            )
    _name_chosen(figure, median, places[median.replica], len(order), higher_is_better)
    figure.add_hline(y=median.score, line={"color": theme.NEUTRAL, "dash": "dot", "width": 1.5}, layer="below")
    ticks = order if len(order) <= _MANY else []
    edge = max(0.6, 0.03 * len(order))  # room for the marks at both ends of many
    figure.update_xaxes(
        tickmode="array", tickvals=[places[n] for n in ticks], ticktext=[theme.short(n) for n in ticks], showgrid=False,
        range=[-edge, len(order) - 1 + edge],
    )
    return figure


def _name_chosen(figure: go.Figure, median: MedianReplica, place: int, n: int, rising: bool) -> None:
    """Name the chosen replica where a rising (or falling) row of points leaves room."""
    right = place < n / 2
    score = format_score(median.score, score_decimals([median.score]))
    figure.add_annotation(
        x=place, y=median.score, text=f"{theme.short(median.replica)}: {score}",
        showarrow=True, arrowcolor=theme.NEUTRAL, arrowhead=0, ax=24 if right else -24,
        ay=30 if right == rising else -30,
        xanchor="left" if right else "right",
    )


def segment_spread(
    table: SegmentTable, index: int, colours: Mapping[str, str] | None = None, height: int = 200,
    *, legend: bool = True,
) -> go.Figure:
    """Return one segment's scores over all replicas of both systems, with the two outputs shown marked.

    Parameters
    ----------
    table : SegmentTable
    index : int
        Number of the segment, from 1.
    colours : mapping of system to colour, optional
    height : int
        Pixels.
    legend : bool
        Whether the marks are explained above the plot.

    Raises
    ------
    IndexError
        When the test set has no such segment.
    """
    places = np.flatnonzero(table.index == index)
    if not places.size:
        raise IndexError(f"No segment {index}; this table has segments {table.index.min()} to {table.index.max()}.")
    at = int(places[0])
    title = f"{theme.axis_title(table.label, table.higher_is_better)} of segment {index}"
    figure = theme.base_figure(x=title, height=height, legend=legend)
    ends = [float(values[at]) for spread in (table.spread_a, table.spread_b) for values in (spread.low, spread.high)]
    digits = theme.hover_decimals(ends)
    sides = ((table.a, table.spread_a, table.score_a), (table.b, table.spread_b, table.score_b))
    look = theme.styles([table.a[0], table.b[0]], colours)
    for i, ((system, replica), spread, scores) in enumerate(sides):
        _spread_row(figure, spread, at, i, look[system].colour, digits)
        figure.add_scatter(
            x=[float(scores[at])], y=[-float(i)], mode="markers", name="replica shown", legendgroup="shown",
            showlegend=i == 0, marker={"color": look[system].colour, "symbol": "diamond", "size": 14},
            hovertemplate=f"{theme.literal(replica)}: %{{x:.{digits}f}}<extra>{theme.literal(system)}</extra>",
        )
    names = [dict.fromkeys(side) for side, _, _ in sides]  # a system's only output often has no name of its own
    theme.rows_axis(figure, ["<br>".join(map(theme.short, name)) for name in names])
    margin = 0.06 * (max(ends) - min(ends)) or 1.0
    figure.update_xaxes(range=[min(ends) - margin, max(ends) + margin])
    return figure


def _spread_row(figure: go.Figure, spread: Spread, at: int, row: int, colour: str, digits: int) -> None:
    """Draw the range and the mean of a system's replicas on one segment; the first row explains them."""
    low, mean, high = (float(values[at]) for values in (spread.low, spread.mean, spread.high))
    y, show = -float(row), row == 0
    figure.add_scatter(
        x=[low, high], y=[y, y], mode="lines", line={"color": theme.translucent(colour, 0.45), "width": 10},
        showlegend=show,
        name="all replicas, lowest to highest", legendgroup="spread", hoverinfo="skip",
    )
    figure.add_scatter(
        x=[mean], y=[y], mode="markers", name="mean of all replicas", legendgroup="mean", showlegend=show,
        marker={"symbol": "line-ns", "size": 18, "line": {"color": colour, "width": 3}},
        hovertemplate=f"mean %{{x:.{digits}f}}, lowest {low:.{digits}f}, highest {high:.{digits}f}<extra></extra>",
    )
