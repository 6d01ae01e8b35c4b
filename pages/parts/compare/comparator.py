"""The comparator: all tests of two systems side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from mtsig_core.analysis.comparison import Comparison
from mtsig_core.reports.comparator import comparator
from pages.parts import downloads
from pages.parts.explanations import what_is_this
from pages.parts.matrices import coloured
from pages.parts.text import literal
from pages.parts.view import View

KEY = "all presets"
ROW_HEIGHT = 104  # pixels: five lines, so that a rule of 280 pixels is read without scrolling


def wants_all() -> bool:
    """Say whether the tests as published are asked for, too."""
    return bool(st.session_state.get(KEY, False))


def show(now: View, comparisons: Sequence[Comparison]) -> None:
    """Show tests x metrics with verdicts at alpha, what each asks, and where they part ways."""
    st.subheader("Tests")
    st.toggle(
        "All presets, also as published", key=KEY, persist_state="session",
        help="Adds the rules of Koehn, Graham's lecture, sacreBLEU, MultEval and Fu, with what each overclaims.",
    )
    table = comparator(comparisons)
    frame = table.to_frame()
    words = table.outcomes.reset_index(drop=True)
    system = literal(comparisons[0].b)
    st.caption(f"▲ better, ▼ worse, ○ undecided: what each test says of {system} at level {now.settings.alpha:g}.")
    st.dataframe(
        coloured(frame, words), hide_index=True, key="comparator", height="content", row_height=ROW_HEIGHT,
        column_config=_widths(table.labels), alt="p-values and verdicts of all tests under all metrics",
    )
    downloads.buttons(frame, "comparator", downloads.file_name("mtsig", now.test_set, "tests"),
                      caption=f"Tests of {now.system} against {now.baseline} on {now.test_set}")
    for text in table.disagreements:
        st.markdown(f":material/call_split: **The tests disagree.** {literal(text)}")
    if any(t.warning for c in comparisons for t in c.tests):
        st.caption("⚠ overclaims: the last column says what. Such a test never decides the verdict.")
    notes = [f"{t.preset.label}: {t.note}" for c in comparisons for t in c.tests if t.note]
    for text in dict.fromkeys(notes):
        st.caption(literal(text))
    what_is_this("tests")


def _widths(labels: Sequence[str]) -> dict[str, Any]:
    """Return widths by which p under two metrics and the rule stand side by side in a window of 1280 pixels."""
    widths = {"test": 150, **dict.fromkeys(labels, 122), "how p comes about": 280, "question": 140,
              "smallest reachable p": 110, "measured false alarms at .05": 240, "what it overclaims": 320}
    return {name: st.column_config.TextColumn(width=width) for name, width in widths.items()}
