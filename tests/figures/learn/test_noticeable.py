"""Pictures of the lesson on significant and noticeable differences."""

import pytest

from mtsig_core.figures.learn.noticeable import p_and_verdicts, size_and_p
from mtsig_core.teaching import Run
from mtsig_core.teaching.noticeable import SEGMENTS, VERDICTS, Experiments, Scale, noticed


def run(n, **options):
    return Run(Experiments(**options)).step(n)


@pytest.mark.parametrize(("n", "shown"), [(1, 1), (500, 300)])
def test_the_newest_experiments_are_shown_by_size_and_p(n, shown):
    curve, *marks = size_and_p(run(n)).data
    assert curve.y[0] == 0.5
    assert sum(len(mark.x) for mark in marks) == 2 * shown


def test_a_metric_without_a_curve_is_named():
    figure = size_and_p(run(20, scale=Scale("ter", "TER")))
    assert figure.layout.annotations[0].text.replace("<br>", " ") == "People: not known for TER"
    assert len(figure.data) == len(VERDICTS)


def test_p_falls_with_text_and_the_conclusions_are_counted():
    made = run(100)
    *curves, point = p_and_verdicts(made).data[:4]
    assert [len(curve.x) for curve in curves] == [len(SEGMENTS)] * 3
    assert point.y[0] == pytest.approx(made.simulation.typical_p(30_000))
    marks = p_and_verdicts(made).data[4:]
    assert tuple(mark.x[0] for mark in marks) == noticed(made).verdicts


def test_nothing_is_drawn_before_the_first_experiment():
    assert len(size_and_p(run(0)).data) == 1
    assert len(p_and_verdicts(run(0)).data) == 4
