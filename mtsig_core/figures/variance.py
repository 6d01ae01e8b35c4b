"""How far the replicas of a system spread (Clark et al. 2011, Figure 1 and Table 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from mtsig_core.analysis.replicas.variance import VarianceRow
from mtsig_core.figures import theme
from mtsig_core.formatting import count, format_percent, number, score_decimals

FEW = 10  # below so many replicas a histogram says less than the points themselves
MAX_BINS = 40


def replica_histograms(
    a: VarianceRow, b: VarianceRow, colours: Mapping[str, str] | None = None, height: int = theme.DEFAULT_HEIGHT
) -> go.Figure:
    """Return Clark's Figure 1: the scores of two systems' replicas, in common bins.

    With fewer than 10 replicas on a side the replicas are drawn as points, one row per system.

    Parameters
    ----------
    a, b : VarianceRow
        Of one test set and metric.
    colours : mapping of system to colour, optional
        As `theme.system_colours` gives it for all systems.
    height : int
        Pixels.
    """
    scores = [_scores(row) for row in (a, b)]
    look = theme.styles([a.system, b.system], colours)
    if not has_histogram(a, b):
        return _dots([a, b], look, height)
    figure = theme.base_figure(x=theme.axis_title(a.label, a.higher_is_better), y="Share of the replicas",
                               height=height)
    edges = common_bins(np.concatenate(scores))
    shares = [np.histogram(s, edges)[0] / s.size for s in scores]
    for row, values, share in zip((a, b), scores, shares, strict=True):
        _histogram_bars(figure, row, look[row.system], edges, share, values.size)
    _shared_bars(figure, edges, np.minimum(*shares))
    for row, values in zip((a, b), scores, strict=True):
        theme.vertical_line(figure, float(values.mean()), colour=look[row.system].colour, dash=look[row.system].dash,
                            width=2)
    width = edges[1] - edges[0]
    figure.update_xaxes(range=[edges[0] - width, edges[-1] + width])
    top = float(np.max(shares))
    figure.update_yaxes(tickformat=".0%", range=[0, 1.08 * top])
    if top > 0.8:  # no tick above 100%
        figure.update_yaxes(tickmode="array", tickvals=[0, 0.25, 0.5, 0.75, 1])
    return figure


def has_histogram(*rows: VarianceRow) -> bool:
    """Say whether all systems have enough replicas for a histogram, which says less than points of few."""
    return min(_scores(row).size for row in rows) >= FEW


def _scores(row: VarianceRow) -> np.ndarray:
    """Return the defined scores of a row's replicas, shape (n,)."""
    return np.array([score for _, score in _named_scores(row)], dtype=float)


def _named_scores(row: VarianceRow) -> list[tuple[str, float]]:
    return [(name, float(score)) for name, score in row.scores.items() if np.isfinite(score)]


def common_bins(values: np.ndarray) -> np.ndarray:
    """Return bin edges for the scores of several systems together, shape (bin + 1,).

    Equal scores get one narrow bin in the middle of an axis wide enough to show that it is one.
    """
    low, high = float(values.min()), float(values.max())
    if high - low <= 1e-9 * max(1.0, abs(low)):
        half = 0.5 * 10 ** np.floor(np.log10(max(abs(low), 1e-3)) - 1)
        return low + half * np.linspace(-1, 1, 22)  # 21 bins: the middle one holds the scores
    automatic = len(np.histogram_bin_edges(values, "auto")) - 1
    return np.linspace(low, high, min(MAX_BINS, max(8, automatic)) + 1)


