"""Median system: which replica to read, and its segments beside the baseline's."""

from __future__ import annotations

import html
from typing import Any

import pandas as pd
import streamlit as st

from mtsig_core.analysis.median import MedianReplica, RankTable, reading_warning
from mtsig_core.analysis.segments import SegmentTable
from mtsig_core.figures.median import replica_order
from mtsig_core.metrics import Metric
from mtsig_core.words import format_score, score_decimals
from pages.parts import downloads, view
from pages.parts.answers import answer
from pages.parts.explain import what_is_this
from pages.parts.text import literal

ORDERS = {
    "Largest gain of B first": lambda f: f.sort_values("gain", ascending=False, kind="stable"),
    "Largest loss of B first": lambda f: f.sort_values("gain", kind="stable"),
    "Order of the test set": lambda f: f,
}
HIGHLIGHT = {
    "same": "",
    "only a": "background:#d55e0040;font-weight:600",
    "only b": "background:#0072b240;font-weight:600;text-decoration:underline",
}
NAME_CELL = "width:11rem;text-align:left;vertical-align:top;padding:.35rem 1rem .35rem 0;font-weight:600"
TEXT_CELL = "padding:.35rem 0;vertical-align:top;overflow-wrap:anywhere"


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
        return
    readable = [(name, medians[name][0].replica) for name in chosen if _has_output(now, name, medians[name][0].replica)]
    if len(readable) == 2:
        read(now, metric, readable[0], readable[1])
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


def read(now: view.View, metric: Metric, a: tuple[str, str], b: tuple[str, str]) -> None:
    """Show the two medians' segments side by side."""
    st.header("Read them side by side")
    table = answer("segments", (*now.key, metric.key, a, b),
                   lambda progress, publish: now.bench.segments(now.test_set, metric, a, b, progress))
    if table is None:
        return
    left, right = st.columns(2)
    order = left.selectbox("Order", list(ORDERS), key="order", persist_state="session")
    wanted = right.text_input("Only segments that contain", key="contains", persist_state="session")
    frame = ORDERS[order](table.to_frame())
    if wanted:
        texts = frame.select_dtypes("str").drop(columns="all replicas say")
        frame = frame[texts.apply(lambda c: c.str.contains(wanted, case=False, regex=False)).any(axis=1)]
    if frame.empty:
        st.info("No segment contains this text.")
        return
    decimals = score_decimals(map(float, table.score_a)) - 1  # of a segment: one less than of a test set
    st.caption(f"{len(frame):,} of {len(table.index):,} segments. Select a row to read it in full.")
    event = st.dataframe(
        frame, hide_index=True, height=320, key=f"segments {order} {wanted}", on_select="rerun",
        selection_mode="single-row", column_config=_columns(frame, decimals),
        alt="Segments of both systems side by side",
    )
    row = event.selection.rows[0] if event.selection.rows and event.selection.rows[0] < len(frame) else 0
    segment(table, int(frame.segment.iloc[row]), decimals)
    downloads.buttons(frame, "segments", downloads.file_name("mtsig", now.test_set, "segments"), latex=False)
    what_is_this("segments")


def _columns(frame: pd.DataFrame, decimals: int) -> dict[str, Any]:
    numbers = frame.select_dtypes("number").columns.drop("segment")
    return {name: st.column_config.NumberColumn(format=f"%.{decimals}f") for name in numbers}


def segment(table: SegmentTable, index: int, decimals: int) -> None:
    """Show one segment in full, the words that only one output has marked."""
    i = table.row(index)
    rows = [("Source", html.escape(table.source[i]))] if table.source else []
    rows += [("Reference", html.escape(text)) for text in table.references[i]]
    pieces = table.diff(index)
    for side, system, score in (("a", table.a, table.score_a[i]), ("b", table.b, table.score_b[i])):
        text = "".join(
            f'<span style="{HIGHLIGHT[kind]}">{html.escape(words)}</span>'
            for words, kind in pieces if kind in ("same", f"only {side}")
        )
        name = f"{html.escape('/'.join(system))}<br><small>{html.escape(table.label)} {score:.{decimals}f}</small>"
        rows.append((name, text or "<i>empty</i>"))
    body = "".join(
        f'<tr><th style="{NAME_CELL}">{name}</th><td dir="auto" style="{TEXT_CELL}">{text}</td></tr>'
        for name, text in rows
    )
    with st.container(border=True):
        st.caption(f"Segment {index}" + (f", document {literal(table.document[i])}" if table.document else ""))
        st.html(f'<table style="width:100%;border-collapse:collapse">{body}</table>')


main()
