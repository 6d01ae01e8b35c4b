"""TER: an error rate over the mean reference length, without a cap."""

from __future__ import annotations

import numpy as np
import pytest

from mtsig_core.metrics import get_metric
from mtsig_core.metrics.base import Metric

TER = get_metric("ter")


def test_long_output_exceeds_100():
    statistics = TER.statistics(["a b c d e f g"], [("z",)])
    assert TER.score(statistics.sum(axis=0)) == pytest.approx(700)
    assert not TER.higher_is_better


def test_several_references_give_the_fewest_edits_over_their_mean_length():
    statistics = TER.statistics(["a b c"], [("a b c d", "a b x y z")])
    np.testing.assert_allclose(statistics, [[1, 4.5]])
    assert TER.score(statistics[0]) == pytest.approx(100 / 4.5)


def test_case_is_disregarded_with_or_without_lowercase():
    assert get_metric("ter", lowercase=True) == TER
    assert TER.score(TER.statistics(["The Cat"], [("the cat",)])[0]) == 0


def test_without_reference_words_it_is_all_or_nothing():
    np.testing.assert_array_equal(TER.score([[3, 0], [0, 0]]), [100, 0])
    np.testing.assert_array_equal(TER.gradient([[3, 0], [0, 0]]), np.zeros((2, 2)))


def test_gradient_is_the_derivative():
    points = np.random.default_rng(1).uniform(1, 1000, (50, 2))
    np.testing.assert_allclose(TER.gradient(points), Metric.gradient(TER, points), rtol=1e-6)
