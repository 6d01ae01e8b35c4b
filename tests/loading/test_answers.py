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
