"""Layouts of JSON: trainers' predictions, shared tasks, evaluation harnesses."""

from __future__ import annotations

import json

import pytest

from mtsig_core.loading import LoadError, load
from mtsig_core.loading.layouts.common.keyed import Collection
from mtsig_core.loading.layouts.records import rows
from mtsig_core.loading.layouts.records.json_lines import _File
from mtsig_core.loading.layouts.records.rows import first_rows, records_in
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.sources.tree import Entry, FileTree
from mtsig_core.loading.text.decoding import Decoder
from mtsig_core.loading.text.records import fields_of
from tests.conftest import sentences


def lines(*records: dict) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def test_predictions_of_a_trainer_are_outputs_and_their_labels_the_reference():
    def run(word):
        return lines(*({"prompt": f"p{i} {word}", "predict": f"{word} {i}", "label": f"right\n{i}"} for i in range(3)))

    files = {f"{s}-seed{k}/generated_predictions.jsonl": run(f"{s}{k}") for s in ("lora", "full") for k in (1, 2)}
    experiment, report = load(files.items(), cache=False)
    assert report.layout == "JSON lines"
    assert [(s.name, [r.name for r in s.replicas]) for s in experiment.systems] == [
        ("full", ["seed1", "seed2"]), ("lora", ["seed1", "seed2"]),
    ]  # fmt: skip
    test_set = experiment.test_sets[0]
    assert test_set.references == (("right 0", "right 1", "right 2"),)
    assert experiment.system("lora").replicas[1].outputs["test"][2] == "lora2 2"
    assert "predict: output, label: reference" in report.with_code("json-keys")[0].message


def test_one_file_of_json_lines_names_system_seed_and_id():
    records = [
        {"id": i, "system": s, "seed": k, "hypothesis": f"{s} {k} {i}", "reference": f"r {i}"}
        for s in ("a", "b") for k in (7, 8) for i in (11, 2, 3)
    ]  # fmt: skip
    experiment, _ = load([("all.jsonl", lines(*records))], cache=False)
    assert [(s.name, [r.name for r in s.replicas]) for s in experiment.systems] == [
        ("a", ["7", "8"]),
        ("b", ["7", "8"]),
    ]
    assert experiment.system("b").replicas[0].outputs["test"] == ("b 7 11", "b 7 2", "b 7 3")


def test_references_of_files_that_disagree_are_refused():
    files = {f"m-seed{k}/predictions.jsonl": lines({"predict": "a", "label": f"x{k}"}) for k in (1, 2)}
    with pytest.raises(LoadError, match="differs from that in"):
        load(files.items(), cache=False)


def test_outputs_as_json_lines_beside_a_plain_reference():
    files = {"x.seed1.jsonl": lines({"translation": "a b"}, {"translation": "c"}), "ref.txt": b"a b\nc d\n"}
    experiment, _ = load(files.items(), cache=False)
    assert experiment.systems[0].replicas[0].outputs["test"] == ("a b", "c")


def test_a_json_line_that_is_cut_names_its_line():
    data = lines({"predict": "a", "label": "b"}, {"predict": "a", "label": "b"}) + b'{"predict": "a", "la\n'
    files = {"m-seed1/generated_predictions.jsonl": data + lines({"predict": "a", "label": "b"}), "ref.txt": b"x\n"}
    with pytest.raises(LoadError, match=r"generated_predictions\.jsonl"):
        load(files.items(), cache=False)


def test_json_lines_of_wmt():
    records = [
        {
            "doc_id": f"d{i // 2}", "src_lang": "en", "tgt_lang": "de", "src_text": f"s {i}",
            "refs": {"refA": {"ref": f"r {i}"}, "refB": {"ref": f"q {i}"}},
            "tgt_text": {"One": f"o {i}", "Two": f"t {i}"},
        }
        for i in range(4)
    ]  # fmt: skip
    experiment, report = load([("genmt.jsonl", lines(*records))], cache=False)
    test_set = experiment.test_sets[0]
    assert report.layout == "WMT JSON lines"
    assert test_set.reference_names == ("refA", "refB")
    assert test_set.documents == ("d0", "d0", "d1", "d1")
    assert test_set.source == ("s 0", "s 1", "s 2", "s 3")
    assert experiment.system("Two").replicas[0].outputs[test_set.name] == ("t 0", "t 1", "t 2", "t 3")


def samples(scores, filters=("strict", "flexible")) -> bytes:
    return lines(*(
        {"doc_id": i, "doc": {}, "target": "1", "resps": [["1"]], "filter": name, "metrics": ["exact_match", "bleu"],
         "exact_match": float(score), "bleu": ["a", "b"]}
        for name in filters for i, score in enumerate(scores)
    ))  # fmt: skip


def test_samples_of_a_harness_are_scores_of_documents_by_filter():
    files = {f"m-seed{k}/samples_coins_2024-05-0{k}T10-11-12.3.jsonl": samples([1, 0, k == 1]) for k in (1, 2)}
    experiment, report = load(files.items(), cache=False)
    assert report.layout == "lm-evaluation-harness"
    assert [r.name for r in experiment.systems[0].replicas] == ["seed1", "seed2"]
    assert experiment.test_sets[0].name == "coins"
    assert experiment.test_sets[0].n_segments == 3
    assert experiment.systems[0].replicas[0].scores["coins"] == {
        "exact_match,flexible": (1, 0, 1), "exact_match,strict": (1, 0, 1),
    }  # fmt: skip
    assert "bleu" in report.with_code("unused-metrics")[0].message


def test_what_is_no_name_of_a_metric_is_passed_over():
    records = [{"doc_id": i, "target": "1", "resps": [["1"]], "metrics": [{}, ["acc"], 1, "acc"], "acc": 1.0}
               for i in range(2)]  # fmt: skip
    experiment, _ = load([("m/samples_coins.jsonl", lines(*records))], cache=False)
    assert experiment.systems[0].replicas[0].scores["coins"] == {"acc": (1, 1)}


