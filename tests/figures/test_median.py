import numpy as np
import pytest

from mtsig_core.analysis.reading.median import median_system
from mtsig_core.analysis.reading.segments import SegmentTable, Spread
from mtsig_core.figures.median import replica_order, segment_spread
from mtsig_core.figures.theme import literal
from mtsig_core.significance import Scope


def _order(scores, **options):
    return replica_order(median_system(scores, options.get("higher_is_better", True)), scores, **options)


def _points(document):
    return {t["name"]: dict(zip(t["customdata"], t["x"], strict=True)) for t in document["data"]}


def test_replicas_stand_in_order_of_quality_with_the_median_marked(check):
    document, texts = check(_order({"s1": 3.0, "s2": 1.0, "s3": 2.0}, label="BLEU"))
    points = _points(document)
    assert points["other replicas"] == {"s2": 0, "s1": 2}
    assert points["median: read this one"] == {"s3": 1}
    assert document["layout"]["xaxis"]["ticktext"] == ["s2", "s3", "s1"]
    assert "s3: 2.00" in texts


def test_for_an_error_rate_the_highest_is_the_worst(check):
    document, _ = check(_order({"s1": 3.0, "s2": 1.0, "s3": 2.0}, label="TER", higher_is_better=False))
    assert _points(document)["other replicas"] == {"s1": 0, "s2": 2}


def test_an_even_number_shows_both_middle_ones(check):
    document, _ = check(_order({"s1": 1.0, "s2": 2.0, "s3": 3.0, "s4": 4.0}))
    assert _points(document)["median: read this one"] == {"s2": 1}
    assert _points(document)["the other middle one"] == {"s3": 2}


@pytest.mark.parametrize(
    ("scores", "name"), [({"s1": 1.0}, "the only replica"), ({"s1": 1.0, "s2": 2.0}, "the worse of two")]
)
def test_one_or_two_replicas_are_not_called_a_median(check, scores, name):
    document, _ = check(_order(scores))
    assert name in _points(document)
    assert not any("median" in t for t in _points(document))


def test_equal_scores_and_many_replicas(check):
    document, _ = check(_order({f"s{i}": 5.0 for i in range(40)}))
    assert document["layout"]["xaxis"]["ticktext"] == []
    assert sum(len(t["x"]) for t in document["data"]) == 40
    assert document["layout"]["xaxis"]["range"] == pytest.approx([-1.2, 40.2])  # no mark is cut at the edge


def test_names_that_look_like_numbers_or_dates_stay_names(check):
    document, _ = check(_order({"1": 1.0, "2020-01-01": 2.0, "3": 3.0}))
    assert document["layout"]["xaxis"]["ticktext"] == ["1", "2020-01-01", "3"]
    assert document["layout"]["xaxis"]["tickvals"] == [0, 1, 2]


def test_names_are_literal(check, nasty_name):
    _, texts = check(_order({nasty_name: 1.0, "b": 2.0, "c": 0.0}))
    assert literal(nasty_name) in texts


@pytest.fixture
def table(nasty_name):
    def spread(low, mean, high):
        return Spread(np.array([low, 0.0]), np.array([mean, 0.0]), np.array([high, 0.0]))

    return SegmentTable(
        scope=Scope("mt06", "ter", "TER", False, systems=("base", nasty_name)), a=("base", "seed3"),
        b=(nasty_name, "seed2"),
        index=np.array([1, 2]), document=None, source=None, references=(("r",), ("r",)), output_a=("x", "y"),
        output_b=("x", "z"), score_a=np.array([10.0, 0.0]), score_b=np.array([30.0, 0.0]), gain=np.array([-20.0, 0.0]),
        spread_a=spread(5.0, 12.0, 20.0), spread_b=spread(15.0, 22.0, 44.0), agree=("", ""),
    )


def test_spread_of_a_segment_and_the_two_outputs_shown(table, check):
    document, _ = check(segment_spread(table, 1))
    by_name = {}
    for trace in document["data"]:
        by_name.setdefault(trace["name"], []).append(trace["x"])
    assert by_name["all replicas, lowest to highest"] == [[5.0, 20.0], [15.0, 44.0]]
    assert by_name["mean of all replicas"] == [[12.0], [22.0]]
    assert by_name["replica shown"] == [[10.0], [30.0]]
    assert "(lower is better)" in document["layout"]["xaxis"]["title"]["text"]


def test_a_segment_without_spread_is_drawn(table, check):
    document, _ = check(segment_spread(table, 2))
    low, high = document["layout"]["xaxis"]["range"]
    assert low < 0 < high


def test_an_unknown_segment_is_an_error_that_names_those_there_are(table):
    with pytest.raises(IndexError, match="No segment 3; this table has segments 1 to 2"):
        segment_spread(table, 3)
