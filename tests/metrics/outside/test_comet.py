"""Scores by COMET: a module with its interface stands in for it; what it was asked is the oracle."""

from __future__ import annotations

import json
import sys

import pytest

from mtsig_core.cli.main import main
from mtsig_core.experiment import Experiment, Replica, System, TestSet
from mtsig_core.loading import load
from mtsig_core.metrics import choose_metric, compute_statistics
from mtsig_core.metrics.outside import comet

FAKE = '''
import json
import os
from types import SimpleNamespace


class Model:
    def predict(self, samples, batch_size=16, gpus=1, **others):
        assert os.environ["HF_HUB_OFFLINE"] == os.environ["TRANSFORMERS_OFFLINE"] == "1"
        with open(__file__ + ".asked", "w") as file:
            json.dump([samples, batch_size, gpus], file)
        return SimpleNamespace(scores=[len(s["mt"]) / 100 for s in samples], system_score=0.0)


def load_from_checkpoint(path, reload_hparams=False, strict=False, local_files_only=False):
    assert os.path.isfile(path)
    return Model()


def download_model(*arguments, **others):
    raise AssertionError("nothing may be downloaded")
'''


@pytest.fixture
def fake_comet(tmp_path, monkeypatch):
    """A module `comet` and a model on disk; returns the folder of the model."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "comet.py").write_text(FAKE)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.setenv("TRANSFORMERS_OFFLINE", "0")
    model = tmp_path / "model"
    (model / "checkpoints").mkdir(parents=True)
    (model / "checkpoints" / "model.ckpt").write_bytes(b"")
    (model / "hparams.yaml").write_text("")
    yield model
    sys.modules.pop("comet", None)


@pytest.fixture
def run(tmp_path):
    """A run folder with source text and two systems that share an output."""
    root = tmp_path / "run"
    texts = {"source.txt": "s1\ns2\n", "reference.txt": "r1\nr2\n"}
    outputs = {"A/1": "x\nyy\n", "A/2": "x\nz\n", "B/1": "xxx\nyy\n", "B/2": "x\nz\n"}
    texts |= {f"systems/{name}.txt": text for name, text in outputs.items()}
    for name, text in texts.items():
        path = root / "test" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_the_table_it_writes_loads_beside_the_text(fake_comet, run, capsys):
    table = run / "comet.csv"
    assert main(["comet", str(run), "--model", str(fake_comet), "--output", str(table), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0] == {
        "test_set": "test", "system": "A", "replica": "1", "score": 0.015,
    }  # fmt: skip
    asked, batch_size, gpus = json.loads((run.parent / "site" / "comet.py.asked").read_text())
    assert (batch_size, gpus) == (8, 0)
    assert asked[0] == {"src": "s1", "mt": "x", "ref": "r1"}
    assert sorted(s["mt"] for s in asked) == ["x", "xxx", "yy", "z"]  # each distinct one once
    experiment, _ = load(run)
    statistics = compute_statistics(experiment, "test", choose_metric(experiment, "COMET"))
    assert statistics.scores_of("A") == pytest.approx([0.015, 0.01])
    assert statistics.scores_of("B") == pytest.approx([0.025, 0.01])


def test_without_the_package_the_remedy_is_told(run, monkeypatch, capsys):
    monkeypatch.setattr(comet, "find_spec", lambda name: None)
    assert main(["comet", str(run), "--model", "x", "--output", str(run / "a.csv")]) == 2
    assert "pip install unbabel-comet" in capsys.readouterr().err
    assert not (run / "a.csv").exists()


def test_without_a_model_nothing_is_downloaded(fake_comet, run, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("HF_HOME", str(tmp_path / "none"))
    assert main(["comet", str(run), "--model", "Unbabel/wmt22-comet-da", "--output", str(run / "a.csv")]) == 2
    told = capsys.readouterr().err
    assert "No COMET model 'Unbabel/wmt22-comet-da' on this disk" in told
    assert "download" in told


def test_a_model_in_the_cache_of_hugging_face_is_found_by_name(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    snapshot = tmp_path / "hub" / "models--Unbabel--wmt22-comet-da" / "snapshots" / "abc"
    (snapshot / "checkpoints").mkdir(parents=True)
    (snapshot / "checkpoints" / "model.ckpt").write_bytes(b"")
    with pytest.raises(ValueError, match=r"hparams\.yaml"):
        comet.find_checkpoint("Unbabel/wmt22-comet-da")
    (snapshot / "hparams.yaml").write_text("")
    assert comet.find_checkpoint("Unbabel/wmt22-comet-da") == snapshot / "checkpoints" / "model.ckpt"


def test_a_test_set_without_source_is_told(fake_comet):
    system = System("A", (Replica("1", {"t": ("x",)}),))
    experiment = Experiment("x", (TestSet("t", "test", (("r",),)),), (system,))
    with pytest.raises(ValueError, match=r"'t' has no source text.* add source\.txt"):
        comet.comet_scores(experiment, ["t"], str(fake_comet))


def test_metrics_are_listed_for_people_and_programs(capsys):
    assert main(["metrics"]) == 0
    told = capsys.readouterr().out
    assert "ter: TER; lower is better; 0 (no edits) and up" in told
    assert "length: Length; neither direction is better" in told
    assert main(["metrics", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [m["name"] for m in document["metrics"]][:4] == ["bleu", "chrf", "chrf++", "ter"]
    assert all(len(m["explanation"]) > 100 and len(m["weakness"]) > 30 for m in document["metrics"])
