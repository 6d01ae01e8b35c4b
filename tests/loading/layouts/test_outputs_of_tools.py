"""Files of single tools: samples of a harness without numbers, MetricX, lists of numbers, reports."""

from __future__ import annotations

import json

import pytest

from mtsig_core.loading import LoadError, load

REFERENCE = ["a cat sat here", "the dog ran off", "we saw one bird"]


def lines_of(records):
    return "".join(f"{json.dumps(record)}\n" for record in records).encode()


def names_in(experiment):
    return {s.name: [r.name for r in s.replicas] for s in experiment.systems}


def samples(**more):
    return lines_of({"doc_id": i, "doc": {"src": "x"}, "target": line, "resps": [[f"{line} too"]], "filtered_resps": [
        f"{line} too"], "filter": "none", "metrics": ["bleu"], "bleu": [line, f"{line} too"], **more}
        for i, line in enumerate(REFERENCE))  # fmt: skip


def test_samples_without_numbers_are_texts():
    files = [(f"{s}-seed{k}/samples_wmt16_2025-01-0{k}T01-02-03.4.jsonl", samples()) for s in ("a", "b")
             for k in (1, 2)]  # fmt: skip
    experiment, report = load(files, cache=False)
    assert names_in(experiment) == {"a": ["seed1", "seed2"], "b": ["seed1", "seed2"]}
    assert experiment.test_set("wmt16").references == (tuple(REFERENCE),)
    assert experiment.systems[0].replicas[0].outputs["wmt16"][0] == "a cat sat here too"
    assert "filtered_resps were read as outputs" in report.with_code("shape")[0].message


def test_samples_with_numbers_stay_scores():
    experiment, _ = load([(f"{s}/samples_t_2025-01-01T01-02-03.4.jsonl", samples(metrics=["bleu", "acc"], acc=1.0))
                          for s in ("a", "b")], cache=False)  # fmt: skip
    assert list(experiment.outside_metrics) == ["acc"]
    assert not experiment.test_set("t").references


def test_what_metricx_writes():
    files = [(f"{s}.seed{k}.jsonl", lines_of(
        {"source": "x y", "hypothesis": line, "reference": line, "prediction": k / 2} for line in REFERENCE
    )) for s in ("a", "b") for k in (1, 2)]  # fmt: skip
    experiment, report = load(files, cache=False)
    assert experiment.outside_metrics == {"MetricX": False}
    assert report.with_code("metricx")


@pytest.mark.parametrize("path", [
    "{}.seed{}.bleurt", "{}.seed{}.bleurt.txt", "{}_seed{}.txt.bleurt", "bleurt/{}.seed{}.txt", "bleurt.{}.seed{}.txt",
    "{}.{}.bleurt.scores",
])  # fmt: skip
@pytest.mark.parametrize("with_text", [False, True])
def test_lists_of_numbers_called_by_their_metric(path, with_text):
    files = [(path.format(s, k), b"0.5\n0.25\n.125\n") for s in ("a", "b") for k in (1, 2)]
    if with_text:
        text = "\n".join([*REFERENCE, ""]).encode()
        files += [("ref.txt", text), *((f"{s}.seed{k}.txt", text) for s in ("a", "b") for k in (1, 2))]
    else:
        files.append(("notes/about.log", b"about\n"))
    experiment, _ = load(files, cache=False)
    assert [s.name for s in experiment.systems] == ["a", "b"]
    assert [metric.casefold() for metric in experiment.outside_metrics] == ["bleurt"]
    scores = [r.scores["test"] for s in experiment.systems for r in s.replicas]
    assert [list(own.values()) for own in scores] == [[(0.5, 0.25, 0.125)]] * 4


def test_numbers_behind_several_names_of_reports_are_replicas():
    files = [(f"{s}.{k}.json", json.dumps({"accuracy": 0.8 + k / 100}).encode()) for s in ("a", "b") for k in (1, 2)]
    experiment, report = load(files, cache=False)
    assert names_in(experiment) == {"a": ["1", "2"], "b": ["1", "2"]}
    assert "numbers follow the names of several systems" in report.with_code("replica-by-number")[0].message


@pytest.mark.parametrize(("name", "content", "words"), [
    ("a/trainer_state.json", {"best_metric": 27.1, "log_history": []}, "a curve over a training; give all_"),
    ("batch.jsonl", {"custom_id": "r1", "result": {"type": "errored"}}, "the request 'r1' has no answer"),
])  # fmt: skip
def test_other_files_of_tools_are_named(name, content, words):
    with pytest.raises(LoadError, match=words):
        load([(name, json.dumps(content).encode()), ("ref.txt", b"a\n")], cache=False)


@pytest.mark.parametrize("names", [
    "Vorlage,Ausgabe,Modell,Lauf", "参考译文,译文,系统,种子", "référence,traduction,système,graine",
])  # fmt: skip
def test_texts_under_names_of_other_languages(names):
    rows = "".join(f"{line},{line} too,{s},{k}\n" for s in ("a", "b") for k in (1, 2) for line in REFERENCE)
    experiment, _ = load([("t.csv", f"{names}\n{rows}".encode())], cache=False)
    assert names_in(experiment) == {"a": ["1", "2"], "b": ["1", "2"]}
    assert experiment.test_set("test").references == (tuple(REFERENCE),)
