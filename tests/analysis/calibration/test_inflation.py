import numpy as np
import pytest

from mtsig_core.analysis.calibration.inflation import alarm_rate, hypothesis_variance, inflation
from mtsig_core.resampling import ExchangeDesign, Settings, exchange


@pytest.mark.slow
def test_the_variance_is_that_of_dealing_single_outputs(statistics_of):
    rng = np.random.default_rng(1)
    a, b = rng.normal(0, 1, (2, 60)), rng.normal(0, 1, (4, 60)) + rng.normal(0, 1, 60)
    dealt = exchange(statistics_of({"a": a, "b": b}), "a", "b", ExchangeDesign("hypothesis", 20000, 1)).values
    assert hypothesis_variance(a, b) == pytest.approx(np.var(dealt), rel=0.04)


def test_rates():
    assert alarm_rate(1, 0.05) == pytest.approx(0.05)
    assert alarm_rate(9.0, 0.05) == pytest.approx(0.51, abs=0.005)
    assert alarm_rate(2.8, 0.05) == pytest.approx(0.24, abs=0.005)
    assert alarm_rate(0, 0.05) == 0


@pytest.mark.slow
def test_multevals_example(multeval):
    found = inflation(multeval, "baseline", "sys1", Settings())
    assert found.ratio == pytest.approx(9.0, abs=0.05)
    assert found.rate == pytest.approx(0.51, abs=0.005)
    assert found.ratio_text == pytest.approx(2.8, abs=0.05)
    assert found.rate_text == pytest.approx(0.24, abs=0.005)


def test_reasons(statistics_of):
    rng = np.random.default_rng(1)
    single = inflation(statistics_of({"a": rng.normal(0, 1, (1, 9)), "b": rng.normal(0, 1, (1, 9))}),
                       "a", "b", Settings())
    assert single.ratio is None
    assert "one replica" in single.note
    assert single.ratio_text is not None
    constant = inflation(statistics_of({"a": np.ones((3, 9)), "b": np.ones((3, 9))}), "a", "b", Settings())
    assert constant.rate is None
    assert "the same in every segment" in constant.note
