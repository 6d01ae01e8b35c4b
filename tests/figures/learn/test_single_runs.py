"""Pictures of the lesson on the luck of one run."""

import pytest

from mtsig_core.figures.learn.single_runs import best_by_runs, lucky_verdicts
from mtsig_core.teaching import Run
from mtsig_core.teaching.single_runs import A, B, SingleRuns, expected_best, invented_pools, luck_summary, means_so_far


def run(n, **options):
    return Run(SingleRuns(invented_pools(50, 1.0, 1.0), A, B, **options)).step(n)


@pytest.mark.parametrize(("n", "shown"), [(1, 1), (30, 30), (900, 30)])
def test_every_experiment_is_counted_and_the_newest_have_verdicts(n, shown):
    made = run(n)
    *verdicts, histogram, mean = lucky_verdicts(made).data
    assert sum(len(trace.x) for trace in verdicts) == shown
    assert max(max(trace.y, default=0) for trace in verdicts) == n
    assert sum(histogram.y) == n
    assert (mean.x[-1], mean.y[-1]) == (n, pytest.approx(means_so_far(made)[-1]))


def test_the_best_is_shown_by_the_number_of_runs():
    made = run(100, report="best", runs=5)
    a, b, point_a, point_b = best_by_runs(made).data
    assert b.y[4] == pytest.approx(expected_best(made.simulation.tested.scores_b, 5))
    assert list(a.y) == sorted(a.y)
    assert (point_a.x[0], point_b.x[0]) == (1, 5)
    assert point_b.y[0] == luck_summary(made).score_b


@pytest.mark.slow
def test_nothing_is_drawn_before_the_first_experiment():
    assert not lucky_verdicts(run(0)).data
    assert len(best_by_runs(run(0)).data) == 2
