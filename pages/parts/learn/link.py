"""The state of a lesson in the address: what a link asks for is taken once, what is set afterwards is written there.

The address changes at the end of a play, not with every picture of it: each change is a step back for the browser.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from pages.parts import address

_KNOWN = "lesson addresses"


def _known(lesson: str, parameter: str) -> set[str]:
    """Return every text that this session has put into the address of a lesson, or taken from it.

    A browser that is asked for the next picture may still send the address before the last change.
    """
    every: dict[tuple[str, str], set[str]] = st.session_state.setdefault(_KNOWN, {})
    return every.setdefault((lesson, parameter), set())


def asked(lesson: str, parameter: str, read: Callable[[str], Any], expected: str, used: str) -> Any:
    """Return what the address asks for and this session never wrote there; None where there is no such thing.

    Parameters
    ----------
    lesson, parameter : str
    read : callable
        Makes a value of the text; raises ValueError where it cannot.
    expected, used : str
        What could have stood there, and what is used instead, for people.
    """
    text = st.query_params.get(parameter)
    if text is None or text in _known(lesson, parameter):
        return None
    try:
        value = read(text)
    except ValueError:
        del st.query_params[parameter]
        address.refuse(parameter, text, expected, used)
        return None
    _known(lesson, parameter).add(text)
    return value


def write(lesson: str, wanted: Mapping[str, str | None]) -> None:
    """Put values into the address, and take out those that are None.

    Parameters
    ----------
    lesson : str
    wanted : mapping of parameter to text or None
    """
    for parameter, text in wanted.items():
        if text is None:
            st.query_params.pop(parameter, None)
            continue
        _known(lesson, parameter).add(text)
        if st.query_params.get(parameter) != text:
            st.query_params[parameter] = text
