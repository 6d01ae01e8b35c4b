"""Files that real people have, which nothing reads or which lie beside what is read: each is named, with a remedy."""

from __future__ import annotations

import bz2
import json

import pytest

from mtsig_core.loading import LoadError, load
from tests.conftest import sentences

WORDS = sentences(3, 12)
REFERENCE = "\n".join(WORDS)
OUTPUTS = {f"systems/{system}/seed{k}.txt": REFERENCE for system in ("a", "b") for k in (1, 2)}


def _load(files: dict[str, str | bytes]):
    data = [(path, text if isinstance(text, bytes) else text.encode()) for path, text in files.items()]
    return load(data, name="mine", cache=False)


@pytest.mark.parametrize(("files", "words"), [
    ({"out.csv": "text,target,base\nx,y,z\nx,y,z\n"}, "columns are 'text', 'target', 'base'; none is called system or"),
    ({"c.csv": "Wall time,Step,Value\n1,2,3\n"}, "a curve of TensorBoard"),
    ({"w.csv": '"Step","a - bleu","a - bleu__MIN","a - bleu__MAX"\n"1","2","2","2"\n'}, "curves of Weights & Biases"),
    ({"m/STS.json": '{"dataset_revision": "x", "mteb_version": "1"}', "n/STS.json": "{}"}, "results of MTEB"),
    ({"a.json": json.dumps({"name": "BLEU", "score": 3.0, "signature": "x"}), "b.json": "{}"}, "report of sacreBLEU"),
    ({"ref.txt": REFERENCE, "x.jsonl": '{"id": "b", "custom_id": "r-1", "response": {"body": {}}}\n'},
     "answers of a batch of requests"),
    ({"refs/ref.txt": REFERENCE, "systems/a/1.txt.bz2": bz2.compress(b"x\n")}, "packed with bzip2.*unpack it first"),
    ({"refs/ref.txt": REFERENCE, "systems/a.zip": b"PK"}, "an archive within the upload.*unpack it first"),
])  # fmt: skip
def test_what_cannot_be_read_is_named(files, words):
    with pytest.raises(LoadError, match=words):
        _load(files)


def test_packed_outputs_beside_others_are_warned_of():
    _, report = _load({"refs/ref.txt": REFERENCE, **OUTPUTS, "systems/c/seed1.txt.xz": b"\xfd7zXZ"})
    assert [line.files for line in report.with_code("packed")] == [("systems/c/seed1.txt.xz",)]


def test_a_folder_with_an_experiment_of_its_own_is_warned_of():
    first = {f"one/{path}": text for path, text in {"refs/ref.txt": REFERENCE, **OUTPUTS}.items()}
    second = {f"two/a.seed{k}.txt": REFERENCE for k in (1, 2)} | {"two/ref.txt": REFERENCE}
    experiment, report = _load({**first, **second})
    assert [test_set.name for test_set in experiment.test_sets] == ["one"]
    assert "two/ is not used, and holds an experiment" in report.with_code("other-experiment")[0].message


def test_no_warning_of_a_folder_that_is_used():
    sets = {f"{name}/{path}": text for name in ("one", "two") for path, text in OUTPUTS.items()}
    _, report = _load({**sets, "one/refs/ref.txt": REFERENCE, "two/refs/ref.txt": REFERENCE})
    assert not report.with_code("other-experiment")


def test_columns_of_runs_that_are_no_metric():
    table = "seed,model,bleu,Runtime,_step\n" + "".join(f"{k},{m},{20 + k},{k},9\n" for m in "ab" for k in range(3))
    experiment, report = _load({"export.csv": table})
    assert list(experiment.outside_metrics) == ["bleu"]
    assert "'Runtime', '_step'" in report.with_code("no-metric")[0].message
    assert not report.with_code("constant-scores")


def test_columns_of_runs_are_taken_on_request():
    table = "seed,model,bleu,Runtime\n" + "".join(f"{k},{m},{20 + k},{k}\n" for m in "ab" for k in range(3))
    experiment, _ = _load({"export.csv": table, "experiment.toml": "[metrics.Runtime]\nuse = true\n"})
    assert set(experiment.outside_metrics) == {"bleu", "Runtime"}


@pytest.mark.parametrize("start", [0, 1])
def test_json_lines_number_their_segments_from_zero_or_one(start):
    files = {
        f"{system}-seed1.jsonl": "".join(json.dumps({"sentence_id": i, "translation": word}) + "\n"
                                         for i, word in enumerate(WORDS, start))
        for system in ("a", "b")
    }  # fmt: skip
    experiment, report = _load({**files, "ref.txt": REFERENCE})
    assert experiment.systems[0].replicas[0].outputs["test"] == experiment.test_sets[0].references[0]
    assert bool(report.with_code("numbered-from")) == (start == 0)


def test_a_missing_segment_without_a_document_is_named_by_its_number():
    lines = [json.dumps({"sentence_id": i, "translation": word}) for i, word in enumerate(WORDS, 1)]
    good, bad = "\n".join(lines), "\n".join(lines[:-1])
    _, report = _load({"a-seed1.jsonl": good, "b-seed1.jsonl": bad, "ref.txt": REFERENCE})
    message = report.with_code("missing-segments")[0].message
    assert f"missing: {len(WORDS)}. The output" in message


def test_equal_guesses_about_two_sets_are_one_line():
    files = {f"{name}.{system}.eng": REFERENCE for name in ("ted", "news") for system in ("sys1", "sys2", "ref")}
    _, report = _load(files)
    messages = [line.message for line in report.lines]
    assert len(messages) == len(set(messages))
