import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from mtsig_core.analysis.replicas.by_n import ByNDesign, by_n

SAME_EXAMPLES = settings(deadline=None, derandomize=True, max_examples=60)


def by_n_of(a, b, **design):
    return by_n(a, b, ByNDesign(**design))


def pool(mean, sd, n=10):
    """Return n scores with exactly this mean and sd (ddof 1)."""
    x = norm.ppf((np.arange(n) + 0.5) / n)
    x = (x - x.mean()) / x.std(ddof=1)
    return mean + sd * x


WMT = pool(0, 0.1), pool(0.2, 0.2)  # Clark et al., Table 1
BTEC = pool(0, 0.5), pool(1.5, 0.4)


def test_wmt_pair_has_the_published_probability_of_a_wrong_sign():
    result = by_n_of(*WMT, ns=(1, 2, 3, 5, 10), model="normal")
    wrong = [row.p_wrong_sign for row in result.rows]
    assert wrong == pytest.approx([0.186, 0.103, 0.061, 0.023, 0.002], abs=0.0006)


def test_btec_pair_has_the_published_probability_of_a_wrong_sign():
    assert by_n_of(*BTEC, ns=(1,), model="normal").rows[0].p_wrong_sign == pytest.approx(0.010, abs=0.0005)


def test_numbers_of_replicas_that_settle_the_sign():
    result = by_n_of(*WMT, model="normal")
    # z^2 (.1^2 + .2^2) / .2^2 with z = 1.645 and 2.326
    assert result.needed == {0.05: 4, 0.01: 7}
    assert "below 5% with 4 replicas of each, and below 1% with 7 replicas" in result.note


def test_redraw_equals_the_closed_form_with_and_without_replacement():
    rng = np.random.default_rng(3)
    a, b = rng.normal(20, 1, 12), rng.normal(21, 2, 15)
    for replace in (True, False):
        result = by_n_of(a, b, ns=(1, 3, 7), draws=20000, replace=replace)
        for row in result.rows:
            shrink = [1.0, 1.0] if replace else [(12 - row.n) / 11, (15 - row.n) / 14]
            expected = math.sqrt(a.var() / row.n * shrink[0] + b.var() / row.n * shrink[1])
            assert row.closed_form_sd == pytest.approx(expected, rel=1e-12)
            assert result.differences[row.n].std() == pytest.approx(expected, rel=0.03)
            assert row.mean == pytest.approx(b.mean() - a.mean(), abs=5 * expected / math.sqrt(20000))
            assert row.expected_sd == pytest.approx(math.sqrt((a.var(ddof=1) + b.var(ddof=1)) / row.n), rel=1e-12)


def test_one_replica_redrawn_takes_each_pair_equally_often():
    a, b = np.arange(10.0), np.arange(10.0) + 2
    result = by_n_of(a, b, ns=(1,), draws=40000, tolerance=3.5)
    pairs = b[:, None] - a[None, :]
    wrong = (pairs < 0).mean() + (pairs == 0).mean() / 2
    row = result.rows[0]
    assert row.p_wrong_sign == pytest.approx(wrong, abs=0.01)
    assert row.p_far == pytest.approx((np.abs(pairs - 2) > 3.5).mean(), abs=0.01)
    assert (row.low, row.median, row.high) == pytest.approx(np.quantile(pairs, (0.025, 0.5, 0.975)), abs=1)


def test_without_replacement_never_repeats_a_replica():
    a, b = 2.0 ** np.arange(11), np.zeros(11)
    result = by_n_of(a, b, ns=(10,), draws=500, replace=False)
    # the sum of ten of eleven distinct powers of two names the one left out
    left_out = a.sum() + 10 * result.differences[10]
    assert set(np.round(left_out).astype(int)) == set(a.astype(int))


def test_without_replacement_is_undefined_from_the_whole_pool_on():
    result = by_n_of(pool(0, 1), pool(1, 1, 12), ns=(9, 10, 20), replace=False, draws=100)
    assert [row.mean is None for row in result.rows] == [False, True, True]
    assert "without replacement" in result.rows[1].reason
    assert set(result.differences) == {9}


def test_small_pools_take_the_normal_model_by_default():
    assert by_n_of(pool(0, 1, 9), pool(1, 1, 30), draws=10).model == "normal"
    assert by_n_of(pool(0, 1, 10), pool(1, 1, 10), draws=10).model == "redraw"


def test_numbers_that_were_not_drawn_are_not_said_to_be():
    small, large = [1.0, 2.0, 4.0], list(np.arange(12.0))
    assert "normal model" in by_n_of(small, large).model_note
    assert by_n_of(small, large, model="redraw").model_note == ""
    assert by_n_of(large, large[::-1]).model_note == ""
    assert by_n_of([1.0], large).model_note == ""  # nothing is shown


def test_normal_model_quantiles_are_exact():
    result = by_n_of(*WMT, ns=(2,), model="normal", tolerance=0.1)
    sd = math.sqrt((0.01 + 0.04) / 2)
    row = result.rows[0]
    assert (row.low, row.median, row.high) == pytest.approx(norm.ppf((0.025, 0.5, 0.975), 0.2, sd))
    assert row.p_far == pytest.approx(2 * norm.sf(0.1 / sd))
    assert result.differences[2].std() == pytest.approx(sd, rel=1e-3)


