"""Two systems: the difference with its intervals, and what chance alone gives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from mtsig_core.analysis.comparison import Comparison
from mtsig_core.figures import theme
from mtsig_core.formatting import format_interval, format_percent, format_score, p_phrase, score_decimals
from mtsig_core.significance import TestResult

# field of Intervals -> what varies in it
INTERVALS = (("test_set", "Other text<br>(test set)"), ("optimizer", "Other replicas<br>(optimizer)"), ("both", "Both"))
_INTERVAL_COLOURS = (theme.NEUTRAL, theme.NEUTRAL, theme.PALETTE[0])  # the last one decides
_INTERVAL_SYMBOLS = ("circle", "diamond", "square")
_BODY, _TAIL = "#808a99", theme.PALETTE[1]
_MAX_BINS = 41
_ROWS = (-2.6, 1.3)  # the axis of three rows, with room for words above the first


def difference_intervals(comparison: Comparison, height: int = 300) -> go.Figure:
    """Return D with its interval under each source of variation: test set, optimizer, both; and the margin's band.

    An interval that is not defined keeps its row and says why.

    Parameters
    ----------
    comparison : Comparison
    height : int
        Pixels.
    """
    d, label = comparison.difference, theme.short(comparison.label)
    figure = theme.base_figure(
        x=f"{theme.short(comparison.b)} − {theme.short(comparison.a)} ({label})", height=height, legend=False
    )
    intervals = [getattr(comparison.intervals, field) for field, _ in INTERVALS]
    decimals = score_decimals([*comparison.scores_a, *comparison.scores_b])
    margin = comparison.margin.margin if comparison.margin is not None else 0.0
    low, high = _span([d, -margin, margin, *(end for interval in intervals if interval for end in interval)])
    if margin:
        _margin_band(figure, margin, decimals)
    for i, (field, title) in enumerate(INTERVALS):
        if intervals[i] is None:
            reason = comparison.intervals.reasons.get(field, "not defined")
            _undefined_row(figure, -float(i), reason)
        else:
            level = format_percent(1 - comparison.alpha)
            hover = f"{title.replace('<br>', ' ')}<br>{level} interval"
            _interval_row(figure, i, d, intervals[i], hover, decimals)
    _zero_line(figure, intervals, low, high)
    _sides(figure, comparison, low, high)
    theme.rows_axis(figure, [title for _, title in INTERVALS])
    figure.update_yaxes(range=list(_ROWS))
    figure.update_xaxes(range=[low, high])
    return figure


def _zero_line(figure: go.Figure, intervals: Sequence[tuple[float, float] | None], low: float, high: float) -> None:
    """Draw the line of no difference, with gaps where the words of a row may stand on a narrow screen."""
    start = _ROWS[1]
    for row, interval in enumerate(intervals):
        middle = (low + high) / 2 if interval is None else sum(interval) / 2
        if abs(middle) > 0.32 * (high - low):
            continue
        top, bottom = (0.4, -0.4) if interval is None else (0.48, 0.18)
        _dotted(figure, top - row, start)
        start = bottom - row
    _dotted(figure, _ROWS[0], start)


def _dotted(figure: go.Figure, y0: float, y1: float) -> None:
    figure.add_shape(type="line", x0=0.0, x1=0.0, y0=y0, y1=y1,
                     line={"color": theme.NEUTRAL, "dash": "dot", "width": 1.5})


def _margin_band(figure: go.Figure, margin: float, decimals: int) -> None:
    """Shade the differences that do not matter: an interval within the band shows equivalence."""
    figure.add_vrect(x0=-margin, x1=margin, fillcolor=theme.translucent(theme.NEUTRAL, 0.16), line_width=0,
                     layer="below")
    for edge in (-margin, margin):
        theme.vertical_line(figure, edge, dash="dash", colour=theme.NEUTRAL)
    figure.add_annotation(
        x=margin, y=0.02, yref="paper", xanchor="left", yanchor="bottom", showarrow=False,
        font={"color": theme.NEUTRAL, "size": 12}, text=f"margin {format_score(margin, decimals)}",
    )


def _span(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    margin = 0.12 * (high - low) or 0.5
    return low - margin, high + margin


def _interval_row(
    figure: go.Figure, i: int, d: float, interval: tuple[float, float], hover: str, decimals: int
) -> None:
    y, colour = -float(i), _INTERVAL_COLOURS[i]
    # whiskers by hand: an error bar cannot lie wholly on one side of its point, an interval can
    figure.add_scatter(
        x=list(interval), y=[y, y], mode="lines+markers", line={"color": colour, "width": 3}, hoverinfo="skip",
        marker={"symbol": "line-ns", "size": 14, "line": {"color": colour, "width": 3}}, name="interval",
    )
    figure.add_scatter(
        x=[d], y=[y], mode="markers", name="D", marker={"color": colour, "size": 12, "symbol": _INTERVAL_SYMBOLS[i]},
        hovertemplate=f"{literal_percent(hover)}<br>{format_interval(interval, decimals)}<br>"
        f"D = {format_score(d, decimals)}<extra></extra>",
    )
    figure.add_annotation(
        x=sum(interval) / 2, y=y, yshift=11, yanchor="bottom", showarrow=False, font={"size": 12},
        text=f"{format_score(d, decimals)}  [{format_interval(interval, decimals)}]",
    )


def literal_percent(hover: str) -> str:
    """Return a hover text of our own, tags kept, in which ``%`` stands for itself."""
    return hover.replace("%", "&#37;")


def _undefined_row(figure: go.Figure, y: float, reason: str) -> None:
    text = theme.wrapped(f"not defined: {reason}", 26)  # what a telephone has room for beside the line of 0
    figure.add_annotation(x=0.5, xref="paper", y=y, showarrow=False, font={"color": theme.NEUTRAL, "size": 12},
                          text=text)


def _sides(figure: go.Figure, comparison: Comparison, low: float, high: float) -> None:
    """Say on each side of 0 who is better there, whatever the direction of the metric; or higher, if it has none."""
    word = "better" if comparison.is_quality else "higher"
    right, left = (comparison.b, comparison.a) if comparison.higher_is_better else (comparison.a, comparison.b)
    theme.sides(figure, left, right, word)
    side = "left" if (0 - low) < 0.5 * (high - low) else "right"
    theme.top_label(figure, 0.0, "no difference", anchor=side)


def null_distribution(result: TestResult, label: str = "score", height: int = theme.DEFAULT_HEIGHT) -> go.Figure:
    """Return what a test's statistic does under its null, with the observed value and the tail beyond it.

    Parameters
    ----------
    result : TestResult
    label : str
        What people call the metric.
    height : int
        Pixels.
    """
    values = np.array([] if result.null is None else result.null, dtype=float)
    values = values[np.isfinite(values)]
    if not values.size:
        return theme.message_figure(result.note or "This test has a closed form: it draws no null distribution.")
    observed = abs(float(_observed(result)))
    edges = null_bins(values, observed)
    slack = 1e-9 * max(1.0, observed)
    sizes = values if result.preset.one_tail else np.abs(values)
    tail = sizes > observed + slack if result.preset.strict else sizes >= observed - slack
    figure = theme.base_figure(
        x="Welch's t by chance" if _is_studentised(result) else f"Difference by chance ({theme.short(label)})",
        y="Share of the exchanges" if result.exact else "Share of the draws", height=height,
    )
    beyond = "farther than observed" if result.preset.strict else "at least as far as observed"
    for chosen, name, colour in ((~tail, "the other draws", _BODY), (tail, beyond, _TAIL)):
        _null_bars(figure, edges, values[chosen], values.size, name, colour)
    top = float((np.histogram(values, edges)[0] / values.size).max())
    for x in dict.fromkeys((observed,) if result.preset.one_tail else (-observed, observed)):
        theme.vertical_line(figure, x, colour=_TAIL, dash="dash", width=2)
    _observed_labels(figure, observed, edges, both=not result.preset.one_tail)
    shown = p_phrase(result.p, result.smallest_p, exact=result.exact) if result.p is not None else "p is not defined"
    figure.update_layout(barmode="stack", legend={"traceorder": "normal"})
    figure.update_yaxes(tickformat=".0%", range=[0, theme.headroom(top, 1, height)])
    figure.update_xaxes(range=[edges[0], edges[-1]])
    titled(figure, f"{theme.literal(result.label)}<br>{theme.literal(shown)}", height)
    return figure


def titled(figure: go.Figure, text: str, height: int) -> None:
    """Put a title of two lines above the legend, and add its height to the figure's."""
    figure.update_layout(
        title={"text": text, "x": 0, "xref": "paper", "xanchor": "left", "y": 1, "yref": "container", "yanchor": "top",
               "pad": {"t": 6}, "font": {"size": 15}},
        margin={"t": 104}, height=height + 40,  # the legend may need two rows
    )


