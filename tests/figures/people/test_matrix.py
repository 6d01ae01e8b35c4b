"""A matrix of names against names."""

import pandas as pd

from mtsig_core.figures.people.matrix import matrix_figure


def drawn(*names):
    frame = pd.DataFrame([[0.0, 1.0], [1.0, 0.0]], index=list(names), columns=list(names))
    return matrix_figure(frame, str, hover=lambda row, column, value: row)


def test_the_file_of_a_dimension_has_a_line_of_its_own_and_room_for_it():
    plain, long = drawn("ESA", "MQM"), drawn("ESA", "MQM (of.csv)")
    assert list(long.layout.yaxis.ticktext) == list(long.layout.xaxis.ticktext) == ["ESA", "MQM<br>(of.csv)"]
    assert long.layout.height > plain.layout.height
