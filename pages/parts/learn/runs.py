"""How far a lesson has come: kept for the session, made again from the address, and played on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from mtsig_core.teaching import Run, Simulation
from pages.parts.learn import link
from pages.parts.learn.lesson import Lesson

DRAWS = "draws"
TICK = 0.5  # seconds between two pictures
_PLAYING, _DUE = "lesson that plays", "draws that are due"


def _key(lesson: Lesson) -> str:
    return f"{lesson.slug} run"


def hold(lesson: Lesson, identity: tuple, simulate: Callable[[], Simulation]) -> None:
    """Take up the run of a lesson: the one of this session, that of the address, or a new one.

    Parameters
    ----------
    lesson : Lesson
    identity : tuple
        Everything that the simulation depends on: another one has as many draws made again.
    simulate : callable
        Returns the simulation; asked where there is none of this identity.
    """
    most = lesson.most_linked

    def read(text: str) -> int:
        if not 0 <= int(text) <= most:
            raise ValueError(text)
        return int(text)

    asked = link.asked(lesson.slug, DRAWS, read, f"It must be a whole number from 0 to {most:,}", "a fresh start")
    known = st.session_state.get(_key(lesson))
    if known is None or known[0] != identity or asked is not None:
        n = asked if asked is not None else min(known[1].n, most) if known else 0
        with st.spinner("Repeating the draws…", show_time=True):
            keep(lesson, identity, Run(simulate()).step(n))
    note(lesson)


def keep(lesson: Lesson, identity: tuple, run: Run[Any]) -> None:
    """Keep a run for the session."""
    st.session_state[_key(lesson)] = (identity, run)


def current(lesson: Lesson) -> Run[Any]:
    """Return the run of a lesson that was taken up."""
    return st.session_state[_key(lesson)][1]


def step(lesson: Lesson, n: int) -> None:
    """Draw some more."""
    identity, run = st.session_state[_key(lesson)]
    keep(lesson, identity, run.step(n))


def note(lesson: Lesson) -> None:
    """Put the number of draws into the address, unless it still grows."""
    if not is_playing(lesson):
        n = min(current(lesson).n, lesson.most_linked)
        link.write(lesson.slug, {DRAWS: str(n) if n else None})


def step_and_note(lesson: Lesson, n: int) -> None:
    """Draw some more, and put their number into the address."""
    step(lesson, n)
    note(lesson)


def restart(lesson: Lesson) -> None:
    """Begin again with the same seed."""
    identity, run = st.session_state[_key(lesson)]
    keep(lesson, identity, Run(run.simulation))
    note(lesson)


def is_playing(lesson: Lesson) -> bool:
    """Whether a lesson plays by itself; only one of a session does."""
    return st.session_state.get(_PLAYING) == lesson.slug


def set_playing(lesson: Lesson, playing: bool) -> None:
    """Start or stop a lesson; pressed twice, it is what was asked for."""
    st.session_state[_PLAYING] = lesson.slug if playing else None
    st.session_state[_DUE] = 0.0
    note(lesson)


def rest(lesson: Lesson) -> None:
    """Stop a lesson where nobody sees it play."""
    if is_playing(lesson):
        set_playing(lesson, False)


def advance(lesson: Lesson, speed: float) -> None:
    """Draw what is due after one tick at so many draws per second; stop at the cap."""
    due = st.session_state.get(_DUE, 0.0) + speed * TICK
    step(lesson, int(due))
    st.session_state[_DUE] = due - int(due)
    if current(lesson).is_full:
        set_playing(lesson, False)
        st.rerun()
