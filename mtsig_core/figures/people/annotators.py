"""Annotators: who judged what, and how strictly each scored."""

from __future__ import annotations

import plotly.graph_objects as go

from mtsig_core.analysis.people.annotators import AnnotatorOverview
from mtsig_core.figures import theme
from mtsig_core.figures.people.matrix import matrix_figure
from mtsig_core.formatting import count, format_score, p_phrase, score_decimals


def balance_matrix(overview: AnnotatorOverview) -> go.Figure:
    """Return how many outputs of each system every annotator judged, one row per annotator."""
    if overview.balance.empty:
        return theme.message_figure("No annotator is named, so nothing is scored of who judged what.")
    counts = overview.balance.astype(float)
    return matrix_figure(
        counts.where(counts > 0), lambda n: f"{n:.0f}", bounds=(0.0, float(counts.to_numpy().max())),
        hover=lambda row, column, n: (
            f"{theme.literal(row)} judged {count(int(n), 'output')} of {theme.literal(column)}"
        ),
    )  # fmt: skip


def annotator_scores(overview: AnnotatorOverview, *, higher_is_better: bool = True) -> go.Figure:
    """Return each annotator's mean and standard deviation, and what was remarked on them.

    Parameters
    ----------
    overview : AnnotatorOverview
    higher_is_better : bool
        Of the dimension; the axis title says it.
    """
    scored = [a for a in overview.annotators if a.mean is not None]
    if not scored:
        return theme.message_figure("No annotator is named, so there is nothing to compare.")
    decimals = score_decimals(a.mean for a in scored if a.mean is not None)
    title = f"{theme.axis_title(overview.dimension, higher_is_better)}: mean ± one standard deviation"
    figure = theme.base_figure(x=title, height=110 + 26 * len(scored), legend=False)
    suspects = set(overview.suspects)
    for i, each in enumerate(scored):
        mean, sd = each.mean or 0.0, each.sd or 0.0
        suspect = each.name in suspects
        line, mark = (theme.PALETTE[1],) * 2 if suspect else (theme.NEUTRAL, theme.PALETTE[0])
        mean_line = f"{theme.literal(each.name)}: mean {format_score(mean, decimals)}"
        details = [mean_line, f"sd {format_score(each.sd, decimals)}",
                count(each.n, "judgement")]  # fmt: skip
        if each.damage_p is not None:
            details.append(f"damaged copies scored worse: {p_phrase(each.damage_p)}")
        figure.add_scatter(
            x=[mean - sd, mean, mean + sd], y=[-float(i)] * 3, mode="lines+markers", name=theme.short(each.name),
            line={"color": line, "width": 2},
            marker={"symbol": ["line-ns", "x" if suspect else "circle", "line-ns"], "size": [8, 9, 8], "opacity": 1,
                    "color": mark, "line": {"width": 2, "color": [line, mark, line]}},
            hovertemplate="<br>".join(details) + "<extra></extra>",
        )  # fmt: skip
    theme.rows_axis(figure, [theme.short(each.name) for each in scored])
    return figure
