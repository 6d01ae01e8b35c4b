"""Pictures of the lesson on sampling distributions."""

import numpy as np
import pytest

from mtsig_core.figures.learn.parts import STACK, enlarged
from mtsig_core.figures.learn.sampling import sampling_distribution, width_by_size
from mtsig_core.teaching import Run
from mtsig_core.teaching.populations import shaped
from mtsig_core.teaching.sampling import RepeatedSamples, hits


@pytest.mark.parametrize("statistic", ["mean", "median", "range"])
@pytest.mark.parametrize("n", [0, 1, 300])
def test_the_picture_shows_every_sample_and_the_newest_intervals(statistic, n):
    run = Run(RepeatedSamples(shaped("skewed"), statistic, 5)).step(n)
    figure = sampling_distribution(run)
    bars = [trace for trace in figure.data if trace.type == "bar"]
    if not n:
        assert len(bars) == 1
        return
    assert sum(bars[1].y) == n
    drawn = [len(trace.y) for trace in bars[2:]]
    newest = hits(run)[-STACK:]
    assert drawn == [newest.sum(), (~newest).sum()]


def test_the_newest_sample_stands_under_the_population():
    run = Run(RepeatedSamples(shaped("normal"), size=7)).step(3)
    strokes = next(trace for trace in sampling_distribution(run).data if trace.type == "scatter")
    assert list(strokes.x) == run.simulation.sample(2).tolist()


def test_the_width_halves_with_four_times_the_members_or_half_the_spread():
    figure = width_by_size(Run(RepeatedSamples(shaped("normal"), size=100)).step(100))
    whole, half, point = figure.data
    assert np.array(half.y) == pytest.approx(np.array(whole.y) / 2)
    at = dict(zip(whole.x, whole.y, strict=True))
    assert at[400] == pytest.approx(at[min(at, key=lambda x: abs(x - 100))] / 2, rel=0.05)
    assert point.y[0] == pytest.approx(5.9, rel=0.05)


def test_a_projector_has_larger_type():
    figure = enlarged(sampling_distribution(Run(RepeatedSamples(shaped("normal")))), 20)
    assert figure.layout.font.size == 20
    assert {a.font.size for a in figure.layout.annotations} == {20}
