"""A report is computed again: the same numbers, or what differs."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from mtsig_core.experiment import Experiment, Replica, System
from mtsig_core.workbench import Workbench
from mtsig_core.workbench.paper.replay import replay
from tests.conftest import small_experiment


@pytest.mark.slow
def test_a_report_is_computed_again(report, bench):
    stored = json.loads(json.dumps(report.document))
    again = replay(stored, Workbench(bench.experiment))
    assert again.same
    assert again.changes == ()
    assert again.compared > 300


@pytest.mark.slow
def test_another_wording_is_no_other_number(report, bench):
    stored = json.loads(json.dumps(report.document))
    verdict = stored["results"]["compare"]["results"][0]["verdict"]
    verdict["headline"] = f"An older version said: {verdict['headline']}"
    assert replay(stored, Workbench(bench.experiment)).same
    verdict["outcome"] = "other"
    assert not replay(stored, Workbench(bench.experiment)).same


@pytest.mark.slow
def test_a_replay_names_what_differs(report, bench):
    stored = json.loads(json.dumps(report.document)) | {"files": {"a.txt": "1", "b.txt": "2"}}
    first = bench.experiment.system("better").replicas[0]
    changed = Replica("seed1", {**first.outputs, "test": first.outputs["test"][::-1]})
    better = System("better", (changed, *bench.experiment.system("better").replicas[1:]))
    other = replace(bench.experiment, systems=(better, bench.experiment.system("plain")))
    result = replay(stored, Workbench(other), files={"a.txt": "1", "b.txt": "3"})
    causes = [(c.kind, c.what) for c in result.changes if c.kind != "number"]
    assert causes == [("file", "b.txt"), ("data", "better/seed1")]
    assert not result.same
    assert any(c.what == "table.rows[0].avg" for c in result.changes)
    stored["settings"]["versions"]["sacrebleu"] = "1.0"
    seeded = replay(stored, Workbench(bench.experiment), settings={"seed": 1})
    causes = [(c.kind, c.what, c.before, c.now) for c in seeded.changes if c.kind in ("version", "setting")]
    assert causes[0][:3] == ("version", "sacrebleu", "1.0")
    assert causes[1] == ("setting", "seed", 12345, 1)
    assert not seeded.same


def test_a_replay_needs_the_systems_and_a_report(report):
    other = Experiment("other", small_experiment().test_sets, (small_experiment().system("plain"),))
    result = replay(report.document, Workbench(other))
    assert (result.same, result.compared) == (False, 0)
    assert "without the system better" in result.changes[-1].what
    with pytest.raises(ValueError, match=r"was not written by mtsig report"):
        replay({}, Workbench(other))
    with pytest.raises(ValueError, match="format 99"):
        replay({**report.document, "schema": 99}, Workbench(other))
