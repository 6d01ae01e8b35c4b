"""Where two systems differ: their means row by row, and the intervals of the differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from mtsig_core.analysis.differences.buckets import BucketTable
from mtsig_core.analysis.differences.edits import EditTable
from mtsig_core.analysis.differences.lengths import LengthTable
from mtsig_core.analysis.differences.stability import StabilityTable
from mtsig_core.analysis.differences.words import WordTable
from mtsig_core.figures import theme
from mtsig_core.significance.closed_form.two_means import TwoMeans

MOST_ROWS = 24
NARROW = 36  # characters under a plot whose rows have long names
Rows = Sequence[tuple[str, TwoMeans]]


def bucket_scores(table: BucketTable, colours: Mapping[str, str] | None = None) -> go.Figure:
    """Return both systems' scores in each bucket; of many buckets those of the largest differences."""
    rows = [(r.label, r.score) for r in table.rows]
    return _means(_largest(rows), table.a, table.b, theme.axis_title(table.label, table.higher_is_better), colours)


def bucket_differences(table: BucketTable, colours: Mapping[str, str] | None = None) -> go.Figure:
    """Return the difference in each bucket with its interval over replicas."""
    rows = [(r.label, r.score) for r in table.rows]
    direction = ("better" if table.higher_is_better else "worse") if table.is_quality else "higher"
    return _differences(_largest(rows), table.a, table.b, table.label, f"{theme.short(table.b)} is {direction}",
                        colours)


def edit_rates(table: EditTable, colours: Mapping[str, str] | None = None) -> go.Figure:
    """Return both systems' edits of each kind."""
    rows = [(r.kind, r.rate) for r in table.rows]
    return _means(rows, table.a, table.b, "Edits per 100 words of reference", colours, from_zero=True)


def edit_differences(table: EditTable, colours: Mapping[str, str] | None = None) -> go.Figure:
    """Return the difference in each kind of edit with its interval over replicas."""
    rows = [(r.kind, r.rate) for r in table.rows]
    return _differences(rows, table.a, table.b, "edits per 100 words", f"more in {theme.short(table.b)}", colours)


def word_f1(table: WordTable, colours: Mapping[str, str] | None = None) -> go.Figure:
    """Return both systems' F1 of words by their frequency in the references."""
    rows = [(r.label, r.f1) for r in table.rows]
    return _means(rows, table.a, table.b, "F1 of words (%), by frequency", colours)


def word_f1_differences(table: WordTable, colours: Mapping[str, str] | None = None) -> go.Figure:
    """Return the difference in F1 by frequency with its interval over replicas."""
    rows = [(r.label, r.f1) for r in table.rows]
    return _differences(rows, table.a, table.b, "F1", f"{theme.short(table.b)} is better", colours)


def output_lengths(table: LengthTable, colours: Mapping[str, str] | None = None) -> go.Figure:
    """Return the shares of segments whose outputs are too short or too long."""
    rows = [(r.label, r.share) for r in table.rows if (r.share.a or 0) + (r.share.b or 0) > 0]
    return _means(rows, table.a, table.b, "Segments (%)", colours, from_zero=True)


def output_length_differences(table: LengthTable, colours: Mapping[str, str] | None = None) -> go.Figure:
    """Return the differences in these shares with their intervals over replicas."""
    rows = [(r.label, r.share) for r in table.rows if (r.share.a or 0) + (r.share.b or 0) > 0]
    return _differences(rows, table.a, table.b, "% of segments", f"more in {theme.short(table.b)}", colours)


def stability(table: StabilityTable, colours: Mapping[str, str] | None = None) -> go.Figure:
    """Return what every, some and no replica of each system gets right, in percent of the references."""
    both = (table.errors_a, table.errors_b)
    if not all(s.total for s in both):
        return theme.message_figure("The references have nothing of this length.")
    look, names = theme.styles([s.system for s in both], colours), [s.system for s in both]
    figure = theme.base_figure(x="Occurrences in the references (%)", height=230)
    kinds = (("right in every replica", "always", "", 0.35), ("right in some", "sometimes", "/", 0.65),
             ("right in none", "never", "x", 1.0))  # fmt: skip
    for title, field, pattern, opacity in kinds:
        counts = [getattr(s, field) for s in both]
        figure.add_bar(
            x=[100 * n / s.total for n, s in zip(counts, both, strict=True)], y=[0.0, -1.0], orientation="h",
            name=title, customdata=counts, width=0.6,
            marker={"color": [look[name].colour for name in names], "opacity": opacity,
                    "pattern": {"shape": pattern, "solidity": 0.25, "fgcolor": "rgba(255,255,255,0.7)",
                                "fillmode": "overlay"}},
            hovertemplate=f"{title}: %{{customdata}} (%{{x:.1f}}&#37;)<extra></extra>",
        )  # fmt: skip
    figure.update_layout(barmode="stack", legend={"traceorder": "normal"})
    theme.rows_axis(figure, [theme.short(name) for name in names])
    figure.update_xaxes(range=[0, 100])
    return figure


