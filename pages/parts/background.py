"""Answers that take time: a quick one first, the full one in its place, progress, and a Cancel that works."""

from __future__ import annotations

import logging
import time
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
TICK = 0.4  # between two looks how far it is
QUICK = 0.75  # and then for a first answer, rather than draw the former one only to replace it


@dataclass
class Finished:
    """Final results by key, the oldest given up first; a key holds the digest of the content it is about."""

    limit: int = 200
    _items: OrderedDict[tuple, tuple[Any, float]] = field(default_factory=OrderedDict)  # and when it was asked for
    _lock: Lock = field(default_factory=Lock)

    def get(self, key: tuple) -> Any:
        """Return the result, or None."""
        with self._lock:
            if key not in self._items:
                return None
            value, _ = self._items.pop(key)
            self._items[key] = value, time.monotonic()
            return value

    def put(self, key: tuple, value: Any) -> None:
        """Keep a result."""
        with self._lock:
            self._items[key] = value, time.monotonic()
            self._items.move_to_end(key)
            while len(self._items) > self.limit:
                self._items.popitem(last=False)

    def drop_unused(self, seconds: float) -> int:
        """Forget the results that nobody has asked for in so many seconds; return how many they were."""
        before, dropped = time.monotonic() - seconds, 0
        with self._lock:
            while self._items and next(iter(self._items.values()))[1] <= before:
                self._items.popitem(last=False)
                dropped += 1
        return dropped


@st.cache_resource(show_spinner=False)
def finished() -> Finished:
    """Return the final results that all sessions share."""
    return Finished()


def _release(jobs: dict[str, tuple[tuple, Job]]) -> None:
    for _, job in jobs.values():
        job.cancel()


@st.cache_resource(show_spinner=False, scope="session", on_release=_release)
def _jobs() -> dict[str, tuple[tuple, Job]]:
    """Return the latest job of each question; stopped when the browser tab closes."""
    return {}


@st.cache_resource(show_spinner=False, scope="session")
def _shown() -> dict[str, tuple[tuple, Any]]:
    """Return what was shown last of each question; given up when the browser tab closes, unlike the session's state."""
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
    done = finished().get(key)
    if done is not None:
        _cancel_other(question, key)
        _shown()[question] = (key, done)
        return done
    asked, is_next = _job(question, key, work)
    job = asked.job
    if is_next:
        job.wait(PATIENCE)
    asked.note()
    if job.state == "done":
        if keep:
            finished().put(key, job.result)
            _shown()[question] = (key, job.result)
        return job.result
    if asked.is_finished:
        _ended(question, job)
    else:
        _watch(question, job, has_timer=is_next)
    return _first(question, key, asked, QUICK * is_next) if keep else job.result


def _first(question: str, key: tuple, asked: _Asked, seconds: float) -> Any:
    """Return the first answer of a job, waiting at most so long for it; else the former one."""
    job = asked.job
    if seconds:
        job.wait_for_result(seconds)
        asked.version = job.version
    if job.result is None:
        return _former(question, key)
    _shown()[question] = (key, job.result)
    return job.result


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


@dataclass
class _Asked:
    """A job that the page has asked for, and what it shows of it."""

    job: Job
    version: int = 0
    is_finished: bool = False

    def note(self) -> None:
        """Note that the page shows what there is now."""
        self.version, self.is_finished = self.job.version, self.job.finished is not None

    def has_news(self) -> bool:
        """Say whether there is more than the page shows."""
        return self.version != self.job.version or self.is_finished != (self.job.finished is not None)


def _job(question: str, key: tuple, work: Work) -> tuple[_Asked, bool]:
    """Return the job of a question, and whether it need not wait for another of this page."""
    earlier: list[_Asked] = st.session_state.setdefault(ASKED, [])
    job = _known_or_new(question, key, _in_turn(work, tuple(other.job for other in earlier)))
    is_next = all(other.job.finished is not None for other in earlier)
    asked = _Asked(job)
    earlier.append(asked)
    return asked, is_next


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
    shown = _shown().get(question)
    if shown is None or shown[0][1] != key[1]:
        return None
    st.caption(":material/history: Shown below: the result for the former settings.")
    return shown[1]


def _watch(question: str, job: Job, *, has_timer: bool) -> None:
    """Show how far a job is, and draw the page again when it has news.

    One timer looks after all that a page waits for; one each would ask the server several times as often.
    """
    on_page: list[_Asked] = st.session_state[ASKED]

    @st.fragment(run_every=TICK if has_timer else None)
    def draw() -> None:
        if any(asked.has_news() for asked in on_page):
            st.rerun()
        _bar(question, job)

    draw()


def _ended(question: str, job: Job) -> None:
    if job.state == "cancelled":
        _again(question, "Cancelled.")
    else:
        _failure(question, job)


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
