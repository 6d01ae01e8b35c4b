"""The experiment that is open in this browser session, and how another takes its place."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from data import DEMONSTRATIONS
from mtsig_core.experiment import Experiment
from mtsig_core.loading import LoadReport, load
from mtsig_core.workbench import Memo, Workbench

DEFAULT_DEMONSTRATION = "travel"


@dataclass(frozen=True)
class Opened:
    """An experiment, what loading it said, and the demonstration that it is (None: the user's own)."""

    experiment: Experiment
    report: LoadReport
    demonstration: str | None = None


@st.cache_resource(show_spinner="Opening the demonstration…", max_entries=8)
def _load_demonstration(name: str) -> tuple[Experiment, LoadReport]:
    return load(DEMONSTRATIONS[name].path)


@st.cache_resource(show_spinner=False)
def _memo() -> Memo:
    return Memo()


def workbench(experiment: Experiment) -> Workbench:
    """Return the bench of an experiment; what it computes is kept in memory by content digest."""
    return Workbench(experiment, memo=_memo())


def current() -> Opened:
    """Return what is open; at first the demonstration that the address names, else the default one."""
    if "opened" not in st.session_state:
        name = st.query_params.get("demo", DEFAULT_DEMONSTRATION)
        st.session_state.opened = _demonstration(name if name in DEMONSTRATIONS else DEFAULT_DEMONSTRATION)
    return st.session_state.opened


def _demonstration(name: str) -> Opened:
    return Opened(*_load_demonstration(name), demonstration=name)


def pend_demonstration(name: str) -> None:
    """Take a demonstration as the open experiment when the app is drawn next (for a button's callback)."""
    st.session_state.pending = _demonstration(name)


def replace_by(experiment: Experiment, report: LoadReport) -> None:
    """Take the user's own experiment as the open one and draw the app again."""
    st.session_state.pending = Opened(experiment, report)
    st.rerun()


def take_pending() -> bool:
    """Put a newly opened experiment in place, before any widget is drawn; say whether there was one."""
    opened = st.session_state.pop("pending", None)
    if opened is None:
        return False
    st.session_state.opened = opened
    return True


def show_in_address(opened: Opened) -> None:
    """Keep the demonstration's name in the address, so that a copied link opens it."""
    if opened.demonstration and opened.demonstration != DEFAULT_DEMONSTRATION:
        st.query_params["demo"] = opened.demonstration
    elif "demo" in st.query_params:
        del st.query_params["demo"]
