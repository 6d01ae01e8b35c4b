import numpy as np
import pytest

from mtsig_core.analysis.systems.s_diff import p_against_difference, single_differences
from mtsig_core.resampling import Settings
from mtsig_core.significance import run_preset


def test_every_pair_of_replicas():
    a, b = np.array([1.0, 2.0]), np.array([4.0, 6.0, 7.0])
    found = single_differences(a, b)
    assert sorted(found.values) == [2, 3, 4, 5, 5, 6]
    assert found.fit.mean == pytest.approx(b.mean() - a.mean())
    assert found.fit.sd == pytest.approx(np.sqrt(a.var(ddof=1) + b.var(ddof=1)))


def test_declared_pairs_only():
    found = single_differences(np.array([1.0, 2.0, 4.0]), np.array([2.0, 3.0, 5.5]), paired=True)
    assert found.values.tolist() == [1, 1, 1.5]
    assert found.fit.sd == pytest.approx(np.std([1, 1, 1.5], ddof=1))
    assert not single_differences(np.ones(2), np.ones(3), paired=True).paired


def test_one_replica_each_has_no_fit():
    assert single_differences(np.array([1.0]), np.array([2.0])).fit is None
    assert single_differences(np.array([1.0]), np.array([2.0, 3.0])).fit.sd == pytest.approx(np.sqrt(0.5))


@pytest.fixture
def statistics(statistics_of):
    rng = np.random.default_rng(0)
    return statistics_of({"A": rng.normal(20, 3, (4, 60)), "B": rng.normal(20.6, 3, (4, 60))})


NAMES = ("ar-segment", "ar-replica", "ar-hypothesis", "bootstrap-centred", "fu-bootstrap", "fu-ar", "sacrebleu-ar")


def test_p_at_the_observed_difference_is_the_tests_own(statistics):
    chosen = Settings(n_bootstrap=999, n_permutations=999)
    tests = [run_preset(name, statistics, "A", "B", chosen) for name in NAMES]
    found = p_against_difference(tests, tests[0].difference, 0.05)
    assert [c.preset.name for c in found.curves] == list(NAMES)
    for curve, test in zip(found.curves, tests, strict=True):
        assert curve.at(test.difference) == pytest.approx(test.p)
        assert (np.diff(curve.p) <= 0).all()


def test_threshold_is_where_p_comes_down_to_alpha(statistics):
    tests = [run_preset(name, statistics, "A", "B", Settings(n_bootstrap=999, n_permutations=999)) for name in NAMES]
    found = p_against_difference(tests, tests[0].difference, 0.05)
    for curve in found.curves:
        if curve.threshold is not None:
            assert curve.at(curve.threshold) <= 0.05
            assert curve.at(curve.threshold - 1e-6) > 0.05
    assert set(found.to_frame()) == {"test", "difference with p = 0.05", "p at the observed one"}
    assert found.at_frame(0.5).iloc[0, 2] == found.curves[0].at(0.5)


def test_exact_tests_of_few_replicas_may_have_no_threshold(statistics_of):
    rng = np.random.default_rng(1)
    few = statistics_of({"A": rng.normal(20, 3, (3, 40)), "B": rng.normal(21, 3, (3, 40))})
    test = run_preset("ar-replica", few, "A", "B", Settings())
    (curve,) = p_against_difference([test], test.difference, 0.05).curves
    assert curve.threshold is None or curve.at(curve.threshold) <= 0.05


def test_tests_without_differences_by_chance_are_left_out(statistics, statistics_of):
    chosen = Settings(n_bootstrap=99, n_permutations=99)
    names = ("welch-replicas", "koehn", "lecture-ar", "bootstrap-paired")
    tests = [run_preset(name, statistics, "A", "B", chosen) for name in names]
    assert p_against_difference(tests, 0.5, 0.05).curves == ()
    rng = np.random.default_rng(2)
    uneven = statistics_of({"A": rng.normal(0, 1, (2, 9)), "B": rng.normal(1, 1, (5, 9))})
    assert p_against_difference([run_preset("ar-replica", uneven, "A", "B", chosen)], 1.0, 0.05).curves == ()
