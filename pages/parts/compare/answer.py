"""Compare, Answer: the verdict in words, the intervals of the difference, its size, and what to beware of."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from mtsig_core.analysis.comparison import Comparison
from mtsig_core.figures.comparison import difference_intervals
from mtsig_core.reports.pairs.effect import effect_lines
from mtsig_core.reports.pairs.several import across_metrics
from mtsig_core.reports.pairs.tables import interval_numbers
from pages.parts import background, downloads, explanations
from pages.parts.compare.comparisons import comparisons
from pages.parts.data.stating import state_direction
from pages.parts.text import literal
from pages.parts.view import View, one_metric

BADGES = {
    "better": ("Better", ":material/trending_up:", "green"),
    "worse": ("Worse", ":material/trending_down:", "red"),
    "higher": ("Higher", ":material/arrow_upward:", "gray"),
    "lower": ("Lower", ":material/arrow_downward:", "gray"),
    "equivalent": ("Equivalent", ":material/equal:", "blue"),
    "undecided": ("Inconclusive", ":material/help:", "orange"),
    "same outputs": ("No difference", ":material/equal:", "gray"),
    "not defined": ("Not defined", ":material/block:", "gray"),
}

MARGIN_LATE = (
    ":material/warning: This margin was stated after the difference had been on screen. A margin chosen after looking "
    "shows neither equivalence nor that a system is not worse: state it before the next experiment."
)


def draw(now: View, system: str) -> None:
    """Draw the section."""
    results = comparisons(now, system)
    if results is None:
        return
    _verdicts(now, results)
    confirm_directions(now, results)
    by_name = {result.metric: result for result in results}
    chosen = by_name[one_metric({name: result.label for name, result in by_name.items()})]
    left, right = st.columns([3, 2], gap="large")
    with left:
        explanations.heading("The difference and its intervals", "intervals")
        downloads.figure(now, downloads.built(difference_intervals, chosen), f"intervals-{chosen.metric}",
                         frame=interval_numbers(chosen),
                         alt=f"Difference in {chosen.label} with its intervals")
    with right:
        _details(chosen)
        _effect_size(now, system, chosen.metric)


def _verdicts(now: View, results: Sequence[Comparison]) -> None:
    with st.container(border=True):
        for result in results:
            word, icon, colour = BADGES[result.verdict.outcome]
            badge = f":{colour}-badge[{icon} {literal(f'{result.label}: {word}')}]"
            note = assumption_of(now, result)
            headline = result.verdict.headline.removeprefix(f"{word}: ")  # the badge says it
            st.markdown(f"{badge} **{literal(headline)}**{f' ({note})' if note else ''}")
        warn_of_late_margin(now, results)
        for line in across_metrics(results):
            st.caption(literal(line))
        explanations.explain("verdict")


def warn_of_late_margin(now: View, results: Sequence[Comparison]) -> None:
    """Note which differences are on screen, and say so where their margin was stated after that."""
    late = [margin_came_late(now, result) for result in results]  # of all of them: each is remembered
    if any(late):
        st.caption(MARGIN_LATE)


def margin_came_late(now: View, result: Comparison) -> bool:
    """Say whether a difference was on screen before its margin was stated."""
    first = _first_margin(now, result.test_set, result.signature, result.a, result.b)
    return now.settings.margin is not None and first != now.settings.margin


def note_shipped_differences(now: View) -> None:
    """Note that the differences of a first screen that was computed ahead are on screen."""
    for metric in now.metrics:
        _first_margin(now, now.test_set, now.bench.signature(now.test_set, metric), now.baseline, str(now.system))


def _first_margin(now: View, test_set: str, signature: str, a: str, b: str) -> float | None:
    """Return the margin that was stated when this difference was first on screen."""
    seen = st.session_state.setdefault("margins of differences seen", {})
    return seen.setdefault((now.experiment.digest, test_set, signature, *sorted((a, b))), now.settings.margin)


def assumption_of(now: View, result: Comparison) -> str:
    """Return what a verdict rests on that was guessed; nothing where the metric's direction is known."""
    metric = next(m for m in now.metrics if m.name == result.metric)
    return now.pair(metric, result.b).direction_note


def confirm_directions(now: View, results: Sequence[Comparison]) -> None:
    """Ask for the direction of metrics that no list knows: one click confirms it, or turns it round."""
    for result in results:
        if not assumption_of(now, result):
            continue
        column = getattr(next(m for m in now.metrics if m.name == result.metric), "column", result.metric)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":material/help: Is a higher **{literal(result.label)}** better? It was assumed.")
            for label, higher in (("Higher is better", True), ("Lower is better", False)):
                st.button(label, key=f"{label} {column}", on_click=state_direction, args=(column, higher))


def _details(result: Comparison) -> None:
    explanations.heading("What else to know")
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
