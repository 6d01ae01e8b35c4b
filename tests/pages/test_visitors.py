"""Logging in where Streamlit's login is not set up whole: words, no traceback."""

from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.errors import StreamlitAuthError
from streamlit.testing.v1 import AppTest


def _page() -> None:
    from pages.parts import visitors

    visitors.login()


@pytest.mark.slow
def test_a_login_that_cannot_be_is_told_in_words(monkeypatch):
    def login():
        raise StreamlitAuthError("Authentication requires <b>Authlib</b>.")

    monkeypatch.setenv("MTSIG_SHARED", "1")
    monkeypatch.setattr(st, "user", SimpleNamespace(is_logged_in=False))
    monkeypatch.setattr(st, "login", login)
    made = AppTest.from_function(_page).run()
    (button,) = made.button
    button.click().run()
    assert not made.exception
    (error,) = made.error
    assert "Authlib" in error.value
    assert "<b>" not in error.value.replace("\\<", "")
    assert not made.run().error  # told once
