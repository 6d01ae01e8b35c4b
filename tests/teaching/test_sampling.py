"""Repeated samples against closed forms and against scipy."""

import numpy as np
import pytest
from scipy import special, stats

from mtsig_core.metrics import get_metric
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.teaching import Run
from mtsig_core.teaching.populations import segment_scores, shaped
from mtsig_core.teaching.sampling import RepeatedSamples, expected_widths, hits, sampling_summary
from tests.conftest import WORDS


def run(n=2000, **options):
    return Run(RepeatedSamples(**({"population": shaped("normal")} | options))).step(n)


@pytest.fixture(scope="module")
def statistics():
    rng = np.random.default_rng(1)
    references = [" ".join(rng.choice(WORDS, 12)) for _ in range(60)]
    metric = get_metric("bleu")
    outputs = [
        [" ".join(w if rng.random() < 0.8 else "x" for w in line.split()) for line in references] for _ in range(2)
    ]
    values = np.stack([metric.statistics(output, [(line,) for line in references]) for output in outputs])
    return SegmentStatistics(metric, "test", "", ("A", "B"), (("1",), ("1",)), values)


@pytest.mark.parametrize("size", [2, 5, 20, 100])
def test_the_formula_covers_a_normal_mean_95_times_in_100(size):
    covered = hits(run(size=size)).sum()
    assert stats.binomtest(int(covered), 2000, 0.95).pvalue > 0.001


@pytest.mark.parametrize("shape", ["normal", "skewed", "humps"])
def test_the_mean_spreads_by_the_formula(shape):
    made = run(population=shaped(shape, 10), size=25)
    # 2000 samples: the standard deviation of an sd is sd / sqrt(2 n), and more with heavy tails
    assert made["estimate"].std(ddof=1) == pytest.approx(made.simulation.standard_error, rel=0.06)
    assert made.simulation.standard_error == pytest.approx(2)
    assert made["estimate"].mean() == pytest.approx(50, abs=4 * 2 / 2000**0.5)


def test_an_interval_is_that_of_scipy():
    made = run(10, size=8)
    sample = made.simulation.sample(9)
    interval = stats.ttest_1samp(sample, 0).confidence_interval()
    assert (made["low"][9], made["high"][9]) == pytest.approx((interval.low, interval.high))
    assert made["estimate"][9] == pytest.approx(sample.mean())


@pytest.mark.slow
def test_a_bootstrap_interval_lies_near_that_of_the_formula():
    of_formula, resampled = run(500, size=50), run(500, size=50, method="bootstrap")
    assert np.array_equal(of_formula["estimate"], resampled["estimate"])
    widths = [sampling_summary(one).width for one in (of_formula, resampled)]
    # percentiles know of no degrees of freedom, and resamples vary by (N - 1)/N
    ratio = stats.norm.ppf(0.975) * (49 / 50) ** 0.5 / stats.t.ppf(0.975, 49)
    assert widths[1] / widths[0] == pytest.approx(ratio, rel=0.04)
    assert 0.88 < sampling_summary(resampled).covered < 0.97


def test_no_interval_contains_the_range_of_the_population():
    assert sampling_summary(run(300, statistic="range", size=20)).covered == 0


@pytest.mark.slow
def test_the_median_of_normal_samples_spreads_as_theory_says():
    made = run(statistic="median", size=101)
    assert made["estimate"].std(ddof=1) == pytest.approx(15 * (np.pi / 2 / 101) ** 0.5, rel=0.06)


def test_expected_widths_are_what_samples_have():
    made = run(size=20)
    # s is below sigma on average, by the factor c4
    c4 = (2 / 19) ** 0.5 * special.gamma(10) / special.gamma(9.5)
    width = float(expected_widths(made.simulation.population, np.array([20]))[0])
    assert sampling_summary(made).width == pytest.approx(c4 * width, rel=0.01)


def test_segments_have_the_score_of_a_sample(statistics):
    population = segment_scores(statistics, "B")
    made = Run(RepeatedSamples(population, "corpus", 60)).step(300)
    assert made.simulation.truth == pytest.approx(statistics.scores_of("B")[0])
    assert made["estimate"].mean() == pytest.approx(made.simulation.truth, rel=0.03)
    assert 0.88 < sampling_summary(made).covered <= 1


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="statistic must be one of"):
        RepeatedSamples(shaped("normal"), "mode")
    with pytest.raises(ValueError, match="at least 2 members"):
        RepeatedSamples(shaped("normal"), size=1)
    with pytest.raises(ValueError, match="only segments of an output"):
        RepeatedSamples(shaped("normal"), "corpus")
