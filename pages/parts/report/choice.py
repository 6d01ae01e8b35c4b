"""Report: what goes in."""

from __future__ import annotations

import streamlit as st

from mtsig_core.reports.paper.model import COMPARING, DEFAULT_PARTS, PARTS
from mtsig_core.reports.paper.results import ReportRequest
from pages.parts.text import literal
from pages.parts.view import View

SLOW = "Takes longer: each pair of runs is tested, or experiments are simulated."


def draw(now: View) -> ReportRequest | None:
    """Draw the choice; return it, or None where nothing is chosen."""
    with st.container(border=True):
        parts = _parts([name for name in PARTS if now.system or name not in COMPARING])
        left, right = st.columns(2)
        with left:
            sets = _several("Test sets", [t.name for t in now.experiment.test_sets], [now.test_set], "report sets")
        with right:
            others = [s.name for s in now.experiment.systems if s.name != now.baseline]
            label = f"Systems compared with {literal(now.baseline)}"
            systems = _several(label, others, [now.system or ""], "report systems")
    if not parts or not sets:
        st.info("Choose one part and one test set at least.")
        return None
    return ReportRequest(parts, tuple(sets), now.metrics, now.baseline, tuple(systems))


def _parts(names: list[str]) -> tuple[str, ...]:
    """Draw a checkbox for each of some parts; return those that are wanted."""
    columns = st.columns(2)
    wanted = []
    for i, name in enumerate(names):
        slow = name not in DEFAULT_PARTS
        ticked = columns[i % 2].checkbox(
            PARTS[name], key=f"report {name}", value=not slow, persist_state="session", help=SLOW if slow else None
        )
        wanted += [name] if ticked else []
    return tuple(wanted)


def _several(label: str, names: list[str], default: list[str], key: str) -> list[str]:
    """Draw a choice of several names; one that the experiment does not have is forgotten."""
    if not names:
        return []
    known = st.session_state.get(key)
    if known is None or not set(known) <= set(names):
        st.session_state[key] = [name for name in default if name in names] or names[:1]
    return st.multiselect(label, names, key=key, persist_state="session")
