"""Values in the address that cannot be used: they are said on the page, never dropped in silence.

A message stays over the reruns of background work: it goes when the page is left, or when the address has a value for
its parameter again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.text import literal

_REFUSED = "refused values of the address"
_SLOT = "where refused values are said"


def begin() -> None:
    """Note that the app begins to be drawn: call it before anything else of this module."""
    st.session_state.pop(_SLOT, None)


def refuse(parameter: str, value: str, expected: str, used: str) -> None:
    """Note that a value of the address cannot be used.

    Parameters
    ----------
    parameter, value : str
        As the address has them.
    expected : str
        What could have stood there, as a sentence without a full stop.
    used : str
        What is used instead.
    """
    message = f"The address asks for {parameter} = {value!r}. {expected}. Shown here: {used}."
    page, place = st.session_state.get(_SLOT, (None, None))
    st.session_state.setdefault(_REFUSED, {})[parameter] = (message, page)
    if place is not None:  # the place for messages is drawn before the sections of a page
        _say(message, place)


def check_choice(parameter: str, options: Sequence[str], used: str) -> None:
    """Refuse a value of the address that is not among the options of a control; call it before the control."""
    for value in st.query_params.get_all(parameter):
        if value not in options:
            del st.query_params[parameter]
            shown = ", ".join(options[:8]) + (", ..." if len(options) > 8 else "")
            refuse(parameter, value, f"It must be one of {shown}", used)
            return


def check_number(parameter: str, low: float, high: float, used: float, kind: Callable[[str], float] = float) -> None:
    """Refuse a value of the address that is no number of a range; call it before the control."""
    if parameter not in st.query_params:
        return
    value = st.query_params[parameter]
    try:
        if low <= kind(value) <= high:
            return
    except ValueError:
        pass
    del st.query_params[parameter]
    whole = "whole " if kind is int else ""
    refuse(parameter, value, f"It must be a {whole}number from {low:g} to {high:g}", f"{used:g}")


def show_refused(page: str) -> None:
    """Draw what was refused, and keep the place for what this page refuses further down."""
    parameters = {
        parameter: (message, page)
        for parameter, (message, shown_on) in st.session_state.get(_REFUSED, {}).items()
        if shown_on in (None, page) and parameter not in st.query_params
    }
    st.session_state[_REFUSED] = parameters
    place = st.container()
    st.session_state[_SLOT] = (page, place)
    for message, _ in parameters.values():
        _say(message, place)


def _say(message: str, place: DeltaGenerator) -> None:
    place.warning(literal(message), icon=":material/link_off:")
