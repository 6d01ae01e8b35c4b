"""An upload of which nothing is recognised is opened by saying what its files and columns are."""

from __future__ import annotations

import pytest

from mtsig_core.loading.table_columns import with_columns
from tests.loading.test_table_columns import TABLE, TAKEN
from tests.pages.session import app, settle

pytestmark = pytest.mark.slow


def test_a_table_of_unknown_columns_is_opened_by_hand():
    made = app("Data")
    before = made.session_state["opened"].experiment.name
    made.file_uploader(key="archive").upload("marks.csv", TABLE.encode())
    settle(made)
    assert any("What was open before is still open" in error.value for error in made.error)
    assert "Say what the files are" in [heading.value for heading in made.header]
    desk = made.session_state["desk by hand"]
    assert [role.kind for role in desk.draft.roles] == ["scores"], "a table of numbers is proposed as scores"
    assert made.session_state["opened"].experiment.name == before
    made.button(key="apply").click()
    settle(made)
    assert any("names no columns system, segment and score" in error.value for error in made.error)
    desk = made.session_state["desk by hand"]
    desk.take(with_columns(desk.draft, "marks.csv", TAKEN))  # the simulated session has no table to write into
    settle(made)
    made.button(key="apply").click()
    settle(made)
    experiment = made.session_state["opened"].experiment
    assert [system.name for system in experiment.systems] == ["a", "b"]
    scores = experiment.system("b").replicas[0].scores["test"]
    assert {metric: list(values) for metric, values in scores.items()} == {"Note": [0.7, 0.8]}
    assert "Say what the files are" not in [heading.value for heading in settle(made).header]
