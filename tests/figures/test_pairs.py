"""Figures of all pairs, of single runs, and of tests side by side."""

from dataclasses import replace

import numpy as np
import pytest

from mtsig_core.analysis.comparison.bootstrap_intervals import BootstrapIntervals, IntervalRow
from mtsig_core.analysis.replicas.p_by_n import PByN, PByNDesign, PByNRow
from mtsig_core.analysis.systems.pairwise import Pairwise
from mtsig_core.analysis.systems.s_diff import p_against_difference, single_differences
from mtsig_core.analysis.systems.three_methods import MethodInterval, MethodPair, ThreeMethods
from mtsig_core.figures.comparison import null_distribution
from mtsig_core.figures.p_by_n import p_band, p_shares
from mtsig_core.figures.pseudo_statistics import bootstrap_interval_rows
from mtsig_core.figures.s_diff import p_against_difference_figure, single_difference_histogram
from mtsig_core.figures.three_methods import cluster_intervals, method_intervals, overlap_bars
from mtsig_core.significance import PRESETS, Scope, TestResult
from mtsig_core.significance.normal_fits import normal_interval

SCOPE = Scope("test", "bleu", "BLEU", systems=("A", "B"))


def result(**values):
    test = PRESETS[values.pop("preset", "ar-segment")]
    sides = "winner" if values.pop("one_tail", False) else "two"
    convention = replace(test.comparison, sides=sides, strict=values.pop("strict", False))
    test = replace(test, label=values.pop("label", "AR"), comparison=convention)
    told = {"preset": test, "difference": 0.5, "p": 0.1, "smallest_p": 0.001, "observed": 0.5,
            "null": np.random.default_rng(0).normal(0, 0.4, 999), "draws": 999}
    return TestResult(**(told | values))


@pytest.fixture
def simulated():
    rows = tuple(
        PByNRow(unit, n, 0.4 / n / k, 0.5 / n / k, 0.9 / n, 0.1 * n / 5, 0.0)
        for k, unit in ((1, "segment"), (4, "hypothesis")) for n in (1, 3, 5)
    ) + (PByNRow("segment", 10, None, None, None, None, None, "the smaller pool has 5 replicas"),)  # fmt: skip
    return PByN(SCOPE, PByNDesign(), rows, {}, {}, 1.0, 999, 0.05)


def test_p_band_has_a_median_and_a_band_for_each_unit(simulated, check):
    document, _ = check(p_band(simulated))
    named = {t["name"]: t for t in document["data"] if t.get("mode") == "lines+markers"}
    assert len(named) == 2
    assert all(t["x"] == [1, 3, 5] for t in named.values())
    assert document["layout"]["yaxis"]["type"] == "log"
    assert document["layout"]["legend"]["traceorder"] == "normal"  # as beside it
    dashes = {t["line"]["dash"] for t in named.values()}
    assert len(dashes) == 2  # not by colour alone


def test_p_shares(simulated, check):
    document, _ = check(p_shares(simulated))
    assert document["data"][0]["y"] == pytest.approx([0.02, 0.06, 0.1])


def test_nothing_simulated_says_why(check):
    row = PByNRow("segment", 5, None, None, None, None, None, "too few")
    empty = PByN(SCOPE, PByNDesign(draws=9), (row,), {}, {}, 1.0, 9, 0.05)
    for figure in (p_band(empty), p_shares(empty)):
        _, texts = check(figure)
        assert any("too few" in t for t in texts)


@pytest.fixture
def methods(nasty_name):
    systems = (nasty_name, "other")
    fits = {"riezler": 0.4, "clark": 0.1, "test-set level": 0.05}
    intervals = tuple(
        MethodInterval(m, s, 20 + k, normal_interval(20 + k, sd))
        for m, sd in fits.items()
        for k, s in enumerate(systems)
    )
    pairs = tuple(MethodPair(m, *systems, 1.0, 0.01, 0.02, 0.4 if m == "riezler" else 0.0) for m in fits)
    return ThreeMethods(
        Scope("test", "bleu", "BLEU", systems=systems), 0.05, intervals, pairs, dict.fromkeys(systems, "seed1")
    )


def test_method_intervals(methods, check):
    document, _ = check(method_intervals(methods))
    assert len(document["data"]) == 6
    assert sum(bool(t["showlegend"]) for t in document["data"]) == 3


