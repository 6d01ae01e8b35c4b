"""Answers that take time: a quick one first, the full one in its place, progress, and a Cancel that works."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import streamlit as st

from mtsig_core.runtime.jobs import Job, Progress
from pages.parts.text import literal

log = logging.getLogger(__name__)

Work = Callable[[Progress, Callable[[Any], None]], Any]
ASKED = "jobs of this drawing"  # in the session: what the page has asked for so far
PATIENCE = 0.25  # seconds that a page waits before it shows a progress bar
QUICK = 0.75  # and then for a first answer, rather than draw the former one only to replace it


@dataclass
class Finished:
    """Final results by key, the oldest given up first; a key holds the digest of the content it is about."""

    limit: int = 200
    _items: OrderedDict[tuple, Any] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def get(self, key: tuple) -> Any:
        """Return the result, or None."""
        with self._lock:
            if key in self._items:
                self._items.move_to_end(key)
            return self._items.get(key)

    def put(self, key: tuple, value: Any) -> None:
        """Keep a result."""
        with self._lock:
            self._items[key] = value
            while len(self._items) > self.limit:
                self._items.popitem(last=False)


@st.cache_resource(show_spinner=False)
def _finished() -> Finished:
    return Finished()


def _release(jobs: dict[str, tuple[tuple, Job]]) -> None:
    for _, job in jobs.values():
        job.cancel()


@st.cache_resource(show_spinner=False, scope="session", on_release=_release)
def _jobs() -> dict[str, tuple[tuple, Job]]:
    """Return the latest job of each question; stopped when the browser tab closes."""
    return {}


def answer(question: str, key: tuple, work: Work, *, keep: bool = True) -> Any:
    """Return the best result there is now, or None; draw how far the computation is.

    Parameters
    ----------
    question : str
        Names the computation: a new key under it cancels the work on the old one.
    key : tuple
        Everything that the result depends on.
    work : callable (progress, publish) -> result
        Runs in a background thread and may publish a preliminary result.
    keep : bool
        Keep the final result for all sessions, and show the former one while a new one is made; else it lives as
        long as the session's job.
    """
    key = (question, *key)
    done = _finished().get(key)
    if done is not None:
        _cancel_other(question, key)
        st.session_state[f"shown {question}"] = (key, done)
        return done
    job, is_next = _job(question, key, work)
    if is_next:
        job.wait(PATIENCE)
    if job.state == "done":
        if keep:
            _finished().put(key, job.result)
            st.session_state[f"shown {question}"] = (key, job.result)
        return job.result
    drawn = _progress(question, job)
    if not keep:
        return job.result
    if is_next:
        job.wait_for_result(QUICK)
        drawn.version = job.version
    if job.result is not None:
        st.session_state[f"shown {question}"] = (key, job.result)
        return job.result
    return _former(question, key)


def _cancel_other(question: str, key: tuple) -> None:
    known = _jobs().get(question)
    if known and known[0] != key:
        known[1].cancel()


def begin() -> None:
    """Note that a page begins to be drawn: its answers are computed in the order in which it asks for them."""
    st.session_state[ASKED] = []


def _in_turn(work: Work, earlier: Sequence[Job]) -> Work:
    """Return work that begins when earlier jobs have ended: side by side, all would be late."""

    def run(progress: Progress, publish: Callable[[Any], None]) -> Any:
        for job in earlier:
            while not job.wait(0.1):
                progress(0.0, "waiting for the results above")
        return work(progress, publish)

    return run


def _job(question: str, key: tuple, work: Work) -> tuple[Job, bool]:
    """Return the job of a question, and whether it need not wait for another of this page."""
    asked = st.session_state.setdefault(ASKED, [])
    job = _known_or_new(question, key, _in_turn(work, tuple(asked)))
    is_next = all(other.finished is not None for other in asked)
    asked.append(job)
    return job, is_next


def _known_or_new(question: str, key: tuple, work: Work) -> Job:
    jobs = _jobs()
    known = jobs.get(question)
    if known and known[0] == key:
        return known[1]
    for other_key, other in jobs.values():
        if other_key[1:2] != key[1:2] or other_key[0] == question:
            other.cancel()
    job = Job(work).start()
    jobs[question] = (key, job)
    return job


def _former(question: str, key: tuple) -> Any:
    """Return the result shown before, if it is of the same experiment, and say that it is the former one."""
    shown = st.session_state.get(f"shown {question}")
    if shown is None or shown[0][1] != key[1]:
        return None
    st.caption(":material/history: Shown below: the result for the former settings.")
    return shown[1]


@dataclass
class _Drawn:
    """Which version of a job's result the page shows."""

    version: int


def _progress(question: str, job: Job) -> _Drawn:
    running, drawn = job.finished is None, _Drawn(job.version)

    @st.fragment(run_every=0.4 if running else None)
    def draw() -> None:
        if running and (job.finished is not None or job.version != drawn.version):
            st.rerun()
        if job.finished is None:
            _bar(question, job)
        elif job.state == "cancelled":
            _again(question, "Cancelled.")
        elif job.state == "failed":
            _failure(question, job)

    draw()
    return drawn


def _bar(question: str, job: Job) -> None:
    bar, button = st.columns([5, 1], vertical_alignment="center")
    doing = literal(job.doing or "computing")
    quick = "Quick answer below, the full one is on its way: " if job.result is not None else ""
    stopping = "Stopping: " if job.state == "cancelling" else ""
    bar.progress(job.fraction, text=f"{stopping}{quick}{doing}")
    button.button("Cancel", key=f"cancel {question}", on_click=job.cancel, disabled=job.state == "cancelling")


def _again(question: str, message: str) -> None:
    text, button = st.columns([5, 1], vertical_alignment="center")
    text.info(message, icon=":material/cancel:")
    button.button("Compute", key=f"again {question}", on_click=_forget, args=(question,))


def _forget(question: str) -> None:
    _jobs().pop(question, None)


def _failure(question: str, job: Job) -> None:
    if isinstance(job.error, ValueError):  # the library's own words on bad input
        st.error(literal(str(job.error)))
        return
    log.error("computing %s failed", question, exc_info=job.error)
    _again(question, "This could not be computed; the server's log has the details. What was open is unchanged.")
