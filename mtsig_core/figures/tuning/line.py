"""The objective along one direction: steps, and the smoothed score over them."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from mtsig_core.analysis.tuning import LineObjective
from mtsig_core.figures.theme import DASHES, NEUTRAL, PALETTE, axis_title, base_figure, literal, vertical_line


def line_steps(result: LineObjective, at: float = 0.0, height: int = 400) -> go.Figure:
    """Return the dev score along a line as the step function that it is, with smoothed scores.

    Parameters
    ----------
    result : LineObjective
    at : float
        Where the weights stand, as a vertical line.
    height : int
        Pixels.
    """
    scope = result.scope
    title = f"{axis_title(scope.label, scope.higher_is_better)} on {literal(scope.dev)}"
    figure = base_figure(x=f"Step along {literal(result.direction)}", y=title, height=height)
    edges = np.concatenate([result.x[:1], result.corners, result.x[-1:]])
    figure.add_scatter(
        x=edges.tolist(), y=[*result.values.tolist(), float(result.values[-1])], mode="lines", name="score",
        line={"shape": "hv", "color": PALETTE[0], "width": 1.5},
        hovertemplate=f"from %{{x:.4f}}<br>{literal(scope.label)} %{{y:.2f}}<extra>score</extra>",
    )
    for k, (sharpness, smoothed) in enumerate(zip(result.sharpness, result.smoothed, strict=True), 1):
        name = f"expected, sharpness {sharpness:g}"
        figure.add_scatter(
            x=result.x.tolist(), y=smoothed.tolist(), mode="lines", name=name,
            line={"color": PALETTE[k % len(PALETTE)], "dash": DASHES[k % len(DASHES)], "width": 2},
            hovertemplate=f"%{{x:.3f}}<br>{literal(scope.label)} %{{y:.2f}}<extra>{name}</extra>",
        )
    vertical_line(figure, at, colour=NEUTRAL, dash="dash")
    figure.update_xaxes(range=[float(result.x[0]), float(result.x[-1])])
    return figure
