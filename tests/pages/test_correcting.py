"""What was recognised is corrected on the page Data: at once, and back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from mtsig_core.loading import corrections as mapping
from mtsig_core.loading.recognition.roles import SHOWN, FileRole
from mtsig_core.loading.stored_corrections import manifest_of
from mtsig_core.workbench.saved_experiments import default_saved_experiments
from pages.parts.data.correcting import said_counts
from tests.pages.session import app, goto, settle, upload, zipped

pytestmark = pytest.mark.slow


@pytest.fixture
def made(folder) -> AppTest:
    return goto(upload(app("Data"), "mine.zip", zipped(folder)), "Data", "check")


def press(made: AppTest, key: str) -> AppTest:
    made.button(key=key).click()
    return settle(made)


def labelled(elements, label: str):
    (found,) = (element for element in elements if element.label == label)
    return found


def rename(made: AppTest, choice: tuple[str, str], name: str) -> AppTest:
    labelled(made.selectbox, "Rename everywhere").set_value(choice)
    labelled(made.text_input, "New name").set_value(name)
    settle(made)
    labelled(made.button, "Rename").click()
    return settle(made)


def edit(made: AppTest, path: str, **cells: str) -> AppTest:
    """Write into the table as a person does; the simulated session has no such widget."""
    desk = made.session_state["desk"]
    desk.take(mapping.edited(desk.draft, {path: {key.replace("_", " "): value for key, value in cells.items()}}))
    return settle(made)


def systems(made: AppTest) -> list[str]:
    return made.selectbox(key="baseline").options


def test_a_rename_is_applied_undone_and_keeps_the_link(made):
    link = made.query_params["experiment"]
    assert systems(made) == ["better", "plain"]
    rename(made, ("system", "plain"), "simple")
    assert systems(made) == ["better", "plain"]  # a draft only
    press(made, "apply")
    assert systems(made) == ["better", "simple"]
    assert made.query_params["experiment"] == link
    rename(made, ("test set", "test"), "news")
    press(made, "apply")
    assert "news" in made.selectbox(key="set").options
    press(made, "undo")
    assert "news" not in made.selectbox(key="set").options
    assert systems(made) == ["better", "simple"]
    press(made, "reset")
    assert systems(made) == ["better", "plain"]
    assert made.button(key="undo").disabled
    (entry,) = default_saved_experiments().entries()
    assert default_saved_experiments().open(entry.id)[1].experiment == made.session_state["opened"].experiment


def test_an_error_names_the_row_and_loses_nothing(made):
    edit(made, "test/systems/plain/seed2.txt", replica="seed1")
    press(made, "apply")
    said = " ".join(error.value.replace("\\", "") for error in made.error)
    assert "test/systems/plain/seed2.txt" in said
    assert "same output" in said
    assert made.session_state["desk"].draft.roles != made.session_state["desk"].applied.roles
    assert len(made.session_state["opened"].experiment.system("plain").replicas) == 3
    press(made, "discard")
    assert not made.error


def test_baseline_role_and_pairing_are_chosen(made):
    labelled(made.selectbox, "Baseline").set_value("plain")
    [box for box in made.toggle if box.key and box.key.startswith("draft paired")][0].set_value(True)
    labelled(made.selectbox, "Role of dev").set_value("test")
    settle(made)
    press(made, "apply")
    experiment = made.session_state["opened"].experiment
    assert (experiment.baseline, experiment.paired) == ("plain", True)
    assert experiment.dev_set() is None
    assert made.selectbox(key="baseline").value == "plain"
    assert made.toggle(key="paired").value is True


def test_files_shown_can_be_left_out_together(made):
    labelled(made.multiselect, "Only systems").set_value(["plain"])
    settle(made)
    labelled(made.button, "Leave out these 6").click()
    settle(made)
    press(made, "apply")
    assert [s.name for s in made.session_state["opened"].experiment.systems] == ["better"]
    press(made, "undo")
    assert systems(made) == ["better", "plain"]


def test_it_works_after_another_page_was_shown(made):
    made.switch_page("pages/explore/replicas.py")
    settle(made)
    goto(made, "Data", "check")
    rename(made, ("system", "plain"), "simple")
    press(made, "apply")
    assert systems(made) == ["better", "simple"]


def test_systems_that_only_scores_tell_of_are_renamed_left_out_and_undone():
    rows = [f"{s},{k},{i},{len(s) + i % 3 + k / 9}" for s in ("one", "two", "three") for k in (1, 2) for i in range(20)]
    table = "\n".join(["system,replica,segment,accuracy", *rows, ""]).encode()
    made = goto(upload(app("Data"), "scores.csv", table), "Data", "check")
    assert systems(made) == ["one", "three", "two"]
    rename(made, ("system", "two"), "2nd")
    labelled(made.selectbox, "Rename everywhere").set_value(("system", "three"))
    settle(made)
    labelled(made.button, "Leave out").click()
    settle(made)
    press(made, "apply")
    assert systems(made) == ["2nd", "one"]
    press(made, "undo")
    assert systems(made) == ["one", "three", "two"]


def test_corrections_are_applied_to_a_new_upload_of_the_same_files(made, folder):
    rename(made, ("system", "plain"), "simple")
    press(made, "apply")
    again = upload(app("Data"), "mine.zip", zipped(folder))
    assert systems(again) == ["better", "simple"]
    report = again.session_state["opened"].report
    assert report.with_code("corrected-again")
    goto(again, "Data", "check")
    press(again, "reset")
    assert systems(again) == ["better", "plain"]
    assert systems(upload(app("Data"), "mine.zip", zipped(folder))) == ["better", "plain"]


def test_a_direction_confirmed_beside_the_verdict_is_kept_for_the_same_files_and_exported():
    rows = (f"{s},{k},{i},0.{i}{k}{len(s)}\n" for s in ("a", "bb") for k in (1, 2) for i in range(1, 6))
    table = ("system,seed,segment,zeta\n" + "".join(rows)).encode()

    def opened() -> AppTest:
        made = app("Data")
        made.file_uploader(key="archive").upload("s.csv", table)
        return settle(made)

    made = goto(opened(), "Compare")
    press(made, "Lower is better zeta")
    experiment = made.session_state["opened"].experiment
    assert (experiment.outside_metrics, experiment.assumed_directions) == ({"zeta": False}, frozenset())
    again = opened()
    now = again.session_state["opened"]
    assert (now.experiment.outside_metrics, now.experiment.assumed_directions) == ({"zeta": False}, frozenset())
    assert now.report.with_code("corrected-again")
    assert not now.report.with_code("direction")
    goto(again, "Data", "check")
    manifest = manifest_of(now.recognition, again.session_state["desk"].applied, now.experiment)
    assert "[metrics.\"zeta\"]\nhigher_is_better = false" in manifest
    press(again, "reset")
    assert again.session_state["opened"].experiment.assumed_directions == {"zeta"}


def test_the_direction_of_a_metric_is_stated_in_the_table(tmp_path):
    table = "system,segment,zeta\n" + "".join(f"{s},{i},0.{i}\n" for s in "ab" for i in range(1, 6))
    made = app("Data")
    made.file_uploader(key="archive").upload("s.csv", table.encode())
    settle(made)
    goto(made, "Data", "check")
    assert made.session_state["opened"].experiment.assumed_directions == {"zeta"}
    desk = made.session_state["desk"]
    desk.take(replace(desk.draft, directions={"zeta": False}))
    settle(made)
    press(made, "apply")
    experiment = made.session_state["opened"].experiment
    assert experiment.outside_metrics == {"zeta": False}
    assert not experiment.assumed_directions


def test_files_of_judgements_are_not_counted_as_left_out():
    roles = [FileRole("a.csv", "ignored", reason=f"human judgements, {SHOWN}"), FileRole("b.md", "ignored", reason="?")]
    assert said_counts(mapping.Corrections(tuple(roles))) == "1 left out, 1 file of human judgements"
