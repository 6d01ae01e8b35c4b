"""Median system: which replica to read, and its segments beside the baseline's."""

from __future__ import annotations

import streamlit as st

from mtsig_core.analysis.median import MedianReplica, RankTable, reading_warning
from mtsig_core.figures.median import replica_order
from mtsig_core.metrics import Metric
from mtsig_core.words import format_score, score_decimals
from pages.parts import annotate, differ, downloads, reading, view
from pages.parts.answers import answer
from pages.parts.explain import what_is_this
from pages.parts.text import literal

VIEWS = {  # label -> show(now, metric, a, b), a and b being (system, replica); only the chosen one is computed
    "Read side by side": reading.show,
    "Where do they differ?": differ.show,
    "Annotate": annotate.show,
}


def main() -> None:
    """Draw the page."""
    now = view.current()
    st.title("Median system")
    st.markdown("Reading outputs by hand? Read the replica in the middle, not the lucky one.")
    metric, selection = controls(now)
    if selection == now.test_set:
        st.warning(literal(reading_warning(selection, now.test_set)))
    metrics = (metric, *(m for m in now.metrics if m.name != metric.name))
    key = (*now.key, metric.key, selection)
    medians = answer("median", key, lambda progress, publish: now.bench.medians(selection, metrics, progress))
    if medians is None:
        return
    chosen = [name for name in (now.baseline, now.system) if name and name in medians]
    for column, name in zip(st.columns(2), chosen, strict=False):
        with column:
            one_system(now, name, metric, selection, *medians[name])
    what_is_this("median")
    if not any(now.experiment.system(name).on(now.test_set) for name in chosen):
        where = f"This experiment holds scores and no text on {literal(now.test_set)}"
        st.info(f"{where}: read the replicas named above in your own files.")
        if len(chosen) == 2:
            a, b = ((name, medians[name][0].replica) for name in chosen)
            differ.show(now, metric, a, b)
        return
    readable = [(name, medians[name][0].replica) for name in chosen if _has_output(now, name, medians[name][0].replica)]
    if len(readable) == 2:
        chosen_view = st.segmented_control(
            "What to do", list(VIEWS), default=next(iter(VIEWS)), required=True, key="median view",
            persist_state="session", label_visibility="collapsed",
        )
        VIEWS[chosen_view or next(iter(VIEWS))](now, metric, readable[0], readable[1])
    else:
        st.info("Reading side by side needs two systems whose median replicas have an output on this test set.")


def _has_output(now: view.View, system: str, replica: str) -> bool:
    return replica in {r.name for r in now.experiment.system(system).on(now.test_set)}


def controls(now: view.View) -> tuple[Metric, str]:
    """Choose the trusted metric and the set that selects."""
    left, right = st.columns(2)
    labels = {m.name: m for m in now.metrics}
    name = left.selectbox("Trusted metric", list(labels), format_func=lambda n: labels[n].label, key="trusted",
                          persist_state="session")
    both = (now.baseline, *([now.system] if now.system else []))
    sets = [t.name for t in now.experiment.test_sets if now.bench.can_score(t.name, labels[name], *both)]
    others = [n for n in sets if n != now.test_set and now.experiment.test_set(n).role != "dev"]
    others += [n for n in sets if n != now.test_set and n not in others]
    default = sets.index(others[0]) if others else 0
    selection = right.selectbox(
        "Chosen on", sets, index=default, key=f"chosen on {now.test_set}", persist_state="session",
        help="Better another set than the one that is read (the test set in the sidebar).",
    )
    return labels[name], selection


def one_system(
    now: view.View, name: str, metric: Metric, selection: str, median: MedianReplica, ranks: RankTable
) -> None:
    """Show which replica to read of one system, and why."""
    st.subheader(literal(name))
    score = format_score(median.score, score_decimals(map(float, ranks.scores[:, 0])))
    st.markdown(f"Read **{literal(median.replica)}**: {literal(metric.label)} {score} on {literal(selection)}.")
    if median.note:
        st.caption(literal(median.note))
    if len(median.order) > 1:
        scores = dict(zip(ranks.replicas, map(float, ranks.scores[:, 0]), strict=True))
        drawn = replica_order(median, scores, label=metric.label, higher_is_better=metric.higher_is_better,
                              colour=now.colours[name])
        downloads.figure(now, drawn, f"order-{name}", alt=f"Replicas of {name} ordered by quality, the median marked")
    if len(ranks.metrics) > 1 and len(median.order) > 1:
        with st.expander("Ranks under each metric"):
            st.markdown(f"Closest to the middle under all chosen metrics: **{literal(ranks.closest)}**")
            caption = f"Ranks of the replicas of {name}"
            downloads.table(now, ranks.to_frame(), f"ranks-{name}", caption=caption, height=240)


main()
