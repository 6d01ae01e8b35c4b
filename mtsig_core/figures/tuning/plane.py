"""The dev score on a plane through weight space, with its local optima."""

from __future__ import annotations

import plotly.graph_objects as go

from mtsig_core.analysis.tuning import WeightPlane
from mtsig_core.figures.theme import NEUTRAL, axis_title, base_figure, literal

_MOST_OPTIMA = 200


def plane_heatmap(result: WeightPlane, height: int = 520) -> go.Figure:
    """Return the scores as colours, local optima as circles (the best filled), and the given weights as a cross.

    Parameters
    ----------
    result : WeightPlane
    height : int
        Pixels.
    """
    scope = result.scope
    figure = base_figure(x="First random direction", y="Second random direction", height=height)
    label = axis_title(scope.label, scope.higher_is_better)
    figure.add_heatmap(
        x=result.x.tolist(), y=result.y.tolist(), z=result.scores.tolist(), colorscale="Viridis",
        reversescale=not scope.higher_is_better, colorbar={"title": {"text": label}, "thickness": 14},
        hovertemplate=f"{literal(scope.label)} %{{z:.2f}}<extra></extra>",
    )
    shown = result.optima[:_MOST_OPTIMA]
    fills = ["white", *["rgba(0,0,0,0)"] * (len(shown) - 1)]
    figure.add_scatter(
        x=shown[:, 0].tolist(), y=shown[:, 1].tolist(), mode="markers", name=f"{len(result.optima)} local optima",
        customdata=shown[:, 2].tolist(),
        marker={"symbol": "circle", "size": 8, "color": fills[: len(shown)], "line": {"color": "white", "width": 1.5}},
        legendgroup="optima", showlegend=False,
        hovertemplate=f"local optimum<br>{literal(scope.label)} %{{customdata:.2f}}<extra></extra>",
    )
    # white circles stand out on the colours alone: the legend has them in a colour that both themes show
    figure.add_scatter(
        x=[None], y=[None], mode="markers", name=f"{len(result.optima)} local optima", legendgroup="optima",
        marker={"symbol": "circle-open", "size": 9, "color": NEUTRAL, "line": {"width": 1.5}},
    )
    figure.add_scatter(
        x=[0], y=[0], mode="markers", name="the weights in the middle", hoverinfo="skip",
        marker={"symbol": "x", "size": 11, "color": "#bf2524", "line": {"color": "white", "width": 1}},
    )
    figure.update_xaxes(range=[float(result.x.min()), float(result.x.max())])
    figure.update_yaxes(range=[float(result.y.min()), float(result.y.max())])
    return figure
