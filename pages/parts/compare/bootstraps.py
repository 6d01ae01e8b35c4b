"""The standard bootstrap, and three tests side by side, on the page of two systems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from mtsig_core.analysis.comparison import Comparison
from mtsig_core.analysis.comparison.bootstrap_intervals import BootstrapIntervals
from mtsig_core.figures.pseudo_statistics import bootstrap_interval_rows, pseudo_statistics
from mtsig_core.metrics import Metric
from mtsig_core.runtime.jobs import Progress, subprogress
from pages.parts import downloads, explanations
from pages.parts.background import answer
from pages.parts.text import literal
from pages.parts.view import View

TESTS = ("ar-segment", "bootstrap-centred", "bootstrap-paired")
DIFFERENCE = ("B − A",)


def section(now: View, system: str, metric: Metric) -> None:
    """Show the intervals of both systems and of their difference, and what three tests draw."""
    pair = now.pair(metric, system)

    def work(progress: Progress, publish: Callable[[Any], None]) -> tuple[BootstrapIntervals, Comparison]:
        intervals = pair.bootstrap_intervals(settings=now.settings, progress=subprogress(progress, 0, 0.5))
        tests = pair.compare(settings=now.settings, presets=TESTS, progress=subprogress(progress, 0.5, 1))
        return intervals, tests

    result = answer("bootstrap", (*now.key, metric.key), work)
    if result is None:
        return
    intervals, comparison = result
    left, right = st.columns(2)
    with left:
        explanations.heading("Bootstrap intervals", "bootstrap")
        frame = intervals.to_frame()
        of_systems = frame["of"].isin([intervals.a, intervals.b])
        downloads.figure(now, downloads.built(bootstrap_interval_rows, intervals), f"bootstrap-systems-{metric.name}",
                         frame=frame[of_systems], alt="Bootstrap intervals of both systems")
        downloads.figure(now, downloads.built(bootstrap_interval_rows, intervals, DIFFERENCE, height=200),
                         f"bootstrap-difference-{metric.name}", frame=frame[~of_systems],
                         alt="Bootstrap intervals of the difference")
        _questions(intervals)
    with right:
        explanations.heading("What three tests resample", "three-tests")
        downloads.figure(now, downloads.built(pseudo_statistics, comparison, height=470), f"three-tests-{metric.name}",
                         alt="Differences drawn by the paired bootstrap, the centred bootstrap and randomization")


def _questions(result: BootstrapIntervals) -> None:
    names = f"{literal(result.a)} and {literal(result.b)}"
    covers = {True: "includes 0", False: "does not include 0", None: "is not defined"}[result.covers_zero]
    overlap = {True: "overlap", False: "do not overlap", None: "are not defined"}[result.overlap]
    st.markdown(
        f"- :material/check: **The right question**: the interval of the difference {covers}.\n"
        f"- :material/close: The wrong question: the intervals of {names} {overlap}."
    )
