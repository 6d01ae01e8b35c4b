"""Rank systems, Methods of Fu: overlap of intervals, and three ways to use replicas side by side."""

from __future__ import annotations

import streamlit as st

from mtsig_core.figures.three_methods import method_intervals, overlap_bars
from mtsig_core.metrics import Metric
from mtsig_core.reports.pairs.tables import three_methods_frame
from pages.parts import address, downloads, explanations
from pages.parts.background import answer
from pages.parts.matrices import FIRST
from pages.parts.rank.pairwise import choose_metric, pairwise
from pages.parts.text import literal
from pages.parts.view import View

MOST_METHOD_SYSTEMS = 40
SHOWN_AT_FIRST = 5  # systems: of more, the page would be longer than two screens


def draw(now: View) -> None:
    """Draw the section."""
    metric = choose_metric(now)
    _overlaps(now, metric)
    explanations.heading("Three ways to use replicas", "three-methods")
    names = list(now.bench.statistics(now.test_set, metric).systems)
    asked = st.toggle("Compare the methods of Riezler, Clark and Fu", **address.switch("three", "three methods"),
                      help="Draws and swaps single outputs of all replicas: may take a minute on large pools.")
    if len(names) > 2:
        names = st.multiselect("Systems", names, names[:SHOWN_AT_FIRST], max_selections=MOST_METHOD_SYSTEMS,
                               key="method systems")
    if not asked:
        return
    if len(names) < 2:
        st.info("Choose at least two systems.")
        return
    result = answer("three methods", (*now.key, metric.key, tuple(names)), lambda progress, publish:
                   now.bench.three_methods(now.test_set, metric, names, settings=now.settings, progress=progress))
    if result is None:
        return
    left, right = st.columns(2)
    with left:
        downloads.figure(now, method_intervals(result), "method-intervals", frame=result.interval_frame(),
                         alt="Intervals of each system by three methods")
    with right:
        downloads.figure(now, overlap_bars(result), "method-overlaps", alt="Overlap ratios of pairs by three methods")
    frame = three_methods_frame(result, now.settings)
    downloads.table(now, result.pair_frame(), "three-methods", shown=frame,
                    caption=f"Pairs of systems by three methods on {now.test_set}, {result.label}",
                    height=288)
    st.caption("Riezler's method uses one replica of each system, the median one: "
               + literal(", ".join(f"{system} {replica}" for system, replica in result.replica.items())) + ".")


def _overlaps(now: View, metric: Metric) -> None:
    result = pairwise(now, metric, None)
    if result is None:
        return
    explanations.heading("Overlap of intervals", "overlap")
    matrix = result.overlap_matrix()
    st.dataframe(matrix.style.format("{:.2f}", na_rep="—"), key="overlap matrix",
                 height="content" if len(matrix) <= 12 else 420, column_config=FIRST,
                 alt="Overlap of every pair of systems")
    downloads.buttons(matrix.reset_index(names="system"), "overlap-matrix",
                      downloads.file_name("mtsig", now.test_set, "overlap"),
                      caption=f"Overlap of the intervals of every two systems, {metric.label} on {now.test_set}")
