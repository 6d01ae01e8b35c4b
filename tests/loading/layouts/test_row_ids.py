"""Files whose ids number the rows: no segment is in two outputs, so places count, which is listed."""

from __future__ import annotations

import json

import pytest

from mtsig_core.loading import LoadError, load
from mtsig_core.loading.scores.blocks import are_numbers_of_rows

OUTPUTS = [(s, k) for s in ("base", "new") for k in (1, 2)]


@pytest.mark.parametrize(("ids", "is_so"), [
    ([["1", "2"], ["3", "4"]], True), ([["0", "2"], ["1", "3"]], True), ([["1", "2"], ["1", "2"]], False),
    ([["1", "2"], ["3"]], False), ([["5", "6"], ["7", "8"]], False), ([["a", "b"], ["c", "d"]], False),
    ([["1", "2"]], False), ([["2", "1"], ["3", "4"]], False),
])  # fmt: skip
def test_what_numbers_of_rows_are(ids, is_so):
    assert are_numbers_of_rows(ids) is is_so


def test_outputs_with_numbers_of_rows():
    rows = [{"id": n, "model": s, "seed": k, "prediction": f"{s}{k} says {i}", "reference": f"it is {i}", "bleu": i / 9}
            for n, (s, k, i) in enumerate((s, k, i) for s, k in OUTPUTS for i in range(3))]  # fmt: skip
    experiment, report = load([("all.jsonl", "\n".join(map(json.dumps, rows)).encode())], cache=False)
    assert experiment.test_sets[0].references[0] == ("it is 0", "it is 1", "it is 2")
    assert experiment.systems[1].replicas[0].outputs["test"] == ("new1 says 0", "new1 says 1", "new1 says 2")
    assert experiment.systems[1].replicas[0].scores["test"]["bleu"] == pytest.approx((0, 1 / 9, 2 / 9))
    assert report.with_code("row-ids")[0].remedy
    rows[-1]["reference"] = "it is another"
    with pytest.raises(LoadError, match="row 11 has another reference than its place in the other outputs"):
        load([("all.jsonl", "\n".join(map(json.dumps, rows)).encode())], cache=False)


def test_scores_with_numbers_of_rows():
    rows = "".join(f"{n},{s},{k},0.{i}\n" for n, (s, k, i) in
                   enumerate((s, k, i) for s, k in OUTPUTS for i in range(3)))  # fmt: skip
    experiment, report = load([("all.csv", f"id,model,seed,comet\n{rows}".encode())], cache=False)
    assert experiment.test_sets[0].n_segments == 3
    assert {r.scores["test"]["comet"] for s in experiment.systems for r in s.replicas} == {(0.0, 0.1, 0.2)}
    assert "taken in their order" in report.with_code("row-ids")[0].message


def test_a_number_for_each_run_makes_whole_runs():
    rows = "".join(f"{n},{s},{k},0.{k}\n" for n, (s, k) in enumerate(OUTPUTS, 1))
    experiment, report = load([("runs.csv", f"id,model,seed,acc\n{rows}".encode())], cache=False)
    assert "scores of 4 whole runs" in report.with_code("scores")[0].message
    assert [len(system.replicas) for system in experiment.systems] == [2, 2]
    assert "scores of whole runs" in report.with_code("row-ids")[0].message
