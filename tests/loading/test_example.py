"""The example experiment: what examples of the documentation start from."""

import numpy as np
import pytest

import mtsig_core
from mtsig_core.loading.example import example_judgements, example_text, load_example


def test_each_system_is_half_a_standard_deviation_better():
    bench = mtsig_core.Workbench(load_example(40, 3))
    means = [bench.statistics("test", bench.metric("score")).scores_of(s.name).mean() for s in bench.experiment.systems]
    assert np.allclose(np.diff(means), 0.5, atol=0.08)


def test_text_and_judgements_fit_the_front_door():
    assert example_text().has_text
    people = mtsig_core.open_people([("judged.csv", example_judgements())])
    judged = mtsig_core.Judged.of(mtsig_core.Workbench(load_example(1, 4)), "test", people)
    assert np.diff(judged.human) == pytest.approx([1, 1, 1])


@pytest.mark.parametrize("numbers", [(0, 2), (3, 0)])
def test_nothing_is_no_experiment(numbers):
    with pytest.raises(ValueError, match="no rows"):
        load_example(*numbers)
