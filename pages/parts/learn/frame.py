"""The frame of every lesson: title, sections to play in, and the words."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.parts import address, sections, view
from pages.parts.learn import runs, stage, style
from pages.parts.learn.lesson import WORDS, Lesson
from pages.parts.learn.order import PRESENT, neighbours
from pages.parts.learn.stage import Stage
from pages.parts.learn.texts import HOW, SO_WHAT, Text, read
from pages.parts.sections import Section
from pages.parts.text import keep_together


def show(lesson: Lesson) -> None:
    """Draw the page of a lesson."""
    text, presenting = read(lesson.slug), style.apply()
    scene = Stage(view.current(needs_metric=False), lesson, text, presenting)
    _head(text, presenting)
    sections.show(lesson.slug, [
        *(Section(part.slug, part.title, partial(stage.draw, scene, part)) for part in lesson.parts),
        Section(WORDS, HOW, lambda: _words(lesson, text, presenting)),
    ])  # fmt: skip


def _head(text: Text, presenting: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.title(text.title, width="content")
        with st.container(horizontal=True, width="content", vertical_alignment="center", key="lesson-bar-top"):
            for place, icon in zip(neighbours(text.title), ("arrow_back", "arrow_forward"), strict=True):
                if place:
                    _link(place, place[1], icon, presenting)
            style.switch(presenting)
    st.markdown(keep_together(text.lead))
    address.show_refused(text.title)


def _link(place: tuple[str, str], label: str, icon: str, presenting: bool) -> None:
    """Draw a link to another lesson; a presentation goes on there."""
    given = {PRESENT: "1"} if presenting else None
    st.page_link(f"pages/{place[0]}", label=label, icon=f":material/{icon}:", query_params=given)


def _words(lesson: Lesson, text: Text, presenting: bool) -> None:
    """Draw how it works, with formula and source, and what follows."""
    runs.rest(lesson)
    left, right = st.columns([2, 1], gap="large")
    with left:
        st.header(HOW, anchor=False)
        st.markdown(keep_together(text.how))
    with right:
        st.header(SO_WHAT, anchor=False)
        st.markdown(keep_together(text.so_what))
    following = neighbours(text.title)[1]
    if following:
        with st.container(key="lesson-bar-next"):
            _link(following, f"Next lesson: {following[1]}", "arrow_forward", presenting)
