"""Tests on many simulated experiments at once: p as of one experiment at a time, and the rates that are known."""

import numpy as np
import pytest
from scipy import stats

from mtsig_core.resampling import Settings
from mtsig_core.resampling.random_streams import Chunk
from mtsig_core.significance import coherent_test, crossed_test, run_preset
from mtsig_core.significance.conventions import Convention
from mtsig_core.significance.run import tail_count
from mtsig_core.significance.simulated import (
    World,
    p_of_draws,
    p_values_of,
    simulated,
    simulated_presets,
)

TEN = Chunk(0, 0, 10)
WORLD = World(n=3, segments=40, replica_sd=1.0, strength_sd=4.0, gain=1.5)
UNEQUAL = World(n=2, n_b=5, segments=40, replica_sd=1.0, replica_sd_b=0.5, strength_sd=4.0, gain=1.5)


@pytest.mark.parametrize("world", [WORLD, UNEQUAL])
def test_closed_forms_are_the_ones_of_single_experiments(world):
    a, b = simulated(world, TEN, 1)
    p = p_values_of(["crossed", "coherent", "welch-replicas"], a, b, 10, 1)
    for name, test in (("crossed", crossed_test), ("coherent", coherent_test)):
        assert p[name] == pytest.approx([test(x, y).p for x, y in zip(a, b, strict=True)])
    welch = stats.ttest_ind(b.mean(2), a.mean(2), axis=1, equal_var=False).pvalue
    assert p["welch-replicas"] == pytest.approx(welch)


@pytest.mark.parametrize(
    ("name", "world"), [(name, world) for world in (WORLD, UNEQUAL) for name in simulated_presets(world)]
)
def test_every_rule_gives_the_p_of_a_single_experiment(name, world, means):
    a, b = simulated(world, Chunk(0, 0, 4), 2)
    settings = Settings(n_bootstrap=4000, n_permutations=4000)
    alone = [run_preset(name, means({"A": x, "B": y}), "A", "B", settings).p for x, y in zip(a, b, strict=True)]
    together = p_values_of([name], a, b, 4000, 3)[name]
    # bootstraps of three replicas are made of few values, whose draws differ more
    assert together == pytest.approx(alone, abs=0.045)


@pytest.mark.parametrize("convention", [
    Convention(), Convention(strict=True), Convention(centre="mean"), Convention(centre="mean size", strict=True),
    Convention(sides="winner", add_one=False), Convention(centre="mean", sides="winner", add_one=False),
])
def test_counts_are_those_of_the_rule(convention):
    rng = np.random.default_rng(4)
    drawn, observed = rng.normal(0.3, 1, (6, 199)), np.array([1.0, -1.0, 0.2, -2.0, 3.0, -0.4])
    for row, d, p in zip(drawn, observed, p_of_draws(drawn, observed, convention), strict=True):
        compared = row
        if convention.centre == "mean":
            compared = row - row.mean()
        if convention.centre == "mean size":
            compared = np.abs(row) - np.abs(row).mean()
        count = tail_count(compared, d, convention, 0.0)
        expected = (count + 1) / 200 if convention.add_one else count / 199 or 1 / 200
        assert p == pytest.approx(expected)


def test_what_is_simulated_has_the_parts_asked_for():
    world = World(n=4, segments=50, replica_sd=2.0, strength_sd=3.0, residual_sd=5.0, gain=1.0)
    a, b = simulated(world, Chunk(0, 0, 600), 5)
    assert (b - a).mean() == pytest.approx(1.0, abs=0.2)
    assert a.mean(axis=2).var(axis=1, ddof=1).mean() == pytest.approx(4 + 25 / 50, rel=0.08)
    assert a.var(axis=(1, 2)).mean() == pytest.approx(4 * 0.75 + 9 + 25, rel=0.05)
    assert np.array_equal(a, simulated(world, Chunk(0, 0, 600), 5)[0])


@pytest.mark.slow
@pytest.mark.parametrize("noise", ["t3", "lognormal"])
def test_other_noise_has_the_same_mean_and_spread(noise):
    world = World(n=2, n_b=3, segments=50, residual_sd=5.0, noise=noise)
    a, b = simulated(world, Chunk(0, 0, 4000), 5)
    assert (a.shape, b.shape) == ((4000, 2, 50), (4000, 3, 50))
    assert a.mean() == pytest.approx(0, abs=0.05)
    assert a.std() == pytest.approx(5, rel=0.05)
    assert stats.kurtosis(b, axis=None) > 8  # a normal has 0


def test_replica_effects_of_both_sides_have_their_own_size():
    a, b = simulated(World(n=9, replica_sd=0.0, replica_sd_b=3.0), Chunk(0, 0, 400), 5)
    assert a.mean(axis=2).var(axis=1, ddof=1).mean() == pytest.approx(1, rel=0.1)
    assert b.mean(axis=2).var(axis=1, ddof=1).mean() == pytest.approx(10, rel=0.1)


def test_worlds_without_sense_are_refused():
    with pytest.raises(ValueError, match="at least 1 replica and 2 segments"):
        World(segments=1)
    with pytest.raises(ValueError, match="0 or more"):
        World(replica_sd=-1)
    with pytest.raises(ValueError, match="at least 1 replica"):
        World(n_b=0)
    with pytest.raises(ValueError, match="normal, t3, lognormal"):
        World(noise="cauchy")


def test_unequal_numbers_leave_the_tests_that_exchange_no_single_output_or_replica():
    found = set(simulated_presets(UNEQUAL))
    assert {"crossed", "welch-replicas", "ar-segment", "bootstrap-replica", "two-way-bootstrap"} <= found
    assert not {"ar-hypothesis", "ar-replica", "fu-ar", "multeval-ar"} & found


def test_one_replica_leaves_the_tests_that_need_no_more():
    assert "crossed" not in simulated_presets(World(n=1))
    assert "ar-segment" in simulated_presets(World(n=1))
    assert not any("paired" in n and n != "bootstrap-paired" or "document" in n for n in simulated_presets(World(n=9)))
