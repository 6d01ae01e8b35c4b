"""Picture of the lesson on the bootstrap."""

import pytest

from mtsig_core.figures.learn.resamples import bootstrap_draws
from mtsig_core.teaching import Run
from mtsig_core.teaching.populations import shaped
from mtsig_core.teaching.resamples import Resamples


@pytest.mark.parametrize(("size", "shown"), [(10, 10), (100, 40)])
def test_the_newest_resample_and_all_statistics_are_shown(size, shown):
    simulation = Resamples(shaped("normal"), size=size)
    assert not bootstrap_draws(Run(simulation)).data
    members, statistic, _ = bootstrap_draws(Run(simulation).step(30)).data
    assert len(members.x) == shown
    assert sum(statistic.y) == 30
    if size == shown:
        assert sum(members.x) == size
