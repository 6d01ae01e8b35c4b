import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_core.analysis.reading.segments import closest_reference, marked_sides, segment_table, word_diff
from mtsig_core.experiment import Experiment, Replica, System
from mtsig_core.experiment import TestSet as Texts
from mtsig_core.metrics import SegmentStatistics

SAME_EXAMPLES = settings(deadline=None, derandomize=True, max_examples=60)

OUTPUTS = {
    "base": {"seed1": ("a", "a b", "a b c"), "seed2": ("a b", "a b", "a b c d")},
    "new": {"seed1": ("a b c", "a", "a b c"), "seed2": ("a b c d", "a b c", "a")},
}


def make_experiment():
    references = ("r", None, "r3"), ("q", "q2", None)
    texts = Texts("news", "test", references, source=("s1", "s2", "s3"), documents=("d", "d", "e"))
    systems = tuple(System(s, tuple(Replica(r, {"news": t}) for r, t in rs.items())) for s, rs in OUTPUTS.items())
    return Experiment("x", (texts,), systems)


def make_statistics(metric):
    """Scores are numbers of words, so every number below can be counted by hand."""
    values = np.stack([metric.statistics(text, ()) for rs in OUTPUTS.values() for text in rs.values()])
    names = tuple(tuple(rs) for rs in OUTPUTS.values())
    return SegmentStatistics(metric, "news", "words", tuple(OUTPUTS), names, values)


def table(metric, a=("base", "seed1"), b=("new", "seed1")):
    return segment_table(make_experiment(), "news", make_statistics(metric), a, b)


def test_segments_stand_side_by_side(mean_metric):
    result = table(mean_metric())
    assert result.index.tolist() == [1, 2, 3]
    assert (result.document, result.source) == (("d", "d", "e"), ("s1", "s2", "s3"))
    assert result.references == (("r", "q"), ("q2",), ("r3",))
    assert result.output_b == OUTPUTS["new"]["seed1"]
    assert result.score_a.tolist() == [1, 2, 3]
    assert result.score_b.tolist() == [3, 1, 3]


def test_gain_is_quality_whatever_the_direction(mean_metric):
    assert table(mean_metric(True)).gain.tolist() == [2, -1, 0]
    assert table(mean_metric(False)).gain.tolist() == [-2, 1, 0]


def test_spread_covers_all_replicas(mean_metric):
    result = table(mean_metric())
    assert (result.spread_a.low.tolist(), result.spread_a.high.tolist()) == ([1, 2, 3], [2, 2, 4])
    assert result.spread_b.mean.tolist() == [3.5, 2, 2]


def test_agreement_needs_every_replica(mean_metric):
    assert table(mean_metric(True)).agree == ("b", "", "")
    assert table(mean_metric(False)).agree == ("a", "", "")


def test_swapping_the_sides_mirrors_the_table(mean_metric):
    forth, back = table(mean_metric()), table(mean_metric(), ("new", "seed1"), ("base", "seed1"))
    assert forth.gain.tolist() == (-back.gain).tolist()
    assert [{"a": "b", "b": "a"}.get(x, "") for x in back.agree] == list(forth.agree)


def test_frame_has_a_row_a_segment(mean_metric):
    frame = table(mean_metric()).to_frame()
    assert frame["gain"].tolist() == [2, -1, 0]
    assert frame["all replicas say"].tolist() == ["new", "", ""]
    assert "output of new/seed1" in frame.columns


def test_refuses_unknown_replicas_systems_and_test_sets(mean_metric):
    with pytest.raises(ValueError, match="no replica 'seed9'"):
        table(mean_metric(), b=("new", "seed9"))
    with pytest.raises(ValueError, match="No system 'other'"):
        table(mean_metric(), b=("other", "seed1"))
    statistics = make_statistics(mean_metric())
    other = SegmentStatistics(
        statistics.metric, "other", "", statistics.systems, statistics.replicas, statistics.values
    )
    with pytest.raises(ValueError, match="expected those of 'news'"):
        segment_table(make_experiment(), "news", other, ("base", "seed1"), ("new", "seed1"))


def test_diff_of_words(mean_metric):
    assert word_diff("the old cat sat", "the cat sat down") == (
        ("the ", "same"),
        ("old ", "only a"),
        ("cat sat ", "same"),
        ("down", "only b"),
    )
    assert table(mean_metric()).diff(2) == (("a", "same"), ("b", "only a"))


def test_diff_of_scripts_without_spaces_is_by_character():
    assert word_diff("我爱猫", "我恨猫") == (("我", "same"), ("爱", "only a"), ("恨", "only b"), ("猫", "same"))


def test_punctuation_beside_a_word_is_no_part_of_it():
    assert word_diff("in the area, at 3.5", "in the area at 3.4") == (
        ("in the area ", "same"), (", ", "only a"), ("at ", "same"), ("3.5", "only a"), ("3.4", "only b"),
    )  # fmt: skip
    assert word_diff("it's a cat.", "it's a cat!")[0] == ("it's a cat", "same")
    assert word_diff("我爱猫。", "我爱猫")[-1] == ("。", "only a")


def test_signs_that_stand_on_a_letter_are_never_alone():
    assert word_diff("ที่", "ที") == (("ที่", "only a"), ("ที", "only b"))
    assert word_diff("か\u3099", "か") == (("か\u3099", "only a"), ("か", "only b"))


def test_closest_reference_shares_most_words_in_order():
    assert closest_reference("the cat sat down", ["down sat cat the", "a cat sat", "the dog sat down there"]) == 2
    assert closest_reference("x", ["a", "b"]) == 0
    assert closest_reference("我爱猫", ["我恨狗", "我爱狗"]) == 1
    with pytest.raises(ValueError, match="has none"):
        closest_reference("x", [])


texts = st.text(st.sampled_from("ab.' <\t猫ก"), max_size=12)


@pytest.mark.slow
@SAME_EXAMPLES
@given(texts, texts)
def test_diff_pieces_rebuild_both_texts(a, b):
    pieces = word_diff(a, b)
    assert "".join(text for text, kind in pieces if kind != "only a") == b
    rebuilt = "".join(text for text, kind in pieces if kind != "only b")
    assert "".join(rebuilt.split()) == "".join(a.split())
    assert all(text for text, _ in pieces)
    assert word_diff(a, a) == (((a, "same"),) if a else ())


@SAME_EXAMPLES
@given(texts, texts)
def test_marked_sides_are_both_texts_and_mark_what_the_difference_says(a, b):
    sides = marked_sides(a, b)
    assert ["".join(text for text, _ in side) for side in sides] == [a, b]
    for side, kind in zip(sides, ("only a", "only b"), strict=True):
        assert [text for text, only in side if only] == [text for text, k in word_diff(a, b) if k == kind]


def test_a_side_keeps_its_own_white_space():
    first, _ = marked_sides("in the centre area, a", "in the centre.")
    assert first == (("in the centre ", False), ("area, a", True))
