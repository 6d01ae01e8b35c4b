"""How far tests can be trusted: A/A calibration, whole-replica effects, the simulated arena."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from mtsig_core.analysis.calibration.arena import Arena
from mtsig_core.analysis.calibration.calibration import Calibration
from mtsig_core.analysis.calibration.replica_effect import ReplicaEffect
from mtsig_core.figures import theme
from mtsig_core.formatting import format_interval, format_p, format_percent, format_score, rare_share

_OVERCLAIMS = theme.PALETTE[1]
_HOLDS = theme.PALETTE[0]


def calibration_curves(result: Calibration, height: int = theme.DEFAULT_HEIGHT) -> go.Figure:
    """Return for each test the share of splits with a p up to each value; a calibrated test lies on the diagonal.

    Parameters
    ----------
    result : Calibration
    height : int
        Pixels.
    """
    rows = [row for row in result.rows if len(row.p)]
    if not rows:
        return theme.message_figure(result.note or "No test is defined on these halves.")
    figure = theme.base_figure(x="p", y="Share of splits with a p up to this", height=height + 24 * len(rows) // 2)
    figure.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", line={"color": theme.NEUTRAL, "dash": "dot", "width": 1.5}, name="calibrated",
        hoverinfo="skip",
    )
    for k, row in enumerate(rows):
        n = len(row.p)
        figure.add_scatter(
            x=[0.0, *row.p.tolist(), 1.0], y=[0.0, *(np.arange(1, n + 1) / n).tolist(), 1.0], mode="lines",
            line={"shape": "hv", "color": theme.PALETTE[k % len(theme.PALETTE)],
                  "dash": theme.DASHES[k % len(theme.DASHES)], "width": 2},
            name=theme.literal(row.preset.label), hovertemplate="p ≤ %{x:.3f}: %{y:.0%} of the splits<extra>"
            + theme.literal(row.preset.label) + "</extra>",
        )
    theme.vertical_line(figure, result.alpha, dash="dash")
    figure.update_xaxes(range=[-0.01, 1.01])
    figure.update_yaxes(range=[-0.02, 1.04], tickformat=".0%")
    figure.update_layout(legend={"font": {"size": 12}})
    return figure


def replica_effect_intervals(
    rows: Sequence[ReplicaEffect], colours: Mapping[str, str] | None = None, level: float = 0.95
) -> go.Figure:
    """Return the standard deviation of whole replicas that F implies, with its interval, one row per system.

    Parameters
    ----------
    rows : sequence of ReplicaEffect
        Of one metric.
    colours : mapping of system to colour, optional
    level : float
        Of the intervals.
    """
    if not any(row.sd is not None for row in rows):
        return theme.message_figure(rows[0].note if rows else "No system to show.")
    figure = theme.base_figure(x=f"Standard deviation of whole replicas ({theme.short(rows[0].label)})",
                               height=120 + 40 * len(rows), legend=False)
    looks = theme.styles([row.system for row in rows], colours)
    top = max(_end(row) for row in rows)
    for i, row in enumerate(rows):
        if row.sd is None or row.sd_low is None or row.sd_high is None:
            continue
        look = looks[row.system]
        y = -float(i)
        figure.add_scatter(
            x=[row.sd_low, min(row.sd_high, top)], y=[y, y], mode="lines+markers", hoverinfo="skip",
            line={"color": look.colour, "width": 3},
            marker={"symbol": "line-ns", "size": 12, "line": {"color": look.colour, "width": 3}},
        )
        figure.add_scatter(
            x=[row.sd], y=[y], mode="markers", marker={"color": look.colour, "size": 11, "symbol": look.symbol},
            hovertemplate=f"{theme.literal(row.system)}<br>{format_score(row.sd)}, "
            f"{theme.literal(format_percent(level))} interval {format_interval((row.sd_low, row.sd_high))}"
            f"<br>F {format_score(row.f)}, p {format_p(row.p).replace('<', '&lt;')}<extra></extra>",
        )
        if row.sd_high > top:
            figure.add_annotation(x=top, y=y, text=f"to {format_score(row.sd_high)} →", showarrow=False, yshift=12,
                                  xanchor="right", font={"size": 12})
    theme.vertical_line(figure, 0.0, dash="dot")
    theme.rows_axis(figure, [theme.short(row.system) for row in rows])
    figure.update_xaxes(range=[-0.03 * top, 1.05 * top])
    return figure


def _end(row: ReplicaEffect) -> float:
    """Return where a row is cut: a few replicas give intervals that would hide all others."""
    if row.sd is None or row.sd_high is None or row.s_test is None:
        return 0.0
    return min(row.sd_high, 3 * max(row.s_test, row.sd))


def arena_bars(result: Arena) -> go.Figure:
    """Return how often each test rejects, one bar per test with its interval.

    Parameters
    ----------
    result : Arena
    """
    if not result.rows:
        return theme.message_figure("No test is defined for so few replicas.")
    false_alarms = result.world.gain == 0
    title = "Share of false alarms" if false_alarms else "Share of experiments called different (power)"
    figure = theme.base_figure(x=title, height=120 + 27 * len(result.rows))
    groups = (
        (True, "valid for its own question", _HOLDS, ""), (False, "carries a warning", _OVERCLAIMS, "/"),
    )
    names = [theme.literal(row.preset.label) for row in result.rows]
    for valid, name, colour, pattern in groups:
        rows = [(i, row) for i, row in enumerate(result.rows) if row.preset.valid == valid]
        if not rows:
            continue
        figure.add_bar(
            x=[row.share for _, row in rows], y=[-float(i) for i, _ in rows], orientation="h", name=name, width=0.7,
            marker={"color": theme.translucent(colour, 0.8), "pattern": {"shape": pattern, "solidity": 0.3}},
            error_x={"type": "data", "symmetric": False, "array": [row.high - row.share for _, row in rows],
                     "arrayminus": [row.share - row.low for _, row in rows], "color": theme.NEUTRAL, "thickness": 1.5,
                     "width": 4},
            customdata=[[theme.literal(row.preset.label),
                         rare_share(row.share, result.design.trials).replace("<", "&lt;"),
                         format_percent(row.low), format_percent(row.high), theme.literal(row.preset.question)]
                        for _, row in rows],
            hovertemplate="%{customdata[0]}: %{customdata[1]}<br>95&#37;: %{customdata[2]} to %{customdata[3]}<br>"
            "%{customdata[4]}<extra></extra>",
        )
    theme.vertical_line(figure, result.design.alpha, dash="dash")
    theme.top_label(figure, result.design.alpha, f"level {result.design.alpha:g}", anchor="left")
    theme.rows_axis(figure, names)
    figure.update_yaxes(range=[-len(names) + 0.4, 1.3])
    top = max(result.design.alpha, *(row.high for row in result.rows))
    figure.update_xaxes(range=[0, min(1.02, 1.12 * top)], tickformat=".0%")
    return figure
