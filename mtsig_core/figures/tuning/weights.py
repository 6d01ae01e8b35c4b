"""The weights of all replicas in parallel coordinates."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from mtsig_core.analysis.tuning import Trajectories
from mtsig_core.figures.theme import base_figure, literal, short, translucent
from mtsig_core.figures.tuning.shared import path_styles


def weight_coordinates(
    result: Trajectories, colours: Mapping[str, str] | None = None, height: int = 400
) -> go.Figure:
    """Return one line per replica over all features.

    Weights are those of features divided by their standard deviation, and their absolute values sum to 1, so that
    features and replicas can be compared.

    Parameters
    ----------
    result : Trajectories
    colours : mapping of optimizer to colour, optional
    height : int
        Pixels.
    """
    figure = base_figure(y="Weight per sd", height=height)
    features = [short(name) for name in result.scope.features]
    for path, style, look in path_styles(result.paths, colours, opacity=0.45):
        figure.add_scatter(
            x=list(range(len(features))), y=path.weights.tolist(), customdata=features, **look,
            marker={"color": translucent(style.colour, 0.7), "symbol": style.symbol, "size": 6},
            hovertemplate=f"{literal(path.replica)}<br>%{{customdata}} %{{y:.3f}}<extra>{literal(path.name)}</extra>",
        )
    figure.update_xaxes(tickmode="array", tickvals=list(range(len(features))), ticktext=features,
                        autotickangles=[0, -30, -90])  # beyond the last tick Plotly would leave labels out
    figure.update_yaxes(zeroline=True, zerolinecolor="#808080")
    return figure
