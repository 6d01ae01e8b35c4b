"""Several experiments: in an upload one is chosen from a list and then another, and two ways to open follow in turn."""

import io
import zipfile

import pytest

from tests.conftest import sentences
from tests.pages.session import app, settle, unmarked, upload, zipped

TEXT = "\n".join(sentences(3, 8)).encode()


def _upload() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for folder, system in (("first/runs", "one"), ("second/runs", "two")):
            for name in ("ref.txt", f"{system}.seed1.txt", f"{system}.seed2.txt"):
                archive.writestr(f"{folder}/{name}", TEXT)
    return stream.getvalue()


def _systems(made) -> list[str]:
    return [system.name for system in made.session_state["opened"].experiment.systems]


def _open(made, folder: str):
    box = next(box for box in made.selectbox if box.label == "Experiments in this upload")
    assert box.options == [
        f"{name}: files named by system and run, with a reference; 1 system, 2 outputs"
        for name in ("first/runs", "second/runs")
    ]
    box.select(next(option for option in box.options if option.startswith(folder)))
    next(button for button in made.button if button.label == "Open this one").click()
    return settle(made)


@pytest.mark.slow
def test_an_experiment_is_chosen_and_then_the_other(tmp_path):
    path = tmp_path / "all.zip"
    path.write_bytes(_upload())
    made = app("Data")
    before = _systems(made)
    made.text_input(key="path").set_value(str(path))
    next(button for button in made.button if button.label == "Open").click()
    settle(made)
    assert any("holds several experiments" in error.value for error in made.error)
    assert _systems(made) == before
    assert _systems(_open(made, "second")) == ["two"]
    assert _systems(_open(made, "first")) == ["one"]
    assert made.session_state["opened"].experiment.name == "all/first/runs"


@pytest.mark.slow
def test_what_lies_in_another_box_is_not_opened_again(folder, tmp_path):
    (tmp_path / "ref.txt").write_bytes(TEXT)
    (tmp_path / "one.seed1.txt").write_bytes(TEXT)
    (tmp_path / "one.seed2.txt").write_bytes(b"\xff\xfe\x00\xd8" * 9)
    made = upload(app("Data"), "mine.zip", zipped(folder))
    assert made.session_state["opened"].experiment.name == "mine"
    assert not made.warning
    made.text_input(key="path").set_value(str(tmp_path))
    next(button for button in made.button if button.label == "Open").click()
    settle(made, 20)
    assert _systems(made) == ["one"]
    settle(made, 20)
    assert _systems(made) == ["one"]
    assert "one.seed2.txt. The section **Check and correct** says why." in unmarked(made.warning[-1].value)
    made.file_uploader(key="archive").upload("photo.png", b"\x89PNG\r\n\x1a\n" + bytes(range(200)))
    settle(made, 20)
    assert "photo.png: is not text" in unmarked(made.error[0].value)
    assert _systems(settle(made, 20)) == ["one"]
