"""What the address says: controls that it decides, and values that cannot be used, which are never dropped in silence.

A message stays over the reruns of background work: it goes when the page is left, or when the address has a value for
its parameter again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitAPIException

from pages.parts.text import literal

_REFUSED = "refused values of the address"
_SLOT = "where refused values are said"
_PAGE = "page of the address"
_WRITTEN = "values that controls of pages wrote into the address"
_HERE = "parameters that the shown section wrote into the address"
METRIC, DIMENSION = "metric", "dimension"
_ALONG = {METRIC, DIMENSION}  # mean the same in every section


def begin(page: str) -> None:
    """Note that the app begins to be drawn: call it before anything else of this module.

    Parameters
    ----------
    page : str
        Its path in the address.
    """
    st.session_state.pop(_SLOT, None)
    if st.session_state.get(_PAGE) != page:
        st.session_state[_PAGE] = page
        st.session_state[_HERE] = set()


def leave_section() -> None:
    """Take out of the address what another section of the page would misunderstand."""
    st.session_state[_HERE] = set()
    for parameter in st.session_state.get(_WRITTEN, {}):
        if parameter not in _ALONG:
            st.query_params.pop(parameter, None)


def choice(parameter: str, key: str, labels: Mapping[Any, str], usual: Any = None) -> dict[str, Any]:
    """Let the address decide a choice inside a page, and the choice what the address says.

    Call it right before the control, and draw that with the arguments returned here and no usual value of its own.
    A choice made before is kept for the next visit of the page; the usual option needs no mention in the address.

    Parameters
    ----------
    parameter : str
        In the address.
    key : str
        Of the control.
    labels : mapping of option to what people read
        The address may have either.
    usual : option, optional
        By default the first.
    """
    options = {label: name for name, label in labels.items()} | {name: name for name in labels}

    def read(text: str) -> Any:
        if text not in options:
            raise ValueError(text)
        return options[text]

    used = next(iter(labels)) if usual is None else usual
    named = [str(name) for name in labels if name]
    return _settle(parameter, key, used, read, (f"It must be one of {some(named)}", labels[used]))


def switch(parameter: str, key: str, *, usual: bool = False) -> dict[str, Any]:
    """Let the address decide a switch inside a page: see ``choice``.

    Parameters
    ----------
    parameter, key : str
    usual : bool
        Needs no mention in the address.
    """

    def read(text: str) -> bool:
        if text.lower() not in ("true", "false"):
            raise ValueError(text)
        return text.lower() == "true"

    return _settle(parameter, key, usual, read, ("It must be true or false", _text(usual)))


def number(parameter: str, key: str, low: float, high: float, usual: float | None) -> dict[str, Any]:
    """Let the address decide a number inside a page: see ``choice``.

    Parameters
    ----------
    parameter, key : str
    low, high : float
        An infinite `high` is no limit.
    usual : float or None
        Needs no mention in the address; None: the control is empty.
    """

    def read(text: str) -> float:
        value = float(text)
        if not (low <= value <= high and math.isfinite(value)):
            raise ValueError(text)
        return value

    limits = f"from {_number(low)} to {_number(high)}" if math.isfinite(high) else f"of at least {_number(low)}"
    used = "none" if usual is None else _number(usual)
    return _settle(parameter, key, usual, read, (f"It must be a number {limits}", used))


def _settle(
    parameter: str, key: str, usual: Any, read: Callable[[str], Any], says: tuple[str, str]
) -> dict[str, Any]:
    """Give a control its value: of the address, else the one kept, else the usual one."""
    state, text = st.session_state, st.query_params.get(parameter)
    written = state.setdefault(_WRITTEN, {}).get(parameter)
    if text is not None and written is not None and written[1] == text and written[0] != key:
        text = None  # another control's, whose place this one takes
        state[_HERE].discard(parameter)
    value = usual
    if text is not None:
        try:
            value = read(text)
        except ValueError:
            del st.query_params[parameter]
            if written != (key, text):  # else other options hold now
                refuse(parameter, text, *says)
    elif parameter not in state[_HERE]:  # else the browser went back to before the choice
        with suppress(ValueError):
            value = read(_text(state.get(key)))
    state[key] = value
    _write(parameter, key, usual)
    return {"key": key, "persist_state": "session", "on_change": _write, "args": (parameter, key, usual)}


def _write(parameter: str, key: str, usual: Any) -> None:
    """Put the value of a control into the address; the usual one needs no mention there."""
    state, text = st.session_state, _text(st.session_state[key])
    if text in ("", _text(usual)):
        st.query_params.pop(parameter, None)
        state[_WRITTEN].pop(parameter, None)
        state[_HERE].discard(parameter)
        return
    if st.query_params.get(parameter) != text:
        st.query_params[parameter] = text
    state[_WRITTEN][parameter] = (key, text)
    state[_HERE].add(parameter)


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


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
