"""Pictures of the lesson on three tests."""

import pytest

from mtsig_core.figures.learn.null_distributions import coin_flips, three_tests
from mtsig_core.teaching import Run
from mtsig_core.teaching.null_distributions import A, B, NullDistributions, invented_pair


def run(n, segments=30):
    return Run(NullDistributions(invented_pair(segments, 2.0, 1), A, B)).step(n)


@pytest.mark.parametrize("n", [0, 1, 400])
def test_each_test_shows_all_of_its_draws(n):
    figure = three_tests(run(n))
    assert [sum(trace.y) for trace in figure.data] == ([n] * 3 if n else [])


@pytest.mark.parametrize(("segments", "shown"), [(30, 30), (100, 60)])
def test_the_coins_show_each_segment_once(segments, shown):
    assert not coin_flips(run(0, segments)).data
    kept, exchanged = coin_flips(run(5, segments)).data
    assert sorted([*kept.x, *exchanged.x]) == list(range(1, shown + 1))
