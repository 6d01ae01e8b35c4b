"""A direction that is confirmed beside a verdict: taken at once, and kept for a new upload of the same files."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from mtsig_core.loading import corrections as mapping
from pages.parts import opened, visitors
from pages.parts.data import stored_corrections
from pages.parts.data.desk import Desk


def state_direction(metric: str, higher_is_better: bool) -> None:
    """State the direction of a metric whose direction was assumed (for a button's callback)."""
    now: opened.Opened = st.session_state.opened
    opened.set_direction(metric, higher_is_better)
    if now.recognition is None:
        return
    desk = st.session_state.get("desk")
    if desk is None or desk.recognition is not now.recognition:
        first = mapping.recognised(now.recognition, now.experiment)
        desk = st.session_state.desk = Desk(now.recognition, first, first)
    stated = {metric: higher_is_better}
    desk.applied = replace(desk.applied, directions={**desk.applied.directions, **stated})
    desk.draft = replace(desk.draft, directions={**desk.draft.directions, **stated})
    if now.demonstration is None:
        stored_corrections.remember(visitors.owner(), now.recognition, desk.applied)
