"""A matrix of names against names."""

import re

import numpy as np
import pandas as pd
import pytest

from mtsig_core.figures.people.matrix import DIVERGING, SEQUENTIAL, matrix_figure

WHITE, NEAR_BLACK = (255, 255, 255), (23, 22, 20)


def drawn(*names):
    frame = pd.DataFrame([[0.0, 1.0], [1.0, 0.0]], index=list(names), columns=list(names))
    return matrix_figure(frame, str, hover=lambda row, column, value: row)


def test_the_file_of_a_dimension_has_a_line_of_its_own_and_room_for_it():
    plain, long = drawn("ESA", "MQM"), drawn("ESA", "MQM (of.csv)")
    assert list(long.layout.yaxis.ticktext) == list(long.layout.xaxis.ticktext) == ["ESA", "MQM<br>(of.csv)"]
    assert long.layout.height > plain.layout.height


def _rgba(colour):
    if colour.startswith("#"):
        return [*(int(colour[i : i + 2], 16) for i in (1, 3, 5)), 1.0]
    return [float(part) for part in re.findall(r"[\d.]+", colour)]


def _luminance(colour):
    shares = np.asarray(colour) / 255
    return np.where(shares <= 0.03928, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4) @ (0.2126, 0.7152, 0.0722)


@pytest.mark.parametrize(("ground", "ink"), [(WHITE, (15, 15, 15)), (NEAR_BLACK, (230, 234, 241))])
@pytest.mark.parametrize("scale", [SEQUENTIAL, DIVERGING])
def test_what_is_written_in_a_cell_reads_on_a_light_page_and_on_a_dark_one(scale, ground, ink):
    places = np.linspace(0, 1, 41)
    frame = pd.DataFrame([places], index=["row"], columns=[f"{place:.3f}" for place in places])
    figure = matrix_figure(frame, str, hover=lambda row, column, value: row, scale=scale, bounds=(0, 1))
    stops = np.array([_rgba(colour) for _, colour in scale])
    for trace in figure.data[1:]:
        at = places[list(trace.x)]
        cells = np.array([np.interp(at, [place for place, _ in scale], stops[:, channel]) for channel in range(4)]).T
        on_page = cells[:, :3] * cells[:, 3:] + np.array(ground) * (1 - cells[:, 3:])
        ink_here = _rgba(trace.textfont.color)[:3] if trace.textfont.color else ink
        low, high = np.sort([_luminance(on_page), np.full(len(at), _luminance(ink_here))], axis=0)
        assert ((high + 0.05) / (low + 0.05)).min() >= 4.5
