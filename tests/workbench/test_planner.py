import json

import pytest

from mtsig_core.cli.main import main
from tests.conftest import small_experiment, write_folder


@pytest.mark.slow
def test_plan_prints_one_document(folder, capsys):
    assert main(["planner", str(folder), "--json", "--difference", "5", "--test-set", "test"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["results"]
    assert one["plan"]["needed"] >= 2
    assert sum(c["share"] for c in one["components"] if c["share"] is not None) == pytest.approx(1)
    assert one["shared_seeds"]["identical_equal"] < 1


def test_one_replica_each_says_why_there_is_no_plan(tmp_path, capsys):
    folder = write_folder(small_experiment(replicas={"plain": 1, "better": 1}), tmp_path / "single")
    assert main(["planner", str(folder)]) == 0
    assert "No plan" in capsys.readouterr().out


def test_one_replica_on_one_side_shows_components_but_no_plan(tmp_path, capsys):
    folder = write_folder(small_experiment(replicas={"plain": 1, "better": 3}, dev=False), tmp_path / "single")
    assert main(["planner", str(folder)]) == 0
    out = capsys.readouterr().out
    assert "plain has one replica" in out
    assert "Planning takes two or more replicas of each system" in out


@pytest.mark.slow
@pytest.mark.parametrize(("option", "value", "word"), [("--difference", "0", "other than 0"), ("--power", "1", "power"),
                                                       ("--alpha", "2", "alpha")])
def test_numbers_out_of_range_are_named(folder, option, value, word, capsys):
    assert main(["planner", str(folder), "--difference", "1", option, value]) == 2
    assert word in capsys.readouterr().err
