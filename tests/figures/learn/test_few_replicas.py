"""Pictures of the lesson on few replicas."""

import pytest

from mtsig_core.figures.learn.few_replicas import by_replicas, p_and_differences
from mtsig_core.teaching import Run
from mtsig_core.teaching.few_replicas import EXACT, WELCH, FewReplicas, few_summary, invented_world, planned, steps


def run(n, replicas=3, rule=EXACT, gain=1.0):
    return Run(FewReplicas(invented_world(replicas, 1.0, gain), rule=rule)).step(n)


@pytest.mark.parametrize("replicas", [2, 3, 4])
def test_every_step_of_the_ladder_has_a_bar(replicas):
    made = run(200, replicas)
    ladder = p_and_differences(made).data[0]
    assert list(ladder.x) == pytest.approx([(i + 1) / steps(replicas) for i in range(steps(replicas))])
    assert sum(ladder.y) == 200
    assert ladder.y[0] == (made[EXACT] < 1.5 / steps(replicas)).sum()


def test_significant_differences_are_marked():
    made = run(400, 4, WELCH, gain=2.0)
    _, every, significant = p_and_differences(made).data
    assert sum(every.y) == 400
    assert sum(significant.y) == few_summary(made).significant > 0


@pytest.mark.slow
def test_the_power_so_far_stands_at_the_plan():
    made = run(2000, 5, WELCH)
    floors, single, power, size, now, exaggerated = by_replicas(made).data
    assert (floors.y[1], single.y[1]) == (0.1, 0.25)
    assert power.y[3] == planned(made.simulation.world, 5).power
    assert now.y[0] == pytest.approx(power.y[3], abs=0.05)
    assert exaggerated.y[0] == pytest.approx(size.y[3], rel=0.1)


def test_without_a_difference_nothing_is_planned():
    figure = by_replicas(run(0, gain=0.0))
    assert not [y for trace in figure.data if trace.mode == "lines" for y in trace.y]
    assert not p_and_differences(run(0)).data
