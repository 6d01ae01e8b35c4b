from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from mtsig_core.analysis.comparison import Intervals
from mtsig_core.figures.comparison import difference_intervals, null_bins, null_distribution
from mtsig_core.figures.theme import literal
from mtsig_core.reports.tables import p_value_table
from mtsig_core.significance import PRESETS, TestResult
from mtsig_core.significance.closed_form.equivalence import MarginTest


def _comparison(**values):
    default = {"a": "base", "b": "new", "label": "BLEU", "higher_is_better": True, "is_quality": True,
               "difference": 0.29, "alpha": 0.05, "margin": None,
               "intervals": Intervals((0.02, 0.55), (-0.3, 0.8), (-0.45, 1.02)), "tests": ()}
    default |= {"scores_a": (30.0, 30.4), "scores_b": (30.5, 30.9)}
    return SimpleNamespace(**(default | values))


def _result(**values):
    preset = {name: values.pop(name) for name in ("label", "warning") if name in values}
    strict = {name: values.pop(name) for name in ("strict",) if name in values}
    test = PRESETS[values.pop("preset", "ar-segment")]
    convention = replace(test.comparison, **strict) if test.comparison else None
    default = {
        "preset": replace(test, comparison=convention, **({"label": "AR by segment"} | preset)),
        "difference": 0.3,
        "p": 0.0312,
        "smallest_p": 1 / 10001,
        "draws": 10000,
    }
    return TestResult(**(default | values))


def _annotations(document):
    return [a["text"] for a in document["layout"].get("annotations", [])]


def test_difference_and_its_three_intervals_are_drawn(check):
    document, _ = check(difference_intervals(_comparison()))
    lines = [t for t in document["data"] if t["name"] == "interval"]
    assert [t["x"] for t in lines] == [[0.02, 0.55], [-0.3, 0.8], [-0.45, 1.02]]
    assert [t["x"] for t in document["data"] if t["name"] == "D"] == [[0.29]] * 3
    assert "no difference" in _annotations(document)
    assert any("[−0.45 to 1.02]" in t for t in _annotations(document))


def test_the_line_of_no_difference_leaves_out_words(check):
    intervals = Intervals((5.0, 6.0), (-0.3, 0.8), None, {"both": "why"})
    document, _ = check(difference_intervals(_comparison(intervals=intervals)))
    pieces = [(round(s["y1"], 2), round(s["y0"], 2)) for s in document["layout"]["shapes"]]
    # not beside the words of the other rows, which are far from it
    assert pieces == [(1.3, -0.52), (-0.82, -2.6)]


def test_the_margin_is_a_band_around_zero(check):
    margin = MarginTest(2.5, 0.05, -1.0, 2.0, 0.01, 0.01, 0.9, 0.9)
    document, _ = check(difference_intervals(_comparison(margin=margin)))
    (band,) = [shape for shape in document["layout"]["shapes"] if shape["type"] == "rect"]
    assert (band["x0"], band["x1"]) == (-2.5, 2.5)
    assert "margin 2.50" in _annotations(document)
    low, high = document["layout"]["xaxis"]["range"]
    assert low < -2.5 < 2.5 < high


def test_an_undefined_interval_keeps_its_row_and_says_why(check):
    intervals = Intervals((0.02, 0.55), None, None, {"optimizer": "one <b>replica</b>"})
    document, texts = check(difference_intervals(_comparison(intervals=intervals)))
    assert len(document["data"]) == 2
    assert "not defined: one &lt;b&gt;replica&lt;/b&gt;" in [text.replace("<br>", " ") for text in texts]
    assert len(document["layout"]["yaxis"]["ticktext"]) == 3


@pytest.mark.parametrize(("higher", "right"), [(True, "new better →"), (False, "base better →")])
def test_the_side_on_which_b_is_better_follows_the_metric(check, higher, right):
    document, _ = check(difference_intervals(_comparison(higher_is_better=higher)))
    assert right in _annotations(document)


def test_zero_and_all_intervals_are_inside_the_axis(check):
    intervals = Intervals((5.0, 6.0), (4.0, 7.0), None)
    document, _ = check(difference_intervals(_comparison(difference=5.5, intervals=intervals)))
    low, high = document["layout"]["xaxis"]["range"]
    assert low < 0 < 7.0 < high


