"""How every page begins: title, question, and what must be known before any number on it is believed."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from pages.parts import address
from pages.parts.text import keep_together, literal
from pages.parts.view import View

Segments = Literal["of the pair", "common", "own"]
TUNING_SET = (
    "**This is the tuning set.** Systems were tuned on it, so its scores flatter them: choose a test set in the "
    "sidebar before you conclude anything."
)
ONE_RUN_EACH = (
    "Each system has **one replica** (one training or tuning run). How much scores vary from run to run is unknown and "
    "not accounted for on this page."
)


def begin(
    now: View, title: str, question: str = "", segments: Segments = "of the pair", *, single_runs: str = ONE_RUN_EACH
) -> None:
    """Draw the title of a page, its question, and its cautions.

    Parameters
    ----------
    now : View
    title : str
    question : str
        What the page answers, as Markdown; names from files are escaped by the caller.
    segments : {"of the pair", "common", "own"}
        Which segments count where some scores are missing: those of the pair (its result says so), those that all
        systems have, or each system's own.
    single_runs : str
        What is said where each system has one replica.
    """
    heading(title, question)
    cautions(now, segments, single_runs)


def heading(title: str, question: str = "") -> None:
    """Draw the title and the question of a page that is not about the open experiment."""
    st.title(title)
    if question:
        st.markdown(keep_together(question))
    address.show_refused(title)


def cautions(now: View, segments: Segments, single_runs: str = ONE_RUN_EACH) -> None:
    """Draw what must be known before any number is believed: a tuning set, single runs, segments left out."""
    role = next(t.role for t in now.experiment.test_sets if t.name == now.test_set)
    if role == "dev":
        st.warning(TUNING_SET, icon=":material/model_training:")
    if all_single(now):
        st.warning(single_runs, icon=":material/casino:")
    _say_of_copies(now)
    if segments == "of the pair":
        return
    for note in now.bench.notes([now.test_set], now.metrics, own_segments=segments == "own"):
        st.caption(f":material/info: {literal(note)}")


def all_single(now: View) -> bool:
    """Say whether every system has one replica on the test set; copies of one output count as one."""
    return all(s.runs_on(now.test_set) < 2 for s in now.experiment.systems_present_on(now.test_set))


def _say_of_copies(now: View) -> None:
    for system in now.experiment.systems_present_on(now.test_set):
        n = len(system.present_on(now.test_set))
        if system.runs_on(now.test_set) < n:
            same = f"The {n:,} replicas of {system.name} have exactly the same output"
            st.caption(f":material/info: {literal(same)}: they count as one, and show nothing of how its runs vary.")
