"""Accuracy of words, length of outputs, and stable errors, against counting in plain Python."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from mtsig_core.analysis.differences.lengths import FIRST_OF_BIN, LABELS, length_table
from mtsig_core.analysis.differences.stability import stability_table
from mtsig_core.analysis.differences.words import FIRST_OF_BIN as FREQUENCIES
from mtsig_core.analysis.differences.words import word_table
from mtsig_core.resampling import Settings


@pytest.mark.parametrize("streams", [1, 2])
def test_word_accuracy(matches_of, text, grams, streams):
    references, outputs = text[0][:streams], text[1]
    found = word_table(matches_of(references, outputs), "A", "B", Settings())
    rows = list(zip(*references, strict=True))
    union = [grams(r[0], 1) | grams(r[-1], 1) for r in rows]
    frequency = sum(union, Counter())

    def bin_of(word):
        return int(np.searchsorted(FREQUENCIES, frequency[word], side="right")) - 1

    bins = sorted({bin_of(word) for word in frequency})
    accuracy = {}
    for system, replicas in outputs.items():
        for k, chosen in enumerate([*([b] for b in bins), bins]):
            words = {w for w in frequency if bin_of(w) in chosen}
            of_references = sum(frequency[w] for w in words)
            for lines in replicas:
                own = [grams(line, 1) for line in lines]
                right = sum(min(o[w], u[w]) for o, u in zip(own, union, strict=True) for w in words)
                given = sum(o[w] for o in own for w in words)
                accuracy.setdefault((system, k), []).append(
                    (100 * right / of_references, 100 * right / (given or np.nan),
                     200 * right / (of_references + given))
                )
    assert len(found.rows) == len(bins) + 1
    for k, row in enumerate(found.rows):
        for j, means in enumerate((row.recall, row.precision, row.f1)):
            a, b = ([x[j] for x in accuracy[system, k]] for system in "AB")
            if not np.isfinite([*a, *b]).all():
                assert (means.a, means.interval) == (None, None)
                continue
            assert (means.a, means.b) == pytest.approx((np.mean(a), np.mean(b)))
            if min(np.ptp(a), np.ptp(b)) > 1e-9:
                wanted = stats.ttest_ind(b, a, equal_var=False).confidence_interval(0.95)
                assert means.interval == pytest.approx(tuple(wanted))
    assert found.rows[-1].occurrences == sum(row.occurrences for row in found.rows[:-1]) == sum(frequency.values())
    zebras = [
        100 * sum(w not in frequency for x in lines for w in x.split()) / sum(len(x.split()) for x in lines)
        for lines in outputs["A"]
    ]
    assert found.unknown.a == pytest.approx(np.mean(zebras))
    assert len(found.to_frame()) == len(found.rows)
    assert found.several == (streams == 2)


def test_lengths_partition_the_segments(matches_of, text):
    references, outputs = text[0][:1], text[1]
    found = length_table(matches_of(references, outputs), "A", "B", Settings())
    assert len(found.rows) == len(LABELS) == len(FIRST_OF_BIN) + 1
    assert sum(row.share.a for row in found.rows) == pytest.approx(100)
    assert sum(row.share.b for row in found.rows) == pytest.approx(100)


@pytest.mark.parametrize(("n", "label"), [
    (-12, 0), (-10, 0), (-9, 1), (-5, 1), (-4, 2), (-2, 2), (-1, 3), (0, 4), (1, 5), (2, 6), (4, 6), (5, 7), (9, 7),
    (10, 8),
])  # fmt: skip
def test_every_difference_in_length_has_its_bin(matches_of, n, label):
    made = matches_of([["a " * 15]], {"A": [["a " * (15 + n)]], "B": [["b " * 15]]})
    found = length_table(made, "A", "B", Settings())
    assert [row.share.a for row in found.rows] == [100.0 * (k == label) for k in range(len(LABELS))]
    assert found.rows[label].share.interval is None
    assert "one replica of each system" in found.rows[label].share.note


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("streams", [1, 2])
def test_stable_errors(matches_of, text, grams, streams, order):
    references, outputs = text[0][:streams], text[1]
    found = stability_table(matches_of(references, outputs), "A", "B", order=order)
    rows = list(zip(*references, strict=True))
    sure = [Counter({g: min(grams(x, order)[g] for x in row) for g in grams(row[0], order)}) for row in rows]
    sure = [Counter({g: k for g, k in c.items() if len(g.split()) == order and k > 0}) for c in sure]
    for system, one in (("A", found.errors_a), ("B", found.errors_b)):
        replicas = outputs[system]
        right = {
            (segment, g, k): [grams(lines[segment], order)[g] >= k for lines in replicas]
            for segment, counter in enumerate(sure)
            for g, most in counter.items()
            for k in range(1, most + 1)
        }
        assert one.always == sum(all(x) for x in right.values())
        assert one.never == sum(not any(x) for x in right.values())
        assert one.total == len(right) == sum(sum(c.values()) for c in sure)
        assert one.missed == pytest.approx(np.mean([[not y for y in x] for x in right.values()], axis=1).sum())
        drawn = [
            sum(not any(x[i] for i in chosen) for x in right.values())
            for chosen in combinations(range(len(replicas)), 3)
        ]
        assert one.expected_never == pytest.approx(np.mean(drawn))
        assert one.stable_share == pytest.approx(np.mean(drawn) / one.missed)
        column = f"always wrong, {system}"
        assert found.by_segment[column].sum() == found.listing[column].sum() == one.never
        by_segment = Counter(segment for (segment, *_), x in right.items() if not any(x))
        assert found.by_segment[column].tolist() == [by_segment[k] for k in range(len(rows))]
        by_gram = Counter(g for (_, g, _), x in right.items() if not any(x))
        listed = dict(zip(found.listing["word" if order == 1 else "n-gram"], found.listing[column], strict=True))
        assert {g: n for g, n in listed.items() if n} == dict(by_gram)
    assert "drawn from each system" in found.note
    assert ("all references" in found.note) == (streams == 2)


def test_what_cannot_be_told_of_stability(matches_of):
    made = matches_of([["a b"]], {"A": [["a"]], "B": [["b"], ["a b"]]})
    found = stability_table(made, "A", "B")
    assert found.errors_a.stable_share is None
    assert "is unknown with one replica (A)" in found.note
    assert found.to_frame()["right in some"].tolist() == [0, 1]
    with pytest.raises(ValueError, match="1 to 4 words; not 5"):
        stability_table(made, "A", "B", order=5)
    right = stability_table(matches_of([["a"]], {"A": [["a"], ["a"]], "B": [["a"], ["a"]]}), "A", "B")
    assert right.errors_a.stable_share is None
    assert right.listing.empty
