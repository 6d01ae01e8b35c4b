"""How often each test finds a difference that is not there, where it claims to hold and where it does not."""

import numpy as np
import pytest

from mtsig_core.resampling import Settings
from mtsig_core.significance import crossed_test, run_preset

pytestmark = pytest.mark.slow


def alarms(name, make, trials, seed, chosen):
    """Return the share of p <= .05."""
    rng = np.random.default_rng(seed)
    return np.mean([run_preset(name, make(rng), "A", "B", chosen).p <= 0.05 for _ in range(trials)])


@pytest.mark.parametrize("n", [1, 3])
@pytest.mark.parametrize("name", ["ar-segment", "bootstrap-centred", "bootstrap-paired"])
def test_segment_tests_hold_for_these_outputs_on_new_text(name, n, pair):
    chosen = Settings(n_bootstrap=199, n_permutations=199)
    rate = alarms(name, lambda rng: pair(rng, n, n, 100, segment=5), 1000, 1, chosen)
    assert 0.03 < rate < 0.08


@pytest.mark.parametrize(("n_a", "n_b"), [(2, 2), (2, 4)])
def test_hypothesis_level_holds_under_the_sharp_null(n_a, n_b, pair):
    rate = alarms("ar-hypothesis", lambda rng: pair(rng, n_a, n_b, 60), 600, 2, Settings(n_permutations=199))
    assert 0.025 < rate < 0.08


def test_hypothesis_level_fails_where_strengths_differ_by_segment(pair):
    rate = alarms("ar-hypothesis", lambda rng: pair(rng, 5, 5, 60, segment=10), 400, 3, Settings(n_permutations=199))
    assert 0.24 < rate < 0.39


@pytest.mark.parametrize(
    ("name", "n", "low", "high"),
    [
        ("ar-replica", 2, 0, 0),
        ("ar-replica", 3, 0, 0),
        ("ar-replica", 5, 0.03, 0.07),
        ("welch-replicas", 5, 0.025, 0.07),
        ("ar-replica-paired", 5, 0, 0),
        ("ar-replica-paired", 6, 0.015, 0.05),
    ],
)
def test_replica_tests_hold_on_this_text(name, n, low, high, pair):
    chosen = Settings(paired=name.endswith("paired"))
    rate = alarms(name, lambda rng: pair(rng, n, n, 4, replica=3, residual=1), 1000, 4, chosen)
    assert low <= rate <= high


def test_free_deals_of_unequal_numbers_hold_with_equal_spreads(pair):
    rate = alarms("ar-replica", lambda rng: pair(rng, 3, 6, 4, replica=3, residual=1), 1000, 5, Settings())
    assert 0.02 <= rate <= 0.07


def test_free_deals_of_unequal_numbers_err_where_the_smaller_side_varies_more(means):
    rng = np.random.default_rng(7)

    def made(of_a, of_b):
        return means({s: np.repeat(rng.normal(0, sd, (n, 1)), 2, axis=1) for s, (n, sd) in (("A", of_a), ("B", of_b))})

    def rate(of_a, of_b):
        p = [run_preset("ar-replica", made(of_a, of_b), "A", "B", Settings()).p for _ in range(500)]
        return np.mean(np.array(p) < 0.05)

    assert rate((2, 3), (10, 1)) == pytest.approx(0.15, abs=0.05)  # as is said of it
    assert rate((2, 1), (10, 3)) < 0.05


def crossed_alarms(n_a, n_b, segment, replica, trials=1000, paired=False):
    rng = np.random.default_rng(6)
    count = 0
    for _ in range(trials):
        a, b = (
            rng.normal(0, replica, (n, 1)) + rng.normal(0, segment, 100) + rng.normal(0, 10, (n, 100))
            for n in (n_a, n_b)
        )
        if paired:
            shared = rng.normal(0, 3, (n_a, 1))
            a, b = a + shared, b + shared
        count += crossed_test(a, b, paired=paired).p <= 0.05
    return count / trials


@pytest.mark.parametrize("n", [2, 3, 10])
@pytest.mark.parametrize(("segment", "replica"), [(0, 0), (0, 3), (5, 1), (10, 3)])
def test_crossed_holds_for_new_replicas_on_new_text(n, segment, replica):
    assert 0.005 < crossed_alarms(n, n, segment, replica) < 0.075


def test_paired_crossed_holds():
    assert 0.005 < crossed_alarms(5, 5, 5, 1, paired=True) < 0.075


def test_segment_tests_miss_the_luck_of_the_replicas(pair):
    chosen = Settings(n_bootstrap=199)
    rate = alarms("bootstrap-centred", lambda rng: pair(rng, 2, 2, 300, replica=3), 200, 7, chosen)
    assert rate > 0.5
