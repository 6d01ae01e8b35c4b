"""The sections of a page: a bar under its title, one address each, and only the visible one computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from pages.parts import address

PARAMETER, TOPIC = "section", "topic"
_ENTERED = "section entered by a door"
# names the section: the browser runs no script again that stands where the same one stood
_TO_TOP = "<script>/* {slug} */ document.querySelector('[data-testid=stMain]').scrollTo(0, 0)</script>"


@dataclass(frozen=True)
class Section:
    """One section of a page.

    Parameters
    ----------
    slug : str
        Its name in the address, as in ``/compare?section=tests``.
    title : str
        What the bar shows.
    draw : callable
        Draws the section; called for the visible one only.
    """

    slug: str
    title: str
    draw: Callable[[], None]


def show(page: str, sections: Sequence[Section]) -> None:
    """Draw the bar and the section that the address names; the first one where it names none.

    Parameters
    ----------
    page : str
        Names the page in the keys of its controls.
    sections : sequence of Section
        In the order of the bar.
    """
    by_slug = {section.slug: section for section in sections}
    visible = by_slug[_asked(page, list(by_slug))]
    if len(sections) > 1:
        key = f"section of {page}"
        st.session_state[key] = visible.slug  # the address decides: a followed link moves the bar too
        st.segmented_control(
            "Section", list(by_slug), key=key, required=True, format_func=lambda slug: by_slug[slug].title,
            label_visibility="collapsed", on_change=_follow, args=(key, sections[0].slug),
        )
    visible.draw()
    if st.session_state.pop(_ENTERED, False):
        st.html(_TO_TOP.replace("{slug}", visible.slug), unsafe_allow_javascript=True)


def door(page: str, slug: str, title: str) -> None:
    """Draw a button that leads to another section, to be drawn at the end of one.

    Parameters
    ----------
    page : str
    slug, title : str
        Of the section that it opens.
    """
    st.button(f"Next: {title}", key=f"door of {page} to {slug}", icon=":material/arrow_forward:", type="tertiary",
              on_click=_enter, args=(slug,))


def topic(title: str, key: str, topics: Mapping[str, str]) -> str:
    """Draw the choice of what a section shows, where there is one; the first topic to begin with.

    Parameters
    ----------
    title, key : str
        Of the control.
    topics : mapping of slug to what people read
        ``topic=slug`` in the address.
    """
    kept = address.choice(TOPIC, key, topics)
    first = next(iter(topics))
    if len(topics) == 1:
        return first
    return str(st.segmented_control(
        title, list(topics), required=True, format_func=topics.__getitem__, wrap=True, **kept) or first)


def _enter(slug: str) -> None:
    address.leave_section()
    st.query_params[PARAMETER] = slug
    st.session_state[_ENTERED] = True


def _asked(page: str, slugs: Sequence[str]) -> str:
    asked = st.query_params.get(PARAMETER)
    if asked is None or asked in slugs:
        return asked or slugs[0]
    del st.query_params[PARAMETER]
    address.refuse(PARAMETER, asked, f"This page has the sections {', '.join(slugs)}", f"the section {slugs[0]}")
    return slugs[0]


def _follow(key: str, first: str) -> None:
    """Put the chosen section into the address; the first one needs no mention there."""
    slug = st.session_state[key]
    address.leave_section()
    if slug == first:
        st.query_params.pop(PARAMETER, None)
    else:
        st.query_params[PARAMETER] = slug
