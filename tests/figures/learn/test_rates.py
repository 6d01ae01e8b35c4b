"""Pictures of the lesson on false alarms and hits."""

import pytest

from mtsig_core.figures.learn.parts import HIT, MISS
from mtsig_core.figures.learn.rates import rates_as_they_settle, rates_of_tests
from mtsig_core.significance import PRESETS
from mtsig_core.significance.simulated import World
from mtsig_core.teaching import Run
from mtsig_core.teaching.rates import ArenaTrials, rates, rates_so_far


def run(n, **options):
    return Run(ArenaTrials(World(n=2, segments=30, **options))).step(n)


def test_every_test_has_its_share_and_alarms_are_red():
    made = run(100, replica_sd=4.0)
    figure = rates_of_tests(made)
    rows = rates(made)
    bands, points = figure.data[::2], figure.data[1::2]
    assert [point.x[0] for point in points] == [row.share for row in rows]
    assert [tuple(band.x) for band in bands] == [(row.low, row.high) for row in rows]
    assert [point.marker.color for point in points] == [MISS if row.low > 0.05 else HIT for row in rows]
    assert list(figure.layout.yaxis.ticktext) == [PRESETS[name].label for name in made.simulation.names]


def test_wins_of_the_wrong_system_are_marked_where_one_is_better():
    made = run(100, replica_sd=8.0, gain=1.0)
    crosses = [trace for trace in rates_of_tests(made).data if trace.mode == "markers" and trace.marker.symbol == "x"]
    wrong = [row.wrong / 100 for row in rates(made) if row.wrong]
    assert wrong
    assert [cross.x[0] for cross in crosses] == pytest.approx(wrong)


def test_lines_end_at_the_shares():
    made = run(100)
    shown = {trace.name: trace for trace in rates_as_they_settle(made).data if trace.name}
    line = shown[PRESETS["coherent"].label]
    assert (line.x[-1], line.y[-1]) == (100, rates_so_far(made, "coherent")[-1])


def test_nothing_is_drawn_before_the_first_experiment():
    assert not rates_of_tests(run(0)).data
    assert len(rates_as_they_settle(run(0)).data) == 1
