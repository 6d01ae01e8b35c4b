"""Each tuned replica's score on the test set against its score on the set it was tuned on."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from mtsig_core.analysis.tuning import Generalisation
from mtsig_core.figures.theme import axis_title, base_figure, hover_decimals, literal, short, styles, translucent
from mtsig_core.figures.tuning.shared import reference_lines
from mtsig_core.figures.variance import padded
from mtsig_core.formatting import format_score


def dev_test_scatter(
    result: Generalisation, colours: Mapping[str, str] | None = None, height: int = 420
) -> go.Figure:
    """Return one point per replica, with s_dev and s_test in the legend and lines for the 1-best.

    The random choice has lines too, which are mostly far outside: the axes show replicas and the 1-best.

    Parameters
    ----------
    result : Generalisation
    colours : mapping of optimizer to colour, optional
    height : int
        Pixels.
    """
    scope = result.scope
    label = axis_title(scope.label, scope.higher_is_better)
    figure = base_figure(
        x=f"{label} on {literal(scope.dev)} (tuned on)", y=f"{label} on {literal(scope.test)}", height=height
    )
    look = styles([row.name for row in result.rows], colours)
    digits = hover_decimals(np.concatenate([row.test for row in result.rows]))
    for row in result.rows:
        style = look[row.name]
        spreads = f"s_dev {format_score(row.s_dev)}, s_test {format_score(row.s_test)}"
        figure.add_scatter(
            x=row.dev.tolist(), y=row.test.tolist(), mode="markers", name=f"{short(row.name)} ({spreads})",
            customdata=[f"seed{i}" for i in range(1, len(row.dev) + 1)],
            marker={"color": translucent(style.colour, 0.75), "symbol": style.symbol, "size": 9,
                    "line": {"color": style.colour, "width": 1}},
            hovertemplate=f"%{{customdata}}<br>dev %{{x:.{digits}f}}<br>test %{{y:.{digits}f}}"
            f"<extra>{literal(row.name)}</extra>",
        )
    reference_lines(figure, result.test, oracle=False)
    reference_lines(figure, result.dev, oracle=False, along="x")
    figure.update_xaxes(range=padded(np.concatenate([*(row.dev for row in result.rows), [result.dev.one_best]])))
    figure.update_yaxes(range=padded(np.concatenate([*(row.test for row in result.rows), [result.test.one_best]])))
    return figure
