"""Systems by people: means with intervals, and verdicts of people and of tests side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import pandas as pd
import plotly.graph_objects as go

from mtsig_core.analysis.people.meta_evaluation.automatic_tests import TestsAgainstPeople, verdict_matrix
from mtsig_core.analysis.people.pairs import SystemPairs, TestName
from mtsig_core.analysis.people.rankings import Ranking
from mtsig_core.analysis.people.systems import SystemMean, SystemMeans
from mtsig_core.figures import theme
from mtsig_core.figures.people.matrix import DIVERGING, matrix_figure, pair_hover
from mtsig_core.formatting import (
    count,
    format_interval,
    format_percent,
    format_score,
    score_decimals,
    separating_decimals,
)

Scores = Literal["raw", "standardised"]

_SHORT_TITLE = 12  # characters of an axis title beside which more has room on a telephone


def mean_intervals(
    means: SystemMeans, scores: Scores = "raw", *, clusters: Sequence[Sequence[str]] = (),
    colours: Mapping[str, str] | None = None,
) -> go.Figure:  # fmt: skip
    """Return the mean of each system with its interval, the best raw mean on top.

    Parameters
    ----------
    means : SystemMeans
    scores : {"raw", "standardised"}
    clusters : sequence of sequences of str, optional
        Clusters of ranks, the best first: a line is drawn between them.
    colours : mapping of system to colour, optional
    """
    rows = [(s, *_values(s, scores)) for s in means.systems]
    defined = [row for row in rows if row[1] is not None]
    if not defined:
        return theme.message_figure(means.note)
    title = theme.axis_title(f"{means.dimension}{', standardised by annotator' if scores == 'standardised' else ''}",
                       means.higher_is_better)  # fmt: skip
    if any(interval for _, _, interval in defined):
        between = "<br>" if len(title) > _SHORT_TITLE else " "
        title = f"{title},{between}with {format_percent(1 - means.alpha)} bootstrap intervals"
    figure = theme.base_figure(x=title, height=110 + 34 * len(rows), legend=False)
    decimals = (score_decimals if scores == "raw" else separating_decimals)(
        value for _, value, _ in defined if value is not None)
    look = theme.styles([s.system for s in means.systems], colours)
    for i, (system, value, interval) in enumerate(rows):
        if value is None:
            continue
        low, high = interval or (value, value)
        hover = (f"{format_score(value, decimals)}<br>interval {format_interval(interval, decimals)}"
                 f"<br>{count(system.n_items, 'item')}")  # fmt: skip
        _interval(figure, i, system.system, (low, value, high), look[system.system], hover)
    theme.rows_axis(figure, [theme.short(s.system) for s in means.systems])
    below = 0
    for cluster in list(clusters)[:-1]:
        below += len(cluster)
        figure.add_hline(y=-below + 0.5, line={"color": "#808080", "dash": "dash", "width": 1.5})
    return figure


def _interval(
    figure: go.Figure, row: int, system: str, bounds: tuple[float, float, float], style: theme.SystemStyle, hover: str
) -> None:
    """Draw low, value and high of a system on its row."""
    figure.add_scatter(
        x=list(bounds), y=[-float(row)] * 3, mode="lines+markers", name=theme.short(system),
        line={"color": style.colour, "width": 3},
        marker={"symbol": ["line-ns", style.symbol, "line-ns"], "size": [12, 9, 12], "opacity": 1,
                "color": style.colour, "line": {"color": style.colour, "width": 2.5}},
        hovertemplate=f"{theme.literal(system)}: {hover}<extra></extra>",
    )  # fmt: skip


def _values(system: SystemMean, scores: Scores) -> tuple[float | None, tuple[float, float] | None]:
    if scores == "raw":
        return system.mean, system.interval
    return system.standardised, system.standardised_interval


def pair_verdicts(pairs: SystemPairs, test: TestName = "rank_sum", *, corrected: bool = True) -> go.Figure:
    """Return the verdicts of one test of people's scores on all pairs, by default with Holm's correction."""
    return _verdicts(verdict_matrix(pairs.better(test, corrected=corrected), pairs.systems), "people")


def win_rate_matrix(ranking: Ranking) -> go.Figure:
    """Return the share of comparisons that the row's system wins against the column's, the strongest on top."""
    order = [each.system for each in ranking.systems]
    return matrix_figure(
        ranking.win_rates.loc[order, order], lambda share: f"{share:.0%}", scale=DIVERGING, bounds=(0, 1),
        hover=lambda row, column, share: pair_hover(row, column, f"{share:.1%} of comparisons won"),
    )  # fmt: skip


def strength_intervals(ranking: Ranking, colours: Mapping[str, str] | None = None) -> go.Figure:
    """Return the Bradley-Terry strength of each system with its interval, the strongest on top."""
    rows = [each for each in ranking.systems if each.strength is not None]
    if not rows:
        return theme.message_figure(ranking.note)
    figure = theme.base_figure(x="Strength (log odds)", height=110 + 34 * len(rows), legend=False)
    look = theme.styles([each.system for each in rows], colours)
    for i, each in enumerate(rows):
        value = each.strength or 0.0
        low, high = each.interval or (value, value)
        hover = (f"{value:.2f}<br>interval {format_interval(each.interval)}"
                 f"<br>{count(each.n, 'comparison')}, {each.win_rate:.1%} won")  # fmt: skip
        _interval(figure, i, each.system, (low, value, high), look[each.system], hover)
    theme.rows_axis(figure, [theme.short(each.system) for each in rows])
    return figure


def people_verdicts(result: TestsAgainstPeople, alpha: float) -> go.Figure:
    """Return the verdicts of people on all pairs: + where the row's system is better, − where it is worse."""
    return _verdicts(result.people_matrix(alpha), "people")


def automatic_verdicts(result: TestsAgainstPeople, preset: str, metric: str, alpha: float) -> go.Figure:
    """Return the verdicts of one test on all pairs, in the same order as those of people."""
    return _verdicts(result.test_matrix(preset, metric, alpha), f"{preset}, {metric}")


def _verdicts(matrix: pd.DataFrame, who: str) -> go.Figure:
    def said(row: str, column: str, value: float) -> str:
        better = row if value > 0 else column
        verdict = "no significant difference" if value == 0 else f"{theme.literal(better)} is better"
        return pair_hover(row, column, f"{theme.literal(who)}: {verdict}")

    signs = {1.0: "+", -1.0: "\u2212", 0.0: "="}
    return matrix_figure(matrix, lambda v: signs[v], hover=said, scale=DIVERGING, bounds=(-1, 1))
