"""All pairs, the comparator and the single-run lottery in a simulated session."""

from __future__ import annotations

import pytest

from tests.pages.session import app, goto, said, settle

pytestmark = pytest.mark.slow


def test_all_pairs():
    made = app()
    assert "The pair differs" in said(goto(made, "Rank systems"))
    goto(made, "Rank systems", "pairs")
    matrix = made.dataframe[0].value
    assert list(matrix.index) == list(matrix.columns) == ["segmented", "words"]
    chosen = made.selectbox(key="pairs preset")
    assert chosen.value == "", "an option None would show as no choice when the page is drawn again"
    assert chosen.options[chosen.index] == "The test of the verdict"
    goto(made, "Rank systems", "methods")
    made.toggle(key="three methods").set_value(True)
    settle(made)
    assert any("Riezler (one replica" in str(frame.value.to_dict()) for frame in made.dataframe)


def test_presets_with_warnings_are_shown_when_asked_for():
    made = app()
    goto(made, "Compare", "tests")

    def tests() -> list[str]:
        return next(f.value for f in made.dataframe if "question" in f.value.columns)["test"].tolist()

    assert not any(name.startswith("⚠") for name in tests())
    made.toggle(key="published variants").set_value(True)
    settle(made)
    assert sum(name.startswith("⚠") for name in tests()) >= 10
    assert "would have been called significant" in said(goto(made, "Compare", "why"))
    assert "The right question" in said(goto(made, "Compare", "methods"))


def test_p_against_replicas():
    made = app()
    goto(made, "Plan", "p")
    frame = next(f.value for f in made.dataframe if "permuted" in f.value.columns)
    assert set(frame["permuted"]) == {"segments as blocks", "single outputs"}


def test_a_difference_is_asked_about_by_dragging_or_typing():
    made = app()
    goto(made, "Compare", "methods")
    made.segmented_control(key="method").set_value("difference")
    settle(made)
    made.number_input(key=next(w.key for w in made.number_input if w.label == "Or type it")).set_value(0.5)
    settle(made)
    dragged = next(w for w in made.slider if w.label == "A difference to ask about")
    assert dragged.value == 0.5
    dragged.set_value(0.0)
    settle(made)
    assert next(w.value for w in made.number_input if w.label == "Or type it") == 0.0
