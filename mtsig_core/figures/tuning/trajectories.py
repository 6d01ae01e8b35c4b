"""The dev score against the iteration, one line per replica."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from mtsig_core.analysis.tuning import Trajectories
from mtsig_core.figures.theme import axis_title, base_figure, hover_decimals, literal
from mtsig_core.figures.tuning.shared import path_styles, reference_lines


def score_paths(result: Trajectories, colours: Mapping[str, str] | None = None, height: int = 400) -> go.Figure:
    """Return the dev score of every replica after each iteration.

    The iteration whose weights an optimizer returns has a marker. The 1-best, the oracle and the random choice stand
    beside as lines.

    Parameters
    ----------
    result : Trajectories
    colours : mapping of optimizer to colour, optional
    height : int
        Pixels.
    """
    scope = result.scope
    title = f"{axis_title(scope.label, scope.higher_is_better)} on {literal(scope.dev)}"
    figure = base_figure(x="Iteration", y=title, height=height)
    digits = hover_decimals(float(score) for path in result.paths for score in path.dev)
    for path, style, look in path_styles(result.paths, colours, opacity=0.6):
        sizes = [0] * len(path.dev)
        sizes[path.chosen] = 8
        figure.add_scatter(
            x=list(range(len(path.dev))), y=path.dev.tolist(), **look,
            marker={"color": style.colour, "symbol": style.symbol, "size": sizes, "opacity": 1},
            hovertemplate=f"{literal(path.replica)}<br>iteration %{{x}}<br>{literal(scope.label)} %{{y:.{digits}f}}"
            f"<extra>{literal(path.name)}</extra>",
        )
    reference_lines(figure, result.dev)
    return figure
