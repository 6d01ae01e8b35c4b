"""The outlier test of replicas: its error rate, what it finds, and which way that lies."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_core.loading.checks.outliers import outliers


def rate(sizes, sds, trials=400, seed=1):
    rng = np.random.default_rng(seed)
    draws = ([30 + sd * rng.standard_normal(n) for n, sd in zip(sizes, sds, strict=True)] for _ in range(trials))
    return np.mean([bool(outliers(groups, n_segments=500)) for groups in draws])


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(3, 3), (5, 5, 5, 5), (4, 10), (20,)])
def test_error_rate_of_an_experiment_is_at_most_one_percent(sizes):
    assert rate(sizes, [1.0] * len(sizes)) <= 0.025  # .01 and two standard errors of 400 trials


@pytest.mark.slow
def test_a_system_that_varies_more_is_rarely_taken_for_failed_runs():
    assert rate((5, 5, 5, 5), (0.2, 0.2, 0.2, 4.0)) <= 0.07


@pytest.mark.parametrize(("far", "direction"), [(-12.0, "below"), (12.0, "above")])
def test_a_failed_run_is_found_and_its_direction_named(far, direction):
    rng = np.random.default_rng(2)
    groups = [30 + 0.3 * rng.standard_normal(5) for _ in range(4)]
    groups[2][3] += far
    (found,) = outliers(groups, n_segments=500)
    assert (found.group, found.index, found.direction) == (2, 3, direction)
    assert found.deviation == pytest.approx(far, abs=2)
    assert found.p < 0.01


def test_too_few_segments_or_replicas_say_nothing():
    groups = [np.array([30.0, 30.1, 30.2, 30.1, 2.0])] * 2
    assert len(outliers(groups, n_segments=100)) == 2
    assert outliers(groups, n_segments=99) == ()
    assert outliers([np.array([30.0, 2.0])] * 3, n_segments=500) == ()
    assert outliers([], n_segments=500) == ()


def test_identical_siblings_do_not_hide_a_failed_run():
    (found,) = outliers([np.array([30.0, 30.0, 30.0, 2.0])], n_segments=500)
    assert found.index == 3


@pytest.mark.slow
@given(st.integers(0, 10**6), st.floats(0.01, 100), st.floats(-50, 50))
@settings(max_examples=20, deadline=None)
def test_scale_and_place_do_not_matter(seed, scale, place):
    rng = np.random.default_rng(seed)
    groups = [rng.standard_t(2, 6) for _ in range(3)]
    moved = [scale * values + place for values in groups]
    indices = [[(o.group, o.index) for o in outliers(x, n_segments=500)] for x in (groups, moved)]
    assert indices[0] == indices[1]
