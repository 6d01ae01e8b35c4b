"""The verdict in plain words, on top of a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import streamlit as st

from mtsig_core.analysis.comparison import Comparison
from pages.parts.explanations import what_is_this
from pages.parts.text import literal

BADGES: dict[str, tuple[str, str, Literal["green", "red", "orange", "gray"]]] = {
    "better": ("Better", ":material/trending_up:", "green"),
    "worse": ("Worse", ":material/trending_down:", "red"),
    "higher": ("Higher", ":material/arrow_upward:", "gray"),
    "lower": ("Lower", ":material/arrow_downward:", "gray"),
    "undecided": ("Undecided", ":material/help:", "orange"),
    "same outputs": ("No difference", ":material/equal:", "gray"),
    "not defined": ("Not defined", ":material/block:", "gray"),
}


def cards(comparisons: Sequence[Comparison]) -> None:
    """Draw one card a metric: what can be said, and what each kind of luck adds."""
    with st.container(border=True):
        for comparison in comparisons:
            word, icon, colour = BADGES[comparison.verdict.outcome]
            with st.container(horizontal=True, vertical_alignment="center"):
                st.badge(f"{comparison.label}: {word}", icon=icon, color=colour)
                st.markdown(f"**{literal(comparison.verdict.headline)}**", width="stretch")
            st.markdown("\n".join(f"- {literal(detail)}" for detail in comparison.verdict.details))
        what_is_this("verdict")
