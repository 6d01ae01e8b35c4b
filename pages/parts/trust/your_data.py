"""Trust the tests, On your data: A/A splits, the whole-run effect, and inflation of hypothesis-level tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from mtsig_core.analysis.calibration.calibration import FEWEST, MOST_SPLITS, Calibration
from mtsig_core.analysis.calibration.inflation import Inflation
from mtsig_core.analysis.calibration.replica_effect import ReplicaEffects
from mtsig_core.figures.calibration import calibration_curves, replica_effect_intervals
from mtsig_core.formatting import count, format_score, rare_share
from mtsig_core.metrics import Metric
from mtsig_core.reports.calibration import calibration_frame, replica_effects_frame
from mtsig_core.reports.pairs.tables import inflation_frame, inflation_numbers
from mtsig_core.runtime.jobs import Progress, subprogress
from pages.parts import address, downloads, explanations, sections
from pages.parts.background import answer
from pages.parts.text import keep_together, literal
from pages.parts.view import View, one_metric

MOST_DRAWS = 500  # of the tests in A/A calibration, which are many
QUICK_SPLITS, QUICK_DRAWS = 10, 200
TOPICS = {"calibration": "A/A splits", "effect": "Whole-run effect", "inflation": "Inflation"}


def draw(now: View) -> None:
    """Draw the section: one topic at a time."""
    first, second = st.columns([3, 2])
    with first:
        topic = sections.topic("Look at", "trust topic", TOPICS)
    with second:
        name = one_metric({m.name: m.label for m in now.metrics})
    metric = next(m for m in now.metrics if m.name == name)
    if topic == "effect":
        effects(now, metric)
    elif topic == "inflation":
        inflation(now)
    else:
        calibration(now, metric)


def calibration(now: View, metric: Metric) -> None:
    """Show one system's replicas set against each other."""
    explanations.heading("Your own replicas against each other", "calibration")
    statistics = now.bench.statistics(now.test_set, metric)
    enough = [name for name in statistics.systems if len(statistics.names(name)) >= FEWEST]
    if not enough:
        most = max(len(statistics.names(s)) for s in statistics.systems)
        st.info(f"A/A calibration splits one system's replicas in two halves, so it needs at least {FEWEST}. No system "
                f"has more than {most} here.")
        return
    usual = now.system if now.system in enough else enough[0]
    system = st.selectbox("System", enough, **address.choice(
        "replicas_of", "calibrated system", {name: name for name in enough}, usual))
    result: Calibration | None = answer(
        "calibration", (*now.key, metric.key, system),
        lambda progress, publish: _calibrate(now, metric, system, progress, publish),
    )
    if result is None:
        return
    if not result.rows:
        st.info(literal(result.note))
        return
    st.markdown(keep_together(_splits(result)))
    downloads.figure(now, calibration_curves(result), f"calibration-{metric.name}",
                     alt="Share of splits with a p up to each value, a line for each test")
    shown = calibration_frame(result)
    shown.insert(len(shown.columns) - 1, "question", shown.pop("question"))  # numbers first where a screen is narrow
    downloads.table(now, result.to_frame(), "calibration", shown=shown,
                    caption=f"A/A calibration of {system} on {now.test_set}, {result.label}")
    _expected(result)


def _calibrate(
    now: View, metric: Metric, system: str, progress: Progress, publish: Callable[[Any], None]
) -> Calibration:
    full = replace(now.settings, n_bootstrap=min(MOST_DRAWS, now.settings.n_bootstrap),
                   n_permutations=min(MOST_DRAWS, now.settings.n_permutations))
    quick = replace(
        full, n_bootstrap=min(QUICK_DRAWS, full.n_bootstrap), n_permutations=min(QUICK_DRAWS, full.n_permutations)
    )
    subject = (now.test_set, metric, system)
    publish(now.bench.calibration(*subject, most_splits=QUICK_SPLITS, settings=quick,
                                  progress=subprogress(progress, 0, 0.1)))
    return now.bench.calibration(*subject, settings=full, progress=subprogress(progress, 0.1, 1))