def test_overlap_bars(methods, check):
    document, _ = check(overlap_bars(methods))
    assert {trace["textangle"] for trace in document["data"]} == {0}  # few pairs: numbers stand level
    assert [bar["y"] for bar in document["data"]] == [[0.4], [0.0], [0.0]]
    assert len({bar["marker"]["pattern"]["shape"] for bar in document["data"]}) == 3


def test_clusters_are_parted_by_lines(nasty_name, check):
    scope = Scope("test", "ter", "TER", higher_is_better=False, systems=(nasty_name, "b", "c"))
    scores, replicas = dict(zip(scope.systems, (2.0, np.nan, 0.5), strict=True)), dict.fromkeys(scope.systems, 1)
    ends = {nasty_name: normal_interval(2, 0.5), "b": None, "c": normal_interval(0.5, 0.1)}
    clusters = ((nasty_name,), ("b", "c"))
    ranked = Pairwise(scope, PRESETS["ar-segment"], 0.1, scores, replicas, ends, (), clusters)
    document, _ = check(cluster_intervals(ranked, {}))
    assert [s["y0"] for s in document["layout"]["shapes"]] == [-0.5]
    title = document["layout"]["xaxis"]["title"]["text"]
    assert title == "TER (lower is better), with 90% bootstrap intervals"
    points = {name: normal_interval(score, 0.0) for name, score in scores.items() if np.isfinite(score)} | {"b": None}
    document, _ = check(cluster_intervals(replace(ranked, intervals=points), {}))
    assert document["layout"]["xaxis"]["title"]["text"] == "TER (lower is better)"


def test_single_differences_with_their_fit(check):
    found = single_differences(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0]))
    document, _ = check(single_difference_histogram(found, "BLEU"))
    assert document["data"][0]["name"] == "6 pairs of replicas"
    assert "normal fit" in document["data"][1]["name"]
    document, _ = check(single_difference_histogram(single_differences(np.array([1.0]), np.array([2.0]))))
    assert document["data"][0]["name"] == "1 pair of replicas"


def test_p_curves(check):
    curves = p_against_difference([result(), result(preset="fu-ar", label="Fu", strict=True)], 0.5, 0.05)
    document, _ = check(p_against_difference_figure(curves, "BLEU", chosen=0.9))
    assert [t["name"] for t in document["data"]] == ["AR", "Fu"]
    assert document["data"][0]["y"][0] == 1
    check(p_against_difference_figure(p_against_difference([], 0.5, 0.05)))


def test_one_tail_is_shaded_on_one_side(check):
    null = np.concatenate([np.full(50, -0.9), np.zeros(40), np.full(10, 0.9)])
    both, one = (null_distribution(result(null=null, one_tail=tail)) for tail in (False, True))
    counts = [sum(c[2] for c in check(figure)[0]["data"][1]["customdata"]) for figure in (both, one)]
    assert counts == [60, 10]
    assert len(one.layout.shapes) == 1


def test_ties_do_not_count_for_strict_rules(check):
    null = np.repeat([-0.5, 0.0, 0.5, 0.8], 25)
    document, texts = check(null_distribution(result(null=null, strict=True)))
    assert sum(c[2] for c in document["data"][1]["customdata"]) == 25
    assert any("farther than observed" in t for t in texts)


def test_bootstrap_intervals_by_kind(nasty_name, check):
    rows = tuple(
        IntervalRow(subject, size, kind, 1.0, 2.0)
        for subject in ("A", "B", "B − A") for size, kind in (
            ("full", "percentile"), ("full", "basic"), ("full", "sorted elements"), ("half", "percentile"))
    ) + (IntervalRow("A", "full", "BCa", None, None, "not defined"),)  # fmt: skip
    scope = Scope("test", "bleu", "BLEU", systems=(nasty_name, "b"))
    found = BootstrapIntervals(scope, 0.95, {"A": 1.5, "B": 1.6, "B − A": 0.1}, rows, {}, True, False)
    document, _ = check(bootstrap_interval_rows(found))
    assert len(document["data"]) == 8
    assert sum(bool(t["showlegend"]) for t in document["data"]) == 4
    check(bootstrap_interval_rows(found, ("B − A",)))
