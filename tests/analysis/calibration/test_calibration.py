import numpy as np
import pytest
from scipy import stats

from mtsig_core.analysis.calibration.calibration import (
    DEFAULT,
    CalibrationDesign,
    calibrate,
    calibrated_presets,
    expected_rate,
    number_of_splits,
    splits,
)
from mtsig_core.resampling import Settings
from mtsig_core.significance import PRESETS, run_preset

QUICK = Settings(n_bootstrap=200, n_permutations=200)


@pytest.mark.parametrize(("n", "expected"), [(4, 3), (6, 10), (8, 35), (10, 126), (5, 10), (7, 35)])
def test_distinct_splits(n, expected):
    found = splits(n, 1000, 1)
    assert number_of_splits(n) == len(found) == expected
    halves = {frozenset((frozenset(h), frozenset(range(n)) - frozenset(h))) for h in found}
    assert len(halves) == expected


@pytest.mark.parametrize("n", [12, 13])
def test_of_many_splits_a_random_part_is_tested(n):
    found = splits(n, 50, 1)
    assert len(set(found)) == 50
    assert all(len(half) == n // 2 for half in found)
    assert found == splits(n, 50, 1)
    assert found != splits(n, 50, 2)


@pytest.mark.parametrize(("n", "low", "high"), [(4, 0.0005, 0.60), (10, 0.004, 0.28)])
def test_few_replicas_convict_and_never_acquit(n, low, high):
    found = expected_rate(1, n, 0.05)
    assert found.rate == pytest.approx(0.05)
    assert found.low == pytest.approx(low, rel=0.1)
    assert found.high == pytest.approx(high, abs=0.005)


def test_the_expected_rate_is_that_of_the_segment_test():
    rng = np.random.default_rng(2)
    f, trials, length = 4.0, 3000, 50
    sd = np.sqrt((f - 1) / length)  # of whole replicas, the residual's being 1
    y = rng.normal(0, sd, (trials, 4, 1)) + rng.normal(0, 1, (trials, 4, length))
    d = y[:, :2].mean(1) - y[:, 2:].mean(1)
    rejected = np.mean(stats.ttest_1samp(d, 0, axis=1).pvalue < 0.05)
    assert expected_rate(f, 4, 0.05).rate == pytest.approx(rejected, abs=0.03)


def test_p_values_are_those_of_the_tests_on_the_halves(statistics_of):
    y = np.random.default_rng(3).normal(0, 1, (4, 30))
    found = calibrate(statistics_of({"a": y, "b": y}), "a", QUICK, CalibrationDesign(("crossed", "ar-segment")))
    by_hand = {name: [] for name in ("crossed", "ar-segment")}
    for half in ((0, 1), (0, 2), (0, 3)):
        other = tuple(sorted(set(range(4)) - set(half)))
        halves = statistics_of({"x": y[list(half)], "z": y[list(other)]})
        for name, kept in by_hand.items():
            kept.append(run_preset(name, halves, "x", "z", QUICK).p)
    for row in found.rows:
        assert row.p == pytest.approx(sorted(by_hand[row.preset.name]))
        assert row.below == sum(p < 0.05 for p in by_hand[row.preset.name])
    assert (found.n_splits, found.n_possible) == (3, 3)


@pytest.mark.slow
def test_a_strong_replica_effect_convicts_segment_tests_and_not_the_crossed_test(statistics_of):
    rng = np.random.default_rng(4)
    y = rng.normal(0, 2, (8, 1)) + rng.normal(0, 1, (8, 60))
    found = calibrate(statistics_of({"a": y}), "a", QUICK)
    rows = {row.preset.name: row for row in found.rows}
    assert rows["ar-segment"].share > 0.5
    assert rows["crossed"].share < 0.3
    assert found.expected.low > 0.5
    assert tuple(rows) == DEFAULT


def test_permutations_of_whole_replicas_are_refused(statistics_of):
    y = np.random.default_rng(3).normal(0, 1, (4, 30))
    with pytest.raises(ValueError, match="one of coherent, crossed, .*; not 'ar-replica'"):
        calibrate(statistics_of({"a": y}), "a", QUICK, CalibrationDesign(("ar-replica",)))
    listed = calibrated_presets()
    assert {"ar-replica", "ar-replica-paired", "fu-ar", "crossed-paired", "coherent-paired"}.isdisjoint(listed)
    assert (
        len(calibrate(statistics_of({"a": y}), "a", QUICK, CalibrationDesign(listed)).rows)
        == len(listed)
        == len(PRESETS) - 5
    )


@pytest.mark.parametrize("n", [1, 3])
def test_too_few_replicas_are_told(n, statistics_of):
    found = calibrate(statistics_of({"a": np.zeros((n, 9))}), "a", QUICK)
    assert found.rows == ()
    assert f"has {n} of the at least 4" in found.note


def test_copies_never_differ(statistics_of):
    y = np.tile(np.random.default_rng(5).normal(0, 1, 30), (5, 1))
    found = calibrate(statistics_of({"a": y}), "a", QUICK)
    assert all((row.p == 1).all() for row in found.rows)
