import numpy as np
import pytest
from scipy.stats import ttest_ind, ttest_rel

from mtsig_core.significance.closed_form.welch import welch_test


@pytest.mark.parametrize(("n_a", "n_b"), [(2, 2), (3, 7), (10, 4)])
def test_agrees_with_scipy(n_a, n_b):
    rng = np.random.default_rng(n_a)
    a, b = rng.normal(20, 0.3, n_a), rng.normal(20.5, 1, n_b)
    peer = ttest_ind(b, a, equal_var=False)
    result = welch_test(a, b, alpha=0.1)
    assert (result.p, result.df) == pytest.approx((peer.pvalue, peer.df))
    assert result.interval == pytest.approx(tuple(peer.confidence_interval(0.9)))


def test_pairs_agree_with_scipy():
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 6))
    peer = ttest_rel(b, a)
    result = welch_test(a, b, paired=True)
    assert (result.p, result.df) == pytest.approx((peer.pvalue, 5))
    assert result.interval == pytest.approx(tuple(peer.confidence_interval()))


def test_one_side_may_be_constant():
    result = welch_test(np.full(3, 0.1), np.array([0.1, 0.2, 0.4]))
    assert result.df == pytest.approx(2)
    assert 0 < result.p < 1


def test_constants():
    assert welch_test(np.full(3, 0.1), np.full(4, 0.1)).p == 1
    different = welch_test(np.full(3, 0.1), np.full(4, 0.3))
    assert (different.p, different.interval) == (None, None)
    assert different.note.startswith("Not defined")


def test_p_is_never_0():
    assert welch_test(np.array([0, 1e-9] * 200), np.array([1e6, 1e6 + 1e-9] * 200)).p is None
    assert welch_test(np.array([0, 1e-3] * 500), np.array([1e6, 1e6 + 1e-3] * 500)).p > 0


def test_says_what_is_wrong():
    with pytest.raises(ValueError, match="got 1 and 3"):
        welch_test(np.zeros(1), np.zeros(3))
    with pytest.raises(ValueError, match="equal numbers; got 2 and 3"):
        welch_test(np.zeros(2), np.zeros(3), paired=True)