def _observed(result: TestResult) -> float:
    return result.difference if result.observed is None else result.observed


def _is_studentised(result: TestResult) -> bool:
    """Say whether the test compared a t value, not a difference in score units."""
    return not np.isclose(_observed(result), result.difference, rtol=1e-6, atol=1e-9)


def null_bins(values: np.ndarray, observed: float) -> np.ndarray:
    """Return bins symmetric around 0 that hold the null and the observed value, shape (bin + 1,)."""
    reach = max(float(np.abs(values).max()), observed)
    if reach == 0:
        return np.linspace(-0.5, 0.5, 12)
    distinct = np.unique(np.round(values / reach, 9)).size
    bins = _MAX_BINS if distinct > 60 else 31
    return 1.06 * reach * np.linspace(-1, 1, bins + 1)


def _null_bars(figure: go.Figure, edges: np.ndarray, values: np.ndarray, total: int, name: str, colour: str) -> None:
    counts = np.histogram(values, edges)[0]
    digits = theme.hover_decimals(edges)
    hatched = {"pattern": {"shape": "/", "size": 5, "solidity": 0.35}} if colour == _TAIL else {}
    figure.add_bar(
        x=((edges[1:] + edges[:-1]) / 2).tolist(), y=(counts / total).tolist(), width=np.diff(edges).tolist(),
        customdata=np.stack([edges[:-1], edges[1:], counts], axis=1).tolist(),
        name=f"{name} ({_count_share(values.size, total)})" if colour == _TAIL else name,
        marker={"color": theme.translucent(colour, 0.85), "line": {"width": 0}} | hatched,
        hovertemplate=f"%{{customdata[0]:.{digits}f}} to %{{customdata[1]:.{digits}f}}<br>%{{customdata[2]:,}} "
        f"of {total:,} draws<extra>{name}</extra>",
    )


def _count_share(n: int, total: int) -> str:
    return f"{n:,} of {total:,}" if n < 0.001 * total else format_percent(n / total)


def _observed_labels(figure: go.Figure, observed: float, edges: np.ndarray, *, both: bool) -> None:
    text = format_score(observed, min(4, theme.hover_decimals(edges)))
    if observed == 0:
        theme.top_label(figure, 0.0, "observed: no difference", anchor="left")
        return
    outward = observed < 0.6 * edges[-1]
    theme.top_label(figure, observed, f"+{text}", anchor="left" if outward else "right")
    if both:
        theme.top_label(figure, -observed, f"−{text}", anchor="right" if outward else "left")
