"""Read and annotate, Choose the run: trusted metrics, the set that selects, and the order of all replicas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from mtsig_core.analysis.reading.median import RankTable
from mtsig_core.figures.median import replica_order
from mtsig_core.formatting import format_score, score_decimals
from mtsig_core.metrics import Metric
from mtsig_core.reports.reading import rank_frame
from pages.parts import downloads, explanations
from pages.parts.read.chosen import SELECTION, TRUSTED, Choice, Chosen, choose, labels_of, selection_sets
from pages.parts.text import literal
from pages.parts.view import View


def draw(now: View) -> None:
    """Draw the section."""
    usable = [m for m in now.metrics if m.is_quality]
    if usable:
        _controls(now, usable)
    choice = choose(now)
    if choice is None:
        return
    explanations.heading("The replica to read", "median")
    for metric in choice.trusted:
        if any(metric.name not in each.trusted.metrics for each in choice.systems):
            st.caption(f":material/info: {literal(metric.label)} does not score all these replicas on "
                       f"{literal(choice.selection)}, so it does not count.")
    columns = st.columns(2, gap="large") if len(choice.systems) == 2 else [st.container()]
    for column, each in zip(columns, choice.systems, strict=True):
        with column:
            _one_system(each, labels_of(now), choice)
            if len(each.ranks.replicas) > 1:
                _order_and_ranks(now, each, choice.trusted[0], labels_of(now))


def _controls(now: View, usable: Sequence[Metric]) -> None:
    left, right = st.columns(2)
    labels = {m.name: m.label for m in usable}
    before = st.session_state.get(TRUSTED)
    if before is not None:
        st.session_state[TRUSTED] = [name for name in before if name in labels]
    names = left.pills(
        "Trusted metrics", list(labels), default=None if before is not None else [next(iter(labels))],
        selection_mode="multi", format_func=labels.__getitem__, key=TRUSTED, persist_state="session",
        help="With several, the replica closest to the median under all of them is read.",
    )
    if not names:
        left.caption(f"No metric is trusted yet: {literal(usable[0].label)} is used.")
    first = next((m for m in usable if m.name in names), usable[0])
    sets = selection_sets(now, first)
    if len(sets) < 2:  # nothing to choose between
        return
    right.selectbox(
        "Chosen on", sets, key=f"{SELECTION} {now.test_set}", persist_state="session",
        help="Better another set than the one that is read (the test set in the sidebar).",
    )


def _one_system(chosen: Chosen, labels: Mapping[str, str], choice: Choice) -> None:
    """Say which replica to read of one system, and why; let the reader take another."""
    name, table = chosen.system, chosen.trusted
    st.markdown(f"### {literal(name)}")
    several = len(table.metrics) > 1 and len(table.replicas) > 2
    why = f", closest to the median under {len(table.metrics)} metrics" if several else ""
    read = f"**{literal(table.closest)}**{why}" if len(table.replicas) > 1 else "the only replica"
    st.markdown(f"Read {read}: {_scores(choice, table, labels)} on {literal(choice.selection)}.")
    if not table.agree and len(table.replicas) > 2:
        medians = zip(table.metrics, table.medians, strict=True)
        says = ", ".join(f"{literal(labels[m])} {literal(r)}" for m, r in medians)
        st.caption(f":material/call_split: The metrics disagree on the median: {says}.")
    if chosen.first.note and not several:
        st.caption(literal(chosen.first.note))
    kinds = chosen.kinds
    if len(kinds) > 1:
        st.segmented_control(
            "Replica to read", list(kinds), default=table.closest, required=True, key=f"replica read of {name}",
            format_func=lambda replica: f"{kinds[replica]}: {literal(replica)}", persist_state="session",
        )


def _scores(choice: Choice, table: RankTable, labels: Mapping[str, str]) -> str:
    """Return the scores of the replica to read, under each metric with the digits that all systems' scores deserve."""
    row = table.replicas.index(table.closest)
    every = [(each.trusted.metrics, each.trusted.scores) for each in choice.systems]
    decimals = {name: score_decimals(x for names, scores in every if name in names
                                     for x in scores[:, names.index(name)]) for name in table.metrics}
    return ", ".join(f"{literal(labels[name])} {format_score(float(table.scores[row, j]), decimals[name])}"
                     for j, name in enumerate(table.metrics))


def _order_and_ranks(now: View, chosen: Chosen, metric: Metric, labels: Mapping[str, str]) -> None:
    name, table = chosen.system, chosen.ranks
    if len(table.metrics) > 1:
        caption = f"Ranks of the replicas of {name} on {now.test_set}"
        many = len(table.replicas) > 8
        downloads.table(now, table.to_frame(), f"ranks-{name}", caption=caption, height=320 if many else "content",
                        shown=rank_frame(table, labels))
    if len(chosen.trusted.metrics) == 1:
        scores = dict(zip(table.replicas, map(float, table.scores[:, 0]), strict=True))
        drawn = replica_order(chosen.first, scores, label=metric.label, higher_is_better=metric.higher_is_better,
                              colour=now.colours[name], height=260)
        order = chosen.first.to_frame()
        order.insert(1, metric.label, order["replica"].map(scores))
        downloads.figure(now, drawn, f"order-{name}", alt=f"Replicas of {name} ordered by quality, the median marked",
                         frame=order)
