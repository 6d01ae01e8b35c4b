"""BLEU of sums: the cap, smoothing, brevity, and the gradient."""

from __future__ import annotations

import numpy as np
import pytest

from mtsig_core.metrics import get_metric
from mtsig_core.metrics.base import Metric

BLEU = get_metric("bleu")


def sums(hyp, ref, counts, totals):
    return np.array([hyp, ref, *counts, *totals], dtype=float)


def test_a_perfect_copy_scores_100_and_no_more():
    lines = [f"the cat number {i} sat on the mat ." for i in range(7)]
    statistics = BLEU.statistics(lines, [(line,) for line in lines])
    assert BLEU.score(statistics.sum(axis=0)) == 100.0
    assert BLEU.segment_score(statistics).max() <= 100.0
    rng = np.random.default_rng(1)
    totals = rng.integers(1, 10_000, (2000, 4))
    perfect = np.hstack([np.full((2000, 2), 9), totals, totals])
    assert BLEU.score(perfect).max() <= 100.0


def test_short_output_pays_a_brevity_penalty_and_long_output_does_not():
    counts, totals = (8, 6, 4, 2), (10, 9, 8, 7)
    plain = 100 * np.prod(np.divide(counts, totals)) ** 0.25
    assert BLEU.score(sums(10, 10, counts, totals)) == pytest.approx(plain)
    assert BLEU.score(sums(10, 5, counts, totals)) == pytest.approx(plain)
    assert BLEU.score(sums(10, 20, counts, totals)) == pytest.approx(plain * np.exp(-1))


def test_zero_counts_are_smoothed_in_turn_and_no_match_at_all_is_zero():
    expected = 100 * (8 / 10 * 6 / 9 * (1 / 2) / 8 * (1 / 4) / 7) ** 0.25
    assert BLEU.score(sums(10, 10, (8, 6, 0, 0), (10, 9, 8, 7))) == pytest.approx(expected)
    assert BLEU.score(sums(10, 10, (0, 0, 0, 0), (10, 9, 8, 7))) == 0
    assert BLEU.score(sums(2, 2, (2, 1, 0, 0), (2, 1, 0, 0))) == 0
    assert BLEU.score(sums(0, 5, (0, 0, 0, 0), (0, 0, 0, 0))) == 0
    assert BLEU.score(np.zeros(10)) == 0


def test_a_short_segment_is_scored_by_the_orders_that_it_has():
    assert BLEU.segment_score(sums(2, 2, (2, 1, 0, 0), (2, 1, 0, 0))) == pytest.approx(100)
    assert BLEU.segment_score(np.zeros(10)) == 0


@pytest.mark.parametrize("ref", [900, 1500])
def test_gradient_is_the_derivative(ref):
    rng = np.random.default_rng(2)
    totals = rng.integers(500, 1000, (50, 4))
    points = np.hstack([np.full((50, 1), 1000), np.full((50, 1), ref), totals // rng.integers(2, 9, (50, 4)), totals])
    np.testing.assert_allclose(BLEU.gradient(points), Metric.gradient(BLEU, points), rtol=1e-6, atol=1e-7)


def test_gradient_by_a_zero_count_is_zero_and_by_its_total_is_not():
    gradient = BLEU.gradient(sums(10, 12, (8, 6, 0, 0), (10, 9, 8, 7)))
    assert (gradient[4:6] == 0).all()
    assert (gradient[[2, 3, 6, 7, 8, 9, 0, 1]] != 0).all()
    assert (BLEU.gradient(np.zeros((2, 10))) == 0).all()


def test_a_perfect_copy_has_pseudo_values_of_100():
    copy = sums(10, 10, (10, 9, 8, 7), (10, 9, 8, 7))
    gradient = BLEU.gradient(copy)
    np.testing.assert_allclose(gradient[2:6], -gradient[6:10])
    assert (gradient[:2] == 0).all()


def test_scaling_all_sums_leaves_an_unsmoothed_score():
    point = sums(10, 12, (8, 6, 3, 2), (10, 9, 8, 7))
    np.testing.assert_allclose(BLEU.score(point * [[0.01], [3], [1e6]]), BLEU.score(point), rtol=1e-12)
