"""Several test sets together: a forest of differences."""

from __future__ import annotations

import plotly.graph_objects as go

from mtsig_core.analysis.comparison.combined import Combined
from mtsig_core.figures import theme
from mtsig_core.formatting import format_interval, format_percent, format_score


def forest(result: Combined) -> go.Figure:
    """Return the difference on each test set, and the mean of all with its intervals.

    Parameters
    ----------
    result : Combined
    """
    rows = [(theme.short(s.test_set), s.difference, s.interval, theme.PALETTE[0], "square") for s in result.sets]
    rows += [
        ("all sets, other text", result.difference, result.text, theme.PALETTE[3], "circle"),
        ("all sets, other replicas", result.difference, result.replicas, theme.PALETTE[3], "circle"),
        ("all sets, both", result.difference, result.both, theme.PALETTE[3], "diamond"),
    ]
    figure = theme.base_figure(
        x=f"{theme.short(result.b)} − {theme.short(result.a)} ({theme.short(result.label)})",
        height=140 + 38 * len(rows), legend=False
    )
    level = theme.literal(format_percent(1 - result.alpha))
    for i, (name, difference, interval, colour, symbol) in enumerate(rows):
        y = -float(i)
        if interval is not None:
            figure.add_scatter(
                x=list(interval), y=[y, y], mode="lines+markers", hoverinfo="skip", line={"color": colour, "width": 3},
                marker={"symbol": "line-ns", "size": 12, "line": {"color": colour, "width": 3}},
            )
        shown = format_interval(interval, result.decimals) if interval is not None else "interval not defined"
        figure.add_scatter(
            x=[difference], y=[y], mode="markers", marker={"color": colour, "size": 12, "symbol": symbol},
            hovertemplate=f"{name}<br>D = {format_score(difference, result.decimals)}<br>{level}: {shown}"
            "<extra></extra>",
        )
        if interval is None:
            figure.add_annotation(x=difference, y=y, text="interval not defined", xanchor="left", xshift=10,
                                  showarrow=False, font={"size": 12, "color": theme.NEUTRAL})
    theme.vertical_line(figure, 0.0, dash="dot")
    figure.add_hline(y=-len(result.sets) + 0.5, line={"color": theme.NEUTRAL, "dash": "dash", "width": 1})
    right, left = (result.b, result.a) if result.higher_is_better or not result.is_quality else (result.a, result.b)
    theme.sides(figure, left, right, "better" if result.is_quality else "higher")
    theme.rows_axis(figure, [name for name, *_ in rows])
    return figure
