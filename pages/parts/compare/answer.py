"""Compare, Answer: the verdict in words, the intervals of the difference, its size, and what to beware of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import streamlit as st

from mtsig_core.analysis.comparison import Comparison
from mtsig_core.figures.comparison import difference_intervals
from mtsig_core.reports.effect import effect_lines
from mtsig_core.reports.several import across_metrics
from pages.parts import background, downloads, explanations
from pages.parts.compare.comparisons import comparisons
from pages.parts.text import literal
from pages.parts.view import View, one_metric

BADGES: dict[str, tuple[str, str, Literal["green", "red", "orange", "blue", "gray"]]] = {
    "better": ("Better", ":material/trending_up:", "green"),
    "worse": ("Worse", ":material/trending_down:", "red"),
    "higher": ("Higher", ":material/arrow_upward:", "gray"),
    "lower": ("Lower", ":material/arrow_downward:", "gray"),
    "equivalent": ("Equivalent", ":material/equal:", "blue"),
    "undecided": ("Inconclusive", ":material/help:", "orange"),
    "same outputs": ("No difference", ":material/equal:", "gray"),
    "not defined": ("Not defined", ":material/block:", "gray"),
}


def draw(now: View, system: str) -> None:
    """Draw the section."""
    results = comparisons(now, system)
    if results is None:
        return
    _verdicts(results)
    by_name = {result.metric: result for result in results}
    chosen = by_name[one_metric({name: result.label for name, result in by_name.items()})]
    left, right = st.columns([3, 2], gap="large")
    with left:
        explanations.heading("The difference and its intervals", "intervals")
        downloads.figure(now, downloads.built(difference_intervals, chosen), f"intervals-{chosen.metric}",
                         alt=f"Difference in {chosen.label} with its intervals")
    with right:
        _details(chosen)
        _effect_size(now, system, chosen.metric)


def _verdicts(results: Sequence[Comparison]) -> None:
    with st.container(border=True):
        for result in results:
            word, icon, colour = BADGES[result.verdict.outcome]
            with st.container(horizontal=True, vertical_alignment="center"):
                st.badge(f"{result.label}: {word}", icon=icon, color=colour)
                st.markdown(f"**{literal(result.verdict.headline)}**", width="stretch")
        for line in across_metrics(results):
            st.caption(literal(line))
        explanations.explain("verdict")


def _details(result: Comparison) -> None:
    st.subheader("What else to know", anchor=False)
    st.markdown("\n".join(f"- {literal(detail)}" for detail in result.verdict.details))


def _effect_size(now: View, system: str, metric_name: str) -> None:
    metric = next(m for m in now.metrics if m.name == metric_name)
    pair = now.pair(metric, system)
    effect = background.answer("effect", (*now.key, metric.key),
                               lambda progress, publish: pair.effect(settings=now.settings))
    if effect is None:
        return
    explanations.heading("Effect size", "effect")
    st.markdown(literal(" ".join(effect_lines(effect))))
