import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_core.analysis.reading.median import median_system, rank_table, reading_warning

SAME_EXAMPLES = settings(deadline=None, derandomize=True, max_examples=60)


def test_odd_number_has_one_middle_replica():
    result = median_system({"seed1": 3.0, "seed2": 1.0, "seed10": 2.0}, higher_is_better=True)
    assert (result.replica, result.score) == ("seed10", 2.0)
    assert result.middle == (("seed10", 2.0),)
    assert result.order == ("seed2", "seed10", "seed1")
    assert result.note == ""


@pytest.mark.parametrize(("higher", "chosen", "order"), [(True, "b", "abcd"), (False, "c", "dcba")])
def test_even_number_takes_the_worse_of_the_middle_two(higher, chosen, order):
    result = median_system({"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}, higher)
    assert result.replica == chosen
    assert {name for name, _ in result.middle} == {"b", "c"}
    assert result.middle[0][0] == chosen
    assert "".join(result.order) == order


def test_first_of_equal_scores_by_natural_order():
    result = median_system({"seed10": 2.0, "seed2": 2.0, "seed1": 2.0, "seed3": 1.0}, higher_is_better=True)
    assert result.replica == "seed1"


def test_two_replicas_have_no_median_and_one_no_choice():
    two = median_system({"x": 1.0, "y": 2.0}, higher_is_better=False)
    assert two.replica == "y"
    assert "not a median" in two.note
    one = median_system({"x": 1.0}, higher_is_better=True)
    assert (one.replica, one.middle) == ("x", (("x", 1.0),))
    assert "one replica" in one.note


names = st.sampled_from([f"seed{i}" for i in range(12)])


@pytest.mark.slow
@SAME_EXAMPLES
@given(st.dictionaries(names, st.floats(-50, 50), min_size=1), st.booleans())
def test_as_many_are_at_most_as_good_as_the_place_says(scores, higher):
    result = median_system(scores, higher)
    sign = 1 if higher else -1
    worse = sum(sign * s < sign * result.score for s in scores.values())
    not_better = sum(sign * s <= sign * result.score for s in scores.values())
    place = (len(scores) - 1) // 2
    assert worse <= place < not_better
    assert scores[result.replica] == result.score
    # direction is only a sign: an error rate gives what its negative gives as a score
    mirrored = median_system({k: -v for k, v in scores.items()}, not higher)
    assert (mirrored.replica, mirrored.score) == (result.replica, -result.score)


def test_frame_lists_worst_first_and_marks_the_chosen():
    frame = median_system({"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}, True).to_frame()
    assert frame["replica"].tolist() == list("abcd")
    assert frame["median"].tolist() == ["", "chosen", "middle", ""]


def test_reading_the_set_that_chose_is_warned_about():
    assert "news" in reading_warning("news", "news", others=False)
    assert reading_warning("dev", "news", others=True) == ""


def test_another_set_is_advised_only_where_there_is_one():
    advice = "Choose on one set and read on another."
    assert reading_warning("news", "news", others=True).endswith(advice)
    assert advice not in reading_warning("news", "news", others=False)


@pytest.mark.parametrize(("scores", "message"), [({}, "no replica"), ({"x": float("nan")}, "'x' has none")])
def test_refuses_missing_scores(scores, message):
    with pytest.raises(ValueError, match=message):
        median_system(scores, True)


def test_ranks_respect_direction_and_ties():
    bleu = {"s1": 30.0, "s2": 20.0, "s10": 20.0, "s3": 10.0}
    ter = {"s1": 40.0, "s2": 50.0, "s10": 60.0, "s3": 70.0}
    table = rank_table({"BLEU": bleu, "TER": ter}, {"BLEU": True, "TER": False})
    assert table.replicas == ("s1", "s2", "s3", "s10")
    assert table.ranks.tolist() == [[1, 1], [2.5, 2], [4, 4], [2.5, 3]]
    # medians: BLEU 20 (rank 2.5), TER 60 (rank 3)
    assert table.distance.tolist() == [1.75, 0.5, 1.25, 0.0]
    assert table.closest == "s10"
    assert table.to_frame().columns.tolist() == ["replica", "BLEU", "TER", "distance to the medians"]


@pytest.mark.slow
@SAME_EXAMPLES
@given(st.dictionaries(names, st.floats(0, 9), min_size=1), st.booleans())
def test_one_metric_agrees_with_the_median_replica(scores, higher):
    assert rank_table({"m": scores}, {"m": higher}).closest == median_system(scores, higher).replica


def test_best_worst_and_medians_over_some_of_the_metrics():
    bleu = {"s1": 30.0, "s2": 20.0, "s10": 20.0, "s3": 10.0}
    ter = {"s1": 60.0, "s2": 50.0, "s10": 70.0, "s3": 40.0}
    table = rank_table({"BLEU": bleu, "TER": ter}, {"BLEU": True, "TER": False})
    assert table.medians == ("s2", "s1")
    assert not table.agree
    # sums of ranks: s1 1+3, s2 2.5+2, s3 4+1, s10 2.5+4
    assert (table.best, table.worst) == ("s1", "s10")
    alone = table.only({"TER"})
    assert (alone.metrics, alone.closest, alone.best, alone.worst) == (("TER",), "s1", "s3", "s10")
    assert alone.agree
    with pytest.raises(ValueError, match="at least one metric"):
        table.only(())


def test_best_and_worst_among_equals_are_the_first_by_name():
    table = rank_table({"BLEU": {"s10": 1.0, "s9": 1.0, "s2": 2.0, "s1": 2.0}}, {"BLEU": True})
    assert (table.best, table.worst) == ("s1", "s9")


@pytest.mark.slow
@SAME_EXAMPLES
@given(st.dictionaries(names, st.floats(0, 9), min_size=1), st.booleans())
def test_best_and_worst_of_one_metric_have_its_extreme_scores(scores, higher):
    table = rank_table({"m": scores}, {"m": higher})
    ends = sorted(scores.values(), reverse=higher)
    assert (scores[table.best], scores[table.worst]) == (ends[0], ends[-1])


def test_refuses_metrics_of_different_replicas():
    with pytest.raises(ValueError, match="other replicas"):
        rank_table({"BLEU": {"a": 1.0}, "TER": {"b": 1.0}}, {"BLEU": True, "TER": False})
    with pytest.raises(ValueError, match="at least one metric"):
        rank_table({}, {})
