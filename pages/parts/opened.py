"""The experiment that is open in this browser session, how another takes its place, and where it is kept."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from data import DEFAULT_DEMONSTRATION, DEMONSTRATIONS
from mtsig_core.experiment import Experiment
from mtsig_core.experiment.assumptions import DIRECTION
from mtsig_core.loading import LoadReport, LoadResult, ReportLine, read
from mtsig_core.loading.result import Recognition
from mtsig_core.runtime.jobs import Job, Progress
from mtsig_core.storage.home import OPEN_AT_START
from mtsig_core.storage.workspace import Entry, WorkspaceError, quota_of_environment
from mtsig_core.workbench import Memo, Workbench
from mtsig_core.workbench.saved_experiments import default_saved_experiments
from pages.parts import visitors
from pages.parts.background import answer
from pages.parts.text import literal


@dataclass(frozen=True)
class Opened:
    """An experiment, what loading it said, and where it comes from.

    Parameters
    ----------
    demonstration : str or None
        The demonstration that it is; None: the user's own.
    recognition : Recognition or None
        What correcting it takes; None: it cannot be corrected.
    id : str or None
        Under which the workspace keeps it; None: not (yet).
    """

    experiment: Experiment
    report: LoadReport
    demonstration: str | None = None
    recognition: Recognition | None = None
    id: str | None = None


@st.cache_resource(show_spinner="Opening the demonstration…", max_entries=8)
def _load_demonstration(name: str) -> LoadResult:
    return read(DEMONSTRATIONS[name].path)


@st.cache_resource(show_spinner=False)
def memo() -> Memo:
    """Return the numbers that all sessions share."""
    return Memo()


def workbench(experiment: Experiment) -> Workbench:
    """Return the bench of an experiment; what it computes is kept in memory by content digest."""
    return Workbench(experiment, memo=memo())


def current() -> Opened:
    """Return what is open; at first what the address or `mtsig app` names, else the default demonstration.

    While an experiment of the address is being loaded, the page ends here.
    """
    if "opened" not in st.session_state:
        id = st.query_params.get("experiment") or ("demo" not in st.query_params and os.environ.get(OPEN_AT_START))
        experiment = _from_address(id) if id else None
        st.session_state.opened = experiment or _demonstration(_named_demonstration())
    return st.session_state.opened


def _named_demonstration() -> str:
    """Return the demonstration of the address; the default one where none is named, or one that does not exist."""
    name = st.query_params.get("demo", DEFAULT_DEMONSTRATION)
    if name in DEMONSTRATIONS:
        return name
    st.session_state["link problem"] = (
        f"There is no demonstration {name[:40]!r}, only {', '.join(DEMONSTRATIONS)}. "
        f"{DEMONSTRATIONS[DEFAULT_DEMONSTRATION].title} is shown instead."
    )
    return DEFAULT_DEMONSTRATION


def _from_address(id: str) -> Opened | None:
    """Return the experiment of a link; None where it cannot be opened, which is said."""
    if st.session_state.get("no link"):
        return None
    result = _open_saved(id)
    if result is None:
        st.button("Open a demonstration instead", on_click=_give_up_link)
        st.stop()
    if isinstance(result, Opened):
        return result
    st.session_state["link problem"] = str(result)
    return None


def _give_up_link() -> None:
    st.session_state["no link"] = True


def _open_saved(id: str) -> Opened | WorkspaceError | None:
    """Return an experiment of the workspace once it is loaded; it is drawn how far that is."""
    def work(progress: Progress, publish: Any) -> tuple[Entry, LoadResult] | WorkspaceError:
        try:
            return default_saved_experiments().open(id, progress=progress)
        except WorkspaceError as error:
            return error

    result = answer("opening", (id, st.session_state.get("times asked", 0)), work, keep=False)
    if result is None or isinstance(result, WorkspaceError):
        return result
    entry, reading = result
    return Opened(reading.experiment, reading.report, None, reading.recognition, entry.id)


def _demonstration(name: str) -> Opened:
    reading = _load_demonstration(name)
    return Opened(reading.experiment, reading.report, name, reading.recognition)


def pend_demonstration(name: str) -> None:
    """Take a demonstration as the open experiment when the app is drawn next (for a button's callback)."""
    st.session_state.pending = _demonstration(name)


def pend_saved(id: str) -> None:
    """Open an experiment of the workspace when the app is drawn next (for a button's callback)."""
    st.session_state.asked = id
    st.session_state["times asked"] = st.session_state.get("times asked", 0) + 1


def pend(opened: Opened) -> None:
    """Take an experiment as the open one when the app is drawn next."""
    st.session_state.pending = opened


def replace_by(reading: LoadResult) -> None:
    """Take the user's own experiment as the open one and draw the app again."""
    pend(Opened(reading.experiment, reading.report, None, reading.recognition))
    st.rerun()


def set_direction(metric: str, higher_is_better: bool) -> None:
    """State the direction of a metric whose direction was assumed (for a button's callback)."""
    now: Opened = st.session_state.opened
    experiment = now.experiment.with_directions({metric: higher_is_better})
    guesses = [line for line in now.report.lines if line.code != DIRECTION or line.subject != metric]
    word = "higher" if higher_is_better else "lower"
    stated = ReportLine("recognised", f"{metric}: {word} is better, as you said.", (), "direction-stated", "", metric)
    pend(replace(now, experiment=experiment, report=replace(now.report, lines=(stated, *guesses))))


def take_pending() -> bool:
    """Put a newly opened experiment in place, before any widget is drawn; say whether there was one."""
    _take_asked()
    _take_saved()
    opened = st.session_state.pop("pending", None)
    if opened is None:
        return False
    st.session_state.pop("link problem", None)
    before = st.session_state.get("opened")
    st.session_state.opened = opened
    if opened.demonstration is None and opened.id is None:
        _save(opened, None)
    elif opened.demonstration is None and before is not None and opened.id == before.id:
        _save(opened, opened.id)  # corrected
    return True


def _take_asked() -> None:
    if "asked" not in st.session_state:
        return
    result = _open_saved(st.session_state.asked)
    if result is None:
        return
    del st.session_state["asked"]
    if isinstance(result, Opened):
        pend(result)
    else:
        st.session_state["link problem"] = str(result)


def _save(opened: Opened, replaces: str | None) -> None:
    """Keep an experiment for later visits, in the background."""
    owner = visitors.owner()
    st.session_state["not kept"] = ""

    def work(progress: Progress, publish: Any) -> Entry:
        store = default_saved_experiments(quota_of_environment())
        return store.save(opened.experiment, opened.report, owner=owner, replaces=replaces,
                            recognition=opened.recognition, progress=progress)

    former = st.session_state.get("saving")
    if former is not None:
        former[0].cancel()
    st.session_state.saving = (Job(work).start(), opened.experiment.digest)


def _take_saved() -> None:
    """Note where the open experiment was kept, or why it was not."""
    job, digest = st.session_state.get("saving", (None, ""))
    if job is None or job.finished is None:
        return
    del st.session_state["saving"]
    opened = st.session_state.get("opened")
    if opened is None or opened.experiment.digest != digest or opened.demonstration:
        return
    if job.state == "done":
        st.session_state.opened = replace(opened, id=job.result.id)
    elif job.state == "failed":
        is_known = isinstance(job.error, WorkspaceError)
        st.session_state["not kept"] = str(job.error) if is_known else "The experiment was not saved for later visits."


def forget_saved(id: str) -> None:
    """Note that the workspace no longer keeps an experiment; what is open stays open."""
    opened = st.session_state.get("opened")
    if opened is not None and opened.id == id:
        st.session_state.opened = replace(opened, id=None)


def show_in_address(opened: Opened) -> None:
    """Keep what is open in the address, so that a copied link opens it; say so where it is not kept."""
    demonstration = opened.demonstration if opened.demonstration != DEFAULT_DEMONSTRATION else None
    for key, value in (("demo", demonstration), ("experiment", opened.id)):
        if value:
            st.query_params[key] = value
        elif key in st.query_params:
            del st.query_params[key]
    if st.session_state.get("link problem"):
        st.warning(literal(st.session_state["link problem"]), icon=":material/link_off:")


def say_whether_saved() -> None:
    """Say in the sidebar that the open experiment is being kept, or why it is not."""
    job, _ = st.session_state.get("saving", (None, ""))
    if job is not None:
        _watch(job)
    elif st.session_state.get("not kept"):
        st.caption(f":material/warning: {literal(st.session_state['not kept'])}")


def _watch(job: Job) -> None:
    @st.fragment(run_every=0.5)
    def draw() -> None:
        if job.finished is not None:
            st.rerun()
        st.caption(":material/save: Saving for later visits…")

    draw()
