"""Two confidence intervals and what they share (Fu et al., Figure 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from mtsig_core.analysis.systems.overlap import NormalInterval, Overlap
from mtsig_core.figures import theme
from mtsig_core.formatting import format_percent, format_score, score_decimals

_BINS = 50


def overlap_densities(
    overlap: Overlap, colours: Mapping[str, str] | None = None, height: int = theme.DEFAULT_HEIGHT
) -> go.Figure:
    """Return both systems' resampled scores, their normal fits and intervals, with the shared area shaded.

    Parameters
    ----------
    overlap : Overlap
        Its draws, where it has any, are drawn as histograms.
    colours : mapping of system to colour, optional
    height : int
        Pixels.
    """
    names, scope = overlap.scope.systems, overlap.scope
    figure = theme.base_figure(x=theme.axis_title(scope.label, scope.higher_is_better), y="Density", height=height)
    look = theme.styles(names, colours)
    curves = overlap.curves()
    tops = [0.0]
    for name, draws in zip(names, overlap.draws or (), strict=False):
        tops.append(_histogram(figure, draws, curves.x, name, look[name]))
    _shared_area(figure, curves.x, curves.shared, overlap.ratio)
    for name, fit, density in zip(names, (overlap.a, overlap.b), (curves.density_a, curves.density_b), strict=True):
        title = f"{theme.short(name)}: {theme.literal(format_percent(overlap.level))} interval {_range(fit)}"
        _curve(figure, curves.x, density if fit.sd > 0 else None, (title, theme.literal(name)), look[name])
        tops.append(float(density.max()))
        if fit.sd == 0:
            theme.vertical_line(figure, fit.mean, colour=look[name].colour, dash=look[name].dash, width=3)
    top = max(tops) or 1.0
    _bounds(figure, names, (overlap.a, overlap.b), top, look)
    figure.update_yaxes(range=[0, theme.headroom(top, 2, height)], showticklabels=False, ticks="", showgrid=False)
    figure.update_xaxes(range=[float(curves.x[0]), float(curves.x[-1])])
    return figure


def _histogram(figure: go.Figure, draws: np.ndarray, grid: np.ndarray, name: str, style: theme.SystemStyle) -> float:
    """Draw a histogram on the density scale and return its height; equal draws have no density."""
    draws = draws[np.isfinite(draws)]
    if draws.size < 2 or np.ptp(draws) == 0:
        return 0.0
    edges = np.linspace(float(grid[0]), float(grid[-1]), _BINS + 1)
    density = np.histogram(draws, edges)[0] / (draws.size * (edges[1] - edges[0]))
    figure.add_bar(
        x=((edges[1:] + edges[:-1]) / 2).tolist(), y=density.tolist(), width=np.diff(edges).tolist(),
        name=theme.short(name),
        marker={"color": theme.translucent(style.colour, 0.22), "line": {"width": 0}}, hoverinfo="skip",
        showlegend=False,
    )
    return float(density.max())


def _curve(
    figure: go.Figure, x: np.ndarray, density: np.ndarray | None, labels: tuple[str, str], style: theme.SystemStyle
) -> None:
    """Draw a density; a point has none, only its place in the legend."""
    title, name = labels
    figure.add_scatter(
        x=x.tolist(), y=[None] * len(x) if density is None else density.tolist(), mode="lines", name=title,
        line={"color": style.colour, "dash": style.dash, "width": 2.5},
        hovertemplate=f"%{{x:.{theme.hover_decimals(x)}f}}<extra>{name}</extra>",
    )


def _range(fit: NormalInterval) -> str:
    decimals = score_decimals([fit.low, fit.high])
    return f"{format_score(fit.low, decimals)} to {format_score(fit.high, decimals)}"


def _shared_area(figure: go.Figure, x: np.ndarray, shared: np.ndarray, ratio: float) -> None:
    inside = shared > 0
    figure.add_scatter(
        x=x[inside].tolist() or [None], y=shared[inside].tolist() or [None], mode="lines", fill="tozeroy",
        line={"width": 0, "color": theme.NEUTRAL}, hoverinfo="skip", legendrank=2000,
        name=f"overlap ratio {format_score(ratio)}",
        fillcolor="rgba(0,0,0,0)", fillpattern={"shape": "/", "fgcolor": theme.NEUTRAL, "size": 7, "solidity": 0.35},
    )


def _bounds(
    figure: go.Figure, names: Sequence[str], fits: Sequence[NormalInterval], top: float,
    look: Mapping[str, theme.SystemStyle]
) -> None:
    """Draw both intervals as whiskers above the densities, one above the other."""
    for i, (name, fit) in enumerate(zip(names, fits, strict=True)):
        y, style = top * (1.16 - 0.08 * i), look[name]
        figure.add_scatter(
            x=[fit.low, fit.mean, fit.high], y=[y] * 3, mode="lines+markers", showlegend=False, name=theme.short(name),
            line={"color": style.colour, "width": 2.5},
            marker={"symbol": ["line-ns", style.symbol, "line-ns"], "size": [11, 8, 11], "opacity": 1,
                    "color": style.colour, "line": {"color": style.colour, "width": 2.5}},
            hovertemplate=f"{_range(fit)}<extra>{theme.literal(name)}</extra>",
        )
