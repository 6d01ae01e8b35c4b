"""Samples of one prompt are replicas; answers of batches of requests are outputs, whatever order they came in."""

from __future__ import annotations

import json

import pytest

from mtsig_core.loading import LoadError, load

REFERENCE = ["a cat sat here", "the dog ran off", "we saw one bird"]


def lines(records):
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def replicas(experiment):
    return {(s.name, r.name): list(r.outputs["test"]) for s in experiment.systems for r in s.replicas}


def outputs_of(system):
    return {replica.name: list(replica.outputs["test"]) for replica in system.replicas}


def openai(i, texts, error=False):
    choices = [{"index": k, "message": {"role": "assistant", "content": text}} for k, text in enumerate(texts)]
    body = {} if error else {"model": "m", "choices": choices}
    return {"id": f"b{i}", "custom_id": f"req-{i}", "response": {"status_code": 200, "body": body}, "error": None}


def anthropic(i, text):
    message = {"role": "assistant", "content": [{"type": "text", "text": text}]}
    return {"custom_id": f"req-{i}", "result": {"type": "succeeded", "message": message}}


@pytest.mark.parametrize("key", ["outputs", "responses", "model_outputs", "Completions"])
def test_samples_of_one_prompt_are_replicas(key):
    key = key.removeprefix("model_")
    files = [(f"{s}.jsonl", lines({"id": i, key: [f"{line} {s} {k}" for k in (1, 2)], "reference": line}
                                  for i, line in enumerate(REFERENCE))) for s in ("base", "new")]  # fmt: skip
    experiment, report = load(files, cache=False)
    assert replicas(experiment) == {
        (s, f"sample{k}"): [f"{line} {s} {k}" for line in REFERENCE] for s in ("base", "new") for k in (1, 2)
    }
    assert "2 texts of each segment as 2 replicas" in report.with_code("shape")[0].message


def test_samples_of_runs_name_both():
    records = [{"id": i, "seed": 7, "samples": [x, x + " x"], "reference": x} for i, x in enumerate(REFERENCE)]
    experiment, _ = load([("base.jsonl", lines(records))], cache=False)
    assert [r.name for r in experiment.systems[0].replicas] == ["7-sample1", "7-sample2"]


def test_an_output_beside_a_list_is_the_output():
    records = [{"id": i, "output": x, "candidates": [x, "x"], "reference": x} for i, x in enumerate(REFERENCE)]
    experiment, _ = load([("base.jsonl", lines(records))], cache=False)
    assert [r.name for r in experiment.systems[0].replicas] == ["1"]


@pytest.mark.parametrize("answer", [lambda i, text: openai(i, [text]), anthropic])
def test_answers_of_batches_come_in_any_order(answer):
    files = [(f"{s}.seed{k}.jsonl", lines(answer(i, f"{REFERENCE[i]} {s} {k}") for i in (2, 0, 1)))
             for s in ("base", "new") for k in (1, 2)]  # fmt: skip
    experiment, report = load([*files, ("ref.txt", "\n".join(REFERENCE).encode())], cache=False)
    assert replicas(experiment) == {
        (s, f"seed{k}"): [f"{line} {s} {k}" for line in REFERENCE] for s in ("base", "new") for k in (1, 2)
    }
    assert "answers of requests were read as outputs" in report.with_code("shape")[0].message


def test_choices_of_an_answer_are_samples():
    records = [openai(i, [line, line + " x"]) for i, line in enumerate(REFERENCE)]
    experiment, _ = load([("base.jsonl", lines(records)), ("ref.txt", "\n".join(REFERENCE).encode())], cache=False)
    assert [r.name for r in experiment.systems[0].replicas] == ["sample1", "sample2"]


@pytest.mark.parametrize(("records", "words"), [
    ([openai(0, ["a"]), openai(1, [], error=True)], "the request 'req-1' has no answer"),
    ([{"id": 0, "outputs": ["a"], "ref": "a"}, {"id": 1, "outputs": ["a", "b"], "ref": "a"}], "1 to 2 texts a segment"),
])  # fmt: skip
def test_what_is_missing_is_named(records, words):
    with pytest.raises(LoadError, match=words):
        load([("base.jsonl", lines(records)), ("ref.txt", b"a\nb\n")], cache=False)


def test_lists_of_texts_are_samples_and_references():
    references = [[line, f"{line} now"] for line in REFERENCE]
    files = [(f"{s}.json", json.dumps([[f"{line} {s} {k}" for k in (1, 2)] for line in REFERENCE]).encode())
             for s in ("base", "new")]  # fmt: skip
    experiment, report = load([*files, ("references.json", json.dumps(references).encode())], cache=False)
    assert replicas(experiment) == {
        (s, f"sample{k}"): [f"{line} {s} {k}" for line in REFERENCE] for s in ("base", "new") for k in (1, 2)
    }
    assert [list(reference) for reference in zip(*experiment.test_set("test").references, strict=True)] == references
    assert "2 texts of each segment as 2 replicas" in report.with_code("shape")[1].message


@pytest.mark.parametrize("content", [
    [["a b", "b c"], ["c d"]],  # of unequal length
    [["a b"], [1]], [["a b"], {"output": "b c"}], [["a b"], "b c"], [[], []], [[["a b"]]], [None],
    [{"output": "a"}, ["b"]],
])  # fmt: skip
def test_lists_of_other_things_are_refused(content):
    files = [(f"{name}.json", json.dumps(content).encode()) for name in ("base", "new")]
    with pytest.raises(LoadError, match=r"base\.json"):
        load([*files, ("ref.txt", b"a b\nc d\n")], cache=False)


def test_texts_under_ids_come_in_any_order():
    ids = ["q7", "q10", "q2"]
    files = [(f"{s}.json", json.dumps({ids[i]: f"{REFERENCE[i]} {s}" for i in order}).encode())
             for s, order in (("base", (2, 0, 1)), ("new", (1, 2, 0)))]  # fmt: skip
    files.append(("references.json", json.dumps(dict(zip(ids, REFERENCE, strict=True))).encode()))
    experiment, report = load(files, cache=False)
    test_set = experiment.test_set("test")
    assert sorted(zip(test_set.references[0], *(r["1"] for r in map(outputs_of, experiment.systems)), strict=True)) == [
        (line, f"{line} base", f"{line} new") for line in sorted(REFERENCE)
    ]
    assert "ids of segments" in report.with_code("shape")[0].message


@pytest.mark.parametrize("settings", [{"lr": "0.1", "seed": "7", "name": "base"}, {"layer1": "a", "layer2": "b"}])
def test_settings_are_no_texts(settings):
    files = [(f"{name}.json", json.dumps(settings).encode()) for name in ("base", "new")]
    with pytest.raises(LoadError, match="no layout was recognised|no column is a metric"):
        load([*files, ("ref.txt", b"a b\nc d\n")], cache=False)
