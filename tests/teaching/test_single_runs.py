"""The luck of one run: against sums over all pairs of replicas, order statistics of scipy, and the lottery."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from mtsig_core.teaching import Run
from mtsig_core.teaching.single_runs import (
    A,
    B,
    SingleRuns,
    expected_best,
    invented_pools,
    luck_summary,
    means_so_far,
    places_of_best,
)


def run(n=4000, gain=1.0, spread=1.0, **options):
    return Run(SingleRuns(invented_pools(100, gain, spread), A, B, **options)).step(n)


def agrees(share, expected, n):
    return stats.binomtest(round(share * n), n, expected).pvalue > 0.001


def test_verdicts_come_as_often_as_pairs_of_replicas_have_them():
    made = run()
    now, verdicts = luck_summary(made), made.simulation.verdicts
    assert agrees(now.b_better, np.mean(verdicts == 1), made.n)
    assert agrees(now.a_better, np.mean(verdicts == -1), made.n)
    assert now.b_better + now.a_better + now.undecided == pytest.approx(1)
    assert np.mean(verdicts == 1) == pytest.approx(
        np.mean((made.simulation.tested.p < 0.05) & (made.simulation.tested.differences > 0)))  # fmt: skip


def test_the_mean_settles_at_the_truth():
    made = run()
    tested = made.simulation.tested
    sd = (tested.scores_a.var() + tested.scores_b.var()) ** 0.5
    assert made.simulation.truth == pytest.approx(1.0)
    assert made["difference"].std() == pytest.approx(sd, rel=0.05)
    assert means_so_far(made)[-1] == pytest.approx(1.0, abs=4 * sd / made.n**0.5)
    assert means_so_far(made)[0] == made["difference"][0]


@given(st.integers(1, 5), st.integers(1, 4))
def test_the_best_of_some_is_that_of_all_ways_to_draw_them(n, runs):
    best = [max(drawn) for drawn in product(range(n), repeat=runs)]
    assert places_of_best(n, runs) == pytest.approx(np.bincount(best, minlength=n) / len(best))


@pytest.mark.parametrize("runs", [1, 2, 5, 20])
def test_the_expected_best_of_normal_scores_is_that_of_order_statistics(runs):
    scores = stats.norm.ppf((np.arange(4000) + 0.5) / 4000)
    expected = integrate.quad(lambda x: x * runs * stats.norm.pdf(x) * stats.norm.cdf(x) ** (runs - 1), -8, 8)[0]
    assert expected_best(scores, runs) == pytest.approx(expected, abs=0.005)


@pytest.mark.parametrize("both", [False, True])
def test_the_best_run_is_reported_as_expected(both):
    made = run(gain=0.0, report="best", runs=5, both=both)
    tested = made.simulation.tested
    now = luck_summary(made)
    error = 4 * tested.scores_b.std() / made.n**0.5
    assert now.score_b == pytest.approx(expected_best(tested.scores_b, 5), abs=error)
    assert now.score_a == pytest.approx(expected_best(tested.scores_a, 5 if both else 1), abs=error)
    if not both:
        of_best = places_of_best(40, 5)
        assert agrees(now.b_better, (made.simulation.verdicts == 1).mean(axis=0) @ of_best, made.n)


def test_who_hunts_finds_as_often_as_the_formula_says():
    made = run(gain=0.0, report="hunt", runs=5)
    now, q = luck_summary(made), np.mean(made.simulation.verdicts == 1)
    assert agrees(now.b_better, 1 - (1 - q) ** 5, made.n)
    assert now.score_a < made.simulation.tested.scores_a.mean() - 0.3  # the baseline of such a pair is weak


def test_without_spread_of_runs_the_test_errs_at_its_level():
    made = run(gain=0.0, spread=0.0)
    wrong = np.mean(made.simulation.verdicts != 0)
    assert 0.02 < wrong < 0.09  # pairs share replicas, so this varies more than 1600 independent tests
    assert np.mean(run(gain=0.0, spread=2.0).simulation.verdicts != 0) > 3 * wrong


def test_what_cannot_be_drawn_is_refused():
    pools = invented_pools(20, 0, 1)
    with pytest.raises(ValueError, match="report must be one of"):
        SingleRuns(pools, A, B, "worst")
    with pytest.raises(ValueError, match="expected 1 to 20 runs"):
        SingleRuns(pools, A, B, "best", 21)
