"""The frame of every lesson: the question, the controls, the player, the pictures, and the words."""

from __future__ import annotations

from typing import Any

import streamlit as st

from mtsig_core.figures.learn.parts import enlarged
from mtsig_core.formatting import count
from mtsig_core.metrics import SegmentStatistics
from mtsig_core.teaching import Run
from pages.parts import address, downloads, page, view
from pages.parts.background import answer
from pages.parts.learn import controls, runs, style
from pages.parts.learn.controls import Number, Pick
from pages.parts.learn.lesson import Lesson, Opened, Picture
from pages.parts.learn.order import PRESENT, neighbours
from pages.parts.learn.texts import EXPECT, HOW, SO_WHAT, Text, read
from pages.parts.text import keep_together, literal
from pages.parts.view import View

SMALL, OPEN = "small", "open"
DATA = Pick("population", "Population", options={SMALL: "Invented", OPEN: "Open data"},
            help="A small invented population whose truth is known, or the scores of the experiment in the sidebar.")
SEED = Number("lesson_seed", "Seed", low=1, high=9999, start=1, help="The same seed gives the same draws.")


def show(lesson: Lesson) -> None:
    """Draw the page of a lesson."""
    now, text, presenting = view.current(needs_metric=False), read(lesson.slug), style.apply()
    _head(text, presenting)
    left, right = st.columns([1, 2.4], gap="medium")
    with left:
        _ask(lesson, text)
        source = controls.draw(lesson.slug, [DATA])[DATA.name]
        opened = _opened(now) if source == OPEN else None
        if source == OPEN and opened is None:
            return
        values = controls.draw(lesson.slug, lesson.controls(opened))
        seed = int(controls.draw(lesson.slug, [SEED])[SEED.name])
    with right:
        if opened:
            page.cautions(now, "of the pair")
        subject = (now.key, opened.statistics.metric.key) if opened else ()
        try:
            runs.hold(lesson, (subject, tuple(values.items()), seed), lambda: lesson.simulate(values, opened, seed))
        except ValueError as error:  # the library's own words on data that do not suffice
            st.info(literal(str(error)), icon=":material/info:")
        else:
            _player(now, lesson, text, presenting)
    _words(text)


def _head(text: Text, presenting: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.title(text.title, width="content")
        with st.container(horizontal=True, width="content", vertical_alignment="center", key="lesson-bar-top"):
            given = {PRESENT: "1"} if presenting else None
            for place, icon in zip(neighbours(text.title), ("arrow_back", "arrow_forward"), strict=True):
                if place:
                    st.page_link(f"pages/{place[0]}", label=place[1], icon=f":material/{icon}:", query_params=given)
            style.switch(presenting)
    st.markdown(keep_together(text.lead))
    address.show_refused(text.title)


def _ask(lesson: Lesson, text: Text) -> None:
    """Ask what people expect before they play; the question folds once it is answered."""
    key = f"{lesson.slug} expected"
    expected = st.session_state.get(key)
    label = EXPECT if expected is None else f"You expect: {text.choices[expected]}"
    with st.expander(label, expanded=expected is None):
        st.markdown(keep_together(text.question))
        st.radio(EXPECT, range(len(text.choices)), index=None, format_func=text.choices.__getitem__, key=key,
                 label_visibility="collapsed", persist_state="session")


def _answer(lesson: Lesson, text: Text, run: Run[Any]) -> None:
    """Give the answer once something was expected and enough was drawn."""
    expected = st.session_state.get(f"{lesson.slug} expected")
    if expected is None:
        st.caption(":material/help: Choose on the left what you expect, then play to see whether it happens.")
    elif run.n < lesson.answer_after:
        st.caption(f":material/hourglass_top: The answer comes after {count(lesson.answer_after, lesson.noun)}.")
    else:
        right = expected == text.right
        said = "As you expected." if right else "Not as you expected."
        icon = ":material/check:" if right else ":material/lightbulb:"
        (st.success if right else st.info)(keep_together(f"{said} {text.answer}"), icon=icon)


def _opened(now: View) -> Opened | None:
    """Return the pair of the sidebar under one metric; None, and why, until its segments are scored."""
    if now.system is None:
        st.info(view.ONE_SYSTEM)
        return None
    if not now.metrics:
        st.info(view.NO_METRIC)
        return None
    name = view.one_metric({metric.name: metric.label for metric in now.metrics})
    pair = now.pair(next(metric for metric in now.metrics if metric.name == name))
    statistics: SegmentStatistics | None = answer(
        "lesson", (*now.key, name), lambda progress, publish: pair.statistics(progress, now.settings), keep=False
    )
    return Opened(statistics, pair) if statistics is not None else None


def _player(now: View, lesson: Lesson, text: Text, presenting: bool) -> None:
    """Draw the buttons, and below them what is drawn again while the lesson plays; the page stays as it is."""

    @st.fragment
    def player() -> None:
        playing = runs.is_playing(lesson)
        _bar(lesson, playing)

        @st.fragment(run_every=runs.TICK if playing else None)
        def play() -> None:
            if playing:
                runs.advance(lesson, float(st.session_state.get(f"{lesson.slug} speed", lesson.speed)))
            run = runs.current(lesson)
            _count(lesson, run)
            _picture(now, lesson.pictures[0], run, presenting)
            _answer(lesson, text, run)
            for picture in lesson.pictures[1:]:
                _picture(now, picture, run, presenting)

        play()

    player()


def _bar(lesson: Lesson, playing: bool) -> None:
    run = runs.current(lesson)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="lesson-bar"):
        st.button(
            "Pause" if playing else "Play", key=f"{lesson.slug} {'pause' if playing else 'play'}", type="primary",
            icon=":material/pause:" if playing else ":material/play_arrow:", disabled=run.is_full,
            on_click=runs.set_playing, args=(lesson, not playing),
        )
        for n in (1, 10, 1000):
            st.button(f"+{n}", key=f"{lesson.slug} step {n}", on_click=runs.step_and_note, args=(lesson, n),
                      disabled=run.is_full, help=f"Draw {count(n, lesson.noun)}")
        st.button("Start again", key=f"{lesson.slug} restart", icon=":material/restart_alt:", type="tertiary",
                  on_click=runs.restart, args=(lesson,), disabled=not run.n and not playing)
        key = f"{lesson.slug} speed"
        st.session_state.setdefault(key, lesson.speed)
        st.select_slider("Speed", list(lesson.speeds), key=key, persist_state="session", width=150,
                         label_visibility="collapsed", format_func=lambda x: f"{x:g} per second")


def _count(lesson: Lesson, run: Run[Any]) -> None:
    """Say how far the lesson has come, and what it shows."""
    most = run.simulation.most
    cap = " That is the maximum: start again, or choose another seed." if run.is_full else f" of at most {most:,}."
    says = f" {lesson.says(run)}" if run.n else ""
    st.markdown(keep_together(f"**{count(run.n, lesson.noun)}**{'.' if run.is_full else ''}{cap}{says}"))


def _picture(now: View, picture: Picture, run: Run[Any], presenting: bool) -> None:
    figure = picture.draw(run, picture.height)
    downloads.figure(now, enlarged(figure) if presenting else figure, f"lesson-{picture.name}", alt=picture.alt)


def _words(text: Text) -> None:
    """Draw how it works, with formula and source, and what follows."""
    left, right = st.columns([2, 1], gap="large")
    with left:
        st.header(HOW, anchor=False)
        st.markdown(keep_together(text.how))
    with right:
        st.header(SO_WHAT, anchor=False)
        st.markdown(keep_together(text.so_what))
