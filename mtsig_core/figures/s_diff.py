"""The random variation of the observed difference, and p against it (Fu et al., Figures 4 and 5)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from mtsig_core.analysis.systems.s_diff import PAgainstDifference, SingleDifferences
from mtsig_core.figures import theme
from mtsig_core.formatting import count, format_score
from mtsig_core.significance.normal_fits import NormalInterval

_BINS = 40


def single_difference_histogram(
    result: SingleDifferences, label: str = "score", height: int = theme.DEFAULT_HEIGHT
) -> go.Figure:
    """Return the differences that single pairs of replicas show, with their normal fit.

    Parameters
    ----------
    result : SingleDifferences
    label : str
        What people call the metric.
    height : int
        Pixels.
    """
    values = result.values[np.isfinite(result.values)]
    if not values.size:
        return theme.message_figure("No pair of replicas has a difference.")
    title = f"Difference of single replicas, B − A ({theme.short(label)})"
    figure = theme.base_figure(x=title, y="Density", height=height)
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    margin = 0.06 * (high - low) or 0.5
    edges = np.linspace(low - margin, high + margin, _BINS + 1)
    density = np.histogram(values, edges)[0] / (values.size * (edges[1] - edges[0]))
    digits = theme.hover_decimals(edges)
    figure.add_bar(
        x=((edges[1:] + edges[:-1]) / 2).tolist(), y=density.tolist(), width=np.diff(edges).tolist(),
        name=f"{count(values.size, 'pair')} of {'equal index' if result.paired else 'replicas'}",
        marker={"color": theme.translucent(theme.PALETTE[0], 0.55), "line": {"width": 0}},
        hovertemplate=f"about %{{x:.{digits}f}}<extra></extra>",
    )
    top = float(density.max())
    if result.fit is not None and result.fit.sd > 0:
        top = max(top, _normal_fit(figure, result.fit, np.linspace(edges[0], edges[-1], 241), digits))
    theme.vertical_line(figure, 0.0, dash="dot")
    theme.top_label(figure, 0.0, "no difference", anchor="left" if low > -0.3 * (high - low) else "right")
    figure.update_yaxes(range=[0, theme.headroom(top, 1, height)], showticklabels=False, ticks="", showgrid=False)
    return figure


def _normal_fit(figure: go.Figure, fit: NormalInterval, x: np.ndarray, digits: int) -> float:
    """Draw the density of a fit and return its highest value."""
    y = fit.density(x)
    figure.add_scatter(
        x=x.tolist(), y=y.tolist(), mode="lines", line={"color": theme.PALETTE[1], "width": 2.5}, hoverinfo="skip",
        name=f"normal fit: mean {format_score(fit.mean, digits)}, sd {format_score(fit.sd, digits)}",
    )
    return float(y.max())


def p_against_difference_figure(
    result: PAgainstDifference, label: str = "score", chosen: float | None = None, height: int = 400
) -> go.Figure:
    """Return p of each test against the size of the difference, with alpha, D, and a difference one asks about.

    Parameters
    ----------
    result : PAgainstDifference
    label : str
        What people call the metric.
    chosen : float, optional
        A difference to mark.
    height : int
        Pixels.
    """
    if not result.curves:
        return theme.message_figure("None of the tests draws differences by chance.")
    figure = theme.base_figure(x=f"Size of the difference ({theme.short(label)})", y="p", height=height)
    digits = theme.hover_decimals(result.x)
    for k, curve in enumerate(result.curves):
        figure.add_scatter(
            x=result.x.tolist(), y=curve.p.tolist(), mode="lines", name=theme.literal(curve.preset.label),
            line={"color": theme.PALETTE[k % len(theme.PALETTE)], "dash": theme.DASHES[k % len(theme.DASHES)],
                  "width": 2.5, "shape": "hv"},
            hovertemplate=f"{theme.literal(curve.preset.label)}<br>"
            f"difference %{{x:.{digits}f}}: p = %{{y:.3f}}<extra></extra>",
        )
    figure.add_hline(y=result.alpha, line={"color": theme.NEUTRAL, "dash": "dot", "width": 1.5})
    figure.add_annotation(x=1, xref="paper", xanchor="right", y=result.alpha, yanchor="bottom", showarrow=False,
                          text=f"level {result.alpha:g}", font={"size": 12})
    size = abs(result.difference)
    theme.vertical_line(figure, size, dash="dash")
    theme.top_label(figure, size, f"observed {format_score(size, digits)}", anchor=_side(size, result))
    if chosen is not None:
        theme.vertical_line(figure, chosen, colour=theme.PALETTE[1], width=2)
        theme.top_label(figure, chosen, f"asked {format_score(chosen, digits)}", anchor=_side(chosen, result), row=1)
    figure.update_yaxes(range=[0, 1.12])
    figure.update_xaxes(range=[0, float(result.x[-1])])
    return figure


def _side(x: float, result: PAgainstDifference) -> str:
    """Return the side of a label that stands at x, so that the label stays inside."""
    return "left" if x < 0.7 * float(result.x[-1]) else "right"
