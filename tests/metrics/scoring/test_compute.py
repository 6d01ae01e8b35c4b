"""Statistics of an experiment: right, each distinct hypothesis once, kept, and cancellable."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from mtsig_core.experiment import Experiment, ExperimentError, Replica, System, TestSet
from mtsig_core.metrics import StatisticsCache, compute_statistics, get_metric
from mtsig_core.metrics.ter import TER
from mtsig_core.runtime.jobs import Cancelled

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Counted(TER):
    """TER's arithmetic on character counts; remembers what it was asked."""

    asked = []

    @property
    def key(self) -> str:
        return "counted"

    def statistics(self, hypotheses, references):
        self.asked.extend(zip(hypotheses, references, strict=True))
        return np.array([[len(h), len(r[0])] for h, r in zip(hypotheses, references, strict=True)], dtype=float)


@pytest.fixture
def counted():
    Counted.asked.clear()
    return Counted()


def distinct(experiment, systems=None):
    replicas = [r for s in experiment.systems if systems is None or s.name in systems for r in s.replicas]
    return {(i, h) for r in replicas for i, h in enumerate(r.outputs["t"])}


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter"])
@pytest.mark.parametrize("streams", [1, 2])
def test_values_are_those_of_each_output_alone(name, streams, make_experiment, tmp_path):
    experiment, metric = make_experiment(1, segments=8, streams=streams), get_metric(name)
    references = list(zip(*experiment.test_set("t").references, strict=True))
    cache = StatisticsCache(tmp_path)
    results = [compute_statistics(experiment, "t", metric, cache=c) for c in (None, cache, cache)]
    for result in results:
        assert result.systems == ("s0", "s1")
        assert result.replicas == (("r0", "r1"), ("r0", "r1", "r2"))
        assert result.values.dtype == np.float64
        assert result.signature == metric.signature(references)
        for system in experiment.systems:
            for values, replica in zip(result.of(system.name), system.replicas, strict=True):
                np.testing.assert_array_equal(values, metric.statistics(replica.outputs["t"], references))


def test_each_distinct_hypothesis_is_scored_once_even_across_calls(counted, make_experiment, tmp_path):
    experiment, cache = make_experiment(2, replicas=(3, 4)), StatisticsCache(tmp_path)
    part = Experiment("part", experiment.test_sets, experiment.systems[:1])
    compute_statistics(part, "t", counted, cache=cache)
    assert len(counted.asked) == len(distinct(part)) < 3 * 12
    # s1 shares some of s0's hypotheses here: they are taken from what the cache has.
    old, new = (system.replicas[0].outputs["t"] for system in experiment.systems)
    mixed = (*old[:6], *new[6:])
    both = Experiment("both", part.test_sets, (*part.systems, System("s1", (Replica("r", {"t": mixed}),))))
    compute_statistics(both, "t", counted, cache=cache)
    assert len(counted.asked) == len(distinct(both))
    compute_statistics(both, "t", counted, cache=cache)
    assert len(counted.asked) == len(distinct(both))


def test_equal_hypotheses_of_different_segments_are_not_confused(counted):
    test_set = TestSet("t", "test", (("a", "bbb", "a"),))
    experiment = Experiment("x", (test_set,), (System("s", (Replica("r", {"t": ("same", "same", "same")}),)),))
    values = compute_statistics(experiment, "t", counted).values
    np.testing.assert_array_equal(values, [[[4, 1], [4, 3], [4, 1]]])


def test_other_references_or_options_are_other_statistics(make_experiment, tmp_path):
    experiment, cache = make_experiment(3), StatisticsCache(tmp_path)
    swapped = TestSet("t", "test", (tuple(reversed(experiment.test_set("t").references[0])),))
    other = Experiment("other", (swapped,), experiment.systems)
    for e in (experiment, other):
        for options in ({}, {"lowercase": True}, {"tokenize": "char"}):
            metric = get_metric("bleu", **options)
            kept = compute_statistics(e, "t", metric, cache=cache)
            np.testing.assert_array_equal(kept.values, compute_statistics(e, "t", metric).values)


def test_replicas_without_the_test_set_are_left_out_and_documents_are_numbered():
    sets = (TestSet("t", "test", (("a", "b", "c"),), documents=("z", "y", "z")), TestSet("d", "dev", (("a",),)))
    systems = (
        System("A", (*(Replica(name, {"t": ("a", "b", "c")}) for name in ("10", "2")), Replica("3", {"d": ("a",)}))),
        System("B", (Replica("1", {"d": ("x",)}),)),
    )
    experiment = Experiment("x", sets, systems)
    result = compute_statistics(experiment, "t", get_metric("chrf"))
    assert (result.systems, result.replicas) == (("A",), (("2", "10"),))
    np.testing.assert_array_equal(result.documents, [0, 1, 0])
    dev = compute_statistics(experiment, "d", get_metric("chrf"))
    assert (dev.systems, dev.replicas, dev.documents) == (("A", "B"), (("3",), ("1",)), None)


