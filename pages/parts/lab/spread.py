"""Optimizer lab, Which optimizer varies least: the spread over replicas of each, as Clark's Table 1 has it."""

from __future__ import annotations

import streamlit as st

from mtsig_core.analysis.tuning import generalisation, least_variance
from mtsig_core.figures.tuning import spread_intervals
from mtsig_core.optimizers import OPTIMIZERS
from mtsig_core.reports.tuning import generalisation_table, least_variance_sentence, least_variance_table
from pages.parts import downloads, explanations
from pages.parts.lab import lists, plan
from pages.parts.lab.plan import Plan
from pages.parts.lab.replicas import colours
from pages.parts.text import literal
from pages.parts.view import View

ALL = "lab all optimizers"


def draw(now: View) -> None:
    """Draw the section."""
    wanted = _wanted()
    problems = lists.problems()
    if problems is None:
        return
    problem = lists.one(problems)
    own = plan.results((problem,), wanted, "spread")
    if not own or len(own[-1].replicas) < 2:
        return
    least = least_variance(own)
    with st.container(border=True):
        done, n = len(own), len(wanted.optimizers)
        so_far = "" if done == n else f"So far ({done} of {n} optimizers): "
        st.markdown(f"{so_far}**{literal(least_variance_sentence(least))}**")
    explanations.heading("Spread of each optimizer over its replicas", "lab-spread")
    shown = least.to_frame().filter(regex="optimizer|^s_|^from|^to")
    downloads.figure(now, spread_intervals(least, colours(), height=260), "lab-spread", frame=shown,
                     alt="Standard deviation over replicas of each optimizer with its interval")
    downloads.plain_table(now, least_variance_table(least), "lab-spread-table", numbers=least.to_frame(),
                          caption="Spread of each optimizer over its replicas")
    if problem.test is not None:
        explanations.heading("How much of a gain on dev is left on the test set", "lab-dev-test")
        gains = generalisation(own)
        downloads.plain_table(now, generalisation_table(gains), "lab-gain", numbers=gains.to_frame(),
                              caption="Dev against test of each optimizer")


def _wanted() -> Plan:
    """Return all optimizers with the options of the section Make replicas, and at least two replicas."""
    columns = st.columns([1, 3], vertical_alignment="bottom")
    key = "lab spread replicas"
    st.session_state.setdefault(key, 10)
    n = columns[0].number_input("Replicas of each", 2, plan.MOST, key=key, persist_state="session")
    columns[1].caption("All optimizers run with the options of *Make replicas*; 30 replicas give useful intervals.")
    current: Plan | None = st.session_state.get(plan.PLAN)
    own = {optimizer.name: optimizer for optimizer in current.optimizers} if current else {}
    every = tuple(own.get(name) or plan.usual(name) for name in OPTIMIZERS)
    return Plan(every, int(n), current.seed if current else 12345)