@pytest.mark.parametrize(("seeds", "kind", "names"), [
    ((1, 2), "recognised", ["seed1", "seed2"]), ((5, 5), "warning", ["run1", "run2"]),
])  # fmt: skip
def test_runs_of_one_folder_are_replicas_and_their_results_say_what_varied(seeds, kind, names):
    files = {}
    for k, seed in enumerate(seeds, 1):
        results = {"results": {}, "config": {"random_seed": seed}, "higher_is_better": {"t": {"exact_match": False}}}
        files[f"org__model/samples_t_2024-05-0{k}T10-11-12.3.jsonl"] = samples([0, 1], ["none"])
        files[f"org__model/results_2024-05-0{k}T10-11-12.3.json"] = json.dumps(results).encode()
    experiment, report = load(files.items(), cache=False)
    assert [r.name for r in experiment.systems[0].replicas] == names
    assert report.with_code("what-varied")[0].kind == kind
    assert dict(experiment.outside_metrics) == {"exact_match": False}


def test_logs_of_inspect():
    def log(seed):
        grades = [{"id": f"q{i}", "epoch": 1, "scores": {"match": {"value": "CIP"[i]}, "grade": {"value": {"a": i}}}}
                  for i in range(3)]  # fmt: skip
        return json.dumps({"version": 2, "status": "success", "eval": {"task": "t", "model": "org/m"},
                           "plan": {"config": {"seed": seed}}, "samples": grades}).encode()  # fmt: skip

    experiment, report = load([("a.json", log(1)), ("b.json", log(2))], cache=False)
    assert report.layout == "Inspect logs"
    (system,) = experiment.systems
    assert (system.name, [r.name for r in system.replicas]) == ("org/m", ["seed1", "seed2"])
    assert system.replicas[0].scores["t"] == {"match": (1.0, 0.0, 0.5), "grade/a": (0.0, 1.0, 2.0)}
    assert report.with_code("what-varied")[0].kind == "assumed"


@pytest.mark.parametrize(("samples_of_log", "words"), [
    ([], "has no samples"),
    ([{"id": 1, "scores": {"m": {"value": "good"}}}], "the grade 'good' is not a number"),
    ([{"id": 1}], "no sample has a score"),
])  # fmt: skip
def test_damaged_logs_of_inspect(samples_of_log, words):
    log = {"version": 2, "eval": {"task": "t", "model": "m"}, "samples": samples_of_log}
    with pytest.raises(LoadError, match=words):
        load([("a.json", json.dumps(log).encode())], cache=False)


@pytest.mark.parametrize("name", ["qid", "question_id", "example_id", "sample_id", "idx", "query_id", "sent_id"])
def test_ids_of_segments_are_known_by_many_names(name):
    segments = {f"q{k}": line for k, line in enumerate(sentences(3, 6))}
    def text(ids):
        return "".join(json.dumps({name: i, "prediction": segments[i], "reference": segments[i]}) + "\n" for i in ids)
    files = [("a-seed1/predictions.jsonl", text(segments).encode()),
             ("a-seed2/predictions.jsonl", text(reversed(segments)).encode())]  # fmt: skip
    experiment, report = load(files, cache=False)
    assert {replica.outputs["test"] for replica in experiment.systems[0].replicas} == set(
        experiment.test_sets[0].references
    )
    assert f"{name}: segment" in report.with_code("json-keys")[0].message
    assert not report.with_code("segments-in-order")


def test_segments_without_ids_go_by_order_which_is_listed():
    text = "".join(json.dumps({"prediction": line, "reference": line}) + "\n" for line in sentences(3, 6))
    _, report = load([("a-seed1/predictions.jsonl", text.encode())], cache=False)
    assert report.with_code("segments-in-order")[0].remedy == "If not, call the ids 'segment_id'."
    turned = "".join(f"{line}\n" for line in reversed(text.splitlines()))
    with pytest.raises(LoadError, match="No key is known as the id of a segment: if they are in another order"):
        load([("a-seed1/predictions.jsonl", text.encode()), ("a-seed2/predictions.jsonl", turned.encode())],
             cache=False)  # fmt: skip


def test_too_many_records_are_refused_before_they_fill_the_memory(monkeypatch):
    monkeypatch.setattr(rows, "MOST_RECORDS", 5)
    text = "".join(json.dumps({"id": i, "prediction": line, "reference": line}) + "\n" for i, line in
                   enumerate(sentences(3, 4))).encode()  # fmt: skip
    load([("a-seed1/predictions.jsonl", text)], cache=False)
    with pytest.raises(LoadError, match="more than 5 records of outputs, the limit"):
        load([(f"a-seed{k}/predictions.jsonl", text) for k in (1, 2)], cache=False)


def test_what_files_repeat_is_held_once():
    def text(name):
        return "".join(json.dumps({"id": i, "prediction": f"{name} {line}", "reference": line, "source": f"s {line}"}) +
                       "\n" for i, line in enumerate(sentences(3, 4))).encode()  # fmt: skip

    files = FileTree({name: Entry(name, lambda name=name: text(name)) for name in ("a-seed1.jsonl", "a-seed2.jsonl")},
                     Decoder(), "up")  # fmt: skip
    collection = Collection()
    for path in files:
        made = _File(path, fields_of(first_rows(path, files)), ("a", path), collection)
        for line, record in records_in(path, files, Reporter()):
            made.add(line, record)
        collection.share(path)
    sides = [t.segments for own in collection.by_set().values() for t in own if t.kind != "output"]
    assert len({id(segments) for segments in sides}) == 2