def _splits(result: Calibration) -> str:
    halves = f"{result.n // 2} and {result.n - result.n // 2}"
    if result.n_splits == result.n_possible:
        said = f"There are {count(result.n_splits, 'way')} to split {result.n} replicas into halves of {halves}"
    else:
        quick = "quick answer: " if result.n_splits < MOST_SPLITS else ""
        said = f"{quick}{result.n_splits} random ways to split {result.n} replicas into halves of {halves}"
    return (
        f"{said[0].upper()}{said[1:]}; all replicas come from one training setup, so every p below {result.alpha:g} "
        "is a false alarm. The splits share replicas: take these shares as an illustration, not as proof."
    )


def _expected(result: Calibration) -> None:
    rate = result.expected
    if rate is None:
        st.caption("Nothing varies within segments, so no rate can be expected.")
        return
    if rate.low > result.alpha:
        verdict = "That is too many: with replicas like these, such tests say nothing about the training setup."
    elif rate.high > result.alpha:
        verdict = (
            "The range includes the significance level: these replicas neither show that such tests err nor that they "
            "do not."
        )
    else:
        verdict = "No sign that replicas differ as a whole."
    share, low, high = (literal(rare_share(x)) for x in (rate.rate, rate.low, rate.high))
    st.markdown(keep_together(
        f"**What to expect of tests that take the outputs as given** (segments, single outputs): "
        f"{share} false alarms at α = {result.alpha:g} (with {result.n} replicas, anything from {low} to {high} is "
        f"plausible). "
        f"{verdict}"
    ))


def effects(now: View, metric: Metric) -> None:
    """Show whether replicas differ as a whole."""
    explanations.heading("Do replicas differ as a whole?", "replica-effect")
    result: ReplicaEffects | None = answer(
        "replica effects", now.key, lambda progress, publish: _effects(now, progress, publish))
    if result is None:
        return
    rows = [row for row in result.rows if row.metric == metric.name]
    reasons = {row.note for row in rows}
    if len(reasons) == 1 and all(row.f is None for row in rows):
        st.info(literal(reasons.pop()))
        return
    downloads.figure(now, replica_effect_intervals(rows, now.colours, 1 - result.alpha), f"replica-sd-{metric.name}",
                     alt="Standard deviation of whole replicas of each system with its interval")
    downloads.table(now, result.to_frame(), "replica-effects", shown=replica_effects_frame(result),
                    caption=f"Whole-replica effect of each system under each metric on {now.test_set}",
                    column_config={"note": st.column_config.TextColumn(width=320)})


def _effects(now: View, progress: Progress, publish: Callable[[Any], None]) -> ReplicaEffects:
    subject = (now.test_set, now.metrics)
    publish(now.bench.replica_effects(*subject, n_assignments=0, settings=now.settings,
                                      progress=subprogress(progress, 0, 0.2)))
    return now.bench.replica_effects(*subject, settings=now.settings, progress=subprogress(progress, 0.2, 1))


def inflation(now: View) -> None:
    """Show what tests that exchange single outputs overclaim for the chosen pair."""
    explanations.heading("How far hypothesis-level tests are inflated", "inflation")
    if now.system is None:
        st.info("One system only: this compares two. Open an experiment with another one on the Data page.")
        return
    system = now.system
    result: tuple[Inflation, ...] | None = answer("inflation", now.key, lambda progress, publish: tuple(
        now.pair(m, system).inflation(settings=now.settings) for m in now.metrics))
    if result is None:
        return
    for one in result:
        st.markdown(keep_together(f"- **{one.label}**: {_inflation_in_words(one)}"))
    downloads.table(now, inflation_numbers(result), "inflation", shown=inflation_frame(result),
                    caption=f"Variance ratio of {system} against {now.baseline} under each metric on {now.test_set}")


def _inflation_in_words(one: Inflation) -> str:
    if one.ratio is None or one.rate is None:
        return literal(one.note)
    return (
        f"the variance of the difference is {format_score(one.ratio, 1)} times what these tests assume. At α = "
        f"{one.alpha:g} they would call {literal(rare_share(one.rate))} of such pairs different if their training "
        "setups were equally good."
    )
