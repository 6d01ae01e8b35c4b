"""JSON of other shapes, and tables of one column, hold the same experiment as rows do; what is not clear is refused."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pandas as pd
import pytest

from mtsig_core.loading import LoadError, file_hashes, load
from mtsig_core.loading.reshaping.one_column import is_known
from mtsig_core.loading.unrecognised import unrecognised

REFERENCE = ["a cat sat here", "the dog ran off", "we saw one bird"]
TEXTS = {(s, k): [f"{line} {s} {k}" for line in REFERENCE] for s in ("base", "new") for k in (1, 2)}
RUNS = {(s, k): 27 + k / 10 + (s == "new") for s in ("base", "new") for k in (1, 2, 3)}


def loaded(content, name="data.json"):
    text = content if isinstance(content, str) else json.dumps(content)
    return load([(name, text.encode())], cache=False)


def outputs(experiment):
    return {(s.name, r.name.removeprefix("seed")): list(r.outputs["test"]) for s in experiment.systems
            for r in s.replicas}  # fmt: skip


def by_seed(system):
    return {f"seed{k}": TEXTS[system, k] for k in (1, 2)}


ROWS = [{"id": i, "system": s, "seed": k, "hypothesis": text, "reference": REFERENCE[i]}
        for (s, k), own in TEXTS.items() for i, text in enumerate(own)]  # fmt: skip
NAMED = {f"{s}_seed{k}": own for (s, k), own in TEXTS.items()}
SHAPES = {
    **{orient: json.loads(pd.DataFrame(ROWS).to_json(orient=orient))
       for orient in ("records", "columns", "split", "index", "table")},
    "lists": {"src": REFERENCE, "ref": REFERENCE, **NAMED},
    "by system and run": {"refs": REFERENCE, "systems": {s: by_seed(s) for s in ("base", "new")}},
    "lists of runs": {"references": [REFERENCE], "hyps": {s: list(by_seed(s).values()) for s in ("base", "new")}},
    "a list for each segment": {"refs": [[line] for line in REFERENCE], "outputs": NAMED},
    "rows of several": [{"ref": line, **{name: own[i] for name, own in NAMED.items()}}
                        for i, line in enumerate(REFERENCE)],
    "below one key": {"language": "en", "data": [
        {"id": i, "ref": line, "outputs": {name: own[i] for name, own in NAMED.items()}}
        for i, line in enumerate(REFERENCE)]},
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_texts_of_every_shape(shape):
    experiment, _ = loaded(SHAPES[shape])
    assert outputs(experiment) == {(s, str(k)): own for (s, k), own in TEXTS.items()}
    assert experiment.test_set("test").references == (tuple(REFERENCE),)


def test_rows_of_several_as_json_lines():
    experiment, report = loaded("\n".join(map(json.dumps, SHAPES["rows of several"])), "data.jsonl")
    assert len(outputs(experiment)) == 4
    assert "the outputs of base, new, with the reference 'ref'" in report.with_code("shape")[0].message


def test_segments_may_have_fewer_references_than_others():
    refs = [[REFERENCE[0], "one more here"], *([line] for line in REFERENCE[1:])]
    experiment, _ = loaded({"refs": refs, "outputs": NAMED})
    assert experiment.test_set("test").references == (tuple(REFERENCE), ("one more here", None, None))


@pytest.mark.parametrize(("change", "words"), [
    ({"ref": REFERENCE[:2]}, "'ref' has 2 entries, but 'base/seed1' has 3"),
    ({"systems": {"a": ["a b", None, "c d"]}}, "entry 2 of 'a' is null, not a text"),
    ({"ref": None}, "holds the outputs of base/seed1, base/seed2, .*but no reference"),
])  # fmt: skip
def test_texts_that_do_not_fit_are_refused(change, words):
    content = {"systems": NAMED, "ref": REFERENCE} | change
    with pytest.raises(LoadError, match=words):
        loaded({key: value for key, value in content.items() if value})


def by_run(s):
    return {str(k): {"bleu": RUNS[s, k], "ter": 50 - k} for k in (1, 2, 3)}


RESULTS = {
    "system, run, metric": {s: by_run(s) for s in ("base", "new")},
    "system, metric, list": {s: {"bleu": [RUNS[s, k] for k in (1, 2, 3)], "ter": [9, 8, 7]} for s in ("base", "new")},
    "metric, system, list": {"bleu": {s: [RUNS[s, k] for k in (1, 2, 3)] for s in ("base", "new")}},
    "rows of runs": {s: [{"seed": k, "bleu": RUNS[s, k]} for k in (1, 2, 3)] for s in ("base", "new")},
    "names": {f"{s}-seed{k}": {"bleu": x, "n_samples": 12} for (s, k), x in RUNS.items()},
    "test set": {s: {"wmt22": by_run(s)} for s in ("base", "new")},
}


@pytest.mark.parametrize("shape", RESULTS)
def test_results_within_results(shape):
    experiment, report = loaded(RESULTS[shape])
    (test_set,) = experiment.test_sets
    means = {s.name: np.mean([r.scores[test_set.name]["bleu"][0] for r in s.replicas]) for s in experiment.systems}
    assert means == pytest.approx({"base": 27.2, "new": 28.2})
    assert experiment.outside_metrics["bleu"] is True
    assert "keys were read as" in report.with_code("shape")[0].message


def test_the_file_may_name_the_metric():
    content = {s: [RUNS[s, k] for k in (1, 2, 3)] for s in ("base", "new")}
    assert loaded(content, "ter.json")[0].outside_metrics == {"ter": False}


@pytest.mark.parametrize(("content", "words"), [
    ({"a": {"x": by_run("new")}, "b": {"y": by_run("new")}}, "by 'a', 'b' and by 'x', 'y', and it is not clear"),
    ({"a": {"bleu": 27.1}, "b": {"bleu": 28.1}}, "one number for each system and metric, without runs"),
    ({"a": {"comet": [0.5] * 40}, "b": {"comet": [0.6] * 40}}, "up to 40 numbers, .* of runs or of segments"),
    ({"a": {"seed1": {"comet": [0.5, 0.6]}}}, "lists of scores of runs"),
    ("[" * 20_000, "deeper than can be read"),
])  # fmt: skip
def test_results_that_are_not_clear_are_refused(content, words):
    with pytest.raises(LoadError, match=words):
        loaded(content)


@pytest.mark.parametrize("below", [lambda own: own, lambda own: {"config": {**own, "layers": [1, 2]}, "date": "today"}])
def test_what_holds_for_all_rows_may_stand_above_them(below):
    files = [(f"{s}.json", json.dumps({**below({"model": s, "seed": 3}), "results": [
        {"segment": i, "comet": 0.5} for i in (1, 2)]}).encode()) for s in ("base", "new")]  # fmt: skip
    experiment, report = load(files, cache=False)
    assert [(s.name, [r.name for r in s.replicas]) for s in experiment.systems] == [("base", ["3"]), ("new", ["3"])]
    assert "'model', 'seed' were read as holding for all" in report.with_code("shape")[0].message


@pytest.mark.parametrize(("name", "cell"), [("csv", '"{}"'), ("tsv", "{}")])
def test_files_of_one_column(name, cell):
    def file(heading, lines):
        return "\n".join([heading, *map(cell.format, lines), ""]).encode()

    files = [(f"{s}.seed{k}.{name}", file("translation", own)) for (s, k), own in TEXTS.items()]
    experiment, report = load([*files, (f"ref.{name}", file("reference", REFERENCE))], cache=False)
    assert outputs(experiment) == {(s, str(k)): own for (s, k), own in TEXTS.items()}
    assert "one column" in report.with_code("shape")[0].message
    with pytest.raises(LoadError, match="one output, and no reference"):
        load(files[:1], cache=False)


def test_blanks_between_known_columns_are_no_single_column():
    assert is_known("mqm_avg_score")
    assert not is_known("system mqm_avg_score seg_id")


def test_lists_of_texts():
    files = [(f"{s}.seed{k}.json", json.dumps(own).encode()) for (s, k), own in TEXTS.items()]
    experiment, _ = load([*files, ("ref.json", json.dumps(REFERENCE).encode())], cache=False)
    assert outputs(experiment) == {(s, str(k)): own for (s, k), own in TEXTS.items()}


def test_a_comma_in_a_file_of_one_column_is_refused():
    with pytest.raises(LoadError, match=r"a\.csv, line 3: 2 cells, but the heading has one"):
        load([("a.csv", b"hypothesis\nhello\nhello, world\n")], cache=False)


def test_other_json_is_left_alone():
    other = {"name": "x", "layers": {"a": {"size": 3}}, "vocabulary": ["one", "two words"]}
    source = [("data.json", json.dumps(SHAPES["lists"]).encode()), ("config.json", json.dumps(other).encode())]
    recognition = unrecognised(source)
    assert json.loads(recognition.files["config.json"]) == other
    assert file_hashes(source)["data.json"] == file_hashes([source[0]])["data.json"]


def test_hashes_are_those_of_the_files_themselves():
    data = json.dumps(SHAPES["lists"]).encode()
    assert file_hashes([("data.json", data)]) == {"data.json": hashlib.sha256(data).hexdigest()}


def test_a_missing_text_of_rows_is_refused():
    rows = [dict(row) for row in SHAPES["rows of several"]]
    rows[1]["new_seed1"] = None
    with pytest.raises(LoadError, match="entry 2 of 'new_seed1' is null"):
        loaded(rows)


def test_reports_of_runs_with_lists_stay_reports():
    files = [(f"{s}-seed{k}/results.json", json.dumps({"bleu": 27 + k, "precisions": [0.5, 0.4]}).encode())
             for s in "ab" for k in (1, 2)]  # fmt: skip
    experiment, report = load(files, cache=False)
    assert list(experiment.outside_metrics) == ["bleu"]
    assert not report.with_code("shape")


def test_how_a_file_was_read_is_only_said_where_it_is_used():
    text = "\n".join([*REFERENCE, ""]).encode()
    files = [("ref.txt", text), *((f"{s}.seed{k}.txt", text) for s in "ab" for k in (1, 2))]
    _, report = load([*files, ("results.json", json.dumps(RESULTS["system, run, metric"]).encode())], cache=False)
    assert not report.with_code("shape")
