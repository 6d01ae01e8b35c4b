"""Pictures of the lesson on intervals that overlap."""

import pytest

from mtsig_core.figures.learn.overlapping import overlap_and_difference, shares_by_correlation
from mtsig_core.teaching import Run
from mtsig_core.teaching.overlapping import InventedScores, Overlaps, newest_overlap, overlap_summary, p_values


def run(n, correlation=0.8):
    return Run(Overlaps(InventedScores(correlation, 2.0))).step(n)


@pytest.mark.parametrize("n", [1, 300, 700])
def test_every_test_set_is_a_point_and_the_newest_is_marked(n):
    made = run(n)
    scatters = [trace for trace in overlap_and_difference(made).data if trace.type == "scatter"]
    *clouds, newest = [trace for trace in scatters if trace.mode == "markers"]
    assert sum(len(trace.x) for trace in clouds) == min(n, 500)
    assert (newest.x[0], newest.y[0]) == pytest.approx((newest_overlap(made).ratio, p_values(made)[-1]))


def test_the_bar_is_the_interval_of_the_newest_difference():
    made = run(3)
    bar = next(trace for trace in overlap_and_difference(made).data if trace.type == "bar")
    assert bar.base[0] + bar.x[0] / 2 == pytest.approx(made["difference"][-1])
    assert bar.x[0] == pytest.approx(2 * 1.959964 * made["error of difference"][-1])


@pytest.mark.slow
def test_the_shares_so_far_stand_on_the_lines():
    made = run(4000)
    different, separate, point = shares_by_correlation(made).data
    now = overlap_summary(made)
    assert list(point.y) == [now.differs, now.apart]
    at = min(range(len(different.x)), key=lambda i: abs(different.x[i] - 0.8))
    assert point.y == pytest.approx([different.y[at], separate.y[at]], abs=0.03)


def test_nothing_is_drawn_before_the_first_test_set():
    assert {trace.mode for trace in overlap_and_difference(run(0)).data} == {"lines"}
    assert len(shares_by_correlation(run(0)).data) == 2
