"""Intervals that overlap: against closed forms, Fu's ratio, and the paired t-test of scipy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.metrics.outside.outside_metric import OutsideMetric
from mtsig_core.resampling.random_streams import Chunk
from mtsig_core.teaching import Run
from mtsig_core.teaching.overlapping import (
    DrawnScores,
    InventedScores,
    Overlaps,
    apart,
    differs,
    expected_shares,
    newest_overlap,
    overlap_summary,
    p_values,
    ratio_by_p,
)


def run(correlation=0.5, truth=0.0, n=4096, **options):
    return Run(Overlaps(InventedScores(correlation, truth), **options)).step(n)


def agrees(share, expected, n):
    return stats.binomtest(round(share * n), n, float(expected)).pvalue > 0.001


@pytest.mark.slow
@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("truth", [0.0, 2.0])
def test_both_rules_find_differences_as_often_as_the_formula_says(correlation, truth):
    made = run(correlation, truth)
    separate, different = expected_shares(truth, made.simulation.errors, np.array([correlation]))
    now = overlap_summary(made)
    assert agrees(now.apart, separate[0], made.n)
    assert agrees(now.differs, different[0], made.n)
    assert now.differs - now.apart == pytest.approx(now.missed, abs=0.001)


def test_intervals_of_equal_systems_separate_in_one_case_of_180_at_most():
    separate, different = expected_shares(0.0, (1.0, 1.0), np.array([0.0, 0.5]))
    assert separate == pytest.approx([2 * stats.norm.sf(2 * 1.959964 / 2**0.5), 2 * stats.norm.sf(2 * 1.959964)])
    assert different == pytest.approx([0.05, 0.05])


def test_the_interval_of_the_difference_is_that_of_the_pairs():
    simulation = Overlaps(InventedScores(0.7, 1.0), size=30)
    a, b = simulation.source.segments(Chunk(0, 0, 128), 30, simulation.seed)
    made = Run(simulation).step(5)
    for draw in range(5):
        t = stats.ttest_rel(b[draw], a[draw]).statistic
        assert made["difference"][draw] / made["error of difference"][draw] == pytest.approx(t)
        assert p_values(made)[draw] == pytest.approx(2 * stats.norm.sf(abs(t)))
    assert np.corrcoef(a.ravel(), b.ravel())[0, 1] == pytest.approx(0.7, abs=0.03)


def test_the_newest_overlap_is_the_one_that_was_drawn():
    made = run(n=9)
    found = newest_overlap(made)
    assert found.ratio == pytest.approx(made["ratio"][-1])
    assert (found.range_overlap == 0) == apart(made)[-1]


@pytest.mark.slow
@given(st.floats(0.0, 0.95), st.floats(0.001, 0.999))
def test_the_ratio_of_a_p_falls_as_p_does_and_depends_on_the_correlation(correlation, p):
    low, here = ratio_by_p(np.array([p / 2, p]), (1.0, 1.0), correlation)
    assert 0 <= low <= here <= 1
    assert ratio_by_p(np.array([p]), (1.0, 1.0), 0.0)[0] <= here


def test_one_p_has_quite_different_overlaps():
    independent, close = (ratio_by_p(np.array([0.05]), (1.0, 1.0), r)[0] for r in (0.0, 0.9))
    # two normal densities at a distance of 1.96 sqrt(2 (1 - r)), each over its own interval
    for r, ratio in ((0.0, independent), (0.9, close)):
        gap = 1.959964 * (2 * (1 - r)) ** 0.5
        shared = 2 * (stats.norm.cdf(-gap / 2) - 0.025) if gap < 2 * 1.959964 else 0
        assert ratio == pytest.approx(shared / (1.9 - shared), abs=1e-6)
    assert (independent, close) == pytest.approx((0.065, 0.474), abs=0.001)  # as the lesson says


def test_the_answer_of_the_lesson_is_so():
    separate, different = expected_shares(2.0, run(n=1).simulation.errors, np.array([0.8, 0.0]))
    assert separate[0] < 0.01
    assert different == pytest.approx([0.85, 0.27], abs=0.01)


@pytest.mark.parametrize("same", [True, False])
def test_segments_of_open_data_are_drawn_in_pairs_or_apart(same):
    rng = np.random.default_rng(1)
    shared = rng.standard_normal(400)
    scores = np.stack([50 + 9 * shared + 3 * rng.standard_normal(400), 51 + 9 * shared + 3 * rng.standard_normal(400)])
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    statistics = SegmentStatistics(OutsideMetric("Score"), "test", "", ("A", "B"), (("1",), ("1",)), values)
    made = Run(Overlaps(DrawnScores(statistics, "A", "B", same, level=True))).step(2560)
    assert made.simulation.source.truth == pytest.approx(0)
    assert made.simulation.source.correlation == pytest.approx(0.9 if same else 0.0, abs=0.03)
    expected = expected_shares(0.0, made.simulation.errors, np.array([made.simulation.source.correlation]))
    assert agrees(overlap_summary(made).apart, expected[0][0], made.n)
    if same:
        assert agrees(differs(made).mean(), 0.05, made.n)
    else:  # the pairs are pairs of unrelated segments
        assert made["error of difference"].mean() == pytest.approx(np.hypot(*made.simulation.errors), rel=0.02)


def test_a_copy_overlaps_wholly():
    scores = np.tile(np.random.default_rng(1).standard_normal(50), (2, 1))
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    statistics = SegmentStatistics(OutsideMetric("Score"), "test", "", ("A", "B"), (("1",), ("1",)), values)
    made = Run(Overlaps(DrawnScores(statistics, "A", "B"))).step(9)
    now = overlap_summary(made)
    assert (now.apart, now.differs, now.ratio, newest_overlap(made).ratio) == (0, 0, 1, 1)
    assert ratio_by_p(np.array([0.05]), made.simulation.errors, 1.0).tolist() == [1]
    assert p_values(made).tolist() == [1] * 9


def test_a_test_set_needs_two_segments():
    with pytest.raises(ValueError, match="at least 2 segments"):
        Overlaps(InventedScores(0.0, 0.0), size=1)
