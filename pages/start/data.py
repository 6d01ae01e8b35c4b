"""Data, what was opened and whether it was understood."""

from __future__ import annotations

import streamlit as st

from pages.parts import page, view
from pages.parts.data import check, details
from pages.parts.data import open as opening
from pages.parts.sections import Section, show
from pages.parts.text import literal


def main() -> None:
    """Draw the page."""
    now = view.current(needs_metric=False)
    page.begin(now, "Data", f"Open now: **{literal(now.experiment.name)}**", segments="common")
    if now.system is not None:
        st.page_link("pages/start/overview.py", label="See the verdict", icon=":material/home:")
    else:
        st.page_link("pages/explore/replicas.py", label="See how far its runs differ", icon=":material/scatter_plot:")
    show("data", [
        Section("open", "Open", lambda: opening.draw(now)),
        Section("check", "Check and correct", lambda: check.draw(now)),
        Section("details", "Details", lambda: details.draw(now)),
    ])  # fmt: skip


main()
