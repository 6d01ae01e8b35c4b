"""Resamples of one sample against closed forms and the library's own bootstrap."""

import numpy as np
import pytest

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.metrics.outside.outside_metric import OutsideMetric
from mtsig_core.resampling import Sampling, bootstrap_scores
from mtsig_core.teaching import Run
from mtsig_core.teaching.populations import shaped
from mtsig_core.teaching.resamples import Resamples, resample_summary


def run(n=2000, **options):
    return Run(Resamples(**({"population": shaped("normal")} | options))).step(n)


@pytest.mark.parametrize("draws", ["full", "half"])
def test_the_mean_is_drawn_as_by_the_engine(draws):
    made = run(600, draws=draws, seed=4)
    values = np.stack([made.simulation.sample, np.ones(20)], axis=-1)[None]
    statistics = SegmentStatistics(OutsideMetric("Score"), "test", "", ("A",), (("1",),), values)
    expected = bootstrap_scores(statistics, 600, 4, sampling=Sampling(size=draws))[:, 0]
    assert made["statistic"] == pytest.approx(expected)


@pytest.mark.parametrize("draws", ["full", "half"])
def test_the_mean_spreads_by_the_formula(draws):
    made = run(size=50, draws=draws)
    # sd / sqrt(N) of the sample, for half of it without replacement by sqrt((N / 2) / (N / 2) ...) nearly the same
    variance = made.simulation.sample.var() / 50 * (1 if draws == "full" else 50 / 49)
    assert resample_summary(made).sd == pytest.approx(variance**0.5, rel=0.06)


def test_a_resample_lacks_a_third_of_the_sample():
    simulation = run().simulation
    missed = np.mean([np.mean(simulation.drawn(i) == 0) for i in range(300)])
    assert missed == pytest.approx((1 - 1 / 20) ** 20, abs=0.02)


def test_the_maximum_is_that_of_the_sample_in_63_of_100_resamples():
    made = run(statistic="maximum", size=20)
    assert made["statistic"].max() == made.simulation.estimate < made.simulation.truth
    assert resample_summary(made).largest_share == pytest.approx(1 - (1 - 1 / 20) ** 20, abs=0.04)


def test_what_cannot_be_resampled_is_refused():
    with pytest.raises(ValueError, match="statistic must be one of"):
        Resamples(shaped("normal"), "mode")
    with pytest.raises(ValueError, match="at least 4 members"):
        Resamples(shaped("normal"), size=3)
