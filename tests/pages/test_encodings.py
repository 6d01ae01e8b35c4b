"""Where an output was left out for its encoding, another encoding can be chosen, and taken back."""

import pytest

from tests.conftest import sentences
from tests.pages.session import app, settle

LINES = [f"{line} \u00e4\u00f6\u00fc" for line in sentences(3, 8)]
LABEL = "Read files that are not UTF-8 as"


def _box(made):
    return next((box for box in made.selectbox if box.label == LABEL), None)


def _n_replicas(made):
    return sum(len(system.replicas) for system in made.session_state["opened"].experiment.systems)


@pytest.mark.slow
def test_an_encoding_is_offered_for_one_output(tmp_path):
    (tmp_path / "ref.txt").write_text("\n".join(LINES), encoding="utf-8")
    for k, encoding in ((1, "utf-8"), (2, "latin-1")):
        (tmp_path / f"one.seed{k}.txt").write_text("\n".join(f"{line} \u00df" for line in LINES), encoding=encoding)
    made = app("Data")
    assert _box(made) is None
    made.text_input(key="path").set_value(str(tmp_path))
    next(button for button in made.button if button.label == "Open").click()
    settle(made)
    assert _n_replicas(made) == 1
    box = _box(made)
    box.select(next(option for option in box.options if option.startswith("cp1252")))
    settle(made)
    assert _n_replicas(made) == 2
    box = _box(made)
    assert box.value.startswith("cp1252")
    box.select(box.options[0])
    settle(made)
    assert _n_replicas(made) == 1
