"""What plays in a section of a lesson: the question, the controls, the player, and the pictures that it draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from mtsig_core.figures.learn.parts import enlarged
from mtsig_core.formatting import count
from mtsig_core.metrics import SegmentStatistics
from mtsig_core.teaching import Run
from pages.parts import downloads, page, sections, view
from pages.parts.background import answer
from pages.parts.learn import controls, runs
from pages.parts.learn.controls import Number, Pick
from pages.parts.learn.lesson import PLAY, Lesson, Opened, Part, Picture
from pages.parts.learn.texts import EXPECT, Text
from pages.parts.text import keep_together, literal
from pages.parts.view import View

SMALL, OPEN = "small", "open"
DATA = Pick("population", "Population", options={SMALL: "Invented", OPEN: "Open data"},
            help="A small invented population whose truth is known, or the scores of the experiment in the sidebar.")
SEED = Number("lesson_seed", "Seed", low=1, high=9999, start=1, help="The same seed gives the same draws.")


@dataclass(frozen=True, eq=False)
class Stage:
    """Everything that the sections of a lesson share.

    Parameters
    ----------
    now : View
    lesson : Lesson
    text : Text
    presenting : bool
        Whether figures are enlarged.
    """

    now: View
    lesson: Lesson
    text: Text
    presenting: bool


def draw(stage: Stage, part: Part) -> None:
    """Draw a section that plays: the controls beside its pictures."""
    lesson = stage.lesson
    left, right = st.columns([1, 2.4], gap="medium")
    with left:
        if part.slug == PLAY:
            _ask(lesson, stage.text)
        source = controls.draw(lesson.slug, [DATA])[DATA.name]
        opened = _opened(stage.now) if source == OPEN else None
        if source == OPEN and opened is None:
            return
        values = controls.draw(lesson.slug, lesson.controls(opened))
        seed = int(controls.draw(lesson.slug, [SEED])[SEED.name])
    with right:
        if opened:
            page.cautions(stage.now, "of the pair")
        subject = (stage.now.key, opened.statistics.metric.key) if opened else ()
        try:
            runs.hold(lesson, (subject, tuple(values.items()), seed), lambda: lesson.simulate(values, opened, seed))
        except ValueError as error:  # the library's own words on data that do not suffice
            st.info(literal(str(error)), icon=":material/info:")
        else:
            _player(stage, part)
        if part.title in stage.text.asides:
            st.markdown(keep_together(stage.text.asides[part.title]))
        with st.container(key="lesson-bar-next"):
            sections.door(lesson.slug, *lesson.after(part))


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


def _player(stage: Stage, part: Part) -> None:
    """Draw the buttons, and below them what is drawn again while the lesson plays; the page stays as it is."""
    lesson = stage.lesson

    @st.fragment
    def player() -> None:
        playing = runs.is_playing(lesson)
        if part.plays:
            _bar(lesson, playing)

        @st.fragment(run_every=runs.TICK if playing else None)
        def play() -> None:
            if playing:
                runs.advance(lesson, float(st.session_state.get(f"{lesson.slug} speed", lesson.speed)))
            run = runs.current(lesson)
            if part.plays:
                _count(lesson, run)
            for place, picture in enumerate(part.pictures):
                _picture(stage, picture, run)
                if part.slug == PLAY and place == 0:
                    _answer(lesson, stage.text, run)

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


def _picture(stage: Stage, picture: Picture, run: Run[Any]) -> None:
    figure = picture.draw(run, picture.height)
    shown = enlarged(figure) if stage.presenting else figure
    downloads.figure(stage.now, shown, f"lesson-{picture.name}", alt=picture.alt)
