import numpy as np
import pytest
from scipy import stats

from mtsig_core.analysis.comparison.bootstrap_intervals import (
    bca_interval,
    bootstrap_intervals,
    jackknife,
    percentile_interval,
    sorted_interval,
)
from mtsig_core.resampling import Sampling, Settings, bootstrap_scores

SETTINGS = Settings(n_bootstrap=3000)


@pytest.fixture
def skewed(statistics_of):
    rng = np.random.default_rng(0)
    hard = rng.exponential(3, 80)
    return statistics_of({"A": hard + rng.normal(0, 1, (2, 80)), "B": hard + 0.5 + rng.normal(0, 1, (3, 80))})


@pytest.mark.parametrize("kind", ["percentile", "basic", "BCa"])
def test_scipy_finds_the_same_interval_from_the_same_draws(kind, statistics_of):
    y = np.random.default_rng(1).exponential(5, 60)
    statistics = statistics_of({"A": y, "B": y + 1})
    ours = bootstrap_intervals(statistics, "A", "B", SETTINGS)
    given = type("Given", (), {"bootstrap_distribution": ours.draws["full"][:, 0]})()
    theirs = stats.bootstrap((y,), np.mean, n_resamples=0, method=kind, bootstrap_result=given).confidence_interval
    row = ours.row("A", "full", kind)
    assert (row.low, row.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_sorted_elements_count_from_one():
    assert sorted_interval(np.arange(1.0, 1001), 0.05) == (25, 975)
    assert sorted_interval(np.arange(1.0, 11), 0.05) == (1, 10)


@pytest.mark.slow
def test_half_draws_have_the_width_of_full_ones(skewed):
    found = bootstrap_intervals(skewed, "A", "B", Settings(n_bootstrap=20000))
    widths = [row.high - row.low for row in (found.row("A", "full"), found.row("A", "half"))]
    assert widths[1] == pytest.approx(widths[0], rel=0.05)


def test_half_draws_hold_half_the_segments_once(statistics_of):
    statistics = statistics_of({"A": np.eye(1, 9)[0] * 4})
    drawn = bootstrap_scores(statistics, 4000, 1, sampling=Sampling(size="half"))[:, 0]
    assert set(drawn) == {0.0, 1.0}  # in: 4 of 4 segments; out: none
    assert drawn.mean() == pytest.approx(4 / 9, abs=0.03)
    with pytest.raises(ValueError, match="'full' or 'half'"):
        bootstrap_scores(statistics, 10, 1, sampling=Sampling(size="quarter"))


def test_overlapping_intervals_are_the_wrong_question(skewed):
    found = bootstrap_intervals(skewed, "A", "B", SETTINGS)
    assert found.overlap
    assert not found.covers_zero


def test_the_difference_comes_from_shared_draws(skewed):
    found = bootstrap_intervals(skewed, "A", "B", SETTINGS)
    drawn = bootstrap_scores(skewed, SETTINGS.n_bootstrap, SETTINGS.seed)
    d = drawn[:, 2:].mean(axis=1) - drawn[:, :2].mean(axis=1)
    row = found.row("B − A")
    assert (row.low, row.high) == pytest.approx(percentile_interval(d, 0.05))
    again = bootstrap_intervals(skewed, "A", "B", SETTINGS, bootstrap=drawn)
    assert again.rows == found.rows


def test_jackknife_leaves_one_segment_out(skewed):
    y = skewed.of("A")[..., 0]
    expected = [np.delete(y, k, axis=1).mean() for k in range(80)]
    np.testing.assert_allclose(jackknife(skewed, "A"), expected)


def test_a_degenerate_bca_is_not_defined_and_says_why(statistics_of):
    found = bootstrap_intervals(statistics_of({"A": np.full(20, 3.0), "B": np.full(20, 3.0)}), "A", "B", SETTINGS)
    row = found.row("A", "full", "BCa")
    assert row.low is None
    assert row.reason.startswith("not defined")
    assert (found.row("A").low, found.row("A").high) == (3, 3)
    assert found.covers_zero
    assert "note" in found.to_frame()
    one_sided = bca_interval(np.array([1.0, 2, 3]), 0.5, np.array([1.0, 2]), 0.05)
    assert one_sided == "all draws lie on one side of the score"
    assert bca_interval(np.array([1.0, 2, 3]), 2.0, np.array([1.0, 1]), 0.05) == "no segment makes a difference"
    assert "left out" in bca_interval(np.array([1.0, 2, 3]), 2.0, np.array([1.0, np.nan]), 0.05)


def test_one_segment_has_no_interval(statistics_of):
    found = bootstrap_intervals(statistics_of({"A": [[3.0]], "B": [[4.0]]}), "A", "B", Settings(n_bootstrap=50))
    assert {row.reason for row in found.rows} == {"not defined: it takes scores of two or more segments"}
    assert (found.overlap, found.covers_zero) == (None, None)


def test_a_difference_that_never_varies_has_no_interval(statistics_of):
    y = np.random.default_rng(4).normal(30, 5, (3, 40))
    found = bootstrap_intervals(statistics_of({"A": y, "B": y + 0.1}), "A", "B", Settings(n_bootstrap=50))
    assert found.covers_zero is None
    assert "variance is 0" in found.row("B − A").reason
    assert found.overlap
    same = bootstrap_intervals(statistics_of({"A": y, "B": y[[2, 0, 1]]}), "A", "B", Settings(n_bootstrap=50))
    assert [(r.low, r.high) for r in same.rows if r.subject == "B − A" and not r.reason] == [(0, 0)] * 6
    assert same.covers_zero


@pytest.mark.slow
def test_bleu_intervals_agree_on_a_real_set(multeval):
    found = bootstrap_intervals(multeval, "baseline", "sys1", Settings(n_bootstrap=2000))
    kinds = [found.row("A", "full", k) for k in ("percentile", "sorted elements", "basic", "BCa")]
    for row in kinds:
        assert row.low == pytest.approx(kinds[0].low, abs=0.06)
        assert row.high == pytest.approx(kinds[0].high, abs=0.06)
