"""Metrics against people: scatter with names, the distribution of r, and the matrix of Williams' tests."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from mtsig_core.analysis.people.meta_evaluation.correlation import MetricAgainstPeople
from mtsig_core.analysis.people.meta_evaluation.correlation_tests import MetricComparisons
from mtsig_core.analysis.people.meta_evaluation.replica_spread import ReplicaSpread
from mtsig_core.figures import theme
from mtsig_core.figures.people.labels import label_positions
from mtsig_core.figures.people.matrix import matrix_figure, pair_hover
from mtsig_core.formatting import format_p, number, p_phrase

_BINS = 40
_STEPS = 150  # of the least-squares line that names keep away from
_MOST_NAMED = 30  # points beyond which names are shown on hover alone


def metric_scatter(
    result: MetricAgainstPeople, dimension: str = "human score", *, humans_higher_is_better: bool = True,
    colours: Mapping[str, str] | None = None, height: int = 420,
) -> go.Figure:  # fmt: skip
    """Return one point per system, named, with the least-squares line; outliers are marked.

    Parameters
    ----------
    result : MetricAgainstPeople
    dimension : str
        What people gave.
    humans_higher_is_better : bool
        Where not, their scores are drawn as they were given.
    colours : mapping of system to colour, optional
    height : int
        Pixels.
    """
    if not result.names:
        return theme.message_figure("No system has both a metric's and people's scores.")
    x, y = result.metric_scores, result.human_scores if humans_higher_is_better else -result.human_scores
    figure = theme.base_figure(x=theme.axis_title(result.metric, result.higher_is_better), legend=False, height=height,
                         y=theme.axis_title(dimension, humans_higher_is_better))  # fmt: skip
    line = _fitted(x, y) if result.coefficients["pearson"].value is not None else []
    if line:
        figure.add_scatter(x=[px for px, _ in line[::_STEPS]], y=[py for _, py in line[::_STEPS]], mode="lines",
                           line={"color": theme.NEUTRAL, "dash": "dot", "width": 1.5}, hoverinfo="skip")  # fmt: skip
    look, digits = theme.styles(result.names, colours), (theme.hover_decimals(x), theme.hover_decimals(y))
    sides = label_positions([theme.short(name) for name in result.names], x.tolist(), y.tolist(), line=line)
    for name, px, py, side in zip(result.names, x.tolist(), y.tolist(), sides, strict=True):
        outlier = name in result.outliers
        figure.add_scatter(
            x=[px], y=[py], mode="markers+text" if len(result.names) <= _MOST_NAMED else "markers",
            name=theme.short(name), text=[theme.short(name)], textposition=side, cliponaxis=False,
            marker={"symbol": look[name].symbol, "color": look[name].colour, "size": 10,
                    "line": {"width": 2 if outlier else 0, "color": theme.NEUTRAL}},
            hovertemplate=f"{theme.literal(name)}{' (outlier)' if outlier else ''}<br>{theme.literal(result.metric)} "
            f"%{{x:.{digits[0]}f}}<br>{theme.literal(dimension)} %{{y:.{digits[1]}f}}<extra></extra>",
        )  # fmt: skip
    return figure


def _fitted(x: np.ndarray, y: np.ndarray) -> list[tuple[float, float]]:
    """Return points of the least-squares line, from end to end."""
    across = np.linspace(x.min(), x.max(), _STEPS + 1)
    return list(zip(across.tolist(), np.polyval(np.polyfit(x, y, 1), across).tolist(), strict=True))


def correlation_distribution(result: MetricAgainstPeople, height: int = theme.DEFAULT_HEIGHT) -> go.Figure:
    """Return the bootstrap distribution of Pearson's r, with r and the ends of both intervals."""
    own = result.coefficients["pearson"]
    if own.value is None or not result.draws.size:
        return theme.message_figure(own.note or "Pearson's r has no distribution to draw.")
    lines = [f"{dash}: {whose} interval" for ends, dash, whose in (
        (own.interval, "dashed", "bootstrap"), (own.fisher, "dotted", "Fisher's")) if ends]
    title = "<br>".join([f"{theme.literal(result.metric)}: Pearson's r of systems drawn anew", "; ".join(lines)])
    figure = _histogram(result.draws, title, height)
    theme.vertical_line(figure, own.value, width=2)
    theme.top_label(figure, own.value, f"r = {number(own.value, 3)}", anchor="right" if own.value > 0 else "left")
    for ends, dash in ((own.interval, "dash"), (own.fisher, "dot")):
        for end in ends or ():
            theme.vertical_line(figure, end, dash=dash)
    return figure


def replica_distribution(result: ReplicaSpread, height: int = theme.DEFAULT_HEIGHT) -> go.Figure:
    """Return r over the choice of one replica per system, with r of the averaged replicas."""
    if result.averaged is None or not result.draws.size:
        return theme.message_figure(result.note)
    figure = _histogram(result.draws, f"{theme.literal(result.metric)}: Pearson's r with one replica per system",
                        height)
    theme.vertical_line(figure, result.averaged, width=2)
    label = f"averaged replicas {number(result.averaged, 3)}"
    theme.top_label(figure, result.averaged, label, anchor="right" if result.averaged > 0 else "left")
    return figure


def _histogram(draws: np.ndarray, title: str, height: int) -> go.Figure:
    figure = theme.base_figure(x=title, y="Share", height=height, legend=False)
    low, high = float(draws.min()), float(draws.max())
    margin = 0.03 * (high - low) or 0.01
    edges = np.linspace(max(-1.0, low - margin), min(1.0, high + margin), _BINS + 1)
    shares = np.histogram(draws, edges)[0] / draws.size
    figure.add_bar(
        x=((edges[1:] + edges[:-1]) / 2).tolist(), y=shares.tolist(), width=np.diff(edges).tolist(),
        marker={"color": theme.translucent(theme.PALETTE[0], 0.55), "line": {"width": 0}},
        hovertemplate="r about %{x:.3f}: %{y:.1%}<extra></extra>",
    )  # fmt: skip
    figure.update_yaxes(range=[0, theme.headroom(float(shares.max()), 1, height)], tickformat=".0%")
    return figure


def williams_matrix(comparisons: MetricComparisons, alpha: float = 0.05) -> go.Figure:
    """Return one-sided p that the row's metric correlates more with people than the column's; small ones stand out.

    Parameters
    ----------
    comparisons : MetricComparisons
    alpha : float
        Cells with a smaller p are coloured.
    """
    frame = comparisons.matrix()
    if not frame.notna().to_numpy().any():
        return theme.message_figure("No two metrics have correlations that can be compared.")
    quiet, significant = "rgba(128,128,128,0.10)", theme.PALETTE[0]
    return matrix_figure(
        frame, lambda p: format_p(p), bounds=(0, 1),
        scale=((0.0, significant), (alpha, significant), (alpha, quiet), (1.0, quiet)),
        hover=lambda row, column, p: pair_hover(row, column, f"larger correlation with people: {p_phrase(p)}"),
    )  # fmt: skip
