"""All pairs, the comparator and the single-run lottery in a simulated session."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.slow


def app() -> AppTest:
    made = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    for key, value in {"demo": "news", "boot": "100", "shuffles": "100", "metrics": "BLEU"}.items():
        made.query_params[key] = value
    return settle(made)


def settle(made: AppTest, seconds: float = 90) -> AppTest:
    made.run()
    end = time.monotonic() + seconds
    while any(b.label == "Cancel" for b in made.button) and time.monotonic() < end:
        time.sleep(0.2)
        made.run()
    assert not made.exception, made.exception
    return made


def said(made: AppTest) -> str:
    return "\n".join(e.value for kind in ("markdown", "caption", "subheader") for e in made.get(kind))


def test_all_pairs():
    made = app()
    made.switch_page("pages/explore/all_pairs.py")
    settle(made)
    text = said(made)
    assert "of 1 pair differ at level 0.05 (Holm)" in text
    assert "The observed difference" in text
    matrix = made.dataframe[0].value
    assert list(matrix.index) == list(matrix.columns) == ["segmented", "words"]
    made.toggle(key="three methods").set_value(True)
    settle(made)
    assert any("Riezler (one replica" in str(frame.value.to_dict()) for frame in made.dataframe)


def test_presets_with_warnings_are_shown_when_asked_for():
    made = app()
    made.switch_page("pages/explore/two_systems.py")
    settle(made)

    def tests() -> list[str]:
        return next(f.value for f in made.dataframe if "how p comes about" in f.value.columns)["test"].tolist()

    assert not any(name.startswith("⚠") for name in tests())
    assert "would have been called significant" in said(made)
    assert "The right question" in said(made)
    made.toggle(key="all presets").set_value(True)
    settle(made)
    assert sum(name.startswith("⚠") for name in tests()) >= 10


def test_p_against_replicas():
    made = app()
    made.switch_page("pages/explore/how_many_replicas.py")
    settle(made)
    frame = next(f.value for f in made.dataframe if "swapped" in f.value.columns)
    assert set(frame["swapped"]) == {"segment", "hypothesis"}
