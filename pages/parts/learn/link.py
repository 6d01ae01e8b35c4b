"""The state of a lesson in the address: what a link asks for is taken once, what is set afterwards is written there.

The address changes at the end of a play, not with every picture of it: each change is a step back for the browser.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from pages.parts import address

_WRITTEN = "lesson addresses"


def _written(lesson: str) -> dict[str, str]:
    """Return what this session has put into the address of a lesson."""
    every: dict[str, dict[str, str]] = st.session_state.setdefault(_WRITTEN, {})
    return every.setdefault(lesson, {})


def asked(lesson: str, parameter: str, read: Callable[[str], Any], expected: str, used: str) -> Any:
    """Return what the address asks for and this session did not write there; None where there is no such thing.

    Parameters
    ----------
    lesson, parameter : str
    read : callable
        Makes a value of the text; raises ValueError where it cannot.
    expected, used : str
        What could have stood there, and what is used instead, for people.
    """
    text = st.query_params.get(parameter)
    if text is None or text == _written(lesson).get(parameter):
        return None
    try:
        value = read(text)
    except ValueError:
        del st.query_params[parameter]
        address.refuse(parameter, text, expected, used)
        return None
    _written(lesson)[parameter] = text
    return value


def write(lesson: str, wanted: Mapping[str, str | None]) -> None:
    """Put values into the address, and take out those that are None.

    Parameters
    ----------
    lesson : str
    wanted : mapping of parameter to text or None
    """
    written = _written(lesson)
    for parameter, text in wanted.items():
        if text is None:
            written.pop(parameter, None)
            st.query_params.pop(parameter, None)
            continue
        written[parameter] = text
        if st.query_params.get(parameter) != text:
            st.query_params[parameter] = text
