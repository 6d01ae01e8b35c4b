"""What nobody asks for any more is forgotten, and its memory given back; in the background, once for the server."""

from __future__ import annotations

import gc
import os
import threading
import time
from collections.abc import Callable, Sequence

import streamlit as st

from mtsig_core.runtime.memory import return_free_memory
from pages.parts import background, downloads, opened

REMEMBER = "MTSIG_REMEMBER"  # minutes
PAUSE = 30.0  # seconds between two looks


def minutes_of_environment() -> float:
    """Return for how many minutes results are kept in memory after somebody asked for them last.

    Raises
    ------
    ValueError
        When ``MTSIG_REMEMBER`` is no number above 0.
    """
    given = os.environ.get(REMEMBER, "").strip() or "10"
    try:
        minutes = float(given)
    except ValueError:
        minutes = 0.0
    if not minutes > 0:
        raise ValueError(f"{REMEMBER} must be a number of minutes above 0, such as 10; got {given!r}.")
    return minutes


def look(drops: Sequence[Callable[[float], int]], seconds: float) -> None:
    """Forget what nobody asked for in so many seconds, and give the memory back."""
    if sum(drop(seconds) for drop in drops):
        gc.collect()  # holds up pages for a moment, so only then
    return_free_memory()


@st.cache_resource(show_spinner=False)
def start() -> None:
    """Look again and again, as long as the server runs."""
    seconds = 60 * minutes_of_environment()
    drops = [kept.drop_unused for kept in (opened.memo(), background.finished(), downloads.figures())]

    def again() -> None:
        while True:
            time.sleep(min(PAUSE, seconds))
            look(drops, seconds)

    threading.Thread(target=again, name="mtsig-housekeeping", daemon=True).start()
