"""The workspace alone: it stores bytes and an entry, and knows nothing of experiments."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO

import pytest

from mtsig_core.storage.workspace import ABOUT, Entry, Quota, Workspace, WorkspaceError

ROOT = Path(__file__).resolve().parents[2]


def writer(text: bytes):
    def write(file: IO[bytes], members: Mapping[str, bytes]) -> None:
        with zipfile.ZipFile(file, "w") as archive:
            for path, data in {**members, "text": text}.items():
                archive.writestr(path, data)

    return write


def text_in(data: bytes, tmp_path: Path) -> bytes:
    path = tmp_path / "read.zip"
    path.write_bytes(data)
    with zipfile.ZipFile(path) as archive:
        assert set(archive.namelist()) == {ABOUT, "text"}
        return archive.read("text")


def test_bytes_and_entry_come_back(tmp_path):
    workspace = Workspace(tmp_path / "w")
    entry = workspace.save(Entry("", name="mine", digest="1", systems=2), writer(b"one"))
    read, data = workspace.read(entry.id)
    assert text_in(data, tmp_path) == b"one"
    assert (read.name, read.systems, read.id) == ("mine", 2, entry.id)
    assert workspace.entries() == [read]


def test_whoever_asks_is_told_before_a_file_is_replaced_or_removed(tmp_path):
    removed: list[tuple[str, bytes]] = []
    workspace = Workspace(tmp_path / "w", on_removal=lambda id, data: removed.append((id, text_in(data, tmp_path))))
    entry = workspace.save(Entry("", digest="1"), writer(b"one"))
    assert removed == []
    assert workspace.save(Entry("", digest="2"), writer(b"two"), replaces=entry.id).id == entry.id
    workspace.delete(entry.id)
    workspace.delete(entry.id)
    assert removed == [(entry.id, b"one"), (entry.id, b"two")]


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path):
    def fails(file: IO[bytes], members: Mapping[str, bytes]) -> None:
        file.write(b"half")
        raise KeyError("broken")

    workspace = Workspace(tmp_path / "w", Quota(each=10_000))
    entry = workspace.save(Entry("", digest="1"), writer(b"one"))
    with pytest.raises(KeyError):
        workspace.save(Entry("", digest="2"), fails, replaces=entry.id)
    with pytest.raises(WorkspaceError, match="limit for one"):
        workspace.save(Entry("", digest="3"), writer(bytes(20_000)), replaces=entry.id)
    assert text_in(workspace.read(entry.id)[1], tmp_path) == b"one"
    assert {path.name for path in workspace.folder.iterdir()} <= {f"{entry.id}.mtsig.zip", ".lock"}


@pytest.mark.slow
def test_the_workspace_is_imported_without_loading_or_experiments():
    code = (
        "import sys, mtsig_core.storage.workspace\n"
        "print(*(name for name in sys.modules if name.startswith(('mtsig_core.loading', 'mtsig_core.experiment'))))"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.split() == []
