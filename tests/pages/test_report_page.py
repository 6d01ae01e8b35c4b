"""The page Report in a simulated session."""

from __future__ import annotations

import pytest

from mtsig_core.reports.paper.model import DEFAULT_PARTS, PARTS
from tests.pages.session import app, goto, said, settle

pytestmark = pytest.mark.slow


def test_parts_are_chosen_shown_and_offered():
    made = goto(app(), "Report")
    settle(made)
    ticked = {box.label for box in made.checkbox if box.value}
    assert ticked >= {PARTS[name] for name in DEFAULT_PARTS}
    assert not {PARTS["runs"], PARTS["plan"]} & ticked
    labels = {button.label for button in made.get("download_button")}
    assert {"All files (ZIP)", "HTML", "Markdown", "LaTeX", "JSON"} <= labels
    assert made.segmented_control(key="report section").options == [PARTS[name] for name in DEFAULT_PARTS]
    made.segmented_control(key="report section").set_value("checklist")
    settle(made)
    assert "How many replicas has each system?" in said(made)
    for name in DEFAULT_PARTS[:-1]:
        made.checkbox(key=f"report {name}").uncheck()
    settle(made)
    assert made.segmented_control(key="report section").options == [PARTS["checklist"]]
    made.checkbox(key="report checklist").uncheck()
    settle(made)
    assert "Choose one part" in " ".join(info.value for info in made.info)
