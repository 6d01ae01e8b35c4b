from dataclasses import replace

import numpy as np
import pytest

from mtsig_core.analysis.systems.overlap import from_bounds, interval_overlap
from mtsig_core.figures.overlap import overlap_densities
from mtsig_core.figures.theme import literal
from mtsig_core.significance import Scope


@pytest.fixture(scope="module")
def draws():
    rng = np.random.default_rng(2)
    return rng.normal(48.4, 1.6, 1000), rng.normal(49.9, 1.5, 1000)


def test_densities_histograms_and_ratio(draws, check):
    overlap = interval_overlap(*draws)
    document, _ = check(overlap_densities(overlap))
    bars = [t for t in document["data"] if t["type"] == "bar"]
    assert [sum(t["y"]) * t["width"][0] for t in bars] == pytest.approx([1, 1], abs=0.01)
    (shared,) = (t for t in document["data"] if "overlap ratio" in t["name"])
    assert shared["name"] == f"overlap ratio {overlap.ratio:.2f}"
    assert min(shared["x"]) >= overlap.b.low
    assert max(shared["x"]) <= overlap.a.high
    assert any("45." in t["name"] for t in document["data"])


def test_interval_bounds_are_drawn_as_whiskers(check):
    document, _ = check(overlap_densities(from_bounds((1.0, 3.0), (2.0, 4.0))))
    whiskers = [t["x"] for t in document["data"] if len(t["x"]) == 3]
    assert whiskers == [pytest.approx([1, 2, 3]), pytest.approx([2, 3, 4])]


def test_disjoint_intervals_share_nothing(check):
    document, _ = check(overlap_densities(from_bounds((1.0, 2.0), (8.0, 9.0))))
    (shared,) = (t for t in document["data"] if "overlap ratio" in t["name"])
    assert shared["x"] == [None]
    assert shared["name"] == "overlap ratio 0.00"


def test_points_without_spread_are_lines(check):
    same = np.full(20, 30.0)
    document, _ = check(overlap_densities(interval_overlap(same, same)))
    assert [s["x0"] for s in document["layout"]["shapes"]] == [30.0, 30.0]


def test_names_and_direction(check, nasty_name):
    scope = Scope("test", "ter", "TER", False, systems=(nasty_name, "B"))
    overlap = replace(from_bounds((1.0, 3.0), (2.0, 4.0)), scope=scope)
    document, texts = check(overlap_densities(overlap))
    assert document["layout"]["xaxis"]["title"]["text"] == "TER (lower is better)"
    assert any(t.startswith(literal(nasty_name)) for t in texts)
