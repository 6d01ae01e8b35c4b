"""Compare, Methods: the differences that single runs would have shown, and p against the size of a difference."""

from __future__ import annotations

import streamlit as st

from mtsig_core.figures.s_diff import p_against_difference_figure, single_difference_histogram
from mtsig_core.formatting import format_score, score_decimals
from mtsig_core.metrics import Metric
from mtsig_core.reports.pairs.tables import threshold_frame
from pages.parts import address, downloads, explanations
from pages.parts.background import answer
from pages.parts.view import View


def section(now: View, system: str, metric: Metric) -> None:
    """Show the differences of single pairs of replicas, and p against the size of a difference."""
    pair = now.pair(metric, system)
    result = answer("observed difference", (*now.key, metric.key),
                   lambda progress, publish: pair.observed_difference(settings=now.settings, progress=progress))
    if result is None:
        return
    left, right = st.columns(2)
    with left:
        explanations.heading("Differences of single runs", "single-differences")
        downloads.figure(now, single_difference_histogram(result.singles, metric.label), "s-diff",
                         alt="Differences of single pairs of replicas with a normal fit")
    with right:
        explanations.heading("p against the size of a difference", "p-against-difference")
        curves = result.curves
        top = float(curves.x[-1])
        asked = _asked(f"s_diff {metric.name} {system} {now.baseline} {top:.6f}", abs(curves.difference), top)
        downloads.figure(now, p_against_difference_figure(curves, metric.label, asked), "p-curve",
                         alt="p of each test against the size of the difference")
    decimals = score_decimals([top * 10])  # a difference is a small part of the scale
    downloads.table(now, threshold_frame(curves, asked), "p-at-difference",
                    caption=f"p of a difference of {format_score(asked, decimals)} {metric.label} on {now.test_set}")


def _asked(key: str, observed: float, top: float) -> float:
    """Ask for a difference, dragged or typed: either control follows the other."""
    typed = f"{key} typed"
    kept = address.number("s_diff", key, 0.0, top, min(observed, top))
    st.session_state[typed] = st.session_state[key]

    def take() -> None:
        st.session_state[key] = st.session_state[typed]
        kept["on_change"](*kept["args"])

    shown = f"%.{score_decimals([top])}f"
    drag, write = st.columns([3, 2], vertical_alignment="bottom")
    drag.slider("A difference to ask about", 0.0, top, step=top / 200, format=shown, **kept)
    write.number_input("Or type it", 0.0, top, step=top / 20, format=shown, key=typed, on_change=take)
    return float(st.session_state[key])
