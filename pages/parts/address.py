"""Values in the address that cannot be used: they are said on the page, never dropped in silence.

A message stays over the reruns of background work: it goes when the page is left, or when the address has a value for
its parameter again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitAPIException

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


def check_choice(parameter: str, options: Sequence[str], used: str, label: Callable[[str], str] = str) -> None:
    """Refuse a value of the address that is not among the options of a control; call it before the control.

    Parameters
    ----------
    parameter : str
        Also the key of the control.
    options : sequence of str
    used : str
        What is used instead.
    label : callable
        How the control shows an option: that is what it writes into the address. An option typed by hand is understood.
    """
    labels = [label(option) for option in options]
    for value in st.query_params.get_all(parameter):
        if value in labels:
            continue
        try:
            if value in options:
                st.query_params[parameter] = label(value)
                st.session_state[parameter] = value
                continue
            del st.query_params[parameter]
        except StreamlitAPIException:  # the control's own value, which it takes back itself: other options hold now
            return
        refuse(parameter, value, f"It must be one of {some(labels)}", used)
        return


def some(options: Sequence[str]) -> str:
    """Return the first options in a list for people."""
    return ", ".join(options[:8]) + (", ..." if len(options) > 8 else "")


def check_switch(parameter: str, used: bool) -> None:
    """Refuse a value of the address that is neither true nor false; call it before the control."""
    value = st.query_params.get(parameter)
    if value is None or value.lower() in ("true", "false"):
        return
    del st.query_params[parameter]
    refuse(parameter, value, "It must be true or false", str(used).lower())


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
    refuse(parameter, value, f"It must be a {whole}number from {_number(low)} to {_number(high)}", _number(used))


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


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
