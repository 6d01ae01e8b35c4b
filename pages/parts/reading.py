"""Two replicas' segments side by side, for a reader."""

from __future__ import annotations

import html
from typing import Any

import pandas as pd
import streamlit as st

from mtsig_core.analysis.segments import SegmentTable
from mtsig_core.metrics import Metric
from mtsig_core.words import score_decimals
from pages.parts import downloads
from pages.parts.answers import answer
from pages.parts.explain import what_is_this
from pages.parts.text import literal
from pages.parts.view import View

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


def show(now: View, metric: Metric, a: tuple[str, str], b: tuple[str, str]) -> None:
    """Show the two medians' segments side by side."""
    st.header("Read side by side")
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

