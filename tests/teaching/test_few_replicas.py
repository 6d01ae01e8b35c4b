"""Few replicas: against scipy's permutation and t-tests, the planner, and the presets on real statistics."""

from math import comb

import numpy as np
import pytest
from scipy import stats

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.metrics.outside.outside_metric import OutsideMetric
from mtsig_core.resampling import Settings
from mtsig_core.resampling.random_streams import Chunk
from mtsig_core.significance import run_preset
from mtsig_core.significance.simulated import World, simulated
from mtsig_core.teaching import Run
from mtsig_core.teaching.few_replicas import (
    COHERENT,
    EXACT,
    WELCH,
    FewReplicas,
    few_summary,
    invented_world,
    planned,
    smallest_p,
    steps,
    world_of,
)


def run(n=3, replica_sd=1.0, gain=1.0, draws=2048, **options):
    return Run(FewReplicas(invented_world(n, replica_sd, gain), **options)).step(draws)


def statistics_of(a, b):
    names = tuple(tuple(str(i) for i in range(len(x))) for x in (a, b))
    scores = np.concatenate([a, b])
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    return SegmentStatistics(OutsideMetric("Score"), "test", "", ("A", "B"), names, values)


def test_p_is_that_of_scipy():
    made = run(4, draws=3)
    a, b = simulated(made.simulation.world, Chunk(0, 0, 128), 1)
    for draw in range(3):
        scores = a[draw].mean(axis=1), b[draw].mean(axis=1)
        exact = stats.permutation_test(scores, lambda x, y, axis: y.mean(axis) - x.mean(axis), vectorized=True)
        assert made[EXACT][draw] == pytest.approx(exact.pvalue)
        assert made[WELCH][draw] == pytest.approx(stats.ttest_ind(*scores, equal_var=False).pvalue, rel=1e-5)


@pytest.mark.parametrize(("n_a", "n_b", "expected"), [
    (2, 2, 1 / 3), (3, 3, 0.1), (4, 4, 0.0286), (5, 5, 0.0079), (6, 6, 0.0022), (3, 1, 0.25), (1, 19, 0.05),
    (2, 10, 0.0152),
])  # fmt: skip
def test_the_ladder_begins_where_the_lesson_says(n_a, n_b, expected):
    assert smallest_p(n_a, n_b) == pytest.approx(expected, abs=5e-5)
    apart = np.arange(n_a), 100.0 + np.arange(n_b)  # every run of B is better
    statistics = statistics_of(*(np.outer(x, np.ones(3)) for x in apart))
    result = run_preset("ar-replica", statistics, "A", "B", Settings(n_permutations=1000))
    assert result.p == pytest.approx(smallest_p(n_a, n_b))


@pytest.mark.slow
@pytest.mark.parametrize("n", [2, 3, 4])
def test_every_exact_p_is_a_step_and_equal_systems_stand_on_each_alike(n):
    made = run(n, gain=0.0, draws=4096)
    step = made[EXACT] * steps(n)
    assert step == pytest.approx(np.round(step))
    counts = np.bincount(np.round(step).astype(int), minlength=steps(n) + 1)[1:]
    assert stats.chisquare(counts).pvalue > 0.001
    assert few_summary(made).exaggeration is None
    assert steps(n) == comb(2 * n, n) / 2


def test_three_against_three_never_reach_the_level():
    made = run(3, replica_sd=0.5, gain=5.0)
    now = few_summary(made)
    assert (now.significant, now.power, now.smallest) == (0, 0.0, 0.1)
    assert few_summary(made, WELCH).power > 0.9


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, 5])
def test_power_and_exaggeration_are_what_the_planner_expects(n):
    made = run(n, draws=8192, rule=COHERENT)
    now, cell = few_summary(made), planned(made.simulation.world, n)
    error = (cell.power * (1 - cell.power) * (1 / 8192 + 1 / 10_000)) ** 0.5
    assert now.power == pytest.approx(cell.power, abs=3.5 * error)
    assert now.exaggeration == pytest.approx(cell.exaggeration, rel=0.06)
    assert now.wrong_sign == pytest.approx(cell.wrong_sign, abs=0.015)
    assert planned(World(gain=0.0), n) is None


def test_the_lesson_says_what_three_runs_do():
    cell = planned(invented_world(3, 1.0, 1.0), 3)
    assert cell.power == pytest.approx(0.1, abs=0.01)
    assert cell.exaggeration == pytest.approx(2.2, abs=0.15)


def test_the_world_of_open_data_varies_as_they_do():
    true = World(n=50, segments=400, replica_sd=1.0, replica_sd_b=2.0, strength_sd=10.0, residual_sd=10.0, gain=1.5)
    a, b = (x[0] for x in simulated(true, Chunk(0, 0, 1), seed=1))
    world = world_of(statistics_of(a, b), "A", "B")
    assert world.gain == pytest.approx(b.mean() - a.mean())
    assert world.replica_sds == (pytest.approx(1.0, rel=0.25), pytest.approx(2.0, rel=0.25))
    # a hundred segments of half the standard deviation are worth 400 of the whole one
    assert (world.strength_sd, world.residual_sd) == (pytest.approx(5.0, rel=0.15), pytest.approx(5.0, rel=0.05))


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="expected 2 to 6 replicas"):
        FewReplicas(World(n=7))
    with pytest.raises(ValueError, match="rule must be one of"):
        FewReplicas(World(n=3), rule="koehn")
    with pytest.raises(ValueError, match="at least 2 replicas of each system"):
        world_of(statistics_of(np.ones((1, 5)), np.ones((3, 5))), "A", "B")
    with pytest.raises(ValueError, match="whose scores vary"):
        world_of(statistics_of(np.ones((2, 5)), np.ones((3, 5))), "A", "B")