def test_curves_share_bins_and_sum_to_one():
    result = by_n_of(*WMT, ns=(1, 5), draws=2000, model="redraw")
    for n, frequencies in result.frequencies.items():
        assert frequencies.shape == (result.bin_edges.size - 1,)
        assert frequencies.sum() == pytest.approx(1)
        assert result.bin_edges[0] <= result.differences[n].min()


@pytest.mark.parametrize("replace", [True, False])
def test_draws_depend_on_seed_and_n_only(replace):
    options = {"draws": 300, "model": "redraw", "replace": replace}
    one = by_n_of(*WMT, ns=(3,), seed=7, **options)
    many = by_n_of(*WMT, ns=(1, 2, 3), seed=7, **options)
    assert np.array_equal(one.differences[3], many.differences[3])
    assert not np.array_equal(one.differences[3], by_n_of(*WMT, ns=(3,), seed=8, **options).differences[3])


def test_one_replica_on_a_side_is_undefined_and_says_why():
    result = by_n_of([20.0], pool(21, 1), ns=(1, 5))
    assert all(row.mean is None and row.p_wrong_sign is None and "one replica" in row.reason for row in result.rows)
    assert result.needed == {0.05: None, 0.01: None}
    assert "is unknown" in result.note
    assert result.pool_a.sd is None
    assert result.difference == pytest.approx(1)


def test_a_tiny_difference_needs_more_replicas_than_anyone_trains():
    result = by_n_of(pool(0, 1), pool(0.001, 1))
    assert result.needed == {0.05: None, 0.01: None}
    assert "more than 1000 replicas" in result.note


def test_equal_averages_have_no_sign_to_get_wrong():
    for model in ("normal", "redraw"):
        row = by_n_of(pool(0, 1), pool(0, 1), ns=(2,), draws=100, model=model).rows[0]
        assert row.p_wrong_sign is None
        assert "no sign" in row.reason


def test_replicas_without_spread_are_certain():
    result = by_n_of([20.1] * 3, [21.3] * 3, ns=(1, 2), tolerance=0.1)
    assert [(row.p_wrong_sign, row.p_far, row.expected_sd) for row in result.rows] == [(0, 0, 0)] * 2
    assert result.needed == {0.05: 1, 0.01: 1}
    assert result.frequencies[1].sum() == pytest.approx(1)


scores = st.lists(st.floats(0, 100), min_size=2, max_size=8)


@pytest.mark.slow
@SAME_EXAMPLES
@given(scores, scores)
def test_swapping_the_systems_mirrors_everything(a, b):
    forth, back = by_n_of(a, b, ns=(1, 4), draws=50), by_n_of(b, a, ns=(1, 4), draws=50)
    assert forth.needed == back.needed
    assert forth.difference == -back.difference
    for x, y in zip(forth.rows, back.rows, strict=True):
        assert (x.mean, x.low, x.high) == pytest.approx((-y.mean, -y.high, -y.low))
        assert x.p_wrong_sign == (None if y.p_wrong_sign is None else pytest.approx(y.p_wrong_sign))


@pytest.mark.slow
@SAME_EXAMPLES
@given(scores, scores)
def test_more_replicas_never_hurt(a, b):
    rows = by_n_of(a, b, ns=(1, 2, 5, 50), draws=50).rows
    wrong = [row.p_wrong_sign for row in rows]
    assert wrong[0] is None or wrong == sorted(wrong, reverse=True)
    assert [row.expected_sd for row in rows] == sorted((row.expected_sd for row in rows), reverse=True)


def test_frame_has_a_row_for_each_n():
    frame = by_n_of(*WMT, ns=(1, 2, 2), draws=100).to_frame()
    assert frame["replicas"].tolist() == [1, 2]
    assert "P(wrong sign)" in frame.columns


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ns": ()}, "at least 1"),
        ({"ns": (0,)}, "at least 1"),
        ({"draws": 0}, "at least 1"),
        ({"tolerance": -1}, "tolerance"),
        ({"model": "guess"}, "not 'guess'"),
    ],
)
def test_refuses_senseless_questions(options, message):
    with pytest.raises(ValueError, match=message):
        by_n_of(*WMT, **options)


@pytest.mark.parametrize("scores", [[], [1.0, float("nan")]])
def test_refuses_undefined_scores(scores):
    with pytest.raises(ValueError, match="scores of B"):
        by_n_of([1.0, 2.0], scores)


def test_a_small_pool_gives_a_wrong_sign_a_range():
    rng = np.random.default_rng(8)
    a, b = 20 + rng.normal(0, 1, 3), 21 + rng.normal(0, 1, 3)
    (few,) = by_n(a, b, ByNDesign(ns=(2,), seed=1)).rows
    low, high = few.p_wrong_range
    assert low < few.p_wrong_sign < high
    assert high - low > 0.1
    same = by_n(a, b, ByNDesign(ns=(2,), seed=1)).rows[0]
    assert same.p_wrong_range == few.p_wrong_range
    many = by_n(np.resize(a, 60), np.resize(b, 60), ByNDesign(ns=(2,), seed=1)).rows[0]
    assert many.p_wrong_range[1] - many.p_wrong_range[0] < (high - low) / 2
