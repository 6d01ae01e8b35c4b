"""What the first screen is made of; it stands before anything that takes long to import is imported.

What the first screen says of a demonstration is computed when the demonstration is built, and shipped beside it.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from data import DEFAULT_DEMONSTRATION, DEMONSTRATIONS, FIRST_SCREENS
from mtsig_core.storage.home import OPEN_AT_START
from pages.parts import address, downloads
from pages.parts.overview.still import fix_axis, still
from pages.parts.text import literal

TITLE = "Is one system really better, or was it a lucky run?"
WHAT = (
    "Training the same system twice gives different scores. mtsig compares several runs of each system and tells you "
    "whether a difference would hold with new runs on new text."
)
HEAD_START = 2.2  # seconds: a browser that is sent the sidebar at once loads its controls before the chart
TITLE_FIRST = 0.04  # seconds: a browser draws what comes at once at once, the title with all that takes longer
BEGUN = ("opened", "pending", "asked")  # in the session, as soon as anything was opened or asked for


@dataclass(frozen=True)
class Shown:
    """What the downloads of the first screen need to know."""

    test_set: str
    picture: str = "svg"


def is_untouched() -> bool:
    """Say whether a visit has asked for nothing but the first demonstration's first screen, and it was shipped."""
    asked = bool(st.query_params.to_dict() or os.environ.get(OPEN_AT_START))
    return DEFAULT_DEMONSTRATION in shipped() and not asked and not any(key in st.session_state for key in BEGUN)


@cache
def shipped() -> dict[str, dict[str, Any]]:
    """Return the first screens of the demonstrations as they were computed when these were built, by name."""
    return json.loads(FIRST_SCREENS.read_text(encoding="utf-8")) if FIRST_SCREENS.exists() else {}


def draw() -> None:
    """Draw the whole first screen of the first demonstration from what was shipped."""
    screen = shipped()[DEFAULT_DEMONSTRATION]
    opening()
    time.sleep(TITLE_FIRST)
    banner(DEFAULT_DEMONSTRATION, "", screen["size"])
    verdict(Shown(screen["test_set"]), screen)
    doors()


def opening() -> None:
    """Say what this is."""
    st.title(TITLE)
    st.markdown(WHAT)
    address.show_refused(TITLE)


def banner(demonstration: str | None, name: str, size: str) -> None:
    """Name the data, and offer to open others."""
    stored = DEMONSTRATIONS.get(demonstration or "")
    kind = "Demonstration (synthetic text)" if stored else "Your data"
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f"*{kind}:* **{literal(stored.title if stored else name)}**  \n{literal(size)}", width="stretch")
        st.page_link("pages/start/data.py", label="Open your own outputs", icon=":material/upload_file:")
        if stored:
            other = next(n for n in DEMONSTRATIONS if n != stored.name)
            st.button("Other demonstration", on_click=_open_demonstration, args=(other,), type="tertiary",
                      icon=":material/swap_horiz:")


def _open_demonstration(name: str) -> None:
    from pages.parts import opened

    opened.pend_demonstration(name)


def verdict(shown: downloads.Named, screen: dict[str, Any]) -> None:
    """Draw the sentences, the chart, and what single runs would have shown, of a shipped screen."""
    claims([(claim, "", evidence) for claim, evidence in screen["answers"]])
    figure = go.Figure(screen["figure"])
    fix_axis(figure)
    with st.container(key="first-chart"):
        st.html(still(figure))  # a browser takes a second to load Plotly: until then this stands in its place
        chart(shown, figure)
    st.markdown(literal(screen["single_runs"]))


def claims(said: Sequence[tuple[str, str, str]]) -> None:
    """Draw one sentence a metric: what is claimed, what it rests on that was guessed, and the evidence."""
    with st.container(key="verdict"):
        for claim, note, evidence in said:
            st.markdown(f"**{literal(claim)}**{f' ({note})' if note else ''}, {literal(evidence)}.")


def chart(shown: downloads.Named, figure: go.Figure) -> None:
    """Draw the difference under each metric."""
    downloads.figure(shown, figure, "differences", alt="Difference under each metric with the interval of the verdict")


def doors(*, compared: bool = True, text: bool = True) -> None:
    """Link to what people ask next: of two systems that were compared, or of the runs of one; with text, or without."""
    with st.container(horizontal=True):
        if compared:
            st.page_link("pages/explore/compare.py", label="Why?", icon=":material/help:",
                         query_params={"section": "why"})
            st.page_link("pages/explore/plan.py", label="How many runs do I need?",
                         icon=":material/format_list_numbered:")
        else:
            st.page_link("pages/explore/replicas.py", label="How far do its runs differ?",
                         icon=":material/scatter_plot:")
        if text:
            st.page_link("pages/explore/read.py", label="Read example outputs", icon=":material/menu_book:")
