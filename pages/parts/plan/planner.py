"""Plan, Plan: how many replicas and segments a difference takes, with the experiment at hand as the pilot."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import streamlit as st

from mtsig_core.analysis.comparison.effect import noticed_differences
from mtsig_core.analysis.planning.components import VarianceComponents
from mtsig_core.analysis.planning.planner import SIMULATIONS, Plan
from mtsig_core.figures.planner import power_contour
from mtsig_core.formatting import score_decimals
from mtsig_core.metrics import Metric
from mtsig_core.reports.pairs.planner import plan_frame
from mtsig_core.runtime.jobs import Progress, subprogress
from pages.parts import address, downloads, explanations
from pages.parts.background import answer
from pages.parts.text import keep_together, literal
from pages.parts.view import View

QUICK = 1000


def draw(now: View, system: str, metric: Metric) -> None:
    """Show how many replicas and segments a difference takes."""
    explanations.heading("Plan the next experiment", "planner")
    pair = now.pair(metric, system)
    components: VarianceComponents | None = answer(
        "plan components", (*now.key, metric.key),
        lambda progress, publish: pair.components(settings=now.settings, progress=progress))
    if components is None:
        return
    if why := pair.why_no_plan(settings=now.settings):
        st.info(literal(why))
        return
    start = pair.default_difference()
    difference, target = _asked(metric, start)
    if suggestion := noticed_differences(metric):
        st.caption(literal(suggestion))
    if difference is None:
        st.info("State the smallest difference that would matter to you. It has no default: a plan for the difference "
                "that was observed would promise too much.")
        return

    def work(progress: Progress, publish: Callable[[Any], None]) -> Plan:
        def ask(simulations: int, start: float, end: float) -> Plan:
            return pair.planner(float(difference), power=target, simulations=simulations, settings=now.settings,
                                progress=subprogress(progress, start, end))

        publish(ask(QUICK, 0, 0.15))
        return ask(SIMULATIONS, 0.15, 1)

    result: Plan | None = answer("plan", (*now.key, metric.key, difference, target), work)
    if result is not None:
        _plan(now, metric, result, start)


def _asked(metric: Metric, start: float) -> tuple[float | None, float]:
    """Ask for the difference that matters, and for the power."""
    left, right = st.columns(2)
    difference = left.number_input(
        f"Smallest difference that matters ({literal(metric.label)})", min_value=start / 100, value=None,
        step=start / 5, placeholder=f"for example {start:g}", format="%.2f" if start >= 0.5 else "%.4f",
        **address.number("difference", f"difference {metric.name}", start / 100, math.inf, None),
        help="Decide this before you look: what difference would change what you do? Not the one you found.",
    )
    target = right.number_input(
        "Find it in this share of experiments (power)", 0.05, 0.99, step=0.05, format="%.2f",
        **address.number("power", "power", 0.05, 0.99, 0.8),
    )
    return difference, target


def _plan(now: View, metric: Metric, result: Plan, start: float) -> None:
    quick = " (quick answer)" if result.design.simulations < SIMULATIONS else ""
    decimals = max(2, score_decimals([start * 100]))
    st.markdown(f"**{literal(result.sentence(metric.label, 4 if start < 0.05 else decimals))}**{quick}")
    downloads.figure(now, downloads.built(power_contour, result), f"power-{metric.name}", frame=result.to_frame(),
                     alt="Power against the numbers of replicas and segments")
    st.caption(keep_together(f"On {result.n_segments:,} segments, by replicas of each system"))
    downloads.table(now, result.here(), f"plan-{metric.name}", shown=plan_frame(result), height=420,
                    caption=f"Power on {result.n_segments:,} segments, {metric.label}, planned from {now.test_set}")
