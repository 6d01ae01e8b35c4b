"""How p varies with the number of replicas (Clark et al. 2011, Table 2)."""

from __future__ import annotations

import math
from collections.abc import Callable

import plotly.graph_objects as go

from mtsig_core.analysis.replicas.p_by_n import PByN, PByNRow
from mtsig_core.figures.theme import DEFAULT_HEIGHT, NEUTRAL, PALETTE, base_figure, message_figure, translucent
from mtsig_core.formatting import format_p, format_percent
from mtsig_core.resampling.pool_tests import PoolUnit

_Look = tuple[str, str, str, str]  # what people read, colour, dash, symbol
_Unit = tuple[tuple[PByNRow, ...], _Look]
_LOOK: dict[PoolUnit, _Look] = {
    "segment": ("segments permuted as blocks", PALETTE[0], "solid", "circle"),
    "hypothesis": ("single outputs permuted (Clark)", PALETTE[1], "dash", "diamond"),
}
_TICKS = (0.0001, 0.001, 0.01, 0.05, 0.1, 0.2, 0.5, 1.0)


def p_band(result: PByN, height: int = DEFAULT_HEIGHT) -> go.Figure:
    """Return the median p and its 95% band against the number of replicas, a band for each unit.

    Parameters
    ----------
    result : PByN
    height : int
        Pixels.
    """
    return _figure(result, "p", height, _p_bands)


def p_shares(result: PByN, height: int = DEFAULT_HEIGHT) -> go.Figure:
    """Return the share of draws with p below alpha against the number of replicas, for each unit.

    Parameters
    ----------
    result : PByN
    height : int
        Pixels.
    """
    return _figure(result, f"Share of p < {result.alpha:g}", height, _shares)


def _figure(
    result: PByN, title: str, height: int, draw: Callable[[go.Figure, PByN, list[_Unit]], None]
) -> go.Figure:
    """Return a figure over the number of replicas, of the units that have any rows."""
    units = [(rows, look) for unit, look in _LOOK.items() if (rows := result.of(unit))]
    if not units:
        return _nothing(result)
    figure = base_figure(x="Replicas of each system", y=title, height=height)
    draw(figure, result, units)
    _replicas(figure, result)
    return figure


def _p_bands(figure: go.Figure, result: PByN, units: list[_Unit]) -> None:
    lowest = min(1.0, *(row.low for rows, _ in units for row in rows if row.low is not None))
    for rows, look in units:
        _band(figure, rows, *look)
    _level(figure, result.alpha)
    figure.update_layout(legend={"traceorder": "normal"})  # filled bands would turn it round
    ticks = [t for t in _TICKS if t >= lowest / 2]
    figure.update_yaxes(type="log", tickmode="array", tickvals=ticks, ticktext=[f"{t:g}" for t in ticks])


def _shares(figure: go.Figure, result: PByN, units: list[_Unit]) -> None:
    for rows, (name, colour, dash, symbol) in units:
        figure.add_scatter(
            x=[row.n for row in rows], y=[row.share for row in rows], name=name, mode="lines+markers",
            line={"color": colour, "dash": dash, "width": 2.5}, marker={"size": 9, "symbol": symbol},
            customdata=[_wrong(row) for row in rows], cliponaxis=False,
            hovertemplate="n = %{x}: %{y:.1%}%{customdata}<extra>" + name + "</extra>",
        )
    figure.update_yaxes(tickformat=".0%", range=[-0.02, 1.04])


def _wrong(row: PByNRow) -> str:
    return "" if row.wrong is None else f"<br>for the wrong side: {format_percent(row.wrong).replace('%', '&#37;')}"


def _nothing(result: PByN) -> go.Figure:
    reason = next((row.reason for row in result.rows if row.reason), "no number of replicas was asked for")
    return message_figure(f"Nothing to draw: {reason}.")


def _band(figure: go.Figure, rows: tuple[PByNRow, ...], name: str, colour: str, dash: str, symbol: str) -> None:
    ns = [row.n for row in rows]
    edge = {"color": translucent(colour, 0.6), "width": 1}
    for values, fill in (([row.low for row in rows], None), ([row.high for row in rows], "tonexty")):
        figure.add_scatter(
            x=ns, y=values, mode="lines", line=edge, fill=fill, fillcolor=translucent(colour, 0.15), hoverinfo="skip",
            showlegend=False, name="95% of the draws",
        )
    figure.add_scatter(
        x=ns, y=[row.median for row in rows], name=name, mode="lines+markers",
        line={"color": colour, "dash": dash, "width": 2.5}, marker={"size": 9, "symbol": symbol},
        customdata=[[format_p(v).replace("<", "&lt;") for v in (row.low, row.median, row.high)] for row in rows],
        hovertemplate="n = %{x}<br>median p %{customdata[1]}<br>95&#37;: %{customdata[0]} to "
        "%{customdata[2]}<extra>" + name + "</extra>",
    )


def _level(figure: go.Figure, alpha: float) -> None:
    figure.add_hline(y=alpha, line={"color": NEUTRAL, "dash": "dot", "width": 1.5})
    figure.add_annotation(
        x=1, xref="paper", xanchor="right", y=math.log10(alpha), yanchor="bottom", text=f"level {alpha:g}",
        showarrow=False, font={"size": 12},
    )


def _replicas(figure: go.Figure, result: PByN) -> None:
    ns = sorted({row.n for unit in _LOOK for row in result.of(unit)})
    figure.update_xaxes(tickmode="array", tickvals=ns, ticktext=[str(n) for n in ns])
    if max(ns) >= 10:
        figure.update_xaxes(type="log")
