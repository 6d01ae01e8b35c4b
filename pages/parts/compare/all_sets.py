"""Compare, All test sets and metrics: the difference on each, and on all test sets together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from mtsig_core.analysis.comparison.combined import Combined
from mtsig_core.figures.combined import forest
from mtsig_core.metrics import Metric
from mtsig_core.reports.pairs.effect import combined_sentence
from mtsig_core.reports.pairs.tables import combined_frame, combined_intervals
from mtsig_core.runtime.jobs import Progress
from pages.parts import downloads, explanations
from pages.parts.background import answer
from pages.parts.text import literal
from pages.parts.view import View, one_metric


def draw(now: View, system: str) -> None:
    """Draw the section."""
    alone = _n_sets(now) < 2  # then no choice of a metric shows anything
    name = now.metrics[0].name if alone else one_metric({m.name: m.label for m in now.metrics})
    metric = next(m for m in now.metrics if m.name == name)
    sets = now.bench.comparable_sets(metric, now.baseline, system)
    if len(sets) < 2:
        st.info(literal(_why_not(now, system, metric)))
        return
    _together(now, system, metric, sets)


def _n_sets(now: View) -> int:
    return sum(test_set.role != "dev" for test_set in now.experiment.test_sets)


def _why_not(now: View, system: str, metric: Metric) -> str:
    aim = "to see the difference on each of them, and on all together."
    if _n_sets(now) < 2:
        return f"There is one test set (tuning sets are left out). Open an experiment with several test sets {aim}"
    return (f"{now.baseline} and {system} do not share two test sets under {metric.label} (tuning sets are left out). "
            f"Choose systems that do {aim}")  # fmt: skip


def _together(now: View, system: str, metric: Metric, sets: list[str]) -> None:
    explanations.heading("The difference on every test set", "all-sets")

    def work(progress: Progress, publish: Callable[[Any], None]) -> Combined:
        return now.bench.combined(metric, now.baseline, system, sets, settings=now.settings, progress=progress)

    result: Combined | None = answer("all sets", (*now.key, metric.key), work)
    if result is None:
        return
    st.markdown(f"**{literal(combined_sentence(result))}**")
    for note in result.notes if result.p is not None else ():
        st.caption(literal(note))
    downloads.figure(now, downloads.built(forest, result), f"all-sets-{metric.name}", frame=combined_intervals(result),
                     alt="Difference on each test set and over all, with intervals")
    downloads.table(now, result.to_frame(), "all-sets", shown=combined_frame(result),
                    caption=f"{system} against {now.baseline} on all test sets, {result.label}")
