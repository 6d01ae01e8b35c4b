"""The single-run lottery on the page of two systems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from mtsig_core.analysis.replicas.lottery import Lottery
from mtsig_core.figures.comparison import null_distribution
from mtsig_core.formatting import count, format_percent, format_score, p_phrase
from mtsig_core.metrics import Metric
from mtsig_core.reports.overview import LOTTERY_PERMUTATIONS
from mtsig_core.reports.pairs.tables import lottery_frame, lottery_matrix
from mtsig_core.runtime.jobs import Progress, subprogress
from mtsig_core.workbench import Pair
from pages.parts import downloads, explanations
from pages.parts.background import answer
from pages.parts.matrices import clickable
from pages.parts.text import keep_together, literal
from pages.parts.view import View

QUICK_SHUFFLES = 100


def lottery(now: View, system: str, metric: Metric) -> Lottery | None:
    """Return what one run of each system would have shown, or None while it is not known; on every page the same."""
    pair = now.pair(metric, system)
    settings = replace(now.settings, n_permutations=min(LOTTERY_PERMUTATIONS, now.settings.n_permutations))

    def work(progress: Progress, publish: Callable[[Any], None]) -> Lottery:
        quick = replace(settings, n_permutations=min(QUICK_SHUFFLES, settings.n_permutations))
        publish(pair.lottery(settings=quick, progress=subprogress(progress, 0, 0.2)))
        return pair.lottery(settings=settings, progress=subprogress(progress, 0.2, 1))

    return answer("lottery", (*now.key, metric.key), work)


def section(now: View, system: str, metric: Metric) -> None:
    """Show what one run of each system would have been taken to show, where there were more runs than that."""
    if now.one_each:
        return
    explanations.heading("If each system had been run only once", "lottery")
    result = lottery(now, system, metric)
    if result is None:
        return
    _sentence(result)
    shown = lottery_frame(result)
    downloads.table(now, result.scenario_frame(), f"lottery-{result.metric}",
                    caption=f"One run of each system, {metric.label} on {now.test_set}", shown=shown)
    _matrix(now, now.pair(metric, system), result)


def _sentence(result: Lottery) -> None:
    pairs = count(result.p.size, "pair")
    part = ""
    if result.is_subset:
        n_a, n_b = result.p.shape
        part = f" (a random {n_a} of {result.pool_a} and {n_b} of {result.pool_b} replicas)"
    wrong = ""
    if result.wrong is not None:
        loser = result.a if result.winner(result.difference) == "b" else result.b
        share = format_percent(result.wrong) if result.wrong else "none"
        wrong = f", {share} in favour of {literal(loser)}, which is worse over all replicas"
    st.markdown(keep_together(
        f"Of {pairs} of replicas{part}, **{format_percent(result.significant)}** would have been called significant at "
        f"level {result.alpha:g}{wrong}. Each is tested with {result.n_permutations:,} permutations."
    ))


def _matrix(now: View, pair: Pair, answer: Lottery) -> None:
    st.caption(
        f"p of each replica of {literal(answer.a)} (row) against each of {literal(answer.b)} (column), worst to best; "
        f"▲ {literal(answer.b)} better, ▼ worse. Click a cell to see what chance alone would give."
    )
    texts, words = lottery_matrix(answer)
    place = clickable(texts, words, f"lottery {answer.metric}", height=380 if len(texts) > 10 else None,
                      alt="p-values of every pair of replicas")
    if place is None:
        return
    names = answer.replicas_a[place[0]], answer.replicas_b[place[1]]
    scores = answer.scores_a[place[0]], answer.scores_b[place[1]]
    result = pair.single_pair(*names, settings=now.settings)
    st.markdown(
        f"{literal(answer.a)} {literal(names[0])} ({format_score(scores[0])}) against {literal(answer.b)} "
        f"{literal(names[1])} ({format_score(scores[1])}): "
        f"{literal(p_phrase(result.p, result.smallest_p, exact=result.exact))}"
    )
    downloads.figure(now, null_distribution(result, label=answer.label), f"lottery-null-{answer.metric}",
                     alt="Differences by chance of two replicas")
