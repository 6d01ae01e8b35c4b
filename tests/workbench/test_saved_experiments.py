"""Experiments kept between visits: the same again, old or new after a kill, and nothing of others."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mtsig_core.experiment import Experiment, Replica, System, TestSet
from mtsig_core.loading import LoadReport, ReportLine, load
from mtsig_core.loading.writing import native_zip
from mtsig_core.storage.home import home
from mtsig_core.storage.workspace import Quota, WorkspaceError
from mtsig_core.workbench.saved_experiments import SavedExperiments, default_saved_experiments

REPORT = LoadReport("MultEval", (ReportLine("repaired", "Windows line ends", ("a.txt",), "crlf"),))
ROOT = Path(__file__).resolve().parents[2]


def experiment(word: str = "old", n: int = 3, name: str = "mine") -> Experiment:
    reference = TestSet("test", "test", (tuple(f"{word} {i}" for i in range(n)),))
    systems = tuple(System(s, (Replica("1", {"test": tuple(f"{s} {word} {i}" for i in range(n))}),)) for s in "ab")
    return Experiment(name, (reference,), systems)


@pytest.fixture
def workspace(tmp_path) -> SavedExperiments:
    return SavedExperiments(tmp_path / "workspace")


def test_what_is_saved_opens_again_with_its_report(workspace):
    entry = workspace.save(experiment(), REPORT)
    found, reading = workspace.open(entry.id)
    assert reading.experiment == experiment()
    assert (reading.report.layout, reading.report.lines) == (REPORT.layout, REPORT.lines)
    assert found.name == "mine"
    assert (found.systems, found.replicas, found.test_sets, found.segments) == (2, 2, 1, 3)


def test_the_default_workspace_lies_in_the_home_folder():
    entry = default_saved_experiments().save(experiment(), REPORT)
    assert [path.name for path in (home() / "workspace").glob("*.zip")] == [f"{entry.id}.mtsig.zip"]


def test_ids_are_long_and_never_the_same(workspace):
    ids = {workspace.save(experiment(str(i)), REPORT).id for i in range(5)}
    assert len(ids) == 5
    assert min(map(len, ids)) >= 22


def test_the_same_experiment_keeps_its_entry_for_its_owner_only(workspace):
    first = workspace.save(experiment(), REPORT, owner="one")
    assert workspace.save(experiment(), REPORT, owner="one").id == first.id
    assert workspace.save(experiment(), REPORT, owner="two").id != first.id
    assert len(workspace.entries("one")) == 1
    assert len(workspace.entries()) == 2


def test_a_correction_keeps_the_link(workspace):
    first = workspace.save(experiment(), REPORT)
    second = workspace.save(experiment("new"), REPORT, replaces=first.id)
    assert second.id == first.id
    assert workspace.open(first.id)[1].experiment == experiment("new")
    assert len(workspace.entries()) == 1


def test_nobody_replaces_the_entry_of_another(workspace):
    first = workspace.save(experiment(), REPORT, owner="one")
    assert workspace.save(experiment("new"), REPORT, owner="two", replaces=first.id).id != first.id
    assert workspace.open(first.id)[1].experiment == experiment()


def test_the_latest_comes_first_and_deleting_removes(workspace):
    entries = [workspace.save(experiment(str(i)), REPORT) for i in range(3)]
    for age, entry in enumerate(entries):
        os.utime(workspace.workspace.folder / f"{entry.id}.mtsig.zip", (age, age))
    assert [e.id for e in workspace.entries()] == [e.id for e in reversed(entries)]
    workspace.delete(entries[1].id)
    workspace.delete(entries[1].id)
    assert [e.id for e in workspace.entries()] == [entries[2].id, entries[0].id]


@pytest.mark.parametrize("id", ["", "nothing", "../../etc/passwd", "x" * 22, "a/b" * 10, "\0" * 22, "é" * 22])
def test_an_unknown_id_is_an_error_and_leaves_no_folder(workspace, id):
    for ask in (workspace.open, workspace.entry):
        with pytest.raises(WorkspaceError, match="no experiment"):
            ask(id)


def opening(workspace: SavedExperiments, id: str) -> str:
    try:
        return workspace.open(id)[1].experiment.digest
    except WorkspaceError as error:
        return str(error)


@pytest.mark.slow
def test_damaged_entries_are_listed_with_a_remedy_wherever_the_damage_is(workspace):
    entry = workspace.save(experiment(n=200), REPORT)
    path = workspace.workspace.folder / f"{entry.id}.mtsig.zip"
    whole = path.read_bytes()
    step = max(1, len(whole) // 40)
    for at in range(0, len(whole), step):
        for damaged in (whole[:at], whole[:at] + bytes(b ^ 0x5A for b in whole[at : at + 8]) + whole[at + 8 :]):
            path.write_bytes(damaged)
            (found,) = workspace.entries()
            assert found.problem == "" or "delete" in found.problem
            said = opening(workspace, entry.id)
            assert said == experiment(n=200).digest or "delete" in said


def test_a_stranger_file_is_listed_as_damaged(workspace):
    workspace.save(experiment(), REPORT)
    (workspace.workspace.folder / f"{'z' * 22}.mtsig.zip").write_bytes(native_zip(experiment()))
    assert sorted(bool(entry.problem) for entry in workspace.entries()) == [False, True]


def test_a_download_of_an_entry_is_an_ordinary_run_folder(workspace):
    entry = workspace.save(experiment(), REPORT)
    loaded, _ = load(workspace.workspace.folder / f"{entry.id}.mtsig.zip")
    assert loaded == experiment()


def test_an_unwritable_folder_is_said(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(WorkspaceError, match="cannot be written to"):
        SavedExperiments(tmp_path / "file" / "workspace").save(experiment(), REPORT)
    assert SavedExperiments(tmp_path / "file" / "workspace").entries() == []


def test_a_full_disk_is_said_and_leaves_nothing(workspace, monkeypatch):
    workspace.save(experiment(), REPORT)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WorkspaceError, match="No space left"):
        workspace.save(experiment("new"), REPORT)
    assert len(workspace.entries()) == 1
    assert not list(workspace.workspace.folder.glob(".tmp*"))


def test_an_experiment_over_its_quota_is_not_kept(tmp_path):
    workspace = SavedExperiments(tmp_path, Quota(each=1000))
    with pytest.raises(WorkspaceError, match="limit for one"):
        workspace.save(experiment(n=2000), REPORT)
    assert workspace.entries() == []


def test_a_full_workspace_evicts_nobody(tmp_path):
    size = SavedExperiments(tmp_path / "a").save(experiment(), REPORT).bytes
    workspace = SavedExperiments(tmp_path / "b", Quota(total=2 * size + 50))
    kept = {workspace.save(experiment(word), REPORT).id for word in ("one", "two")}
    with pytest.raises(WorkspaceError, match="used up"):
        workspace.save(experiment("six"), REPORT)
    assert {entry.id for entry in workspace.entries()} == kept


def test_what_killed_writers_left_is_swept_away_when_old(workspace):
    workspace.save(experiment(), REPORT)
    old, new = workspace.workspace.folder / ".tmpold", workspace.workspace.folder / ".tmpnew"
    for path in (old, new):
        path.write_text("half")
    os.utime(old, (1, 1))
    workspace.save(experiment("new"), REPORT)
    assert not old.exists()
    assert new.exists()


WRITER = """
import sys
sys.path[:0] = [{root!r}]
from pathlib import Path
from tests.workbench.test_saved_experiments import REPORT, experiment
from mtsig_core.workbench.saved_experiments import SavedExperiments
workspace, id = SavedExperiments(Path({folder!r})), {id!r}
words = ["new", "old"]
print("ready", flush=True)
while True:
    for word in words:
        assert workspace.save(experiment(word, n=3000), REPORT, replaces=id).id == id
"""


@pytest.mark.slow
def test_a_writer_killed_in_the_middle_leaves_the_old_or_the_new_state(workspace):
    entry = workspace.save(experiment("old", n=3000), REPORT)
    code = WRITER.format(root=str(ROOT), folder=str(workspace.workspace.folder), id=entry.id)
    states = (experiment("old", n=3000).digest, experiment("new", n=3000).digest)
    for k in range(3):
        writer = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(0.013 * (k + 1))
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        assert [e.problem for e in workspace.entries()] == [""]
        assert workspace.open(entry.id)[1].experiment.digest in states


@pytest.mark.slow
def test_readers_see_old_or_new_while_another_process_writes(workspace):
    entry = workspace.save(experiment("old", n=3000), REPORT)
    code = WRITER.format(root=str(ROOT), folder=str(workspace.workspace.folder), id=entry.id)
    writer = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    try:
        writer.stdout.readline()
        seen = [workspace.open(entry.id)[1].experiment.digest for _ in range(20)]
        assert writer.poll() is None
        assert len(set(seen)) == 2, "the writer changed nothing"
    finally:
        writer.kill()
        writer.wait()
        writer.stdout.close()
