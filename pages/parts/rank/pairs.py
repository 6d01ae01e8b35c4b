"""Rank systems, Pairs: p of every pair, corrected for their number, and the overlap of their intervals."""

from __future__ import annotations

import streamlit as st

from mtsig_core.analysis.systems.pairwise import CORRECTIONS, Correction, Pairwise
from mtsig_core.reports.pairs.tables import p_matrix, p_numbers, pairs_frame
from pages.parts import address, downloads, explanations, sidebar
from pages.parts.matrices import clickable
from pages.parts.rank.pairwise import choose_metric, choose_preset, pairwise
from pages.parts.text import keep_together, literal
from pages.parts.view import View


def draw(now: View) -> None:
    """Draw the section."""
    *left, middle, right = st.columns(3 if len(now.metrics) > 1 else 2)
    with left[0] if left else st.container():
        metric = choose_metric(now)
    with middle:
        preset = choose_preset()
    correction: Correction = right.selectbox(
        "Correction for the number of pairs", list(CORRECTIONS), format_func=CORRECTIONS.__getitem__,
        **address.choice("correction", "correction", CORRECTIONS))
    result = pairwise(now, metric, preset)
    if result is None:
        return
    st.caption(f"{literal(result.preset.label)}: {literal(result.preset.question)}.")
    if result.preset.warning:
        st.warning(literal(result.preset.warning), icon=":material/warning:")
    explanations.heading("p of every pair", "pairs")
    _p_matrix(now, result, correction)
    with st.expander("Numbers"):
        _pair_table(now, result)


def _p_matrix(now: View, result: Pairwise, correction: Correction) -> None:
    st.caption(keep_together(
        f"Row against column, best first; ▲ the row is better, ▼ worse, ○ inconclusive at α = {result.alpha:g} "
        f"(correction: {CORRECTIONS[correction]}). Click a cell to open Compare."
    ))
    texts, words = p_matrix(result, correction)
    version = st.session_state.setdefault("pairs clicked", 0)
    place = clickable(texts, words, f"p matrix {version}", alt="p-values of every pair of systems")
    downloads.buttons(p_numbers(result, correction).reset_index(names="system"), "p-matrix",
                      downloads.file_name("mtsig", now.test_set, "p-matrix"),
                      caption=f"p of every pair of systems, best first, {result.label} on {now.test_set} "
                              f"(correction: {CORRECTIONS[correction]})")
    if place is not None and place[0] != place[1]:
        st.session_state["pairs clicked"] = version + 1  # a new matrix has no cell chosen when one comes back
        sidebar.request_pair(result.systems[place[1]], result.systems[place[0]])
        # the sidebar puts its values into the address again; None would refuse to clear it
        st.switch_page("pages/explore/compare.py", query_params={})



def _pair_table(now: View, result: Pairwise) -> None:
    frame = pairs_frame(result)
    downloads.table(now, result.to_frame(), "pairs", shown=frame,
                    caption=f"All pairs of systems on {now.test_set}, {result.label}",
                    height="content" if len(frame) <= 12 else 420)
