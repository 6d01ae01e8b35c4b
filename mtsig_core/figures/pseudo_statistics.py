"""Three tests side by side, and the intervals of the standard bootstrap (Graham's lecture; Neubig's chapter)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from mtsig_core.analysis.comparison import Comparison
from mtsig_core.analysis.comparison.bootstrap_intervals import BootstrapIntervals
from mtsig_core.figures import theme
from mtsig_core.formatting import format_score, score_decimals

_BINS = 50
_KIND_SYMBOLS = {"percentile": "circle", "sorted elements": "square", "basic": "diamond", "BCa": "triangle-up"}


def pseudo_statistics(comparison: Comparison, height: int = 420) -> go.Figure:
    """Return what each of three tests draws, one below the other on a common axis, with D marked in each.

    Paired bootstrap: the differences themselves, around D; the centred bootstrap: the same less their mean;
    approximate randomization: differences under exchange. The last two surround 0.

    Parameters
    ----------
    comparison : Comparison
    height : int
        Pixels.
    """
    panels = _panels(comparison)
    if not panels:
        return theme.message_figure("These systems have no draws to show.")
    figure = make_subplots(
        rows=len(panels), cols=1, shared_xaxes=True, vertical_spacing=0.11, subplot_titles=[name for name, _ in panels]
    )
    everything = np.concatenate([values for _, values in panels] + [np.array([0.0, comparison.difference])])
    edges = np.linspace(*_span(everything), _BINS + 1)
    digits = theme.hover_decimals(edges)
    for row, ((name, values), colour) in enumerate(zip(panels, theme.PALETTE, strict=False), start=1):
        share = np.histogram(values, edges)[0] / values.size
        figure.add_bar(
            x=((edges[1:] + edges[:-1]) / 2).tolist(), y=share.tolist(), width=np.diff(edges).tolist(), row=row, col=1,
            name=name, marker={"color": theme.translucent(colour, 0.8), "line": {"width": 0}},
            hovertemplate=f"about %{{x:.{digits}f}}: %{{y:.1%}} of the draws<extra></extra>",
        )
        for x, dash in ((0.0, "dot"), (comparison.difference, "dash")):
            figure.add_vline(x=x, line={"color": theme.NEUTRAL, "dash": dash, "width": 1.5}, row=row, col=1)
    _dress(figure, comparison, height, len(panels), digits)
    return figure


def _panels(comparison: Comparison) -> list[tuple[str, np.ndarray]]:
    drawn = np.asarray(comparison.bootstrap_differences, dtype=float)
    panels = []
    if drawn.size and np.isfinite(drawn).all():
        panels += [("Paired bootstrap", drawn), ("Bootstrap, centred", drawn - drawn.mean())]
    swapped = comparison.test("ar-segment")
    if swapped is not None and swapped.null is not None:
        panels.append(("Approximate randomization, segments", np.asarray(swapped.null, dtype=float)))
    return panels


def _span(values: np.ndarray) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    margin = 0.04 * (high - low) or 0.5
    return low - margin, high + margin


def _dress(figure: go.Figure, comparison: Comparison, height: int, rows: int, digits: int) -> None:
    figure.update_layout(
        height=height, showlegend=False, paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)", bargap=0,
        margin={"l": 12, "r": 16, "t": 30, "b": 12}, separators=".", autosize=True,
    )
    figure.update_xaxes(gridcolor=theme.GRID, zeroline=False, showline=True, linecolor=theme.NEUTRAL, automargin=True)
    figure.update_yaxes(gridcolor=theme.GRID, zeroline=False, tickformat=".0%", automargin=True, nticks=4)
    figure.update_annotations(font={"size": 13}, xanchor="left", x=0)
    label, difference = theme.short(comparison.label), format_score(comparison.difference, digits)
    title = f"Difference B − A ({label}); dashed: D = {difference}"
    figure.update_xaxes(title={"text": title, "standoff": 8}, row=rows, col=1)


def bootstrap_interval_rows(result: BootstrapIntervals, subjects: Sequence[str] = ("A", "B"), height: int = 300
                            ) -> go.Figure:
    """Return the intervals of subjects, a row each, with a whisker for every kind of interval.

    Parameters
    ----------
    result : BootstrapIntervals
    subjects : sequence of {"A", "B", "B − A"}
    height : int
        Pixels.
    """
    names = {"A": theme.literal(result.a, 24), "B": theme.literal(result.b, 24), "B − A": "B − A"}
    # one subject stands below the figure of the others, whose legend serves both
    figure = theme.base_figure(x=theme.short(result.label), height=height, legend=len(subjects) > 1)
    shown: set[str] = set()
    decimals = score_decimals([result.scores["A"], result.scores["B"]])
    for i, subject in enumerate(subjects):
        # all four kinds from full draws, and one from half draws: the others add lines but no insight
        rows = [
            r for r in result.rows
            if r.subject == subject and r.low is not None and (r.size == "full" or r.kind == "percentile")
        ]  # fmt: skip
        for k, row in enumerate(rows):
            label = row.kind if row.size == "full" else f"{row.kind}, half draws"
            colour = theme.PALETTE[list(_KIND_SYMBOLS).index(row.kind)]
            y = -float(i) + 0.34 - 0.68 * k / max(1, len(rows) - 1)
            figure.add_scatter(
                x=[row.low, result.scores[subject], row.high], y=[y] * 3, mode="lines+markers", name=label,
                legendgroup=label, showlegend=label not in shown,
                line={"color": colour, "width": 2, "dash": "solid" if row.size == "full" else "dot"},
                marker={"symbol": ["line-ns", _KIND_SYMBOLS[row.kind], "line-ns"], "size": [10, 7, 10], "opacity": 1,
                        "line": {"color": colour, "width": 2}, "color": colour},
                hovertemplate=f"{label}<br>{format_score(row.low, decimals)} to "
                f"{format_score(row.high, decimals)}<extra></extra>",
            )
            shown.add(label)
    theme.rows_axis(figure, [names[s] for s in subjects])
    if "B − A" in subjects:
        theme.vertical_line(figure, 0.0, dash="dot")
    return figure
