"""chrF of sums: means over orders with n-grams on both sides, and the gradient."""

from __future__ import annotations

import numpy as np
import pytest

from mtsig_core.metrics import get_metric
from mtsig_core.metrics.base import Metric

NAMES = ["chrf", "chrf++"]


def random_sums(metric, n, seed=3):
    rng = np.random.default_rng(seed)
    points = rng.integers(300, 1000, (n, metric.n_statistics)).astype(float)
    points[:, 2::3] = np.minimum(points[:, 0::3], points[:, 1::3]) // rng.integers(1, 5, points[:, 2::3].shape)
    return points


@pytest.mark.parametrize(("name", "orders"), [("chrf", 6), ("chrf++", 8)])
def test_the_mean_of_precisions_and_recalls_makes_the_f_score(name, orders):
    metric = get_metric(name)
    assert metric.n_statistics == 3 * orders
    point = random_sums(metric, 1)[0]
    precision, recall = np.mean(point[2::3] / point[0::3]), np.mean(point[2::3] / point[1::3])
    assert metric.score(point) == pytest.approx(100 * 5 * precision * recall / (4 * precision + recall))


def test_orders_without_n_grams_on_one_side_do_not_count():
    metric = get_metric("chrf")
    one = np.zeros(18)
    one[:3] = 10, 5, 5
    assert metric.score(one) == pytest.approx(100 * 5 * 0.5 * 1 / (4 * 0.5 + 1))
    one[3:6] = 0, 7, 0
    assert metric.score(one) == pytest.approx(100 * 5 * 0.5 * 1 / (4 * 0.5 + 1))


def test_nothing_in_common_is_zero_with_zero_gradient():
    metric = get_metric("chrf")
    for point in (np.zeros(18), np.tile([4.0, 5.0, 0.0], 6)):
        assert metric.score(point) == 0
        assert (metric.gradient(point) == 0).all()


@pytest.mark.parametrize("name", NAMES)
def test_a_perfect_copy_scores_100(name):
    metric = get_metric(name)
    lines = ["the cat sat", "on the mat .", "x"]
    assert metric.score(metric.statistics(lines, [(line,) for line in lines]).sum(axis=0)) == 100.0


@pytest.mark.parametrize("name", NAMES)
def test_gradient_is_the_derivative(name):
    metric = get_metric(name)
    points = random_sums(metric, 40)
    points[:10, 15:18] = 0  # an order that is not there
    points[10:15, 2] = 0  # one without a match, which is smooth here
    gradient = metric.gradient(points)
    numeric = Metric.gradient(metric, points)
    numeric[:10, 15:18] = 0  # stepping off zero would bring the order in
    np.testing.assert_allclose(gradient, numeric, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("name", NAMES)
def test_scaling_all_sums_leaves_the_score(name):
    metric = get_metric(name)
    point = random_sums(metric, 1)[0]
    np.testing.assert_allclose(metric.score(point * [[0.001], [3], [1e6]]), metric.score(point), rtol=1e-12)
