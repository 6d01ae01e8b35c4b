"""The chart of the first screen: the difference under each metric with its interval, and the line of no difference."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from mtsig_core.analysis.comparison import Comparison
from mtsig_core.figures.theme import NEUTRAL, PALETTE, base_figure, literal, rows_axis, vertical_line

ROW, FRAME = 46, 90  # pixels of a metric, and of everything else


def metric_differences(comparisons: Sequence[Comparison]) -> go.Figure:
    """Return one row per metric: D with the interval of the verdict, in the metric's units, B's gains to the right.

    Parameters
    ----------
    comparisons : sequence of Comparison
        Of the same two systems on the same test set, one per metric.
    """
    a, b = literal(comparisons[0].a, 24), literal(comparisons[0].b, 24)
    figure = base_figure(x=f"← {a} better   (difference)   {b} better →", height=FRAME + ROW * len(comparisons),
                         legend=False)  # fmt: skip
    names = []
    for row, comparison in enumerate(comparisons):
        sign = 1 if comparison.higher_is_better else -1
        centre, interval = sign * comparison.difference, comparison.intervals.both
        names.append(literal(comparison.label))
        decided = comparison.verdict.outcome in ("better", "worse", "higher", "lower")
        figure.add_scatter(
            x=[centre], y=[-row], name=literal(comparison.label), showlegend=False, mode="markers",
            marker={"size": 11, "symbol": "diamond", "color": PALETTE[0] if decided else NEUTRAL},
            error_x=None if interval is None else _bars(sorted(sign * end for end in interval), centre),
            hovertemplate=f"{literal(comparison.label)}: %{{x:.3f}}<extra></extra>",
        )
    vertical_line(figure, 0.0, dash="dash")
    rows_axis(figure, names)
    return figure


def _bars(ends: Sequence[float], centre: float) -> dict:
    return {"type": "data", "symmetric": False, "array": [ends[1] - centre], "arrayminus": [centre - ends[0]],
            "thickness": 3, "width": 8}  # fmt: skip
