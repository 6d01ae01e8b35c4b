"""``mtsig app`` listens for this computer only, unless the server is shared or somebody says otherwise."""

from __future__ import annotations

import pytest

from mtsig_core.cli.start import app


@pytest.mark.parametrize(
    ("more", "variables", "address"),
    [
        ([], {}, "localhost"),
        (["--address", "0.0.0.0"], {}, "0.0.0.0"),
        ([], {"MTSIG_SHARED": "1"}, None),
        ([], {"MTSIG_SHARED": "0"}, "localhost"),
        ([], {"STREAMLIT_SERVER_ADDRESS": "10.0.0.1"}, None),
        (["--address", "::1"], {"MTSIG_SHARED": "1"}, "::1"),
    ],
)
def test_where_the_app_listens(call, monkeypatch, more, variables, address):
    started: list[list[str]] = []

    def become(program: str, command: list[str]) -> None:
        started.append(command)
        raise SystemExit(0)

    monkeypatch.setattr(app.os, "execv", become)
    monkeypatch.delenv("STREAMLIT_SERVER_ADDRESS", raising=False)
    monkeypatch.delenv("MTSIG_SHARED", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit):
        call("app", *more)
    (command,) = started
    assert [part for part in command if "address" in part] == ([f"--server.address={address}"] if address else [])
