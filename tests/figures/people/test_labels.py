"""Names of points stand apart where there is room."""

from __future__ import annotations

import numpy as np
import pytest

from mtsig_core.figures.people.labels import _POSITIONS, _box, _pixels, _shared, label_positions


def covered(names, x, y, sides):
    """Return the area, in pixels, that names share with one another."""
    places = list(zip(_pixels(x, 420), _pixels(y, 300), strict=True))
    boxes = [_box(name, place, _POSITIONS[side]) for name, place, side in zip(names, places, sides, strict=True)]
    return sum(_shared(a, b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_a_name_alone_stands_above_its_point():
    assert label_positions(["one", "two"], [0.0, 1.0], [0.0, 1.0]) == ["top center", "top center"]


def test_names_of_close_points_go_to_different_sides():
    names, x, y = ["alpha", "beta", "far"], [0.0, 0.04, 1.0], [0.5, 0.5, 1.0]
    sides = label_positions(names, x, y)
    assert sides[0] != sides[1]
    assert covered(names, x, y, sides) == 0


@pytest.mark.parametrize("seed", range(5))
def test_less_is_covered_than_with_all_names_above(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(2, 13)).tolist()
    names = [f"system-{i}" for i in range(13)]
    above = covered(names, x, y, ["top center"] * 13)
    assert covered(names, x, y, label_positions(names, x, y)) < max(above, 1e-9)


def test_points_in_one_place_and_none_at_all():
    assert len(set(label_positions(["a", "b", "c"], [1.0] * 3, [2.0] * 3))) == 3
    assert label_positions([], [], []) == []


def test_long_names_at_the_edges_stand_within_the_plot():
    names = ["a-system-of-long-name"] * 2
    first, last = label_positions(names, [0.0, 1.0], [0.0, 1.0])
    assert "right" in first
    assert "left" in last


def test_names_keep_away_from_a_line():
    rising = [(k / 100, k / 100) for k in range(101)]
    sides = label_positions(["first", "last"], [0.0, 1.0], [0.0, 1.0], line=rising)
    assert "top center" not in sides[:1]
    assert covered(["first", "last"], [0.0, 1.0], [0.0, 1.0], sides) == 0
