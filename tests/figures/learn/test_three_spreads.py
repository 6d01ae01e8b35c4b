"""Pictures of the lesson on three spreads."""

import pytest

from mtsig_core.figures.learn.three_spreads import spreads_and_intervals, widths_by_replicas
from mtsig_core.teaching import Run
from mtsig_core.teaching.three_spreads import METHODS, InventedRuns, ThreeSpreads, spread_summary


def run(n, replicas=5):
    return Run(ThreeSpreads(InventedRuns(1.0, 15.0), replicas, 50)).step(n)


def test_the_spreads_and_the_newest_intervals_are_shown():
    made = run(40)
    bars = [trace for trace in spreads_and_intervals(made).data if trace.type == "bar"]
    assert [bar.x[0] for bar in bars[:3]] == list(spread_summary(made).spreads.values())
    for bar, method in zip(bars[3:], METHODS, strict=True):
        low, high = made[method][-1]
        assert (bar.base[0], bar.base[0] + bar.x[0]) == pytest.approx((low, high))


def test_the_pooled_error_falls_without_end_and_the_true_one_does_not():
    true, single, pooled, _, point = widths_by_replicas(run(40, 60)).data
    assert pooled.y[0] / pooled.y[-1] == pytest.approx((60 / 2) ** 0.5)
    assert single.y[-1] == single.y[0]
    assert true.y[-1] > 2 * pooled.y[-1]
    assert point.x[0] == 60


def test_nothing_is_drawn_before_the_first_experiment():
    assert not [trace for trace in spreads_and_intervals(run(0)).data if trace.type == "bar"]
    assert len(widths_by_replicas(run(0)).data) == 4
