"""A full disk is made only where a file system may be mounted, and is told by what the page says."""

from __future__ import annotations

import asyncio
import subprocess

import pytest

from tests.load import uploads
from tests.load.trouble import FullDisk, troubled


def test_without_the_right_to_mount_nothing_is_filled(tmp_path, monkeypatch):
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 32))
    with pytest.raises(PermissionError, match="no right to mount"), troubled("full-disk", tmp_path):
        pytest.fail("it went on")


@pytest.mark.slow
@pytest.mark.parametrize(("said", "problems"), [("No space left on device", 0), ("Something went wrong.", 1)])
def test_a_full_disk_has_to_be_named(tmp_path, monkeypatch, said, problems):
    async def upload(*_, **__) -> str:
        refusal = RuntimeError("not kept")
        refusal.add_note(said)
        raise refusal

    async def not_open(*_) -> list[str]:
        return []

    monkeypatch.setattr(uploads, "upload", upload)
    monkeypatch.setattr(uploads, "not_open", not_open)
    (tmp_path / "filler").touch()
    server = type("Server", (), {"host": "nowhere"})()
    assert len(asyncio.run(FullDisk(tmp_path).aftermath(server, ""))) == problems
    assert not (tmp_path / "filler").exists()
