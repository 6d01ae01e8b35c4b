import numpy as np
import pytest

from mtsig_core.analysis.replicas.by_n import ByNDesign, by_n
from mtsig_core.figures.by_n import (
    difference_band,
    difference_frequencies,
    sequential_colours,
    wrong_sign,
)


def by_n_of(a, b, **design):
    return by_n(a, b, ByNDesign(**design))


@pytest.fixture(scope="module")
def redrawn():
    rng = np.random.default_rng(5)
    return by_n_of(rng.normal(18.5, 0.1, 50), rng.normal(18.7, 0.2, 50), ns=(10, 1, 3), draws=2000, seed=1)


@pytest.fixture(scope="module")
def undefined():
    return by_n_of([18.3], [18.4, 18.6], ns=(1, 2), draws=50)


def _annotations(document):
    return [a["text"] for a in document["layout"].get("annotations", [])]


def test_a_curve_for_each_n_with_the_frequencies_of_the_result(redrawn, check):
    document, _ = check(difference_frequencies(redrawn, "BLEU"))
    assert [t["name"] for t in document["data"]] == ["n = 1", "n = 3", "n = 10"]
    assert document["data"][2]["y"] == pytest.approx(redrawn.frequencies[10].tolist())
    assert len({(t["line"]["color"], t["line"]["dash"]) for t in document["data"]}) == 3
    assert len({t["line"]["dash"] for t in document["data"]}) == 3


def test_curves_are_labelled_and_no_two_labels_share_a_line(redrawn, check):
    document, _ = check(difference_frequencies(redrawn))
    labels = sorted(a["y"] for a in document["layout"]["annotations"] if a["text"].startswith("n = "))
    assert len(labels) == 3
    assert min(np.diff(labels)) >= 0.05 * max(float(f.max()) for f in redrawn.frequencies.values())


@pytest.mark.parametrize("flip", [False, True])
def test_the_wrong_side_of_zero_is_shaded(check, flip):
    pools = ([18.3, 18.4, 18.5], [18.8, 18.9, 19.1])
    result = by_n_of(*(pools[::-1] if flip else pools), ns=(1, 3), draws=200)
    document, _ = check(difference_frequencies(result))
    (rect,) = (s for s in document["layout"]["shapes"] if s["type"] == "rect")
    low, high = document["layout"]["xaxis"]["range"]
    assert (rect["x0"], rect["x1"]) == ((0.0, high) if flip else (low, 0.0))
    assert any("wrong sign" in text for text in _annotations(document))


def test_no_side_is_wrong_without_a_difference(check):
    document, _ = check(difference_frequencies(by_n_of([1.0, 2.0], [2.0, 1.0], ns=(1, 2), draws=50)))
    assert all(s["type"] == "line" for s in document["layout"]["shapes"])


def test_equal_scores_give_a_curve_all_the_same(check):
    document, _ = check(difference_frequencies(by_n_of([1.0] * 3, [2.0] * 3, ns=(1, 2), draws=50)))
    assert max(document["data"][0]["y"]) == 1.0


@pytest.mark.parametrize("draw", [difference_frequencies, difference_band, wrong_sign])
def test_one_replica_gives_the_reason(undefined, check, draw):
    document, texts = check(draw(undefined))
    assert not document["data"]
    assert any("one replica" in t for t in texts)


def test_band_holds_median_limits_and_both_closed_forms(redrawn, check):
    document, _ = check(difference_band(redrawn, "BLEU"))
    rows = sorted(redrawn.rows, key=lambda r: r.n)
    by_name = {}
    for trace in document["data"]:
        by_name.setdefault(trace["name"], []).append(trace)
    assert by_name["median"][0]["x"] == [1, 3, 10]
    assert by_name["median"][0]["y"] == [r.median for r in rows]
    assert by_name["2.5%"][0]["y"] == [r.low for r in rows]
    assert by_name["95% of the draws"][0]["y"] == [r.high for r in rows]
    upper, lower = by_name["±1.96 sd, this pool"]
    assert upper["line"]["dash"] == "dot"
    assert upper["y"] == pytest.approx([redrawn.difference + 1.96 * r.closed_form_sd for r in rows])
    upper, lower = by_name["±1.96 sd, new replicas"]
    assert lower["line"]["dash"] == "dash"
    assert lower["y"] == pytest.approx([redrawn.difference - 1.96 * r.expected_sd for r in rows])


def test_under_the_normal_model_no_words_speak_of_draws_or_repeat_the_band(check):
    result = by_n_of([1.0, 2.0], [3.0, 5.0], ns=(1, 2), draws=50)
    document, _ = check(difference_band(result))
    assert [t["name"] for t in document["data"]] == ["2.5%", "95% of the normal model", "median"]
    document, _ = check(difference_frequencies(result))
    assert "of the normal model" in document["data"][0]["hovertemplate"]


def test_many_replicas_make_a_logarithmic_axis_with_the_ns_as_ticks(check):
    document, _ = check(difference_band(by_n_of([1.0, 2.0], [3.0, 5.0], ns=(1, 5, 50), draws=50)))
    assert document["layout"]["xaxis"]["type"] == "log"
    assert document["layout"]["xaxis"]["ticktext"] == ["1", "5", "50"]


def test_wrong_sign_prints_each_share_and_the_five_percent_line(redrawn, check):
    document, _ = check(wrong_sign(redrawn))
    (trace,) = document["data"]
    assert trace["y"] == [r.p_wrong_sign for r in sorted(redrawn.rows, key=lambda r: r.n)]
    assert trace["customdata"][-1].startswith("&lt; ")
    assert trace["text"][-1] == ""
    assert 0.05 in [s["y0"] for s in document["layout"]["shapes"]]


def test_a_single_n_is_drawn(check):
    check(wrong_sign(by_n_of([1.0, 2.0], [3.0, 5.0], ns=(3,), draws=50)))
    check(difference_frequencies(by_n_of([1.0, 2.0], [3.0, 5.0], ns=(3,), draws=50)))


def test_sequential_colours_are_distinct_and_ordered():
    assert len(set(sequential_colours(7))) == 7
    assert sequential_colours(3)[0] == sequential_colours(7)[0]
    assert sequential_colours(1) == [sequential_colours(7)[-1]]
