"""Correlations with people, and tests of their differences, against scipy and published numbers."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from mtsig_core.analysis.people.meta_evaluation.correlation import (
    bootstrap_correlations,
    metric_against_people,
    outliers,
    row_correlations,
)
from mtsig_core.analysis.people.meta_evaluation.correlation_tests import (
    compare_metrics,
    exchange_test,
    independent_correlations,
    williams,
)
from mtsig_core.analysis.people.meta_evaluation.replica_spread import replica_spread
from mtsig_core.resampling import Settings

NAMES = [f"s{k}" for k in range(12)]


def world(n=12, seed=1, r=0.8):
    rng = np.random.default_rng(seed)
    human = rng.normal(size=n)
    return human, r * human + np.sqrt(1 - r**2) * rng.normal(size=n)


def test_coefficients_are_scipy_s():
    human, metric = world()
    result = metric_against_people("m", metric, human, NAMES, Settings()).coefficients
    assert result["pearson"].value == pytest.approx(stats.pearsonr(metric, human).statistic)
    assert result["spearman"].value == pytest.approx(stats.spearmanr(metric, human).statistic)
    assert result["kendall"].value == pytest.approx(stats.kendalltau(metric, human).statistic)
    assert result["pearson"].p_zero == pytest.approx(stats.pearsonr(metric, human).pvalue)
    np.testing.assert_allclose(result["pearson"].fisher, stats.pearsonr(metric, human).confidence_interval(0.95))


def test_an_error_rate_that_agrees_has_a_positive_coefficient():
    human, metric = world()
    up = metric_against_people("m", metric, human, NAMES, Settings())
    down = metric_against_people("ter", -metric, human, NAMES, Settings(), higher_is_better=False)
    assert down.coefficients["pearson"].value == pytest.approx(up.coefficients["pearson"].value)
    np.testing.assert_allclose(down.metric_scores, -up.metric_scores)


def test_bootstrapped_coefficients_are_those_of_scipy_on_drawn_points():
    from mtsig_core.resampling.random_streams import Stream, generator

    human, metric = world(8)
    human = np.round(human, 1)
    settings = Settings(n_bootstrap=30)
    draws = bootstrap_correlations(metric, human, settings)
    drawn = generator(settings.seed, Stream.BOOTSTRAP_SEGMENT, 0).integers(0, 8, size=(30, 8))
    for k, points in enumerate(drawn):
        assert draws["pearson"][k] == pytest.approx(stats.pearsonr(metric[points], human[points]).statistic)
        assert draws["spearman"][k] == pytest.approx(stats.spearmanr(metric[points], human[points]).statistic)
        assert draws["kendall"][k] == pytest.approx(stats.kendalltau(metric[points], human[points]).statistic)


@pytest.mark.slow
def test_the_sampling_distribution_of_a_large_r_is_skewed():
    human, metric = world(40, r=0.9)
    result = metric_against_people("m", metric, human, [str(i) for i in range(40)], Settings(n_bootstrap=4000))
    assert stats.skew(result.draws) < -0.3


@pytest.mark.parametrize("constant", ["metric", "human"])
def test_constant_input_is_undefined_in_words(constant):
    human, metric = world()
    human, metric = (np.full(12, 70.0), metric) if constant == "human" else (human, np.full(12, 0.1) * 3)
    result = metric_against_people("m", metric, human, NAMES, Settings())
    for value in result.coefficients.values():
        assert (value.value, value.interval, value.p_zero) == (None, None, None)
        assert "constant input" in value.note
    assert exchange_test(human, metric, np.arange(12.0), Settings()).p is None


def test_missing_points_are_named_and_outliers_removed():
    human, metric = world()
    human[3], metric[5], human[0] = np.nan, np.nan, -40
    result = metric_against_people("m", metric, human, NAMES, Settings())
    assert result.missing == ("s3", "s5")
    assert result.outliers == ("s0",)
    kept = [k for k in range(12) if k not in (0, 3, 5)]
    expected = stats.pearsonr(metric[kept], human[kept]).statistic
    assert result.without_outliers["pearson"].value == pytest.approx(expected)
    assert set(result.to_frame()["n"]) == {10, 9}


def test_outliers_need_spread():
    assert not outliers(np.array([1.0, 1, 1, 1, 9])).any()  # the median distance is 0: nothing to measure by
    assert not outliers(np.array([1.0, 100])).any()


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(st.floats(-5, 5).map(lambda x: round(x, 3)), min_size=4, max_size=9), st.integers(0, 9))
def test_correlation_is_symmetric_bounded_and_blind_to_scale(values, seed):
    x = np.array(values)
    y = np.random.default_rng(seed).normal(size=len(x))
    r = row_correlations(x[None], y[None])[0]
    if np.ptp(x) < 1e-9:
        assert np.isnan(r)
        return
    assert -1 <= r <= 1
    assert row_correlations(y[None], x[None])[0] == pytest.approx(r)
    assert row_correlations(3 * x[None] - 7, y[None])[0] == pytest.approx(r, abs=1e-7)


@pytest.mark.parametrize(
    ("r12", "r13", "r23", "n", "p"),
    [(0.65, 0.55, 0.3, 50, 0.209286172867536), (0.9, 0.8, 0.7, 12, 0.171), (0.9, 0.8, 0.85, 12, 0.120),
     (0.9, 0.8, 0.85, 22, 0.0417), (0.9, 0.8, 0.95, 12, 0.0207)],
)  # fmt: skip
def test_williams_known_values(r12, r13, r23, n, p):
    digits = 1e-12 if n == 50 else 5e-4
    assert williams(r12, r13, r23, n).p == pytest.approx(p, abs=digits)


def test_williams_edges_have_a_reason_and_never_a_nan():
    assert "degree of freedom" in williams(0.65, 0.55, 0.3, 3).note
    same = williams(0.65, 0.65, 1.0, 50)
    assert same.p is None
    assert "order the points in the same way" in same.note
    other = williams(0.55, 0.65, 0.3, 50)
    assert other.p == pytest.approx(1 - 0.209286172867536)
    assert other.p_two_sided == pytest.approx(2 * 0.209286172867536)
    assert np.isfinite(williams(1.0, 0.5, 0.5, 20).p)
    with pytest.raises(ValueError, match="between -1 and 1"):
        williams(float("nan"), 0.5, 0.5, 20)


@pytest.mark.slow
def test_williams_holds_its_level_where_both_metrics_correlate_alike():
    rng = np.random.default_rng(2)
    n_trials, n = 3000, 15
    human = rng.normal(size=(n_trials, n))
    a, b = (0.8 * human + 0.6 * rng.normal(size=(n_trials, n)) for _ in range(2))
    r12, r13, r23 = row_correlations(human, a), row_correlations(human, b), row_correlations(a, b)
    p = np.array([williams(*map(float, each), n).p for each in zip(r12, r13, r23, strict=True)])
    assert abs((p < 0.05).mean() - 0.05) < 0.016


def test_independent_correlations_by_fisher():
    result = independent_correlations(0.8, 103, 0.7, 103)
    z = (np.arctanh(0.8) - np.arctanh(0.7)) / np.sqrt(2 / 100)
    assert result.p == pytest.approx(stats.norm.sf(z))
    assert independent_correlations(0.8, 3, 0.7, 103).p is None


def test_exchange_test_counts_all_exchanges_of_few_points():
    human, a = world(6)
    _, b = world(6, seed=9)
    result = exchange_test(human, a, b, Settings())
    za, zb = (m / m.std() for m in (a - a.mean(), b - b.mean()))
    observed = stats.pearsonr(human, za).statistic - stats.pearsonr(human, zb).statistic
    count = 0
    for code in range(64):
        swap = np.array([code >> k & 1 for k in range(6)], dtype=bool)
        first, second = np.where(swap, zb, za), np.where(swap, za, zb)
        drawn = stats.pearsonr(human, first).statistic - stats.pearsonr(human, second).statistic
        count += abs(drawn) >= abs(observed) - 1e-12
    assert result.p_two_sided == pytest.approx(count / 64)
    assert "All 64" in result.note
    drawn = exchange_test(*(np.tile(x, 4) + 0.1 * np.arange(24) for x in (human, a, b)), Settings(n_permutations=500))
    assert 0 < drawn.p_two_sided <= 1


def test_metrics_are_compared_on_shared_points_and_oriented():
    human, good = world()
    _, bad = world(seed=5)
    scores = np.stack([bad, -good, np.full(12, 3.0)])
    scores[0, 2] = np.nan
    result = compare_metrics(human, ["bad", "ter", "flat"], scores, [True, False, True], Settings())
    assert result.n == 11
    assert result.metrics == ("ter", "bad")
    assert "constant" in result.undefined["flat"]
    (pair,) = result.pairs
    kept = [k for k in range(12) if k != 2]
    r = [stats.pearsonr(x[kept], human[kept]).statistic for x in (good, bad)]
    assert (pair.r_a, pair.r_b) == pytest.approx(tuple(r))
    matrix = result.matrix()
    assert matrix.loc["ter", "bad"] == pytest.approx(1 - matrix.loc["bad", "ter"])
    assert matrix.loc["ter", "bad"] == pytest.approx(williams(pair.r_a, pair.r_b, pair.r_ab, 11).p)


def test_the_same_metric_twice_is_not_defined():
    human, metric = world()
    result = compare_metrics(human, ["one", "two"], np.stack([metric, metric]), [True, True], Settings())
    assert result.pairs[0].williams.p is None
    assert result.pairs[0].exchange.p_two_sided == pytest.approx(1)


def test_spread_over_single_replicas_counts_every_choice_where_few():
    human = np.array([1.0, 2, 3, 4])
    scores = [np.array([1.0, 2]), np.array([2.0]), np.array([3.0, 2.5]), np.array([4.0])]
    result = replica_spread("m", scores, human, Settings())
    expected = [stats.pearsonr([x, 2, y, 4], human).statistic for x in (1.0, 2) for y in (3.0, 2.5)]
    assert result.exact
    np.testing.assert_allclose(np.sort(result.draws), np.sort(expected))
    assert result.averaged == pytest.approx(stats.pearsonr([1.5, 2, 2.75, 4], human).statistic)
    turned = replica_spread("ter", [-x for x in scores], human, Settings(), higher_is_better=False)
    np.testing.assert_allclose(np.sort(turned.draws), np.sort(expected))


def test_spread_of_drawn_replicas_widens_with_their_sd():
    rng = np.random.default_rng(3)
    human = rng.normal(size=10)
    widths = []
    for sd in (0.1, 0.6):
        scores = [h + sd * rng.normal(size=5) for h in human]
        low, high = replica_spread("m", scores, human, Settings()).interval
        widths.append(high - low)
    assert widths[0] < 0.5 * widths[1]
    single = replica_spread("m", [np.array([h]) for h in human], human, Settings())
    assert "one replica" in single.note
    assert single.interval is None


def test_frames_have_numbers_as_numbers():
    human, metric = world()
    frame = metric_against_people("m", metric, human, NAMES, Settings()).to_frame()
    assert all(pd.api.types.is_float_dtype(frame[name]) for name in ("value", "low", "Fisher high", "p against 0"))


def test_two_points_say_nothing_but_who_is_first():
    found = metric_against_people("BLEU", [30, 31], [60, 70], ["a", "b"], Settings(n_bootstrap=100))
    assert found.to_frame()["value"].tolist() == pytest.approx([1.0] * 3)
    assert all("always 1 or −1" in note for note in found.to_frame()["note"])
    assert "always 1 or −1" in replica_spread("m", [np.array([1.0, 2]), np.array([3.0])], [60, 70], Settings()).note
    three = metric_against_people("BLEU", [30, 31, 32], [60, 70, 65], ["a", "b", "c"], Settings(n_bootstrap=100))
    assert not any(three.to_frame()["note"])
