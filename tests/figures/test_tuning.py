"""Figures of tuning, from made results."""

from dataclasses import replace

import numpy as np
import pytest

from mtsig_core.analysis.tuning import Generalisation, GeneralisationRow, LineObjective, SegmentEnvelope, WeightPlane
from mtsig_core.analysis.tuning.scope import TuningScope
from mtsig_core.analysis.tuning.trajectories import Path, Trajectories
from mtsig_core.figures.tuning import (
    dev_test_scatter,
    envelope_lines,
    line_steps,
    plane_heatmap,
    score_paths,
    weight_coordinates,
)
from mtsig_core.optimizers import Baselines

DEV, TEST = Baselines("dev", 50, 10.0, 20.0, 9.0, 0.5), Baselines("test", 50, 11.0, 21.0, 10.0, 0.5)


@pytest.fixture
def scope(nasty_name):
    return TuningScope(nasty_name, nasty_name, nasty_name, "bleu", nasty_name, True, (nasty_name, "lm", "tm"))


@pytest.fixture
def paths(scope, nasty_name):
    weights = np.array([0.5, -0.2, 0.3])
    own = [
        Path(nasty_name, nasty_name, np.array([9.0, 12.0, 11.5]), 1, weights, 11.0),
        Path(nasty_name, "seed2", np.array([9.0, 12.5]), 1, -weights, 11.0),
        Path("other", "seed1", np.array([10.0]), 0, weights, None),
    ]
    return Trajectories(scope, tuple(own), DEV)


def test_paths(check, paths):
    figure = score_paths(paths)
    told, texts = check(figure)
    assert [len(trace["x"]) for trace in told["data"]] == [3, 2, 1]
    assert told["data"][0]["marker"]["size"] == [0, 8, 0]
    assert [trace["showlegend"] for trace in told["data"]] == [True, False, True]
    assert {"1-best 10.00", "oracle 20.00", "random choice 9.00"} <= set(texts)
    assert [shape["y0"] for shape in told["layout"]["shapes"]] == [20, 10, 9]


@pytest.mark.parametrize(
    ("one_best", "oracle", "random", "expected"),
    [
        (10.0, 20.0, 5.0, {"oracle": "bottom", "1-best": "top", "random choice": "bottom"}),
        (35.0, 28.0, 45.0, {"oracle": "top", "1-best": "bottom", "random choice": "top"}),
        (10.0, 20.0, 9.0, {"oracle": "bottom", "1-best": "bottom", "random choice": "top"}),
        (10.0, 20.0, 11.0, {"oracle": "bottom", "1-best": "top", "random choice": "bottom"}),
    ],
)  # fmt: skip
def test_names_of_lines_keep_clear_of_replicas_and_of_each_other(paths, one_best, oracle, random, expected):
    figure = score_paths(replace(paths, dev=Baselines("dev", 50, one_best, oracle, random, 0.5)))
    own = {note.text.rpartition(" ")[0]: note.yanchor for note in figure.layout.annotations}
    assert own == expected


def test_weights(check, paths):
    told, texts = check(weight_coordinates(paths))
    assert max(weight_coordinates(paths).layout.xaxis.autotickangles) == 0  # the last label ends at its tick
    assert told["data"][0]["y"] == [0.5, -0.2, 0.3]
    assert "lm" in texts
    assert told["data"][0]["line"]["color"] == told["data"][1]["line"]["color"] != told["data"][2]["line"]["color"]


def test_a_line(check, scope, nasty_name):
    x = np.linspace(-1, 1, 5)
    line = LineObjective(scope, nasty_name, np.array([-0.5, 0.25]), np.array([3.0, 5.0, 4.0]), x,
                         np.array([[3.0, 3.5, 4, 4, 4]]), (10.0,), 1)  # fmt: skip
    told, _ = check(line_steps(line, at=0.1))
    steps = told["data"][0]
    assert (steps["x"], steps["y"], steps["line"]["shape"]) == ([-1, -0.5, 0.25, 1], [3, 5, 4, 4], "hv")
    assert told["data"][1]["name"] == "expected, sharpness 10"
    assert told["layout"]["shapes"][0]["x0"] == 0.1
    check(line_steps(replace(line, corners=np.zeros(0), values=np.array([3.0]))))


def test_dev_against_test(check, scope, nasty_name):
    rows = (
        GeneralisationRow(nasty_name, np.array([12.0, 13]), np.array([11.5, 11.0]), 0.7, 0.35, (0.5, 0.1, 9.0), 0.3),
        GeneralisationRow("one", np.array([12.0]), np.array([11.5]), None, None, None, None),
    )
    told, texts = check(dev_test_scatter(Generalisation(scope, rows, DEV, TEST)))
    assert told["data"][0]["x"] == [12, 13]
    assert told["data"][0]["y"] == [11.5, 11]
    assert "s_dev 0.70, s_test 0.35" in told["data"][0]["name"]
    assert "s_test —" in told["data"][1]["name"]
    assert "oracle 20.00" not in texts
    low, high = told["layout"]["xaxis"]["range"]
    assert 9 < low < 10  # the 1-best is in the figure; the random choice would squeeze the replicas together
    assert high > 13


def test_a_plane(check, scope):
    grid = np.linspace(-1, 1, 3)
    plane = WeightPlane(scope, grid, grid, np.arange(9.0).reshape(3, 3), np.array([[1.0, 1.0, 8.0], [0.0, 0.0, 4.0]]))
    told, _ = check(plane_heatmap(plane))
    assert told["data"][0]["z"] == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert told["data"][1]["name"] == "2 local optima"
    assert told["data"][1]["marker"]["color"] == ["white", "rgba(0,0,0,0)"]


def test_an_envelope(check, scope, nasty_name):
    envelope = SegmentEnvelope(scope, 0, np.array([0.0, 0.0, -5.0]), np.array([-1.0, 1.0, 0.0]), np.array([0.0]),
                               np.array([0, 1]), (nasty_name, "b"), np.array([1.0, 2.0]))  # fmt: skip
    told, _ = check(envelope_lines(envelope, at=0.5))
    never, left, right = told["data"]
    assert never["y"] == [-5, -5, None]
    assert (left["x"], left["y"], left["showlegend"]) == ([-1, 0], [1, 0], False)
    assert (right["x"], right["y"], right["showlegend"]) == ([0, 1], [0, 1], True)
    assert right["line"]["width"] > left["line"]["width"]
