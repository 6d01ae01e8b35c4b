"""Uploaded experiments come back: by link, from the list, and not to strangers."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from mtsig_core.storage.home import home
from mtsig_core.workbench.saved_experiments import default_saved_experiments
from tests.pages.session import app, said, settle, upload, zipped

pytestmark = pytest.mark.slow


def address(made: AppTest) -> str | None:
    found = made.query_params.get("experiment")
    return found[0] if isinstance(found, list) else found


def labels(made: AppTest) -> list[str]:
    return [button.key or "" for button in made.button]


def test_an_upload_is_kept_and_its_link_opens_it_in_another_session(folder):
    made = upload(app("Data"), "mine.zip", zipped(folder))
    (entry,) = default_saved_experiments().entries()
    assert address(made) == entry.id
    assert "demo" not in made.query_params
    other = app("Data", experiment=entry.id, baseline="better", seed="7", demo="")
    assert "Open now: **mine**" in said(other)
    assert other.selectbox(key="baseline").value == "better"
    assert other.number_input(key="seed").value == 7
    assert address(other) == entry.id
    assert f"delete {entry.id}" in labels(other)  # listed, without a button to open what is open
    assert f"open {entry.id}" not in labels(other)


def test_the_same_upload_again_makes_no_second_entry(folder):
    upload(app("Data"), "mine.zip", zipped(folder))
    made = upload(app("Data"), "mine.zip", zipped(folder))
    assert len(default_saved_experiments().entries()) == 1
    assert address(made)


def test_recents_open_and_delete(folder):
    upload(app("Data"), "mine.zip", zipped(folder))
    (entry,) = default_saved_experiments().entries()
    made = app("Data")
    assert "Open now: **mine**" not in said(made)
    made.button(key=f"open {entry.id}").click()
    settle(made)
    assert "Open now: **mine**" in said(made)
    assert address(made) == entry.id
    made.button(key=f"delete {entry.id}").click()
    settle(made)
    assert default_saved_experiments().entries() == []
    assert "Open now: **mine**" in said(made)  # what is open stays open
    assert address(made) is None
    assert "Recent experiments" not in said(made)


def test_a_link_to_nothing_says_so_and_opens_a_demonstration():
    made = app("Data", experiment="x" * 22)
    assert "There is no experiment" in said(made)
    assert "Open now: **Local news" in said(made)
    assert address(made) is None


def test_a_demonstration_that_does_not_exist_is_said():
    made = app("Data", demo="moon")
    assert "There is no demonstration 'moon'" in said(made)
    assert address(made) is None


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04"])
def test_a_damaged_entry_is_listed_with_its_remedy_and_can_be_deleted(folder, damage):
    upload(app("Data"), "mine.zip", zipped(folder))
    (entry,) = default_saved_experiments().entries()
    (home() / "workspace" / f"{entry.id}.mtsig.zip").write_bytes(damage)
    made = app("Data", experiment=entry.id)
    assert "cannot be opened" in said(made)
    assert "Its file is damaged" in said(made)
    assert made.button(key=f"open {entry.id}").disabled
    made.button(key=f"delete {entry.id}").click()
    settle(made)
    assert default_saved_experiments().entries() == []


def test_a_folder_that_cannot_be_written_to_is_a_caption_and_the_app_goes_on(folder):
    home().mkdir(exist_ok=True)
    (home() / "workspace").write_text("in the way")
    made = upload(app("Data"), "mine.zip", zipped(folder))
    assert "Open now: **mine**" in said(made)
    assert "cannot be written to" in said(made)
    assert address(made) is None


def test_a_quota_is_a_caption(folder, monkeypatch):
    monkeypatch.setenv("MTSIG_QUOTA_MB", "0.001")
    made = upload(app("Data"), "mine.zip", zipped(folder))
    assert "Open now: **mine**" in said(made)
    assert "the limit for one" in said(made)


def test_a_quota_that_is_no_number_is_a_caption(folder, monkeypatch):
    monkeypatch.setenv("MTSIG_QUOTA_MB", "much")
    made = upload(app("Data"), "mine.zip", zipped(folder))
    assert "Open now: **mine**" in said(made)
    assert "MTSIG_QUOTA_MB should be a number" in said(made)


def test_on_a_shared_server_nobody_lists_or_types_what_is_not_theirs(folder, monkeypatch):
    monkeypatch.setenv("MTSIG_SHARED", "1")
    made = upload(app("Data"), "mine.zip", zipped(folder))
    (entry,) = default_saved_experiments().entries()
    assert f"delete {entry.id}" in labels(made)
    assert [tab.label for tab in made.tabs][:2] == ["Zip, tar or loose files", "Folder"]
    assert "Path on this computer" not in [tab.label for tab in made.tabs]
    stranger = app("Data")
    assert not {f"open {entry.id}", f"delete {entry.id}"} & set(labels(stranger))
    assert "Recent experiments" not in said(stranger)
    guest = app("Data", experiment=entry.id)  # who has the link may open, not delete
    assert "Open now: **mine**" in said(guest)
    assert f"delete {entry.id}" not in labels(guest)


def test_nobody_reaches_what_is_not_theirs_by_guessing_an_address(folder, monkeypatch):
    monkeypatch.setenv("MTSIG_SHARED", "1")
    made = upload(app("Data"), "mine.zip", zipped(folder))
    (entry,) = default_saved_experiments().entries()
    file = home() / "workspace" / f"{entry.id}.mtsig.zip"
    last = "A" if entry.id[-1] != "A" else "B"
    for guess in (entry.id[:-1] + last, "*" * 22, f"../workspace/{entry.id}", str(file), entry.digest, "\0"):
        stranger = app("Data", experiment=guess)
        assert "Open now: **mine**" not in said(stranger), guess
        assert "There is no experiment" in said(stranger), guess
        assert address(stranger) is None
    assert "Open now: **mine**" in said(made)
    assert default_saved_experiments().entries() == [entry]


def test_a_shared_server_refuses_a_path_that_was_slipped_in(folder, monkeypatch):
    monkeypatch.setenv("MTSIG_SHARED", "1")
    made = app("Data")
    made.session_state["typed"] = str(folder)
    made.session_state["times typed"] = 1
    settle(made)
    assert "Open now: **small**" not in said(made)
    assert default_saved_experiments().entries() == []
