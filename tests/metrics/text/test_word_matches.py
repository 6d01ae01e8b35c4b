"""Matches of n-grams, against plain counting in Python."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_core.experiment import Experiment, Replica, System
from mtsig_core.experiment import TestSet as Texts
from mtsig_core.metrics.text import word_matches as module
from mtsig_core.metrics.text.word_matches import word_matches

LINES = st.lists(st.sampled_from(["a", "b", "c", "x", "."]), max_size=7).map(" ".join)


def grams(line, order=4):
    words = line.split()
    return Counter(" ".join(words[i : i + n]) for n in range(1, order + 1) for i in range(len(words) - n + 1))


def union(references):
    most = Counter()
    for line in references:
        most |= grams(line)
    return most


def experiment_of(references, outputs):
    systems = tuple(
        System(name, tuple(Replica(f"r{i}", {"t": tuple(lines)}) for i, lines in enumerate(replicas)))
        for name, replicas in outputs.items()
    )
    return Experiment("e", (Texts("t", "test", tuple(map(tuple, references))),), systems)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(LINES, LINES, LINES, LINES, LINES), min_size=1, max_size=4), st.booleans())
def test_every_count(rows, few_at_once):
    ref1, ref2, a1, a2, b1 = map(list, zip(*rows, strict=True))
    ref2[0] = None
    experiment = experiment_of([ref1, ref2], {"A": [a1, a2], "B": [b1]})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PAIRS_AT_ONCE", 2 if few_at_once else 1000)
        found = word_matches(experiment, "t", ("A", "B"), tokenize="none")
    references = [[x for x in row if x is not None] for row in zip(ref1, ref2, strict=True)]
    for segment, row in enumerate(references):
        here = found.entry_segment == segment
        told = {found.text(g): int(n) for g, n in zip(found.entry_gram[here], found.entry_count[here], strict=True)}
        assert told == dict(union(row))
        least = {found.text(g): int(n) for g, n in zip(found.entry_gram[here], found.entry_least[here], strict=True)}
        assert least == {text: min(grams(x)[text] for x in row) for text in told}
    frequency = sum((union(row) for row in references), Counter())
    assert {found.text(g): n for g, n in enumerate(found.gram_frequency)} == dict(frequency)
    np.testing.assert_allclose(found.reference_words, [np.mean([len(x.split()) for x in row]) for row in references])
    for system, outputs in (("A", [a1, a2]), ("B", [b1])):
        assert found.word_counts(system).tolist() == [[len(x.split()) for x in lines] for lines in outputs]
        by_gram = found.chosen(system) @ found.matched_grams
        for i, lines in enumerate(outputs):
            wanted = sum((union(row) & grams(x) for row, x in zip(references, lines, strict=True)), Counter())
            told = by_gram[[i]].tocoo()
            assert {found.text(g): int(n) for g, n in zip(told.coords[1], told.data, strict=True)} == dict(wanted)
            known = np.asarray((found.chosen(system) @ found.unclipped)[[i]].todense())[0]
            plain = sum((grams(x, 1) for x in lines), Counter())
            assert known.tolist() == [plain[w] for w in found.words]


def test_what_is_missing_is_told():
    scores = Replica("r", scores={"t": {"m": (1.0,)}})
    sets = (Texts("t", "test", (("a",),)), Texts("u", "test", (), size=1))
    text = Replica("r", {"t": ("a",), "u": ("a",)})
    experiment = Experiment("e", sets, (System("A", (scores,)), System("B", (text,))))
    with pytest.raises(ValueError, match="A has no text on 't'"):
        word_matches(experiment, "t", ("B", "A"), tokenize="none")
    with pytest.raises(ValueError, match="'u' has no references"):
        word_matches(experiment, "u", ("B",), tokenize="none")


def test_typical_frequency_is_a_geometric_mean():
    found = word_matches(experiment_of([["a a b", ""]], {"A": [["a", ""]]}), "t", ("A",), tokenize="none")
    np.testing.assert_allclose(found.typical_frequency(), [(2 * 2 * 1) ** (1 / 3), 1.0])
