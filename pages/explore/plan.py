"""How many replicas?: the difference against the number of replicas."""

from __future__ import annotations

import streamlit as st

from mtsig_core.analysis.replicas.by_n import ByN
from mtsig_core.figures.by_n import difference_band, difference_frequencies, wrong_sign
from mtsig_core.metrics import Metric
from mtsig_core.reports.tables import by_n_frame
from pages.parts import downloads, view
from pages.parts.background import answer
from pages.parts.explanations import what_is_this
from pages.parts.plan import p_by_n, planner
from pages.parts.text import literal


def main() -> None:
    """Draw the page."""
    now = view.current()
    st.title("Plan")
    st.markdown("What would you have found with fewer runs of each system, on this very test set?")
    if now.system is None:
        st.info(view.ONE_SYSTEM)
        return
    if now.one_each:
        st.info("Both systems have one replica here. How far another one would land is unknown, so nothing can be said "
                "of how many it takes: run each system at least twice more, and open all outputs together.")
        return
    metric, replace = controls(now)
    pair = now.pair(metric)
    result = answer(
        "by n",
        (*now.key, metric.key, replace),
        lambda progress, publish: pair.by_n(replace=replace, settings=now.settings, progress=progress),
    )
    if result is not None:
        show(now, metric.label, result)
    st.divider()
    planner.planner(now, now.system, metric)
    st.divider()
    p_by_n.section(now, now.system, metric)


def controls(now: view.View) -> tuple[Metric, bool]:
    """Choose the metric and the way of drawing."""
    left, right = st.columns(2, vertical_alignment="bottom")
    labels = {m.name: m for m in now.metrics}
    name = left.selectbox("Metric", list(labels), format_func=lambda n: labels[n].label, key="one metric",
                          persist_state="session")
    replace = right.toggle(
        "Draw replicas with replacement", value=True, key="replace", persist_state="session",
        help="Off: each replica at most once in a draw, while n is smaller than the pool.",
    )
    return labels[name], replace


def show(now: view.View, label: str, result: ByN) -> None:
    """Show the sentence, the three figures and the table."""
    if result.note:
        st.markdown(f"**{literal(result.note)}**")
    if result.model_note:
        st.caption(literal(result.model_note))
    frame = result.to_frame()
    left, right = st.columns(2)
    with left:
        st.subheader("Differences you might have found")
        downloads.figure(now, difference_frequencies(result, label=label), "difference-frequencies", frame=frame,
                         alt="Relative frequency of the difference, a curve for each number of replicas")
        what_is_this("frequency")
    with right:
        st.subheader("The middle 95 %")
        downloads.figure(now, difference_band(result, label=label), "difference-band", frame=frame,
                         alt="Middle 95 % of the difference against the number of replicas")
        what_is_this("band")
    st.subheader("Chance to see the wrong winner")
    downloads.figure(now, wrong_sign(result), "wrong-sign", frame=frame,
                     alt="Probability of the wrong sign against the number of replicas")
    what_is_this("wrong")
    st.subheader("Numbers")
    downloads.table(now, frame, "replication", shown=by_n_frame(result),
                    caption=f"Difference in {label} against the number of replicas")


main()
