"""Scores by bucket of segments, against sacrebleu on the segments of a bucket alone."""

from __future__ import annotations

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from mtsig_core.analysis.differences.buckets import (
    Grouping,
    buckets,
    by_difficulty,
    by_document,
    by_frequency,
    by_length,
    quantile_groups,
)
from mtsig_core.experiment import Experiment, Replica, System
from mtsig_core.experiment import TestSet as Texts
from mtsig_core.metrics import compute_statistics, get_metric
from mtsig_core.resampling import Settings

RNG = np.random.default_rng(5)
WORDS = np.array(["the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "log", "quickly", "."])
REFERENCES = tuple(" ".join(RNG.choice(WORDS, RNG.integers(3, 12))) for _ in range(30))


def noisy(share):
    return tuple(
        " ".join(w if RNG.random() > share else str(RNG.choice(WORDS)) for w in line.split()) for line in REFERENCES
    )


SYSTEMS = {"A": [noisy(0.4) for _ in range(3)], "B": [noisy(0.3) for _ in range(4)]}
EXPERIMENT = Experiment(
    "e", (Texts("t", "test", (REFERENCES,)),),
    tuple(System(n, tuple(Replica(f"r{i}", {"t": x}) for i, x in enumerate(xs))) for n, xs in SYSTEMS.items()),
)  # fmt: skip
LENGTHS = np.array([len(line.split()) for line in REFERENCES], float)


@pytest.mark.parametrize(("name", "corpus"), [
    ("bleu", sacrebleu.corpus_bleu), ("chrf", sacrebleu.corpus_chrf), ("ter", sacrebleu.corpus_ter),
])  # fmt: skip
def test_a_bucket_scores_as_a_test_set_of_its_own(name, corpus):
    metric = get_metric(name, tokenize="none")
    found = buckets(compute_statistics(EXPERIMENT, "t", metric), "A", "B", by_length(LENGTHS), Settings())
    options = {"tokenize": "none", "force": True} if name == "bleu" else {}
    for k, row in enumerate(found.rows):
        chosen = np.flatnonzero(found.grouping.bucket_of == k)
        scores = {
            system: [
                corpus([x[i] for i in chosen], [[REFERENCES[i] for i in chosen]], **options).score for x in outputs
            ]
            for system, outputs in SYSTEMS.items()
        }
        assert row.segments == len(chosen)
        assert (row.score.a, row.score.b) == pytest.approx((np.mean(scores["A"]), np.mean(scores["B"])))
        wanted = stats.ttest_ind(scores["B"], scores["A"], equal_var=False).confidence_interval(0.95)
        assert row.score.interval == pytest.approx(tuple(wanted))


def test_length_ratios_are_of_sums(statistics_of):
    statistics = statistics_of({"A": [[1, 2, 3], [1, 1, 1]], "B": [[2, 2, 2], [3, 3, 3]]})
    words = np.array([[4, 6, 5], [2, 8, 5]]), np.array([[1, 1, 1], [1, 1, 1]]), np.array([5.0, 5.0, 0.0])
    found = buckets(statistics, "A", "B", by_document(["x", "x", "y"]), Settings(), words=words)
    first, last = (row.length for row in found.rows)
    assert first.a == pytest.approx(100)
    assert first.b == pytest.approx(20)
    assert last.a is None  # no words of reference to be compared with
    assert found.rows[1].score.a == pytest.approx(2)
    frame = found.to_frame()
    assert frame["segments"].tolist() == [2, 1]


def test_one_replica_has_scores_and_no_interval(statistics_of):
    found = buckets(statistics_of({"A": [[1, 2]], "B": [[2, 3], [3, 4]]}), "A", "B", by_document("xy"), Settings())
    assert [row.score.difference for row in found.rows] == [1.5, 1.5]
    assert all(row.score.interval is None and "one replica of system A" in row.score.note for row in found.rows)


@pytest.mark.slow
@given(st.lists(st.integers(0, 30).map(float), min_size=1, max_size=60), st.integers(1, 7))
def test_groups_partition_the_segments_and_keep_equals_together(values, n):
    group_of, ends = quantile_groups(np.array(values), n)
    assert set(group_of.tolist()) == set(range(len(ends)))
    assert len(ends) <= n
    for value, group in zip(values, group_of.tolist(), strict=True):
        assert ends[group][0] <= value <= ends[group][1]
    assert all(before[1] < after[0] for before, after in zip(ends, ends[1:], strict=False))


def test_groups_of_distinct_values_are_of_equal_size():
    group_of, ends = quantile_groups(np.arange(100.0)[::-1])
    assert np.bincount(group_of).tolist() == [20] * 5
    assert ends[0] == (0, 19)


@pytest.mark.parametrize("higher", [True, False])
def test_difficulty_favours_neither_system_nor_the_one_with_more_replicas(statistics_of, higher):
    numbers = {"A": [[9.0, 1.0, 5.0, 5.0, 4.0]], "B": [[1.0, 9.0, 5.0, 6.0, 4.5], [1.0, 9.0, 5.0, 6.0, 4.5]]}
    statistics = statistics_of(numbers, higher=higher)
    found = by_difficulty(statistics, "A", "B")
    assert found.bucket_of.tolist() == by_difficulty(statistics, "B", "A").bucket_of.tolist()
    # means of the systems' means: 5, 5, 5, 5.5, 4.25
    assert found.bucket_of[0] == found.bucket_of[1] == found.bucket_of[2]
    assert (found.bucket_of[4] < found.bucket_of[3]) == higher
    assert found.labels[0] == ("hardest: 4.2" if higher else "hardest: 5.5")
    assert "Regression to the mean" in found.note or "regression to the mean" in found.note


def test_a_system_whose_segments_vary_more_is_named(statistics_of):
    rng = np.random.default_rng(1)
    calm, wild = rng.normal(0, 1, (4, 50)), rng.normal(0, 3, (4, 50))
    alike = statistics_of({"A": calm, "B": rng.normal(0, 1, (4, 50))})
    assert by_difficulty(alike, "A", "B").note.endswith("both ends.")
    for systems, name in (({"A": calm, "B": wild}, "B"), ({"A": wild, "B": calm}, "A")):
        note = by_difficulty(statistics_of(systems), "A", "B").note
        assert f"segment scores of {name} vary" in note
        assert "times as much" in note
    assert "unlike those of A" in by_difficulty(statistics_of({"A": calm[:1].repeat(2, 0), "B": wild}), "A", "B").note
    assert "from one replica (A)" in by_difficulty(statistics_of({"A": calm[:1], "B": wild}), "A", "B").note


@pytest.mark.slow
@pytest.mark.parametrize(("spreads", "low", "high"), [((10, 10), 0.0, 0.09), ((15, 5), 0.15, 0.6)])
def test_regression_to_the_mean_is_as_large_as_documented(statistics_of, spreads, low, high):
    """Equal setups: intervals of the hardest and easiest fifth miss 0 far too often only where spreads differ."""
    rng, misses = np.random.default_rng(2), []
    for _ in range(80):
        segments = rng.normal(50, 15, 200)
        made = statistics_of({x: segments + rng.normal(0, sd, (5, 200)) for x, sd in zip("AB", spreads, strict=True)})
        rows = buckets(made, "A", "B", by_difficulty(made, "A", "B"), Settings()).rows
        misses += [rows[0].score.side != 0, rows[-1].score.side != 0]
    assert low <= np.mean(misses) <= high


def test_labels_and_errors(statistics_of):
    assert by_length(np.array([3.0, 3.0, 7.0])).labels == ("3 words", "7 words")
    assert by_length(np.array([2.5])).labels == ("2.5 words",)
    assert by_length(np.array([2.5, 4.0]), "characters").labels == ("2.5 characters", "4 characters")
    assert by_frequency(np.array([1.0, 2.04])).labels == ("1.0", "2.0")
    assert by_document(["b", "a", "b"]).labels == ("b", "a")
    with pytest.raises(ValueError, match="of 1 segments; the statistics have 2"):
        buckets(statistics_of({"A": [[1, 2]], "B": [[1, 2]]}), "A", "B", Grouping("length", np.array([0]), ("x",)),
                Settings())
