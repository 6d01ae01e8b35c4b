"""Questions asked of a workbench: the same numbers as the analyses give."""

import numpy as np
import pandas as pd
import pytest

from mtsig_core.experiment import Experiment, Replica, System
from mtsig_core.experiment import TestSet as Texts
from mtsig_core.figures.pseudo_statistics import pseudo_statistics
from mtsig_core.loading import load
from mtsig_core.metrics import StatisticsCache, get_metric
from mtsig_core.reports.paper.results import ReportRequest
from mtsig_core.resampling import Settings
from mtsig_core.workbench import Workbench

QUICK = Settings(n_bootstrap=150, n_permutations=150)
WORDS = [f"w{i}" for i in range(30)]


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    rng = np.random.default_rng(0)
    reference = [" ".join(rng.choice(WORDS, 10)) for _ in range(40)]

    def output(share):
        return tuple(" ".join(w if rng.random() > share else rng.choice(WORDS) for w in r.split()) for r in reference)

    systems = tuple(
        System(name, tuple(Replica(f"seed{i}", {"test": output(share)}) for i in range(3)))
        for name, share in (("a", 0.35), ("b", 0.3), ("c", 0.1))
    )
    experiment = Experiment("toy", (Texts("test", "test", (tuple(reference),)),), systems)
    bench = Workbench(experiment, cache=StatisticsCache(tmp_path_factory.mktemp("cache")))
    return bench.pair("test", get_metric("bleu"), "a", "b")


def test_lottery_and_its_single_pairs(pair):
    found = pair.lottery(n_permutations=3000)
    for i, a in enumerate(found.replicas_a[:2]):
        single = pair.single_pair(a, found.replicas_b[0], n_permutations=3000)
        assert single.p == pytest.approx(found.p[i, 0], abs=0.04)
        assert single.difference == pytest.approx(found.differences[i, 0])


def test_p_by_n(pair):
    found = pair.p_by_n((1, 3), draws=10, settings=QUICK)
    assert {(r.unit, r.n) for r in found.rows} == {(u, n) for u in ("segment", "hypothesis") for n in (1, 3)}


@pytest.mark.slow
def test_intervals_and_three_tests_share_the_draws(pair):
    intervals = pair.bootstrap_intervals(settings=QUICK)
    compared = pair.compare(settings=QUICK)
    np.testing.assert_allclose(np.diff(intervals.draws["full"], axis=1)[:, 0], compared.bootstrap_differences)
    assert len(pseudo_statistics(compared).data) == 3


def test_all_pairs(pair):
    found = pair.bench.pairwise("test", pair.metric, settings=QUICK)
    assert found.systems == ("c", "b", "a")
    assert found.row("a", "b").p == pair.compare(settings=QUICK).coherent.p


def test_three_methods_of_chosen_systems(pair):
    found = pair.bench.three_methods("test", pair.metric, ["a", "c"], settings=QUICK)
    assert found.systems == ("a", "c")
    assert len(found.pairs) == 3


def test_observed_difference(pair):
    found = pair.observed_difference(settings=QUICK)
    assert found.singles.values.size == 9
    assert {c.preset.name for c in found.curves.curves} >= {"ar-segment", "fu-bootstrap"}
    own = pair.compare(settings=QUICK)
    curve = next(c for c in found.curves.curves if c.preset.name == "ar-segment")
    assert curve.at(own.test("ar-segment").difference) == pytest.approx(own.test("ar-segment").p)


def test_the_difference_by_n_takes_seed_and_replacement_from_the_call(pair):
    from mtsig_core.analysis.replicas.by_n import ByNDesign

    asked = pair.by_n((1, 2), replace=False, seed=5)
    assert asked.design == ByNDesign(ns=(1, 2), seed=5, replace=False)
    assert pair.by_n((1, 2), seed=5).design.replace


def test_tables_of_one_run_hold_numbers_and_the_verdict(pair):
    own = pair.bench.experiment
    ones = tuple(System(s.name, s.replicas[:1]) for s in own.systems)
    bench = Workbench(Experiment("ones", own.test_sets, ones))
    one = bench.pair("test", pair.metric, "a", "b")
    found = (bench.table(settings=QUICK), one.effect(settings=QUICK), one.by_n((1,), settings=QUICK), one.inflation(),
             bench.replica_effects(settings=QUICK), one.compare(presets=["ar-segment"], settings=QUICK))  # fmt: skip
    for frame in (result.to_frame() for result in found):
        mixed = [name for name in frame if frame[name].dtype == object]
        assert [name for name in mixed if not frame[name].map(lambda cell: isinstance(cell, str)).all()] == []
    shown = found[-1]._repr_html_()
    assert shown.startswith("<p>No verdict on the systems: ")
    assert "NaN" not in found[0]._repr_html_()


def test_an_experiment_shows_its_names_and_no_text(pair):
    assert repr(pair.bench.experiment) == "<Experiment 'toy': test sets test; systems (replicas) a (3), b (3), c (3)>"


def test_metrics_and_test_sets_may_be_named(pair):
    bench = pair.bench
    expected = bench.table(["test"], [bench.metric("bleu")], settings=QUICK)
    assert bench.table("test", "bleu", settings=QUICK) is expected
    assert bench.table(["test"], ["BLEU"], settings=QUICK) is expected
    assert bench.median("test", ["bleu", "ter"]).replica("a")
    assert bench.signature("test", "bleu").startswith("nrefs:1|")
    assert bench.can_score("test", "bleu", "a", "b")
    with pytest.raises(ValueError, match="No metric 'blue' here; there are: bleu"):
        bench.table(metrics=["blue"])
    with pytest.raises(ValueError, match="No test set 'tset'"):
        bench.table("tset")


def test_one_name_is_as_good_as_a_list_and_other_values_are_refused(pair):
    tests = pair.compare(presets="welch-replicas", settings=QUICK).tests
    assert [test.preset.name for test in tests] == ["welch-replicas"]
    assert ReportRequest(parts="verdict", systems="b") == ReportRequest(parts=("verdict",), systems=("b",))
    for wrong in ({"seed": "x"}, {"n_bootstrap": 10.5}):
        with pytest.raises(ValueError, match="must be a whole number; got "):
            pair.compare(**wrong)
    with pytest.raises(TypeError, match="load_scores"):
        load(pd.DataFrame({"score": [1.0]}))
