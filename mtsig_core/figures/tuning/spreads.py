"""How much each optimizer's replicas differ, with intervals."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from mtsig_core.analysis.tuning import LeastVariance
from mtsig_core.figures.theme import axis_title, base_figure, hover_decimals, literal, rows_axis, short, styles


def spread_intervals(
    result: LeastVariance, colours: Mapping[str, str] | None = None, height: int = 300
) -> go.Figure:
    """Return the standard deviation over replicas of each optimizer with its 95% interval, the least on top.

    Parameters
    ----------
    result : LeastVariance
    colours : mapping of optimizer to colour, optional
    height : int
        Pixels.
    """
    scope = result.scope
    title = f"Standard deviation of {axis_title(scope.label)}<br>on {literal(result.on)} over replicas"
    figure = base_figure(x=title, height=height, legend=False)
    rows = result.rows
    look = styles([row.name for row in result.rows], colours)
    digits = hover_decimals(row.sd for row in rows)
    for place, row in enumerate(rows):
        style = look[row.name]
        figure.add_scatter(
            x=[row.sd], y=[-place], mode="markers", name=short(row.name),
            marker={"color": style.colour, "symbol": style.symbol, "size": 11},
            error_x={"type": "data", "symmetric": False, "array": [row.high - row.sd],
                     "arrayminus": [row.sd - row.low], "color": style.colour, "thickness": 2},
            hovertemplate=f"{literal(row.name)}: %{{x:.{digits}f}}<br>95&#37; interval "
            f"{row.low:.{digits}f} to {row.high:.{digits}f}<extra></extra>",
        )
    rows_axis(figure, [short(row.name) for row in rows])
    figure.update_xaxes(rangemode="tozero")
    return figure
