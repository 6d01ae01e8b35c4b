"""How many replicas?: the difference against the number of replicas."""

from __future__ import annotations

import streamlit as st

from mtsig_core.analysis.replication import Replication
from mtsig_core.figures.replication import difference_band, difference_frequencies, wrong_sign
from pages.parts import downloads, view
from pages.parts.answers import answer
from pages.parts.explain import what_is_this
from pages.parts.text import literal


def main() -> None:
    """Draw the page."""
    now = view.current()
    st.title("How many replicas?")
    st.markdown("What would you have found with fewer runs of each system, on this very test set?")
    if now.system is None:
        st.info("One system only: this page compares two. Open an experiment with another system on the Experiment page.")
        return
    metric, replace = controls(now)
    key = (*now.key, metric.key, replace)
    result = answer("replication", key, lambda progress, publish: now.bench.replication(
        now.test_set, metric, now.baseline, now.system, now.settings, replace=replace, progress=progress))
    if result is not None:
        show(now, metric.label, result)


def controls(now: view.View):  # type: ignore[no-untyped-def]
    """Choose the metric and the way of drawing."""
    left, right = st.columns(2, vertical_alignment="bottom")
    labels = {m.name: m for m in now.metrics}
    name = left.selectbox("Metric", list(labels), format_func=lambda n: labels[n].label, key="one metric", persist_state="session")
    replace = right.toggle(
        "Draw replicas with replacement", value=True, key="replace", persist_state="session",
        help="Off: each replica at most once in a draw, while n is smaller than the pool.",
    )
    return labels[name], replace


def show(now: view.View, label: str, result: Replication) -> None:
    """Show the sentence, the three figures and the table."""
    for sentence in result.sentences(literal(now.baseline), literal(now.system)) if hasattr(result, "sentences") else ():
        st.markdown(f"**{sentence}**")
    if result.note:
        st.info(literal(result.note))
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
    downloads.table(now, frame, "replication", caption=f"Difference in {label} against the number of replicas")


main()
