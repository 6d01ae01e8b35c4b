"""Plan, how many runs and segments an experiment needs."""

from __future__ import annotations

import streamlit as st

from mtsig_core.metrics import Metric
from pages.parts import page, view
from pages.parts.plan import fewer_runs, p_by_n, planner
from pages.parts.sections import Section, show
from pages.parts.text import literal

ONE_RUN = (
    "**one replica** (one training or tuning run). How much another run would differ is unknown, so nothing can be "
    "planned: run each system at least twice more, and open all outputs together."
)


def main() -> None:
    """Draw the page."""
    now = view.current()
    page.begin(now, "Plan", "How many runs and segments do you need to find a difference that matters to you?",
               single_runs=f"Each system has {ONE_RUN}")
    if now.system is None:
        st.info(view.ONE_SYSTEM)
        return
    if now.one_each:
        if not page.all_single(now):  # else said above
            st.warning(f"Both systems have {ONE_RUN}", icon=":material/casino:")
        return
    system = now.system
    show("plan", [
        Section("plan", "Plan", lambda: planner.draw(now, system, chosen_metric(now))),
        Section("fewer", "What fewer runs would have shown", lambda: fewer_runs.draw(now, system, chosen_metric(now))),
        Section("p", "p against n", lambda: p_by_n.draw(now, system, chosen_metric(now))),
    ])  # fmt: skip


def chosen_metric(now: view.View) -> Metric:
    """Draw the choice of the metric that a section is about."""
    name = view.one_metric({m.name: m.label for m in now.metrics})
    metric = next(m for m in now.metrics if m.name == name)
    if now.bench.notes([now.test_set], [metric]):  # some output lacks scores: of this pair, perhaps
        for sentence in now.pair(metric).basis(settings=now.settings).sentences():
            st.caption(f":material/info: {literal(sentence)}")
    return metric


main()
