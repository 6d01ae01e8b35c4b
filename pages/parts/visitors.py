"""Who is looking: on one's own computer nobody is told apart; on a shared server everybody is."""

from __future__ import annotations

import hashlib
import secrets

import streamlit as st
from streamlit.errors import StreamlitAuthError

from mtsig_core.storage.workspace import is_shared
from pages.parts.text import literal


def owner() -> str:
    """Return a hash that stands for the visitor; "" on one's own computer.

    Of a person who is logged in, it is the same at every visit; else it lives as long as the browser's tab.
    """
    if not is_shared():
        return ""
    person = _person()
    if person is None:
        if "visitor" not in st.session_state:
            st.session_state.visitor = secrets.token_urlsafe(32)
        person = f"tab {st.session_state.visitor}"
    return hashlib.sha256(f"mtsig visitor {person}".encode()).hexdigest()


def login() -> None:
    """Offer to log in or out, where the server is shared and Streamlit's login is set up."""
    if not is_shared() or not hasattr(st.user, "is_logged_in"):
        return
    if st.user.is_logged_in:
        st.button("Log out", on_click=st.logout, icon=":material/logout:", width="stretch")
    else:
        st.button("Log in", on_click=_log_in, icon=":material/login:", width="stretch",
                  help="Your recent experiments are listed at every visit then, in any browser.")
        if problem := st.session_state.pop("login problem", ""):
            st.error(f"Nobody can log in here: {literal(problem)} This is for whoever runs the server; everything else "
                     "works without login.")


def _log_in() -> None:
    """Go to the provider of identities; tell what is wrong where Streamlit's login is not set up whole."""
    try:
        st.login()
    except StreamlitAuthError as error:
        st.session_state["login problem"] = str(error)


def _person() -> str | None:
    """Return what the identity provider calls the person, or None."""
    if not getattr(st.user, "is_logged_in", False):
        return None
    claims = st.user.to_dict()
    name = claims.get("sub") or claims.get("email")
    return f"person {claims.get('iss', '')} {name}" if name else None
