"""Two systems' means and the interval of their difference."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from mtsig_core.significance.closed_form.two_means import two_means

A, B = np.array([1.0, 2.0, 4.0]), np.array([3.0, 5.0, 4.0, 8.0])


def test_the_interval_is_welchs():
    found = two_means(A, B, alpha=0.1)
    wanted = stats.ttest_ind(B, A, equal_var=False).confidence_interval(0.9)
    assert found.interval == pytest.approx(tuple(wanted))
    assert (found.a, found.b, found.difference) == pytest.approx((A.mean(), B.mean(), B.mean() - A.mean()))
    assert two_means(A, B, alpha=0.2).side == 1
    assert two_means(B, A, alpha=0.2).side == -1
    assert found.side == 0


def test_pairs_count_where_numbers_are_equal():
    wanted = stats.ttest_rel(B[:3], A).confidence_interval(0.95)
    assert two_means(A, B[:3], paired=True).interval == pytest.approx(tuple(wanted))
    assert two_means(A, B, paired=True) == two_means(A, B)


@pytest.mark.parametrize(("a", "b", "whose"), [(A[:1], B, "system A"), (A, B[:1], "system B"), (A[:1], B[:1], "each")])
def test_one_replica_gives_no_interval(a, b, whose):
    found = two_means(a, b)
    assert found.interval is None
    assert found.difference == b.mean() - a.mean()
    assert found.side == 0
    assert f"one replica of {whose}" in found.note


def test_what_is_not_defined_for_a_replica_has_no_mean():
    found = two_means(np.array([1.0, np.nan]), B)
    assert (found.a, found.difference, found.interval) == (None, None, None)
    assert found.note


def test_without_variance():
    assert two_means(A[[0, 0]], A[[0, 0]]).interval == (0.0, 0.0)
    found = two_means(A[[0, 0]], A[[1, 1]])
    assert found.interval is None
    assert "do not vary" in found.note