def _histogram_bars(
    figure: go.Figure, row: VarianceRow, style: theme.SystemStyle, edges: np.ndarray, share: np.ndarray, n: int
) -> None:
    digits = theme.hover_decimals(edges)
    filled = share > 0  # an empty bin would leave its outline on the axis
    figure.add_bar(
        x=((edges[1:] + edges[:-1]) / 2)[filled].tolist(), y=share[filled].tolist(),
        name=f"{theme.short(row.system)}: mean {number(float(_scores(row).mean()), score_decimals(_scores(row)))}",
        width=np.diff(edges)[filled].tolist(),
        customdata=np.stack([edges[:-1], edges[1:], np.rint(share * n)], axis=1)[filled].tolist(),
        marker={"color": theme.translucent(style.colour, 0.6), "line": {"color": style.colour, "width": 1}},
        hovertemplate=f"%{{customdata[0]:.{digits}f}} to %{{customdata[1]:.{digits}f}}<br>%{{customdata[2]}} of "
        f"{count(n, 'replica')} (%{{y:.1%}})<extra>{theme.literal(row.system)}</extra>",
    )


def _shared_bars(figure: go.Figure, edges: np.ndarray, shared: np.ndarray) -> None:
    """Hatch what two histograms have in common; the name says how much that is."""
    figure.add_bar(
        x=((edges[1:] + edges[:-1]) / 2).tolist(), y=shared.tolist(), width=np.diff(edges).tolist(),
        name=f"in both histograms: {format_percent(float(shared.sum()))}", hoverinfo="skip",
        marker={"color": "rgba(0,0,0,0)", "line": {"width": 0},
                "pattern": {"shape": "/", "fgcolor": theme.NEUTRAL, "bgcolor": "rgba(0,0,0,0)", "size": 6,
                            "solidity": 0.3}},
    )


def replica_strip(
    rows: Sequence[VarianceRow], colours: Mapping[str, str] | None = None, height: int | None = None
) -> go.Figure:
    """Return every replica of every system as a point, one row per system.

    From 10 replicas on, the shape of their distribution stands above the points.

    Parameters
    ----------
    rows : sequence of VarianceRow
        Of one test set and metric.
    colours : mapping of system to colour, optional
    height : int, optional
        Pixels; by default it grows with the number of systems.
    """
    if not rows:
        return theme.message_figure("No replica to show.")
    return _dots(rows, theme.styles([r.system for r in rows], colours), height or max(220, 72 * len(rows) + 90))


def _dots(rows: Sequence[VarianceRow], look: Mapping[str, theme.SystemStyle], height: int) -> go.Figure:
    first = rows[0]
    figure = theme.base_figure(x=theme.axis_title(first.label, first.higher_is_better), height=height, legend=False)
    everything = np.concatenate([_scores(r) for r in rows])
    if not everything.size:
        return theme.message_figure("No replica has a score.")
    low, high = float(everything.min()), float(everything.max())
    digits = theme.hover_decimals(everything)
    for i, row in enumerate(rows):
        _row_of_dots(figure, row, look[row.system], -float(i), (low, high), digits)
    decimals = score_decimals(everything)
    theme.rows_axis(figure, [_row_title(r, decimals) for r in rows])
    figure.update_xaxes(range=padded(everything))
    return figure


def padded(values: Sequence[float] | np.ndarray) -> list[float]:
    """Return the range of an axis with room around these values, or around the one that they all are."""
    low, high = float(np.min(values)), float(np.max(values))
    margin = 0.06 * (high - low) or 0.5 * 10 ** np.floor(np.log10(max(abs(low), 1e-3)) - 1)
    return [low - margin, high + margin]


def _row_title(row: VarianceRow, decimals: int) -> str:
    scores = _scores(row)
    mean = number(float(scores.mean()), decimals) if scores.size else "no score"
    return f"{theme.short(row.system)}<br>{count(row.n, 'replica')}, {'mean ' if scores.size > 1 else ''}{mean}"