def test_what_cannot_be_scored_is_refused():
    sets = (TestSet("t", "test", (("a",),)), TestSet("u", "test", (("a",),)))
    experiment = Experiment("x", sets, (System("A", (Replica("1", {"t": ("a",)}),)),))
    with pytest.raises(ExperimentError, match="No test set 'v'"):
        compute_statistics(experiment, "v", get_metric("bleu"))
    with pytest.raises(ValueError, match="No system has an output for test set 'u'"):
        compute_statistics(experiment, "u", get_metric("bleu"))


def test_progress_rises_to_one_and_says_what(counted, make_experiment):
    told = []

    def progress(fraction, what=""):
        told.append((fraction, what))

    compute_statistics(make_experiment(), "t", counted, progress=progress)
    fractions = [fraction for fraction, _ in told]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1
    assert "TER on t: " in told[-2][1]
    assert "segments" in told[-2][1]


def test_a_cancelled_call_keeps_the_outputs_that_were_complete(counted, make_experiment, tmp_path, monkeypatch):
    monkeypatch.setattr("mtsig_core.metrics.scoring.chunks.GROWTH", 1)
    experiment, cache = make_experiment(4, replicas=(2, 2)), StatisticsCache(tmp_path)

    def cancel_after_first_output(fraction, what=""):
        if len(counted.asked) >= 14:
            raise Cancelled

    with pytest.raises(Cancelled):
        compute_statistics(experiment, "t", counted, cache=cache, progress=cancel_after_first_output)
    asked = len(counted.asked)
    assert 14 <= asked < 20
    digests = (experiment.test_set("t").references_digest, experiment.systems[0].replicas[0].output_digests["t"])
    assert cache.get("counted", *digests, (12, 2)) is not None
    compute_statistics(experiment, "t", counted, cache=cache)
    assert len(counted.asked) - asked == len(distinct(experiment)) - 12


def test_a_damaged_file_is_computed_again_and_replaced(counted, make_experiment, tmp_path):
    experiment, cache = make_experiment(5), StatisticsCache(tmp_path)
    first = compute_statistics(experiment, "t", counted, cache=cache)
    files = sorted(p for p in tmp_path.rglob("*.npy"))
    assert len(files) == 5
    whole = files[0].read_bytes()
    files[0].write_bytes(whole[:-9])
    counted.asked.clear()
    again = compute_statistics(experiment, "t", counted, cache=cache)
    np.testing.assert_array_equal(again.values, first.values)
    assert counted.asked
    assert files[0].read_bytes() == whole


def test_without_a_writable_folder_scores_are_the_same(make_experiment, tmp_path):
    (tmp_path / "file").write_text("")
    experiment, metric = make_experiment(6), get_metric("bleu")
    cache = StatisticsCache(tmp_path / "file")
    result = compute_statistics(experiment, "t", metric, cache=cache)
    np.testing.assert_array_equal(result.scores, compute_statistics(experiment, "t", metric).scores)
    assert cache.problem


SCRIPT = """
import sys
import time
from pathlib import Path
time.perf_counter = time.process_time  # a pause of a busy machine is not taken for long work
from mtsig_core.metrics import ter
from mtsig_core.metrics.scoring import sacrebleu_adapter
from mtsig_core.experiment import Experiment, Replica, System, TestSet
from mtsig_core.metrics import compute_statistics, default_cache, get_metric

asked = []
original = sacrebleu_adapter.segment_statistics
def counting(kind, options, hypotheses, references):
    asked.extend(hypotheses)
    return original(kind, options, hypotheses, references)
sacrebleu_adapter.segment_statistics = ter.segment_statistics = counting

def lines(path):
    return tuple(path.read_text(encoding="utf-8").split("\\n"))
files = Path(sys.argv[1])
replicas = tuple(Replica(p.stem, {"t": lines(p)}) for p in sorted(files.glob("out*")))
experiment = Experiment("x", (TestSet("t", "test", (lines(files / "ref"),)),), (System("s", replicas),))
cache = default_cache()
for name in ("bleu", "chrf", "ter"):
    result = compute_statistics(experiment, "t", get_metric(name), cache=cache)
    print(name, result.values.sum(), *result.scores)
print(len(asked), "joblib" in sys.modules, "numba" in sys.modules)
"""


@pytest.mark.slow
def test_a_second_process_asks_neither_sacrebleu_nor_kernels_for_anything(make_experiment, tmp_path):
    experiment = make_experiment(8, segments=10, replicas=(3,))
    (tmp_path / "ref").write_text("\n".join(experiment.test_set("t").references[0]), encoding="utf-8")
    for replica in experiment.systems[0].replicas:
        (tmp_path / f"out{replica.name}").write_text("\n".join(replica.outputs["t"]), encoding="utf-8")
    environment = {"MTSIG_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    command = [sys.executable, "-c", SCRIPT, str(tmp_path)]
    first, second = (
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True, encoding="utf-8").stdout
        for _ in range(2)
    )
    *scores, count = first.splitlines()
    assert count == f"{3 * len(distinct(experiment))} False False"
    assert second.splitlines() == [*scores, "0 False False"]
