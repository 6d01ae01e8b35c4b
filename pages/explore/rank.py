"""Rank systems, who is best and who is tied."""

from __future__ import annotations

import streamlit as st

from pages.parts import page, view
from pages.parts.rank import methods, pairs, ranks
from pages.parts.sections import Section, show
from pages.parts.text import literal


def main() -> None:
    """Draw the page."""
    now = view.current()
    page.begin(now, "Rank systems", f"Which system is best on {literal(now.test_set)}, and which are tied?",
               segments="common")
    if now.system is None:
        st.info(view.ONE_SYSTEM)
        return
    show("rank", [
        Section("ranks", "Ranks", lambda: ranks.draw(now)),
        Section("pairs", "Pairs", lambda: pairs.draw(now)),
        Section("methods", "Methods of Fu", lambda: methods.draw(now)),
    ])  # fmt: skip


main()
