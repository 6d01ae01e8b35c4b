from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from mtsig_core.analysis.calibration.arena import SCENARIOS, ArenaDesign, alarm_table, arena, exact_interval, world_like
from mtsig_core.significance.simulated import World


@pytest.mark.slow
def test_rates_that_are_known():
    quiet = arena(World(), ArenaDesign(trials=2000))
    for name in ("ar-segment", "bootstrap-centred", "ar-hypothesis", "sacrebleu-ar"):
        assert 0.03 < quiet.row(name).share < 0.07
    for name in ("koehn", "lecture-ar", "lecture-bootstrap", "sacrebleu-bootstrap"):
        assert 0.075 < quiet.row(name).share < 0.13
    assert quiet.row("crossed").share < 0.06
    assert quiet.row("ar-replica").share == 0
    assert 0.18 < quiet.row("fu-ar").share < 0.3


@pytest.mark.slow
@pytest.mark.parametrize(("n", "low", "high"), [(2, 0.08, 0.15), (5, 0.2, 0.32), (10, 0.33, 0.46)])
def test_exchanging_single_outputs_errs_the_more_the_more_replicas(n, low, high):
    found = arena(
        World(n=n, strength_sd=10), ArenaDesign(trials=1000), presets=("ar-hypothesis", "ar-segment", "crossed")
    )
    assert low < found.row("ar-hypothesis").share < high
    assert found.row("ar-segment").share < 0.07
    assert found.row("crossed").share < 0.07


def test_a_replica_effect_deceives_segment_tests_as_much_as_its_variance_says():
    found = arena(World(n=3, replica_sd=2), ArenaDesign(trials=2000), presets=("ar-segment", "crossed"))
    ratio = (4 / 3 + 100 / 300) / (100 / 300)
    assert found.row("ar-segment").share == pytest.approx(2 * stats.norm.cdf(-1.96 / ratio**0.5), abs=0.04)
    assert found.row("crossed").share < 0.07


@pytest.mark.slow
@pytest.mark.parametrize("noise", ["normal", "t3", "lognormal"])
@pytest.mark.parametrize("n", [2, 5])
@pytest.mark.parametrize("title", ["outputs only", "both"])
def test_the_crossed_test_errs_rarely_enough_whatever_the_noise(noise, n, title):
    found = arena(replace(SCENARIOS[title], n=n, noise=noise), ArenaDesign(trials=2000), presets=("crossed",))
    assert found.rows[0].share < 0.07


@pytest.mark.slow
def test_few_noisy_replicas_against_many_quiet_ones_are_as_bad_as_the_warning_says():
    noisy_side = World(n=2, n_b=10, replica_sd=3, replica_sd_b=0, strength_sd=5)
    found = arena(noisy_side, ArenaDesign(trials=4000), presets=("crossed",))
    assert 0.07 < found.rows[0].share < 0.12


def test_power_rises_with_the_gain_and_the_wrong_side_gets_rare():
    none, some, much = (
        arena(World(n=5, gain=g), ArenaDesign(trials=500), presets=("crossed",)).rows[0] for g in (0, 1, 3)
    )
    assert none.share < some.share < much.share
    assert much.wrong == 0


def test_the_interval_is_the_exact_one():
    low, high = exact_interval(53, 66)
    assert (100 * low, 100 * high) == pytest.approx((68.7, 89.1), abs=0.05)
    assert exact_interval(0, 20)[0] == 0
    assert exact_interval(20, 20)[1] == 1


def test_the_table_has_a_column_a_world():
    frame = alarm_table(design=ArenaDesign(trials=50, n_draws=99)).to_frame()
    assert list(frame.columns[2:]) == list(SCENARIOS)
    assert frame.iloc[:, 2:].to_numpy().min() >= 0


def test_the_same_seed_gives_the_same_shares():
    assert arena(World(), ArenaDesign(trials=60, n_draws=99)) == arena(World(), ArenaDesign(trials=60, n_draws=99))


def test_a_world_like_data_has_their_parts(statistics_of):
    rng = np.random.default_rng(1)
    a, b = (rng.normal(0, 1, (20, 1)) + rng.normal(0, 3, 400) + rng.normal(0, 5, (20, 400)) for _ in range(2))
    world = world_like(statistics_of({"a": a, "b": b}), "a", "b")
    assert (world.n, world.segments, world.gain) == (20, 400, 0)
    assert world.replica_sd == pytest.approx(2.0, abs=0.6)
    assert world.strength_sd == pytest.approx(6.0, abs=0.8)
    assert world_like(statistics_of({"a": a[:1], "b": b}), "a", "b") is None
    assert world_like(statistics_of({"a": np.ones((2, 9)), "b": np.ones((2, 9))}), "a", "b") is None