def _row_of_dots(
    figure: go.Figure, row: VarianceRow, style: theme.SystemStyle, y: float, span: tuple[float, float], digits: int
) -> None:
    names, scores = [name for name, _ in _named_scores(row)], _scores(row)
    if not names:
        return
    many = scores.size >= FEW and float(np.ptp(scores)) > 0
    if many:
        _half_violin(figure, row.system, scores, style, y)
    levels = stacked_levels(scores, 0.018 * (span[1] - span[0]))
    step = min(0.08, 0.3 / max(1, max(levels)))
    figure.add_scatter(
        x=scores.tolist(), y=[y - (0.06 if many else 0) - step * level for level in levels], mode="markers",
        name=theme.short(row.system), customdata=[theme.literal(name) for name in names],
        marker={"color": theme.translucent(style.colour, 0.8), "symbol": style.symbol,
                "size": 6 if scores.size > 40 else 9,
                "line": {"color": style.colour, "width": 1}},
        hovertemplate=f"%{{customdata}}<br>{theme.literal(row.label)} %{{x:.{digits}f}}"
        f"<extra>{theme.literal(row.system)}</extra>",
    )
    mean = float(scores.mean())
    figure.add_shape(type="line", x0=mean, x1=mean, y0=y - 0.36, y1=y + 0.36, line={"color": style.colour, "width": 2})


def _half_violin(figure: go.Figure, system: str, scores: np.ndarray, style: theme.SystemStyle, y: float) -> None:
    figure.add_violin(
        x=scores.tolist(), y0=y, orientation="h", side="positive", width=0.6, points=False, spanmode="hard",
        name=theme.short(system), line={"color": style.colour, "width": 1.5},
        fillcolor=theme.translucent(style.colour, 0.25),
        hoverinfo="skip", showlegend=False, box={"visible": False}, meanline={"visible": False},
    )


def stacked_levels(values: np.ndarray, width: float) -> list[int]:
    """Return a level for each value, so that no two of one level are closer than ``width``."""
    levels, ends = [0] * len(values), list[float]()
    for i in np.argsort(values, kind="stable"):
        level = next((k for k, end in enumerate(ends) if values[i] - end > width), len(ends))
        ends[level : level + 1] = [float(values[i])]
        levels[i] = level
    return levels


def dev_against_test(
    dev: Sequence[VarianceRow], test: Sequence[VarianceRow], colours: Mapping[str, str] | None = None,
    height: int = 400,
) -> go.Figure:
    """Return each replica's score on the test set against its score on the tuning set.

    Parameters
    ----------
    dev, test : sequence of VarianceRow
        Rows of the tuning set and of a test set under one metric; replicas are matched by system and
        name, and those without both scores are left out.
    colours : mapping of system to colour, optional
    """
    tuned = {(row.system, name): score for row in dev for name, score in _named_scores(row)}
    pairs = [(row, [n for n, _ in _named_scores(row) if (row.system, n) in tuned]) for row in test]
    pairs = [(row, names) for row, names in pairs if names]
    if not pairs:
        return theme.message_figure("No replica has a score on both the tuning set and this test set.")
    first = pairs[0][0]
    label = theme.axis_title(first.label, first.higher_is_better)
    figure = theme.base_figure(
        x=f"{label} on {theme.short(dev[0].test_set)} (tuning set)", y=f"{label} on {theme.short(first.test_set)}",
        height=height
    )
    look = theme.styles([r.system for r in test], colours)
    digits = theme.hover_decimals(row.scores[n] for row, names in pairs for n in names)
    for row, names in pairs:
        style = look[row.system]
        figure.add_scatter(
            x=[tuned[row.system, n] for n in names], y=[row.scores[n] for n in names], mode="markers",
            name=theme.short(row.system), customdata=[theme.literal(n) for n in names],
            marker={"color": theme.translucent(style.colour, 0.75), "symbol": style.symbol, "size": 9,
                    "line": {"color": style.colour, "width": 1}},
            hovertemplate=f"%{{customdata}}<br>tuning %{{x:.{digits}f}}<br>test %{{y:.{digits}f}}"
            f"<extra>{theme.literal(row.system)}</extra>",
        )
    figure.update_xaxes(range=padded([tuned[row.system, n] for row, names in pairs for n in names]))
    figure.update_yaxes(range=padded([row.scores[n] for row, names in pairs for n in names]))
    return figure
