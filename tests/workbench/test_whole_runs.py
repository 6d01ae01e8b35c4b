"""Scores of whole runs, without segments: loaded, compared by the replica test, said so."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from mtsig_core.loading import load
from mtsig_core.loading.writing import native_zip
from mtsig_core.reports.documents import compare_document
from mtsig_core.reports.pairs.comparator import comparator
from mtsig_core.resampling import Settings
from mtsig_core.significance.run import run_preset
from mtsig_core.workbench import Workbench


def table(shift: float = 0.0, n: int = 8) -> bytes:
    rng = np.random.default_rng(5)
    rows = [f"{s},run {k},{rng.normal(0.8 + shift * (s == 'b'), 0.01):.6f},1" for s in "ab" for k in range(n)]
    return "\n".join(["system,run,accuracy,bleu", *rows, "a,mean,0.9,1", ",,,", ""]).encode()


def test_each_column_is_a_metric_and_summaries_are_no_runs():
    experiment, report = load([("t.csv", table())], cache=False)
    assert [(s.name, len(s.replicas)) for s in experiment.systems] == [("a", 8), ("b", 8)]
    assert not experiment.test_sets[0].has_segments
    assert "line 18" in report.with_code("no-runs")[0].message
    assert "'bleu'" in report.with_code("constant-scores")[0].message


@pytest.mark.parametrize(("shift", "outcome"), [(0.05, "better"), (-0.05, "worse"), (0.0, "undecided")])
def test_the_headline_is_the_replica_test_on_these_test_sets(shift, outcome):
    experiment, _ = load([("t.csv", table(shift))], cache=False)
    scores = {s.name: [r.scores["test"]["accuracy"][0] for r in s.replicas] for s in experiment.systems}
    bench = Workbench(experiment)
    comparison = bench.pair("test", bench.metric("accuracy"), "a", "b").compare(n_bootstrap=50, n_permutations=50)
    assert comparison.verdict.outcome == outcome
    assert comparison.coherent is not None
    expected = stats.ttest_ind(scores["b"], scores["a"], equal_var=False).pvalue
    assert comparison.coherent.p == pytest.approx(expected)
    assert "on these test sets" in comparison.verdict.headline
    assert "new text" not in comparison.verdict.headline


def test_tests_of_segments_are_left_out_and_that_is_said():
    experiment, _ = load([("t.csv", table(0.05))], cache=False)
    bench = Workbench(experiment)
    pair = bench.pair("test", bench.metric("accuracy"), "a", "b")
    comparison = pair.compare(n_bootstrap=50, n_permutations=50)
    units = {test.preset.unit for test in comparison.tests if test.preset.form != "coherent"}
    assert units == {"replica", "replica-paired"}
    assert "tests of segments are left out" in " ".join(comparison.verdict.details)
    assert not any("very" in sentence for sentence in comparison.verdict.details)
    test = run_preset("ar-segment", pair.statistics(), "a", "b", Settings(n_permutations=50))
    assert test.p is None
    assert "needs scores of each segment" in test.note


def test_the_native_layout_keeps_them():
    experiment, _ = load([("t.csv", table())], cache=False)
    again, _ = load(native_zip(experiment), name="x.zip", cache=False)
    assert again.digest == experiment.digest


@pytest.mark.slow
def test_real_runs(real_data):
    experiment, _ = load(real_data / "runs-hans-berts", cache=False)
    (system,) = experiment.systems
    assert (len(system.replicas), len(experiment.outside_metrics)) == (100, 38)
    values = {m: np.array([r.scores["test"][m][0] for r in system.replicas]) for m in experiment.outside_metrics}
    mnli, swap = values["MNLI dev acc."], values["ln_subject/object_swap"]
    assert (round(mnli.mean(), 4), round(mnli.std(ddof=1), 4)) == (0.8434, 0.0024)
    assert (round(swap.mean(), 4), swap.min(), swap.max()) == (0.1902, 0, 0.662)


def test_every_table_of_tests_says_on_these_test_sets():
    experiment, _ = load([("t.csv", table(0.05))], cache=False)
    bench = Workbench(experiment)
    pair = bench.pair("test", bench.metric("accuracy"), "a", "b")
    comparison = pair.compare(n_bootstrap=50, n_permutations=50)
    assert {test.preset.question for test in comparison.tests} == {"this training setup, on these test sets"}
    frame = comparator([comparison]).to_frame()
    assert set(frame["question"]) == {"this training setup, on these test sets"}
    assert "crossed test" not in " ".join(frame["how p is computed"])
    pairs = bench.pairwise("test", bench.metric("accuracy"), n_bootstrap=50)
    assert pairs.preset.question == "this training setup, on these test sets"
    assert "new text" not in str(compare_document([comparison], bench.settings, experiment))
