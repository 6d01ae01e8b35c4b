"""Pictures of the lesson on correlation."""

import numpy as np
import pytest

from mtsig_core.figures.learn.correlations import spread_of_r, two_metrics
from mtsig_core.teaching import Run
from mtsig_core.teaching.correlations import TESTS, Correlations, correlation_summary, invented


def run(n, **options):
    return Run(Correlations(invented(0.7, 0.7, 0.8), **options)).step(n)


@pytest.mark.parametrize("outlier", [0.0, 8.0])
def test_every_sample_is_counted_and_the_outlier_marked(outlier):
    points, far, of_r, of_z, normal = spread_of_r(run(100, outlier=outlier)).data
    assert (len(points.x), len(far.x)) == ((12, 0) if not outlier else (11, 1))
    assert sum(of_r.y) == sum(of_z.y) == 100
    if not outlier:
        assert sum(normal.y) == pytest.approx(200, rel=0.05)  # twice as many points as bars


def test_shares_and_the_curve_of_williams():
    made = run(100)
    *marks, curve, point = two_metrics(made).data
    now = correlation_summary(made)
    assert [mark.x[0] for mark in marks] == [now.shares[test] for test in TESTS]
    assert np.interp(point.x[0], curve.x, curve.y) == pytest.approx(point.y[0], abs=0.02)


def test_nothing_is_drawn_before_the_first_sample():
    assert not spread_of_r(run(0)).data
    assert not two_metrics(run(0)).data
