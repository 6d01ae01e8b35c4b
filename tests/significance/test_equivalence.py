"""Equivalence and non-inferiority: two one-sided tests, their interval, and the error rate at the margin."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.weightstats import CompareMeans

from mtsig_core.resampling import Settings
from mtsig_core.significance.closed_form.coherent import coherent_test
from mtsig_core.significance.closed_form.equivalence import margin_test
from mtsig_core.significance.simulation.designs import Design, Variation, simulate


def draw(seed, n_a=4, n_b=4, gain=0.0, replica=1.0):
    rng = np.random.default_rng(seed)

    def system(n):
        return rng.normal(0, replica, (n, 1)) + rng.normal(0, 2, (n, 60))

    return system(n_a), system(n_b) + gain


def test_each_part_agrees_with_statsmodels():
    a, b = draw(1, 6, 6)
    result = coherent_test(a, b)
    alone = replace(result, tests=tuple(test for test in result.tests if test.name == "replica"))
    p, *_ = CompareMeans.from_data(b.mean(axis=1), a.mean(axis=1)).ttost_ind(-4.0, 4.0, usevar="unequal")
    assert margin_test(alone, 4.0).p_equivalent == pytest.approx(p)
    assert margin_test(result, 4.0).p_equivalent >= p * (1 - 1e-9)


@pytest.mark.slow
@given(st.integers(0, 10**6), st.floats(0.05, 6), st.floats(-3, 3), st.booleans())
@settings(max_examples=80, deadline=None)
def test_equivalence_is_the_interval_within_the_margin(seed, margin, gain, higher):
    result = coherent_test(*draw(seed, gain=gain), alpha=0.1)
    tested = margin_test(result, margin, higher_is_better=higher)
    assert tested.equivalent == (-margin < tested.low and tested.high < margin)
    assert (tested.not_worse is True) == (tested.low > -margin)
    assert (tested.not_worse is False) == (tested.high < -margin)


@given(st.integers(0, 10**6), st.floats(0.05, 6))
@settings(max_examples=40, deadline=None)
def test_swapping_the_systems_mirrors_everything(seed, margin):
    a, b = draw(seed, 2, 4)
    there, back = (margin_test(coherent_test(x, y), margin) for x, y in ((a, b), (b, a)))
    assert there.p_equivalent == back.p_equivalent
    assert (there.low, there.high) == (-back.high, -back.low)
    assert there.p_worse_by_margin == back.p_better_by_margin


def test_a_lower_score_is_better_for_error_rates():
    result = coherent_test(*draw(2, gain=20.0))
    assert margin_test(result, 1.0, higher_is_better=False).not_worse is False
    assert margin_test(result, 1.0).size == "at least the margin"


def test_significant_and_smaller_than_the_margin():
    result = coherent_test(*draw(3, 10, 10, gain=1.0, replica=0.05))
    tested = margin_test(result, 5.0)
    assert result.p < 0.05
    assert (tested.equivalent, tested.size) == (True, "smaller than the margin")


def test_not_defined_with_one_replica_each():
    result = coherent_test(*draw(4, 1, 1))
    tested = margin_test(result, 1.0)
    assert (tested.equivalent, tested.not_worse, tested.size) == (None, None, "")


@pytest.mark.parametrize("margin", [0.0, -1.0, float("nan"), float("inf")])
def test_a_margin_is_a_positive_number(margin):
    with pytest.raises(ValueError, match="above 0"):
        margin_test(coherent_test(*draw(1)), margin)
    with pytest.raises(ValueError, match="number above 0"):
        Settings(margin=margin)


@pytest.mark.parametrize("n", [3, 5, 10])
def test_false_equivalence_at_the_margin_is_about_alpha(n):
    squares = simulate(
        Design((n, n), 1000), Variation((0.09, 0.09), (100.0, 100.0)), 40_000, np.random.default_rng(n), difference=3.0
    )
    half = squares.half_widths(0.1)
    inside = (squares.difference + half < 3.0) & (squares.difference - half > -3.0)
    assert inside.mean() < 0.055
