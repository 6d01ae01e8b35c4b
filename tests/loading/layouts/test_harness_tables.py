"""Tables and records of evaluation harnesses, recognisers of speech and summarisers."""

from __future__ import annotations

import json

import pytest

from mtsig_core import load
from mtsig_core.loading.report import LoadError

REFERENCE = ["a cat sat here", "the dog ran off", "we saw one bird", "rain fell all day", "she reads a book"]
RUNS = [(system, k) for system in ("base", "new") for k in (1, 2)]


def runs_of(ending, write):
    """One file per run, as `write` makes it of its outputs."""
    return [(f"{s}_seed{k}.{ending}", write([f"{line} {s} {k}" for line in REFERENCE]).encode()) for s, k in RUNS]


def table(columns):
    return "".join(",".join(row) + "\n" for row in (columns, *zip(*columns.values(), strict=True)))


def shape(files):
    experiment, _ = load(files, cache=False)
    (test_set,) = experiment.test_sets
    assert test_set.references == (tuple(REFERENCE),)
    return {s.name: [r.name for r in s.replicas] for s in experiment.systems}, set(experiment.outside_metrics)


BOTH = {"base": ["seed1", "seed2"], "new": ["seed1", "seed2"]}


@pytest.mark.parametrize(("names", "beside", "metrics"), [
    (("response", "reference"), {"user_input": "who is it", "retrieved_contexts": "it is so", "faithfulness": "0.5"},
     {"faithfulness"}),
    (("generated_summary", "highlights"), {"article": "a long text"}, set()),
])  # fmt: skip
def test_other_texts_beside_an_output_are_no_systems(names, beside, metrics):
    def write(lines):
        columns = {name: [f"{cell}{i}" for i in range(5)] for name, cell in beside.items()}
        return table({**columns, names[0]: lines, names[1]: REFERENCE})
    assert shape(runs_of("csv", write)) == (BOTH, metrics)


def test_transcripts_of_nemo():
    def write(lines):
        rows = [{"audio_filepath": "x.wav", "text": a, "pred_text": b} for a, b in zip(REFERENCE, lines, strict=True)]
        return "".join(f"{json.dumps(row)}\n" for row in rows)
    assert shape(runs_of("json", write)) == (BOTH, set())


def test_results_of_lighteval():
    files = [(f"{s}_seed{k}/results_2024-01-01T10-00-0{k}.123.json", json.dumps({
        "config_general": {"model_name": s}, "results": {"arc|0": {"acc": 0.5 + k / 100, "acc_stderr": 0.01},
                                                         "all": {"acc": 0.5}}}).encode()) for s, k in RUNS]  # fmt: skip
    experiment, _ = load(files, cache=False)
    assert [t.name for t in experiment.test_sets] == ["arc|0"]
    assert {s.name: [r.name for r in s.replicas] for s in experiment.systems} == BOTH


def test_samples_of_a_task_are_replicas():
    rows = [f"t{i},{s},{k},{(i + k) % 2}" for s in ("a", "b") for k in range(3) for i in range(6)]
    experiment, _ = load([("r.csv", "\n".join(["task_id,model,sample,passed", *rows]).encode())], cache=False)
    assert [len(s.replicas) for s in experiment.systems] == [3, 3]
    assert set(experiment.outside_metrics) == {"passed"}


def test_several_rows_of_a_system_that_nothing_tells_apart():
    rows = [f"fox-{k},{s},27.{k}" for s, k in RUNS]
    with pytest.raises(LoadError, match="no column says whether a row is a run or a segment"):
        load([("export.csv", "\n".join(["Name,Group,bleu", *rows]).encode())], cache=False)


def test_a_first_column_of_paths_is_no_reference():
    rows = [f"{i}.mp3\t{a}\t{a} too" for i, a in enumerate(REFERENCE)]
    with pytest.raises(LoadError, match=r"the first \('path'\) holds no texts"):
        load([("x.tsv", "\n".join(["path\tsentence\tprediction", *rows]).encode())], cache=False)


def test_dated_reports_are_called_by_their_folders():
    files = [(f"{s}_seed{k}/result-2024_01_01-10_00_0{k}.json", json.dumps({"bleu": 0.2 + k / 100}).encode())
             for s, k in RUNS]  # fmt: skip
    experiment, _ = load(files, cache=False)
    assert {s.name: [r.name for r in s.replicas] for s in experiment.systems} == BOTH


@pytest.mark.parametrize(("text", "names"), [
    ("seed,baseline,proposed,delta\n1,27.1,27.5,0.4\n2,27.2,27.4,0.2\n", ["baseline", "proposed"]),
    ("model,fold_1,fold_2,mean,std\nbase,27.1,27.3,27.2,0.1\nnew,27.5,27.7,27.6,0.1\n", ["base", "new"]),
])  # fmt: skip
def test_what_is_computed_from_other_columns_is_no_system_and_no_run(text, names):
    experiment, report = load([("bleu.csv", text.encode())], cache=False)
    assert [s.name for s in experiment.systems] == names
    assert [len(s.replicas) for s in experiment.systems] == [2, 2]
    assert report.with_code("unused-columns")
