"""Which segments people get, and what follows from what they said."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.stats import beta

from mtsig_core.analysis.reading.annotation import AnnotationResult, annotation_result, sample_segments, segments_named
from mtsig_core.loading.judgements.frame import JudgementTable, judgement_frame

A, B = ("plain", "seed1"), ("better", "seed2")


def table(rows, directions, notes=()) -> JudgementTable:
    """Make judgements of (annotator, output, segment, dimension, score)."""
    who, outputs, segments, dimensions, scores = zip(*rows, strict=True)
    columns = {"annotator": who, "system": [o[0] for o in outputs], "replica": [o[1] for o in outputs],
               "segment": list(map(str, segments)), "dimension": dimensions, "score": scores}  # fmt: skip
    return JudgementTable("s.csv", "sheet", judgement_frame(columns, len(rows)), directions, notes=notes)


def judged(values, *, dimension: str = "adequacy", higher: bool = True, extra=()) -> JudgementTable:
    """Make judgements of (annotator, segment, value of a, value of b)."""
    found = [
        (who, output, segment, dimension, value)
        for who, segment, *both in values
        for output, value in zip((A, B), both, strict=True)
    ]
    return table([*found, *extra], {dimension: higher} | {row[3]: False for row in extra}, ("a note",))


def result(values, **options) -> AnnotationResult:
    return annotation_result(judged(values, **options), A, B)


# Choosing segments


@pytest.mark.parametrize("how", ["random", "stratified"])
def test_a_choice_is_without_repeats_in_order_and_the_same_for_the_same_seed(how):
    gain = np.random.default_rng(1).normal(size=103)
    one = sample_segments(gain, 23, how=how, seed=5)
    assert len(set(one.tolist())) == 23
    assert (np.diff(one) > 0).all()
    assert one.tolist() == sample_segments(gain, 23, how=how, seed=5).tolist()
    assert one.tolist() != sample_segments(gain, 23, how=how, seed=6).tolist()


@pytest.mark.parametrize(("n_segments", "n"), [(100, 20), (103, 23), (7, 6), (12, 12), (3, 50), (11, 10), (9, 3)])
def test_a_stratified_choice_takes_nearly_as_many_from_each_fifth(n_segments, n):
    gain = np.random.default_rng(2).permutation(n_segments).astype(float)
    for seed in range(20):
        chosen = gain[sample_segments(gain, n, how="stratified", seed=seed)]
        assert len(chosen) == min(n, n_segments)
        parts = np.array_split(np.arange(n_segments), min(5, n, n_segments))
        counts = [int(np.isin(chosen, part).sum()) for part in parts]
        assert max(counts) - min(counts) <= 1


def test_every_segment_is_drawn_equally_often():
    gain = np.arange(10.0)
    for how in ("random", "stratified"):
        drawn = np.concatenate([sample_segments(gain, 5, how=how, seed=s) for s in range(400)])
        counts = np.bincount(drawn, minlength=10)
        # 400 draws with probability 1/2 each: sd 10
        assert abs(counts - 200).max() < 45


@pytest.mark.parametrize(("gain", "n"), [(np.array([]), 3), (np.ones(3), 0)])
def test_nothing_to_draw_is_refused(gain, n):
    with pytest.raises(ValueError, match="Cannot draw"):
        sample_segments(gain, n, seed=1)


def test_segments_are_named_by_numbers_and_ranges():
    assert segments_named(" 10 - 12, 3;7 3 ") == (3, 7, 10, 11, 12)
    assert segments_named("") == ()
    for wrong in ("3-", "a", "5-3", "1.5", "1-999999999"):
        with pytest.raises(ValueError, match="numbers and ranges"):
            segments_named(wrong)


# The result


def exact_signed_rank(differences) -> float:
    """Two-sided p of Wilcoxon's signed-rank test by going through all signs; ranks shared by equal sizes."""
    sizes = np.abs(differences)
    ranks = np.array([(np.sum(sizes < x) + np.sum(sizes <= x) + 1) / 2 for x in sizes])
    centre = ranks.sum() / 2
    seen = abs(ranks[np.array(differences) > 0].sum() - centre)
    deals = [abs(ranks[list(signs)].sum() - centre) for signs in
             ([i for i, s in enumerate(bits) if s] for bits in itertools.product((0, 1), repeat=len(ranks)))]
    return float(np.mean(np.array(deals) >= seen - 1e-9))


