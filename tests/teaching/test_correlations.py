"""Correlation: against the exact distribution of r, scipy, and tests done by hand on single samples."""

import numpy as np
import pytest
from scipy import integrate, special, stats

from mtsig_core.metrics import OutsideMetric, SegmentStatistics
from mtsig_core.teaching import Run
from mtsig_core.teaching.correlations import (
    ALPHA,
    Correlations,
    correlation_summary,
    differ,
    invented,
    of_segments,
    p_of_r,
    williams_by_r23,
)


def run(r12=0.85, r13=0.85, r23=0.9, n=2000, **options):
    return Run(Correlations(invented(r12, r13, r23), **options)).step(n)


def agrees(share, expected, n):
    return stats.binomtest(round(share * n), n, expected).pvalue > 0.001


def density_of_r(r, rho, n):
    """Hotelling (1953), equation 25."""
    scale = (n - 2) * special.gamma(n - 1) / ((2 * np.pi) ** 0.5 * special.gamma(n - 0.5))
    body = (1 - rho**2) ** ((n - 1) / 2) * (1 - r**2) ** ((n - 4) / 2) * (1 - rho * r) ** (1.5 - n)
    return scale * body * special.hyp2f1(0.5, 0.5, n - 0.5, (1 + rho * r) / 2)


@pytest.mark.parametrize(("rho", "n"), [(0.85, 8), (0.3, 20)])
def test_r_has_its_exact_distribution(rho, n):
    made = run(r12=rho, r13=0.0, r23=0.0, points=n)
    for limit in (rho - 0.2, rho):
        below = integrate.quad(density_of_r, -1, limit, args=(rho, n))[0]
        assert agrees(np.mean(made["r12"] < limit), below, made.n)


def test_fisher_covers_the_truth_and_z_is_about_normal():
    made = run(points=20)
    assert agrees(correlation_summary(made).covered, 0.95, made.n)
    z = np.arctanh(made["r12"])
    assert z.std() == pytest.approx(1 / 17**0.5, rel=0.06)
    assert abs(stats.skew(z)) < 0.2 < -stats.skew(made["r12"])


def test_the_tests_of_a_sample_are_those_of_scipy_and_of_its_own_points():
    made = run(n=70, points=12)
    people, first, second = made.simulation.sample(69)
    assert made["r12"][69] == pytest.approx(stats.pearsonr(people, first).statistic)
    assert made["p13"][69] == pytest.approx(stats.pearsonr(people, second).pvalue)
    own = williams_by_r23(made["r12"][69], made["r13"][69], 12, made["r23"][69:70])
    assert made["williams"][69] == pytest.approx(own[0])
    assert p_of_r(np.array([-0.5]), 10)[0] == p_of_r(np.array([0.5]), 10)[0]


def test_equal_metrics_seem_to_differ_as_often_as_each_test_allows():
    now = correlation_summary(run(0.6, 0.6, 0.5, points=12))
    assert now.share_intervals["williams"][0] < 0.06
    assert now.shares["independent"] < 0.04
    assert now.shares["one"] > 0.3


def test_two_separate_tests_err_as_their_power_says():
    made = run(0.6, 0.6, 0.36, points=12)  # given people, the metrics are independent
    power = np.mean(made["p12"] < ALPHA)
    cut = stats.t.ppf(1 - ALPHA / 2, 10)
    cut = cut / (10 + cut**2) ** 0.5
    assert agrees(power, 1 - integrate.quad(density_of_r, -cut, cut, args=(0.6, 12))[0], made.n)
    assert np.mean(differ(made, "one")) == np.mean((made["p12"] < ALPHA) ^ (made["p13"] < ALPHA))


def test_one_outlier_makes_a_correlation():
    made = run(0.0, 0.0, 0.0, points=12, outlier=8.0)
    assert np.median(made["r12"]) > 0.75
    assert abs(np.median(made["without"])) < 0.05
    d = 8**2 * (1 / 12) * (11 / 12)  # the variance and covariance that a shift of one point of twelve adds
    assert np.median(made["r12"]) == pytest.approx(d / (d + 11 / 12), abs=0.03)


def test_correlations_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="No three variables correlate like this"):
        invented(0.9, 0.9, 0.0)
    with pytest.raises(ValueError, match="at least 5 points"):
        Correlations(invented(0, 0, 0), points=3)
    assert np.isnan(williams_by_r23(0.9, 0.9, 10, np.array([0.0])))[0]


def statistics(n_a):
    rng = np.random.default_rng(1)
    scores = rng.normal(50, 10, (n_a + 1, 40))
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    names = (tuple(map(str, range(n_a))), ("0",))
    return SegmentStatistics(OutsideMetric("Score"), "set", "", ("A", "B"), names, values)


def test_open_segments_have_their_own_correlations():
    given = statistics(2)
    three = of_segments(given, "A", "B")
    assert three.table == pytest.approx(np.corrcoef(given.metric.segment_score(given.values)))
    assert three.names == ("A/0", "A/1", "B/0")
    made = Run(Correlations(three, 20)).step(500)
    assert made["r12"].mean() == pytest.approx(three.table[0, 1], abs=0.05)
    with pytest.raises(ValueError, match="at least 2 replicas of the baseline"):
        of_segments(statistics(1), "A", "B")
