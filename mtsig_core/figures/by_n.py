"""How the difference varies with the number of replicas (Clark et al. 2011, Figure 2)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from mtsig_core.analysis.replicas.by_n import ByN, ByNRow
from mtsig_core.figures import theme
from mtsig_core.formatting import count, format_score, rare_share

# few replicas to many; every stop keeps a contrast of 3 : 1 on white and on near black
_SEQUENCE = ((210, 117, 11), (214, 80, 130), (177, 70, 200), (89, 110, 235))
_BAND = theme.PALETTE[0]
_LOG_FROM = 20  # a largest n from which the axis of n is logarithmic
_LEVEL = 0.05
_WRITTEN = 0.005  # smaller shares lie on the axis, where their numbers would collide: hover shows them
_CLOSED_FORMS = (
    ("closed_form_sd", "±1.96 sd, this pool", "dot", theme.PALETTE[3]),
    ("expected_sd", "±1.96 sd, new replicas", "dash", theme.PALETTE[1]),
)
_OTHER = {"left": "right", "right": "left"}


def sequential_colours(k: int) -> list[str]:
    """Return k colours in order, from few (orange) to many (blue)."""
    stops = np.array(_SEQUENCE, dtype=float)
    places = np.linspace(0, len(stops) - 1, k) if k > 1 else np.array([len(stops) - 1.0])
    rgb = np.stack([np.interp(places, np.arange(len(stops)), stops[:, c]) for c in range(3)], axis=1)
    return ["#{:02x}{:02x}{:02x}".format(*(round(float(v)) for v in row)) for row in rgb]


def difference_frequencies(result: ByN, label: str = "score", height: int = 400) -> go.Figure:
    """Return Clark's Figure 2: relative frequencies of the difference, a curve for each n.

    The side of 0 on which the two systems change places is shaded.

    Parameters
    ----------
    result : ByN
    label : str
        What people call the metric.
    height : int
        Pixels.
    """
    if not result.frequencies:
        return theme.message_figure(_nothing(result))
    figure = theme.base_figure(x=_difference_title(label), y="Relative frequency", height=height, legend=False)
    edges = np.asarray(result.bin_edges, dtype=float)
    centres = (edges[1:] + edges[:-1]) / 2
    low, high = _shown_range(result, edges)
    ns = sorted(result.frequencies)
    digits = theme.hover_decimals([low, high])
    what = "of the draws" if result.model == "redraw" else "of the normal model"
    for k, (n, colour) in enumerate(zip(ns, sequential_colours(len(ns)), strict=True)):
        share = np.asarray(result.frequencies[n], dtype=float)
        figure.add_scatter(
            x=centres.tolist(), y=share.tolist(), mode="lines", name=f"n = {n}",
            line={"color": colour, "dash": theme.DASHES[-1 - k % len(theme.DASHES)] if k < len(ns) - 1 else "solid",
                  "width": 2.5},
            hovertemplate=f"about %{{x:.{digits}f}}: %{{y:.1%}} {what}<extra>{count(n, 'replica')} each</extra>",
        )
    _curve_labels(figure, {n: np.asarray(result.frequencies[n], dtype=float) for n in ns}, centres)
    _wrong_side(figure, result.difference, low, high)
    top = max(float(np.max(f)) for f in result.frequencies.values())
    figure.update_yaxes(tickformat=".0%", range=[0, 1.12 * top])
    figure.update_xaxes(range=[low, high])
    return figure


def _difference_title(label: str) -> str:
    return f"Difference of averages, B − A ({theme.short(label)})"


def _nothing(result: ByN) -> str:
    reason = next((row.reason for row in result.rows if row.reason), result.note)
    reason = reason or "no number of replicas was asked for"
    return reason[0].upper() + reason[1:]


def _shown_range(result: ByN, edges: np.ndarray) -> tuple[float, float]:
    """Return an axis that holds all but the rarest differences, and 0."""
    widest = result.differences[min(result.differences)]
    low, high = (float(q) for q in np.quantile(widest, (0.0005, 0.9995)))
    low, high = min(low, 0.0, result.difference), max(high, 0.0, result.difference)
    margin = 0.06 * (high - low) or float(edges[1] - edges[0])
    return low - margin, high + margin


def _curve_labels(figure: go.Figure, curves: dict[int, np.ndarray], centres: np.ndarray) -> None:
    """Write n beside each curve, on its right flank: narrower curves carry theirs higher and further in."""
    top = max(float(share.max()) for share in curves.values())
    heights = np.linspace(0.3, 0.75, len(curves)) if len(curves) > 1 else [0.6]
    lowest = 0.0
    for (n, share), colour, height in zip(curves.items(), sequential_colours(len(curves)), heights, strict=True):
        peak = int(share.argmax())
        at = peak + int(np.flatnonzero(share[peak:] >= height * share[peak])[-1])
        y = max(float(share[at]), lowest)
        lowest = y + 0.055 * top  # the height of a line of text
        figure.add_annotation(
            x=float(centres[at]), y=y, text=f"n = {n}", xanchor="left", xshift=6, showarrow=False,
            font={"color": colour, "size": 13},
        )


def _wrong_side(figure: go.Figure, difference: float, low: float, high: float) -> None:
    theme.vertical_line(figure, 0.0, dash="dot")
    if difference == 0:
        return
    x0, x1 = (low, 0.0) if difference > 0 else (0.0, high)
    figure.add_shape(
        type="rect", x0=x0, x1=x1, y0=0, y1=1, yref="paper", fillcolor=theme.SHADE, line={"width": 0}, layer="below"
    )
    wide = abs(x1 - x0) > 0.25 * (high - low)  # else the words stand outside, with an arrow
    side = "right" if difference > 0 else "left"
    arrow = {"right": "← wrong sign", "left": "wrong sign →"}[side]
    theme.top_label(figure, 0.0, "wrong sign" if wide else arrow, anchor=side if wide else _OTHER[side])
    theme.vertical_line(figure, difference, dash="dash")
    shown = format_score(difference, min(4, theme.hover_decimals([low, high])))
    theme.top_label(figure, difference, f"D = {shown}", anchor="left" if difference > 0 else "right")


def difference_band(result: ByN, label: str = "score", height: int = theme.DEFAULT_HEIGHT) -> go.Figure:
    """Return the median difference and its 2.5% to 97.5% band against the number of replicas.

    Where replicas were redrawn, over it stands the closed form of the pool (ddof 0, dotted), and apart from it what
    new replicas are expected to show (ddof 1, dashed). The band of the normal model is just that.

    Parameters
    ----------
    result : ByN
    label : str
    height : int
        Pixels.
    """
    rows = _rows_with(result, "median")
    if not rows:
        return theme.message_figure(_nothing(result))
    figure = theme.base_figure(x="Replicas of each system", y=_difference_title(label), height=height)
    digits = theme.hover_decimals([v for row in rows for v in (row.low, row.high) if v is not None])
    _band(figure, rows, digits, "95% of the draws" if result.model == "redraw" else "95% of the normal model")
    for field, name, dash, colour in _CLOSED_FORMS if result.model == "redraw" else ():
        sds = [(row.n, getattr(row, field)) for row in rows]
        line = {"color": colour, "dash": dash, "width": 2}
        _limits(figure, [(n, sd) for n, sd in sds if sd is not None], result.difference, name, line)
    figure.add_hline(y=0, line={"color": theme.NEUTRAL, "dash": "dot", "width": 1.5})
    _replicas_axis(figure, [row.n for row in rows])
    return figure


def _rows_with(result: ByN, field: str) -> list[ByNRow]:
    """Return the rows that have a value, from few replicas to many."""
    return sorted((row for row in result.rows if getattr(row, field) is not None), key=lambda row: row.n)


def _band(figure: go.Figure, rows: list[ByNRow], digits: int, name: str) -> None:
    ns = [row.n for row in rows]
    edge = {"color": theme.translucent(_BAND, 0.6), "width": 1}
    figure.add_scatter(
        x=ns, y=[r.low for r in rows], mode="lines", line=edge, hoverinfo="skip", showlegend=False, name="2.5%"
    )
    figure.add_scatter(
        x=ns, y=[r.high for r in rows], mode="lines", line=edge, fill="tonexty",
        fillcolor=theme.translucent(_BAND, 0.22), name=name, hoverinfo="skip",
    )
    figure.add_scatter(
        x=ns, y=[r.median for r in rows], mode="lines+markers", line={"color": _BAND, "width": 2.5}, marker={"size": 8},
        name="median", customdata=[[r.low, r.high] for r in rows],
        hovertemplate=f"n = %{{x}}<br>median %{{y:.{digits}f}}<br>%{{customdata[0]:.{digits}f}} to "
        f"%{{customdata[1]:.{digits}f}}<extra></extra>",
    )


def _limits(
    figure: go.Figure, sds: list[tuple[int, float]], centre: float, name: str, line: dict[str, object]
) -> None:
    """Draw 1.96 standard deviations, given by number of replicas, on both sides of a centre."""
    for k, sign in enumerate((1, -1)):
        figure.add_scatter(
            x=[n for n, _ in sds], y=[centre + sign * 1.96 * sd for _, sd in sds], mode="lines", name=name,
            line=line, legendgroup=name, showlegend=k == 0, hoverinfo="skip",
        )


def _replicas_axis(figure: go.Figure, ns: list[int]) -> None:
    figure.update_xaxes(tickmode="array", tickvals=ns, ticktext=[str(n) for n in ns])
    if max(ns) >= _LOG_FROM:
        span = (np.log10(max(ns)) - np.log10(min(ns))) or 1.0
        figure.update_xaxes(type="log", range=[np.log10(min(ns)) - 0.06 * span, np.log10(max(ns)) + 0.08 * span])
    else:
        span = max(ns) - min(ns) or 1
        figure.update_xaxes(range=[min(ns) - 0.06 * span, max(ns) + 0.08 * span])


def wrong_sign(result: ByN, height: int = 320) -> go.Figure:
    """Return the probability that the averages of n replicas point the wrong way, against n.

    Parameters
    ----------
    result : ByN
    height : int
        Pixels.
    """
    rows = _rows_with(result, "p_wrong_sign")
    if not rows:
        return theme.message_figure(_nothing(result))
    figure = theme.base_figure(x="Replicas of each system", y="P(wrong sign)", height=height, legend=False)
    shares = [float(row.p_wrong_sign or 0.0) for row in rows]
    draws = result.design.draws if result.model == "redraw" else 0
    words = [rare_share(p, draws) for p in shares]
    figure.add_scatter(
        x=[row.n for row in rows], y=shares, mode="lines+markers+text", customdata=[theme.literal(w) for w in words],
        text=[theme.literal(word) if share >= _WRITTEN else "" for word, share in zip(words, shares, strict=True)],
        textposition=_text_positions(shares), line={"color": _BAND, "width": 2.5}, marker={"size": 9}, cliponaxis=False,
        hovertemplate="n = %{x}: %{customdata}<extra></extra>", name="P(wrong sign)",
    )
    figure.add_hline(y=_LEVEL, line={"color": theme.PALETTE[1], "dash": "dash", "width": 1.5})
    figure.add_annotation(
        x=1, xref="paper", xanchor="right", y=_LEVEL, yanchor="bottom", text="5%", showarrow=False,
        font={"color": theme.PALETTE[1]},
    )
    top = max(0.06, *shares)
    figure.update_yaxes(tickformat=".0%", range=[-0.02 * top, 1.15 * top])
    _replicas_axis(figure, [row.n for row in rows])
    return figure


def _text_positions(shares: list[float]) -> list[str]:
    """Return where each number stands: above the falling curve, but not on the 5% line."""
    top = max(0.06, *shares)
    places = ["bottom left" if 0 < _LEVEL - p < 0.11 * top and p > 0.1 * top else "top right" for p in shares]
    return [*places[:-1], "top center" if places[-1] == "top right" else places[-1]]