def test_means_wins_interval_and_p_of_one_annotator():
    a, b = [3, 2, 4, 3, 1, 5, 2, 3], [4, 4, 4, 5, 2, 4, 4.5, 3]
    (row,) = result([("ann", i, x, y) for i, (x, y) in enumerate(zip(a, b, strict=True))]).columns
    assert (row.n, row.wins_a, row.ties, row.wins_b) == (8, 1, 2, 5)
    assert (row.mean_a, row.mean_b) == (np.mean(a), np.mean(b))
    assert row.win_rate == pytest.approx(5 / 6)
    # Clopper and Pearson's limits are quantiles of beta distributions
    assert row.low == pytest.approx(beta.ppf(0.025, 5, 2))
    assert row.high == pytest.approx(beta.ppf(0.975, 6, 1))
    assert row.p == pytest.approx(exact_signed_rank([y - x for x, y in zip(a, b, strict=True) if x != y]))


def test_p_is_exact_without_ties_too_and_never_0():
    (row,) = result([("", i, 0, i) for i in range(1, 11)]).columns
    assert row.p == pytest.approx(2 / 2**10)
    (row,) = result([("", i, 0, 1 + i % 7) for i in range(2000)]).columns
    assert 0 < row.p < 1e-100


def test_fewer_errors_are_better():
    (row,) = result([("ann", i, 3, 1) for i in range(6)], dimension="errors", higher=False).columns
    assert (row.wins_a, row.wins_b, row.win_rate) == (0, 6, 1.0)
    assert (row.mean_a, row.mean_b) == (3, 1)


def test_annotators_are_averaged_by_segment_and_halves_are_left_out():
    values = [("ann", 1, 1, 2), ("bob", 1, 3, 2), ("ann", 2, 1, 4), ("bob", 2, 2, 3), ("ann", 3, None, 5)]
    values += [("bob", 4, 1, 1)]
    found = result(values)
    (row,) = found.columns
    assert (row.n, row.wins_a, row.ties, row.wins_b) == (3, 0, 2, 1)
    assert row.mean_a == pytest.approx(np.mean([2, 1.5, 1]))
    assert (found.annotators, found.n_segments, found.n_repeated) == (("ann", "bob"), 3, 2)
    assert found.notes == ("a note",)


def test_without_a_difference_there_is_no_p_and_the_note_says_why():
    (row,) = result([("ann", i, 2, 2) for i in range(4)]).columns
    assert (row.p, row.win_rate, row.low, row.high, row.ties) == (None, None, None, None, 4)
    assert "no segment on which one is better" in row.note
    assert result([("ann", 1, None, None)]).columns == ()


def test_errors_are_counted_by_type_and_only_where_both_sides_were_judged():
    counts = [(1, A, 2.0), (1, B, 0.0), (2, A, 1.0), (2, B, 1.0), (3, A, 5.0)]
    extra = [("ann", output, s, "error: omission", value) for s, output, value in counts]
    (error,) = result([("ann", 1, 1, 2)], extra=extra).errors
    assert (error.name, error.a, error.b) == ("omission", 3, 1)


def test_two_replicas_of_one_system_are_told_apart():
    other = ("plain", "seed9")
    rows = [("ann", output, i, "ranking", v) for i in range(3) for output, v in ((A, 0.0), (other, 1.0))]
    found = annotation_result(table(rows, {"ranking": True}), A, other)
    assert found.columns[0].wins_b == 3
    assert list(found.to_frame().columns)[2:4] == ["mean of plain/seed1", "mean of plain/seed9"]


def test_the_frame_has_a_row_a_column_and_undefined_numbers_are_nan():
    frame = result([("ann", 1, 2, 2)]).to_frame()
    assert frame["column"].tolist() == ["adequacy"]
    assert math.isnan(frame["Wilcoxon p"][0])
    assert frame["plain better"].tolist() == [0]
    assert result([("ann", 1, None, None)]).to_frame().empty
    assert result([("ann", 1, 2, 2)]).error_frame().columns.tolist() == ["error", "plain", "better"]
