import numpy as np
import pytest

from mtsig_core.figures.theme import literal
from mtsig_core.figures.variance import (
    common_bins,
    dev_against_test,
    replica_histograms,
    replica_strip,
    stacked_levels,
)


@pytest.fixture
def scores():
    rng = np.random.default_rng(3)
    return rng.normal(48.4, 0.5, 300), rng.normal(49.9, 0.4, 300)


def _bars(document):
    return [t for t in document["data"] if t["type"] == "bar"]


def test_both_histograms_share_their_bins_and_sum_to_one(make_row, scores, check):
    document, _ = check(replica_histograms(make_row("A", scores[0]), make_row("B", scores[1])))
    a, b, shared = _bars(document)
    assert sum(a["y"]) == pytest.approx(1)
    assert sum(b["y"]) == pytest.approx(1)
    assert set(np.round(a["width"] + b["width"], 9)) == {round(shared["width"][0], 9)}
    assert set(a["x"]) | set(b["x"]) <= set(shared["x"])


def test_shared_bars_are_the_smaller_of_both_and_their_sum_is_stated(make_row, scores, check):
    document, _ = check(replica_histograms(make_row("A", scores[0]), make_row("B", scores[1])))
    a, b, shared = _bars(document)
    by_bin = [dict(zip(t["x"], t["y"], strict=True)) for t in (a, b)]
    expected = [min(one.get(x, 0) for one in by_bin) for x in shared["x"]]
    assert shared["y"] == pytest.approx(expected)
    assert f"{100 * sum(expected):.1f}%" in shared["name"]


def test_means_are_marked_and_named_in_the_legend(make_row, scores, check):
    document, _ = check(replica_histograms(make_row("A", scores[0]), make_row("B", scores[1])))
    assert [s["x0"] for s in document["layout"]["shapes"]] == pytest.approx([s.mean() for s in scores])
    names = [bar["name"] for bar in _bars(document)[:2]]
    assert names == [f"{n}: mean {s.mean():.2f}" for n, s in zip("AB", scores, strict=True)]


def test_equal_scores_make_one_narrow_bar(make_row, check):
    document, _ = check(replica_histograms(make_row("A", [20.0] * 12), make_row("B", [20.0] * 11)))
    for bar in _bars(document)[:2]:
        assert bar["y"] == [1.0]
        assert bar["x"] == pytest.approx([20.0])
    low, high = document["layout"]["xaxis"]["range"]
    assert _bars(document)[0]["width"][0] < 0.1 * (high - low)


@pytest.mark.parametrize("value", [0.0, -3.0, 1e-9, 1e6])
def test_bins_of_equal_scores_hold_them_in_the_middle_one(value):
    edges = common_bins(np.full(4, value))
    counts = np.histogram(np.full(4, value), edges)[0]
    assert np.all(np.diff(edges) > 0)
    assert counts[len(counts) // 2] == 4


def test_an_outlier_does_not_make_thousands_of_bins():
    assert len(common_bins(np.r_[np.random.default_rng(0).normal(20, 0.01, 500), 90.0])) <= 41


def test_few_replicas_are_points_with_their_names(make_row, check):
    document, _ = check(replica_histograms(make_row("A", [18.3, 18.5]), make_row("B", [18.7, 18.6, 19.0])))
    assert not _bars(document)
    a, b = document["data"]
    assert a["x"] == [18.3, 18.5]
    assert a["customdata"] == ["seed1", "seed2"]
    assert a["marker"]["symbol"] != b["marker"]["symbol"]
    assert "B<br>3 replicas, mean 18.77" in document["layout"]["yaxis"]["ticktext"]


def test_one_replica_each_is_drawn(make_row, check):
    document, _ = check(replica_histograms(make_row("A", [18.3]), make_row("B", [18.3])))
    low, high = document["layout"]["xaxis"]["range"]
    assert low < 18.3 < high


def test_systems_share_their_decimals_and_one_score_is_no_mean(make_row, check):
    document, _ = check(replica_strip([make_row("A", [-2.334]), make_row("B", [-0.9, -0.92])]))
    titles = [title.split("<br>")[1] for title in document["layout"]["yaxis"]["ticktext"]]
    assert titles == ["1 replica, \u22122.33", "2 replicas, mean \u22120.91"]


def test_names_are_shown_as_they_are(make_row, scores, check, nasty_name):
    _, texts = check(replica_histograms(make_row(nasty_name, scores[0]), make_row("B", scores[1])))
    assert any(text.startswith(f"{literal(nasty_name)}: mean") for text in texts)
    few = make_row(nasty_name, [1.0, 2.0])
    object.__setattr__(few, "scores", {nasty_name: 1.0, "<i>x</i>": 2.0})
    _, texts = check(replica_strip([few]))
    assert literal(nasty_name) in texts


def test_strip_draws_a_shape_only_where_there_are_ten_that_differ(make_row, scores, check):
    rows = [make_row("many", scores[0][:10]), make_row("few", scores[0][:9]), make_row("same", [48.0] * 12)]
    document, _ = check(replica_strip(rows))
    assert [t["name"] for t in document["data"] if t["type"] == "violin"] == ["many"]
    assert [len(t["x"]) for t in document["data"] if t["type"] == "scatter"] == [10, 9, 12]


def test_strip_says_that_lower_is_better(make_row, check):
    document, _ = check(replica_strip([make_row("A", [60.0, 61.0], metric="TER", higher_is_better=False)]))
    assert document["layout"]["xaxis"]["title"]["text"] == "TER (lower is better)"


def test_strip_of_nothing_says_so(check):
    _, texts = check(replica_strip([]))
    assert "No replica to show." in texts


def test_undefined_scores_are_left_out(make_row, check):
    document, _ = check(replica_strip([make_row("A", [18.0, np.nan, 18.4]), make_row("B", [np.nan])]))
    assert document["data"][0]["customdata"] == ["seed1", "seed3"]
    assert "1 replica, no score" in document["layout"]["yaxis"]["ticktext"][1]


def test_histograms_with_a_system_without_scores_still_show_the_other(make_row, check):
    document, _ = check(replica_histograms(make_row("A", [np.nan]), make_row("B", [18.0, 18.4])))
    assert [t["name"] for t in document["data"]] == ["B"]


def test_close_values_stand_on_different_levels():
    assert stacked_levels(np.array([1.0, 1.01, 3.0]), 0.1) == [0, 1, 0]
    assert stacked_levels(np.full(4, 2.0), 0.0) == [0, 1, 2, 3]


def test_dev_against_test_matches_replicas_by_system_and_name(make_row, check):
    test = [make_row("A", [1.0, 2.0, 3.0]), make_row("B", [4.0]), make_row("C", [5.0])]
    dev = [make_row("A", [10.0, 20.0], test_set="dev"), make_row("C", [50.0], test_set="dev")]
    document, _ = check(dev_against_test(dev, test))
    a, c = document["data"]
    assert (a["x"], a["y"], a["customdata"]) == ([10.0, 20.0], [1.0, 2.0], ["seed1", "seed2"])
    assert (c["x"], c["y"]) == ([50.0], [5.0])
    assert a["marker"]["symbol"] != c["marker"]["symbol"]
    assert document["layout"]["xaxis"]["title"]["text"] == "BLEU on dev (tuning set)"


def test_dev_against_test_without_a_match_says_so(make_row, check):
    document, texts = check(dev_against_test([], [make_row("A", [1.0])]))
    assert not document["data"]
    assert any("tuning set" in t for t in texts)
