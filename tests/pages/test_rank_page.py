"""All pairs, the comparator and the single-run lottery in a simulated session."""

from __future__ import annotations

import pytest

from tests.pages.session import app, goto, said, settle

pytestmark = pytest.mark.slow


def test_all_pairs():
    made = app()
    goto(made, "Rank systems")
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
    goto(made, "Compare")

    def tests() -> list[str]:
        return next(f.value for f in made.dataframe if "how p is computed" in f.value.columns)["test"].tolist()

    assert not any(name.startswith("⚠") for name in tests())
    assert "would have been called significant" in said(made)
    assert "The right question" in said(made)
    made.toggle(key="all presets").set_value(True)
    settle(made)
    assert sum(name.startswith("⚠") for name in tests()) >= 10


def test_p_against_replicas():
    made = app()
    goto(made, "Plan")
    frame = next(f.value for f in made.dataframe if "permuted" in f.value.columns)
    assert set(frame["permuted"]) == {"segment", "hypothesis"}
