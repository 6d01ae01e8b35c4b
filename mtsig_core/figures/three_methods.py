"""Fu's three methods: intervals (Table 7) and overlap ratios (Figures 2 and 3)."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from mtsig_core.analysis.systems.pairwise import Pairwise
from mtsig_core.analysis.systems.three_methods import METHODS, ThreeMethods
from mtsig_core.figures import theme
from mtsig_core.formatting import format_interval, format_percent, format_score, score_decimals

_SYMBOLS = ("circle", "diamond", "square")
_MOST_LEVEL = 3  # pairs above whose bars numbers stand level: of more they would run into each other


def method_intervals(result: ThreeMethods, height: int | None = None) -> go.Figure:
    """Return each system's interval by each method, one row per system.

    Parameters
    ----------
    result : ThreeMethods
    height : int, optional
        Pixels; by default enough for all systems.
    """
    height = height or 140 + 44 * len(result.systems)
    decimals = score_decimals(x.score for x in result.intervals)
    figure = theme.base_figure(x=theme.axis_title(result.label, result.higher_is_better), height=height)
    for k, (method, name) in enumerate(METHODS.items()):
        shown = False
        for i, system in enumerate(result.systems):
            one = next(x for x in result.intervals if (x.method, x.system) == (method, system))
            if one.interval is None:
                continue
            y, colour = -float(i) + 0.24 - 0.24 * k, theme.PALETTE[k]
            ends = one.interval.low, one.interval.high
            figure.add_scatter(
                x=[ends[0], one.interval.mean, ends[1]], y=[y] * 3, mode="lines+markers", name=name, legendgroup=method,
                showlegend=not shown, line={"color": colour, "width": 2.5},
                marker={"symbol": ["line-ns", _SYMBOLS[k], "line-ns"], "size": [10, 8, 10], "opacity": 1,
                        "color": colour, "line": {"color": colour, "width": 2}},
                hovertemplate=f"{theme.literal(system)}<br>{name}<br>"
                f"{theme.literal(format_percent(result.level))} interval {format_interval(ends, decimals)}"
                "<extra></extra>",
            )
            shown = True
    theme.rows_axis(figure, [theme.short(system) for system in result.systems])
    return figure


def overlap_bars(result: ThreeMethods, most: int = 12, height: int = 360) -> go.Figure:
    """Return the overlap ratios of the pairs that overlap most, one bar per method; pairs that do not are left out.

    Parameters
    ----------
    result : ThreeMethods
    most : int
        Pairs drawn at most.
    height : int
        Pixels.
    """
    ratios: dict[tuple[str, str], dict[str, float]] = {}
    for pair in result.pairs:
        if pair.overlap is not None:
            ratios.setdefault((pair.a, pair.b), {})[pair.method] = pair.overlap
    if not ratios:
        return theme.message_figure("No pair of systems has intervals to compare.")
    pairs = sorted(ratios, key=lambda key: -max(ratios[key].values()))[:most]
    overlapping = [pair for pair in pairs if max(ratios[pair].values()) >= 0.005]
    pairs = overlapping or pairs[:1]
    figure = theme.base_figure(y="Overlap ratio", height=height)
    names = [f"{theme.literal(a, 18)}<br>{theme.literal(b, 18)}" for a, b in pairs]
    for k, (method, name) in enumerate(METHODS.items()):
        values = [ratios[pair].get(method) for pair in pairs]
        figure.add_bar(
            x=list(range(len(pairs))), y=values, name=name, offsetgroup=method,
            marker={"color": theme.PALETTE[k], "pattern": {"shape": theme.PATTERNS[k], "solidity": 0.3}},
            text=["" if v is None else format_score(v) for v in values], textposition="outside", cliponaxis=False,
            textangle=-90 if len(pairs) > _MOST_LEVEL else 0,
            customdata=[f"{theme.literal(a)} – {theme.literal(b)}" for a, b in pairs],
            hovertemplate=f"%{{customdata}}<br>{name}: %{{y:.2f}}<extra></extra>",
        )
    figure.update_layout(barmode="group", bargap=0.25)
    figure.update_xaxes(tickmode="array", tickvals=list(range(len(pairs))), ticktext=names, showgrid=False)
    figure.update_yaxes(range=[0, 1.12])
    return figure


def cluster_intervals(result: Pairwise, colours: Mapping[str, str], row_height: int = 34) -> go.Figure:
    """Return systems best first with their bootstrap intervals, and a line between clusters.

    Parameters
    ----------
    result : Pairwise
    colours : mapping of system to colour
    row_height : int
        Pixels.
    """
    intervals = result.intervals
    systems = {name: None if (own := intervals[name]) is None else (own.low, result.scores[name], own.high)
               for name in result.systems}  # fmt: skip
    title = theme.axis_title(result.label, result.higher_is_better)
    if any(own is not None and own.high > own.low for own in intervals.values()):  # scores of whole runs have none
        title = f"{title}, with {format_percent(1 - result.alpha)} bootstrap intervals"
    figure = theme.base_figure(x=title, height=110 + row_height * len(systems), legend=False)
    decimals = score_decimals(ends[1] for ends in systems.values() if ends is not None)
    for i, (name, ends) in enumerate(systems.items()):
        if ends is None:
            continue
        colour = colours.get(name, theme.PALETTE[0])
        figure.add_scatter(
            x=list(ends), y=[-float(i)] * 3, mode="lines+markers", name=theme.short(name),
            line={"color": colour, "width": 3},
            marker={"symbol": ["line-ns", "circle", "line-ns"], "size": [12, 9, 12], "opacity": 1, "color": colour,
                    "line": {"color": colour, "width": 2.5}},
            hovertemplate=f"{theme.literal(name)}: {format_interval((ends[0], ends[2]), decimals)}<extra></extra>",
        )
    theme.rows_axis(figure, [theme.short(name) for name in systems])
    below = 0
    for cluster in result.clusters[:-1]:
        below += len(cluster)
        figure.add_hline(y=-below + 0.5, line={"color": "#808080", "dash": "dash", "width": 1.5})
    return figure
