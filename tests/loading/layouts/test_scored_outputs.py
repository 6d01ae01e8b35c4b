"""Tables of scores that name no system, one per output; and what says whether a segment is right."""

from __future__ import annotations

import json

import pytest

from mtsig_core.loading import LoadError, load


def scores_of(experiment, metric: str) -> dict[tuple[str, str], tuple]:
    return {(s.name, r.name): r.scores["test"][metric] for s in experiment.systems for r in s.replicas}


def table(header: str, cells: str) -> bytes:
    return "\n".join([header, *(f"{i},{i % 3},{i % 2},{cell}" for i, cell in enumerate(cells.split(","))), ""]).encode()


@pytest.mark.parametrize("name", ["correct", "is_correct", "exact_match", "em", "acc"])
@pytest.mark.parametrize(("cells", "turned"), [("1,0,1", "0,0,1"), ("True,False,True", "false,false,true")])
def test_predictions_of_one_output_per_folder(name, cells, turned):
    files = [(f"{system}-seed{k}/preds.csv", table(f"id,label,pred,{name}", cells if k == 1 else turned))
             for system in ("base", "new") for k in (1, 2)]  # fmt: skip
    experiment, report = load(files, cache=False)
    assert experiment.outside_metrics == {name: True}
    expected = {"seed1": (1.0, 0.0, 1.0), "seed2": (0.0, 0.0, 1.0)}
    assert scores_of(experiment, name) == {(s, seed): own for s in ("base", "new") for seed, own in expected.items()}
    assert {"output-by-name", "no-metric"} <= {guess.code for guess in report.guesses}
    assert "'label', 'pred'" in report.with_code("no-metric")[0].message


def test_the_same_in_one_table_and_as_json():
    rows = [(s, k, i, (i + k) % 2 == 0) for s in "ab" for k in (1, 2) for i in range(4)]
    text = "system,seed,id,label,pred,correct\n" + "".join(f"{s},{k},{i},1,2,{right}\n" for s, k, i, right in rows)
    lines = [json.dumps({"system": s, "seed": k, "id": i, "label": 1, "correct": right}) for s, k, i, right in rows]
    found = [load([file], cache=False)[0] for file in
             (("t.csv", text.encode()), ("t.jsonl", "\n".join(lines).encode()))]  # fmt: skip
    assert scores_of(found[0], "correct") == scores_of(found[1], "correct")
    assert list(found[0].outside_metrics) == list(found[1].outside_metrics) == ["correct"]


def test_truth_and_numbers_in_one_column_are_refused():
    with pytest.raises(LoadError, match="true or false .*, but .* has a number"):
        load([("p-seed1.csv", b"id,correct\n1,0.2\n2,true\n3,0.5\n4,0.1\n")], cache=False)


def test_a_training_log_is_no_table_of_segments():
    with pytest.raises(LoadError):
        load([("log-seed1.csv", b"index,epoch,loss,accuracy\n0,1,2.0,0.3\n1,2,1.0,0.4\n")], cache=False)


def test_rows_without_ids_are_taken_in_order_which_is_listed():
    _, report = load([("a-seed1.csv", b"label,pred,correct\n1,1,1\n0,1,0\n")], cache=False)
    assert report.with_code("segments-in-order")[0].remedy


def test_scores_of_one_output_by_the_name_of_the_file():
    files = [(f"{system}_seed{k}.csv", b"segment,bleu,chrf\n1,2,3\n2,3,6\n") for system in ("a", "b") for k in (1, 2)]
    experiment, report = load(files, cache=False)
    assert scores_of(experiment, "chrf") == {(s, f"seed{k}"): (3.0, 6.0) for s in ("a", "b") for k in (1, 2)}
    assert "a_seed1.csv: a seed1" in report.with_code("output-by-name")[0].message
