"""The rates that come with mtsig are those that its code measures."""

from __future__ import annotations

import pandas as pd
import pytest

from data import verdict_limits
from mtsig_core.analysis.calibration.rates import headline_limits
from pages.parts.trust.limits import shipped


@pytest.mark.slow
def test_shipped_rates_are_what_is_measured():
    measured = headline_limits(verdict_limits.TRIALS).to_frame()
    pd.testing.assert_frame_equal(shipped().to_frame(), measured, atol=1e-3, rtol=0)


def test_shipped_rates_exceed_the_level():
    assert (shipped().to_frame()[["p < 0.05", "p < 0.01"]].to_numpy() > [0.06, 0.01]).all()