def _largest(rows: Rows) -> Rows:
    """Return the rows of largest difference in the order given, where there are too many to be drawn."""
    if len(rows) <= MOST_ROWS:
        return rows
    order = sorted(range(len(rows)), key=lambda k: -abs(rows[k][1].difference or 0.0))
    return [rows[k] for k in sorted(order[:MOST_ROWS])]


def _height(rows: Rows) -> int:
    return 150 + 26 * max(3, len(rows))


def _means(
    rows: Rows, a: str, b: str, axis: str, colours: Mapping[str, str] | None, *, from_zero: bool = False
) -> go.Figure:
    defined = [(k, label, m) for k, (label, m) in enumerate(rows) if m.a is not None and m.b is not None]
    if not defined:
        return theme.message_figure("Nothing is defined here.")
    figure, look = theme.base_figure(x=axis, height=_height(rows)), theme.styles([a, b], colours)
    digits = theme.hover_decimals(x for _, _, m in defined for x in (m.a or 0.0, m.b or 0.0))
    figure.add_scatter(
        x=[x for _, _, m in defined for x in (m.a, m.b, None)], y=[y for k, *_ in defined for y in (-k, -k, None)],
        mode="lines", line={"color": theme.NEUTRAL, "width": 1}, showlegend=False, hoverinfo="skip",
    )
    for name, side in ((a, "a"), (b, "b")):
        figure.add_scatter(
            x=[getattr(m, side) for *_, m in defined], y=[-k for k, *_ in defined], mode="markers",
            name=theme.short(name), cliponaxis=False,
            marker={"color": look[name].colour, "symbol": look[name].symbol, "size": 10},
            customdata=[theme.literal(label) for _, label, _ in defined],
            hovertemplate=f"%{{customdata}}: %{{x:.{digits}f}}<extra>{theme.literal(name)}</extra>",
        )
    theme.rows_axis(figure, [theme.short(label) for label, _ in rows])
    if from_zero:
        figure.update_xaxes(rangemode="tozero")
    return figure


def _differences(
    rows: Rows, a: str, b: str, what: str, right: str, colours: Mapping[str, str] | None
) -> go.Figure:
    """Return differences with their intervals; `right` says, literally, what points right of 0 mean."""
    defined = [(k, label, m) for k, (label, m) in enumerate(rows) if m.difference is not None]
    if not defined:
        return theme.message_figure("Nothing is defined here.")
    names = f"{theme.short(b)} − {theme.short(a)}"
    first = f"Difference in {theme.short(what)}:"
    long = len(first) + len(names) > NARROW
    title = f"{first}{'<br>' if long else ' '}{names}<br>(right of 0: {right})"
    figure = theme.base_figure(x=title, height=_height(rows), legend=False)
    figure.update_layout(margin={"b": 72 + 16 * long})
    colour = theme.styles([a, b], colours)[b].colour
    digits = theme.hover_decimals(m.difference or 0.0 for *_, m in defined)
    for k, label, m in defined:
        interval_text, opened = "no interval", True
        if m.interval is not None:
            figure.add_scatter(x=list(m.interval), y=[-k, -k], mode="lines", hoverinfo="skip",
                               line={"color": theme.NEUTRAL if m.side == 0 else colour, "width": 3})
            interval_text, opened = " to ".join(f"{x:.{digits}f}" for x in m.interval), m.side == 0
        figure.add_scatter(
            x=[m.difference], y=[-k], mode="markers", cliponaxis=False,
            marker={"size": 10, "color": theme.NEUTRAL if opened else colour,
                    "symbol": "circle-open" if opened else "circle"},
            hovertemplate=f"{theme.literal(label)}: %{{x:.{digits}f}} ({interval_text})<extra></extra>",
        )
    theme.vertical_line(figure, 0.0, dash="dot")
    theme.rows_axis(figure, [theme.short(label) for label, _ in rows])
    figure.update_xaxes(range=_with_margin([m for *_, m in defined]))
    return figure


def _with_margin(means: Sequence[TwoMeans]) -> list[float]:
    """Return the ends of an axis that holds 0 and all intervals and a little more, so that none ends at its edge."""
    numbers = [0.0, *(x for m in means for x in (m.difference or 0.0, *(m.interval or ())))]
    margin = 0.04 * (max(numbers) - min(numbers)) or 1.0
    return [min(numbers) - margin, max(numbers) + margin]
