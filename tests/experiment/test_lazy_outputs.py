"""Outputs that are read when asked for: most questions never ask."""

from __future__ import annotations

import pytest

from mtsig_core.experiment import Experiment, ExperimentError, LazyOutputs, Replica, System, TestSet
from mtsig_core.experiment.digests import text_digest
from mtsig_core.loading import read
from mtsig_core.loading.cache import store
from mtsig_core.metrics import StatisticsCache, get_metric
from mtsig_core.workbench import Workbench

LINES = {"test": ("a", "b"), "dev": ("c",)}


@pytest.fixture(autouse=True)
def however_small(monkeypatch):
    monkeypatch.setattr(store, "FEWEST_LINES", 0)


def unread(asked: list[str]) -> LazyOutputs:
    lengths = {name: len(lines) for name, lines in LINES.items()}
    digests = {name: text_digest(lines) for name, lines in LINES.items()}
    return LazyOutputs(lambda name: asked.append(name) or LINES[name], lengths, digests)


def test_an_experiment_of_unread_outputs_is_made_and_known_without_reading_them():
    asked: list[str] = []
    sets = (TestSet("test", "test", (("x", "y"),)), TestSet("dev", "dev", (("z",),)))
    plain = Experiment("e", sets, (System("s", (Replica("r", LINES),)),))
    late = Experiment("e", sets, (System("s", (Replica("r", unread(asked)),)),))
    replica = late.systems[0].replicas[0]
    assert late.digest == plain.digest
    assert dict(replica.lengths) == dict(plain.systems[0].replicas[0].lengths) == {"dev": 1, "test": 2}
    assert replica.is_on("dev")
    assert not replica.is_on("other")
    assert list(replica.outputs) == ["dev", "test"]
    assert len(replica.outputs) == 2
    assert [s.name for s in late.systems_on("test")] == ["s"]
    assert asked == []
    assert late == plain
    assert sorted(asked) == ["dev", "test"]
    assert replica.outputs["test"] is replica.outputs["test"]
    assert len(asked) == 2
    with pytest.raises(KeyError):
        replica.outputs["other"]


def test_unread_outputs_of_a_wrong_length_are_refused():
    with pytest.raises(ExperimentError, match="s/r on 'test': 2 lines, the references have 1"):
        Experiment("e", (TestSet("test", "test", (("x",),)), TestSet("dev", "dev", (("z",),))),
                   (System("s", (Replica("r", unread([])),)),))  # fmt: skip


@pytest.mark.slow
def test_scores_are_looked_up_without_a_look_at_the_text(folder, tmp_path, monkeypatch):
    asked = []
    real = LazyOutputs.__getitem__
    monkeypatch.setattr(LazyOutputs, "__getitem__", lambda self, name: asked.append(name) or real(self, name))
    tables = []
    for _ in range(2):
        bench = Workbench(read(folder).experiment, cache=StatisticsCache(tmp_path / "statistics"))
        tables.append(bench.table(["test", "dev"], [get_metric("bleu")], n_bootstrap=50).to_frame())
    assert asked == []
    assert tables[0].equals(tables[1])
    bench.pair("test", get_metric("bleu"), "plain", "better").segments("seed1", "seed1")
    assert asked


@pytest.mark.slow
def test_the_command_line_reads_no_more_than_tells_the_tokenizer(folder, call, monkeypatch):
    asked = []
    real = LazyOutputs.__getitem__
    monkeypatch.setattr(LazyOutputs, "__getitem__", lambda self, name: asked.append(name) or real(self, name))
    first, second = (call("table", folder, "--resamples", 50) for _ in range(2))
    assert first == second
    assert len(asked) == 2 * 3  # three outputs of each test set
