"""Compare, whether system B is better than system A."""

from __future__ import annotations

import streamlit as st

from pages.parts import page, view
from pages.parts.compare import all_sets, answer, methods, tests, why
from pages.parts.sections import Section, show
from pages.parts.text import literal


def main() -> None:
    """Draw the page."""
    now = view.current()
    if now.system is None:
        page.begin(now, "Compare")
        st.info(view.ONE_SYSTEM)
        return
    question = f"Is {literal(now.system)} (B) better than {literal(now.baseline)} (A) on {literal(now.test_set)}?"
    page.begin(now, "Compare", question)
    system = now.system
    show("compare", [
        Section("answer", "Answer", lambda: answer.draw(now, system)),
        Section("tests", "Tests", lambda: tests.draw(now, system)),
        Section("why", "Why", lambda: why.draw(now, system)),
        Section("methods", "Methods", lambda: methods.draw(now, system)),
        Section("all", "All test sets and metrics", lambda: all_sets.draw(now, system)),
    ])  # fmt: skip


main()
