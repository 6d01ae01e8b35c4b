"""Which sources the variance of a difference comes from."""

from __future__ import annotations

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from mtsig_core.analysis.planning.components import Component, VarianceComponents
from mtsig_core.figures import theme
from mtsig_core.formatting import format_percent, format_score, score_decimals

_PLAIN = {
    "replica": "runs differ as a whole", "residual": "runs differ by segment",
    "system by segment": "systems' strengths differ by segment", "segment": "segments differ in difficulty",
}  # fmt: skip


def in_words(row: Component) -> str:
    """Return what a component is, literal, with its system."""
    return _PLAIN[row.name] + (f": {theme.short(row.system)}" if row.system else "")


def luck_shares(result: VarianceComponents, height: int = 300) -> go.Figure:
    """Return the parts of the variance of D, a bar each, with its share and its interval beside it.

    Parameters
    ----------
    result : VarianceComponents
    height : int
        Pixels.
    """
    rows = [row for row in result.rows if row.share is not None]
    if not rows:
        return theme.message_figure(result.note or "The scores do not vary, so there is no variation to divide.")
    figure = theme.base_figure(x="Share of the variance of the difference (%)", height=height, legend=False)
    names = []
    for i, row in enumerate(rows):
        share, low, high = (100 * (v or 0.0) for v in (row.share, row.share_low, row.share_high))
        name, interval = in_words(row), f"{low:.0f} to {high:.0f}"
        figure.add_bar(
            x=[share], y=[-i], orientation="h", width=0.4, name=name, marker={"color": theme.PALETTE[0]},
            hovertemplate=f"{name}<br>{theme.literal(format_percent(share / 100))}, "
            f"{theme.literal(format_percent(result.level))} interval {interval}&#37;<extra></extra>",
        )
        names.append(f"{name}: {share:.0f}&#37; ({interval})")
    figure.update_xaxes(range=[0, 100])
    _rows_named_above(figure, names)
    return figure


def luck_sizes(result: VarianceComponents, label: str, height: int = 300) -> go.Figure:
    """Return the standard deviation of each source of variance with its interval, on a logarithmic axis.

    Parameters
    ----------
    result : VarianceComponents
    label : str
    height : int
        Pixels.
    """
    rows = [row for row in result.rows if row.high > 0]
    if not rows:
        return theme.message_figure(result.note or "The scores do not vary.")
    title = f"{theme.axis_title(label)}, standard deviation (log scale)"
    figure = theme.base_figure(x=title, height=height, legend=False)
    floor = min(value for row in rows for value in (row.low, row.sd, row.high) if value > 0) / 2
    decimals = score_decimals([row.sd for row in rows])
    for i, row in enumerate(rows):
        size_text = f"{format_score(row.sd, decimals)} ({format_score(row.low, decimals)} to " + (
            f"{format_score(row.high, decimals)})"
        )
        figure.add_scatter(
            x=[max(row.low, floor), row.high], y=[-i, -i], mode="lines", line={"color": theme.NEUTRAL, "width": 3},
            hoverinfo="skip",
        )
        figure.add_scatter(
            x=[max(row.sd, floor)], y=[-i], mode="markers",
            marker={"size": 11, "color": theme.PALETTE[0], "symbol": "circle-open" if row.sd == 0 else "circle"},
            hovertemplate=f"{in_words(row)}<br>sd {size_text}<extra></extra>",
        )
    ends = [value for row in rows for value in (row.low, row.sd, row.high) if value > 0]
    ticks = _log_ticks(min(floor, *ends), max(ends))
    figure.update_xaxes(type="log", tickmode="array", tickvals=ticks, ticktext=[f"{tick:g}" for tick in ticks])
    _rows_named_above(figure, [f"{in_words(row)}: {format_score(row.sd, decimals)}" for row in rows])
    return figure


def _rows_named_above(figure: go.Figure, names: Sequence[str]) -> None:
    """Write what each row is above its mark: half a page is too narrow for names beside the plot."""
    for i, name in enumerate(names):
        figure.add_annotation(x=0, xref="paper", y=-i + 0.2, xanchor="left", yanchor="bottom", showarrow=False,
                              font={"size": 12}, text=name)
    figure.update_layout(margin_l=16)
    figure.update_yaxes(visible=False, range=[-len(names) + 0.7, 0.75])


def _log_ticks(low: float, high: float) -> list[float]:
    """Return ticks at 1, 2 and 5 of each decade, or at 1 only where there are many decades."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    steps = (1, 2, 5) if last - first <= 3 else (1,)
    return [float(f"{step}e{decade}") for decade in range(first, last + 1) for step in steps]