def test_nothing_defined_and_no_difference_still_draws(check):
    document, _ = check(difference_intervals(_comparison(difference=0.0, intervals=Intervals(None, None, None))))
    assert document["data"] == []


def test_names_of_systems_are_literal(check, nasty_name):
    _, texts = check(difference_intervals(_comparison(a=nasty_name, b="<i>b</i>")))
    assert any("&lt;i&gt;b&lt;/i&gt; better" in t for t in texts)


def test_null_splits_exactly_into_tail_and_rest(check):
    null = np.random.default_rng(0).normal(0, 0.13, 10000)
    document, _ = check(null_distribution(_result(null=null, observed=0.3)))
    rest, tail = document["data"]
    share = np.mean(np.abs(null) >= 0.3)
    assert sum(tail["y"]) == pytest.approx(share)
    assert sum(rest["y"]) == pytest.approx(1 - share)
    assert sorted(s["x0"] for s in document["layout"]["shapes"]) == [-0.3, 0.3]
    assert document["layout"]["title"]["text"] == "AR by segment<br>p = 0.031"


def test_observed_value_belongs_to_the_tail(check):
    document, _ = check(null_distribution(_result(null=np.array([-0.3, 0.3, 0.1, -0.1]), exact=True, p=0.5)))
    assert sum(document["data"][1]["y"]) == pytest.approx(0.5)


def test_a_t_statistic_is_called_one(check):
    document, _ = check(null_distribution(_result(null=np.linspace(-3, 3, 50), observed=2.5)))
    assert document["layout"]["xaxis"]["title"]["text"] == "Welch's t by chance"
    assert max(s["x0"] for s in document["layout"]["shapes"]) == 2.5


def test_a_null_without_spread_is_drawn(check):
    document, _ = check(null_distribution(_result(null=np.zeros(10), observed=0.0, difference=0.0, p=1.0)))
    assert sum(document["data"][1]["y"]) == pytest.approx(1)
    assert document["layout"]["title"]["text"].endswith("p = 1")


def test_no_null_gives_the_reason(check):
    document, texts = check(null_distribution(_result(null=None, p=None, note="needs 2 replicas")))
    assert not document["data"]
    assert "needs 2 replicas" in texts


def test_undefined_draws_are_left_out(check):
    document, _ = check(null_distribution(_result(null=np.array([np.nan, 0.1, -0.5]))))
    assert sum(sum(t["y"]) for t in document["data"]) == pytest.approx(1)


def test_bins_of_the_null_are_symmetric_and_hold_the_observed_value():
    edges = null_bins(np.array([-0.1, 0.2]), 0.9)
    assert edges == pytest.approx(-edges[::-1])
    assert edges[-1] > 0.9


def test_p_value_table_has_a_row_a_test_and_a_column_a_metric():
    crossed = _result(preset="crossed", label="crossed", p=0.2, smallest_p=None)
    bleu = _comparison(label="BLEU", tests=(_result(), crossed))
    ter = _comparison(label="TER", tests=(_result(p=0.0001, warning="careful"),))
    frame = p_value_table([bleu, ter])
    assert list(frame.columns) == ["test", "question", "BLEU", "TER", "smallest reachable p", "note"]
    assert frame["BLEU"].tolist() == ["0.031", "0.200"]
    assert frame["TER"].tolist() == ["0.0001", "—"]
    assert frame["smallest reachable p"].tolist() == ["0.0001", "none"]
    assert frame["note"].tolist() == ["careful", ""]


def test_p_value_table_of_nothing_is_empty():
    assert p_value_table([]).empty


def test_label_of_a_test_is_literal(check, nasty_name):
    _, texts = check(null_distribution(_result(label=nasty_name, null=np.array([0.1, -0.5]))))
    assert any(t.startswith(literal(nasty_name)) for t in texts)


@pytest.mark.slow
def test_neither_side_is_better_where_the_metric_is_no_quality(check):
    document, _ = check(difference_intervals(_comparison(is_quality=False, label="Length")))
    assert "new higher →" in _annotations(document)
    assert not any("better" in text for text in _annotations(document))
