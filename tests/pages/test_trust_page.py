"""Trust the tests in a simulated session."""

from __future__ import annotations

import pytest

from tests.conftest import small_experiment, write_folder
from tests.pages.session import app, goto, said, session, settle, upload, zipped

pytestmark = pytest.mark.slow


def test_the_page_shows_alarms_calibration_effects_and_the_arena():
    made = goto(app(), "Trust the tests")
    text = said(made)
    assert "random ways to split 50 replicas into halves of 25 and 25" in text
    assert "What to expect of tests that take the outputs as given" in text
    made.segmented_control(key="trust topic").set_value("inflation")
    settle(made)
    assert "the variance of the difference is" in said(made)
    goto(made, "Trust the tests", "rates")
    alarms = made.dataframe[0].value
    assert "Crossed test" in alarms["test"].tolist()
    assert alarms.set_index("test").loc["Fu's test-set-level randomization", "outputs only"].endswith("⚠")
    goto(made, "Trust the tests", "limits")
    limits = made.dataframe[0].value
    assert limits["replicas"].tolist()[:3] == ["2 and 3", "2 and 5", "2 and 10"]
    assert limits["p < 0.05"].str.fullmatch(r"\d+(\.\d)?%").all()
    assert "Where your data look like one of these, the verdict says so." in said(made)
    assert "Neither system is better" in said(goto(made, "Trust the tests", "worlds"))
    made.slider(key="arena gain").set_value(2.0)
    settle(made)
    assert "B is better by 2" in said(made)
    next(b for b in made.button if b.label == "Vary as my data do").click()
    settle(made)
    assert made.slider(key="arena n").value == 10
    assert made.select_slider(key="arena segments").value == 300


def test_few_replicas_are_explained(tmp_path):
    experiment = small_experiment(n_segments=20, replicas={"plain": 3, "better": 1}, dev=False)
    made = upload(session({"demo": "news"}), "mine.zip", zipped(write_folder(experiment, tmp_path / "mine")))
    text = said(goto(made, "Trust the tests"))
    assert "needs at least 4" in text
    assert "No system has more than 3 here." in text
    assert "has one replica, so how replicas vary is unknown" in said(goto(made, "Trust the tests", "worlds"))


def test_two_systems_tells_the_size_and_all_sets_together():
    made = goto(app(), "Compare")
    text = said(made)
    assert "Effect size" in text
    assert "taken at random, beats one of words" in text
    assert "Over 2 test sets, with equal weights" in said(goto(made, "Compare", "all"))
