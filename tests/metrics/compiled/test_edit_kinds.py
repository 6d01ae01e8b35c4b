"""TER's edits by kind: kernels against sacrebleu's own trace, and both against TER."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mtsig_core.metrics import get_metric
from mtsig_core.metrics.compiled import EDITS, rows
from mtsig_core.metrics.edit_kinds import EditKinds
from mtsig_core.metrics.scoring import sacrebleu_adapter

TER = get_metric("ter")


def assert_equal(hypotheses, references):
    ours = rows.compiled_edit_kinds(hypotheses, references)
    np.testing.assert_array_equal(ours, sacrebleu_adapter.sacrebleus_edit_kinds(hypotheses, references))
    theirs = sacrebleu_adapter.sacrebleus_statistics(sacrebleu_adapter._shared("TER", ()), hypotheses, references)
    np.testing.assert_array_equal(ours[:, :4].sum(axis=1), theirs[:, 0])
    np.testing.assert_array_equal(ours[:, 4], theirs[:, 1])


@pytest.mark.slow
def test_odd_text(kernels, lines):
    @settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.tuples(lines, lines, st.none() | lines), min_size=1, max_size=4))
    def check(given_rows):
        assert_equal([h for h, *_ in given_rows], [(b, a) for _, a, b in given_rows])

    check()


@pytest.mark.slow
@pytest.mark.parametrize(("longest", "n"), [(12, 60), (25, 5)])
def test_moved_phrases(longest, n, kernels):
    rng, pairs = random.Random(longest), []
    for _ in range(n):
        words = [str(rng.randrange(rng.choice([3, 8, 40]))) for _ in range(rng.randint(1, longest))]
        start, size, to = rng.randrange(len(words)), rng.randint(1, 6), rng.randrange(len(words))
        phrase, rest = words[start : start + size], words[:start] + words[start + size :]
        moved = [w if rng.random() < 0.85 else str(rng.randrange(9)) for w in [*rest[:to], *phrase, *rest[to:]]]
        pairs.append((" ".join(moved), (" ".join(words), " ".join(words[1::2]))))
    assert_equal(*map(list, zip(*pairs, strict=True)))


@pytest.mark.slow
def test_a_search_that_is_given_up(kernels):
    texts = ["x " + "a b " * 35, "b a " * 35 + "y"]
    assert_equal(texts, [(text,) for text in reversed(texts)])


@pytest.mark.parametrize(
    ("hypothesis", "reference", "kinds"),
    [
        ("a b c", "a b c", [0, 0, 0, 0]),
        ("a c", "a b c", [1, 0, 0, 0]),  # the output lacks b
        ("a b b c", "a b c", [0, 1, 0, 0]),
        ("a x c", "a b c", [0, 0, 1, 0]),
        ("c d e a b", "a b c d e", [0, 0, 0, 1]),
        ("", "a b", [2, 0, 0, 0]),
        ("a b", "", [0, 2, 0, 0]),
    ],
)
def test_what_each_kind_is(hypothesis, reference, kinds):
    found = EditKinds().statistics([hypothesis], [(reference,)])
    np.testing.assert_array_equal(found, [[*kinds, len(reference.split())]])


@pytest.mark.slow
def test_without_kernels_sacrebleu_answers(kernels, made_text, monkeypatch):
    text = made_text(5, 12, 2)
    fast = EditKinds().statistics(*text)
    monkeypatch.setattr(EDITS, "_loaded", None)
    np.testing.assert_array_equal(EditKinds().statistics(*text), fast)


def test_its_score_and_gradient_are_those_of_ter(made_text):
    metric = EditKinds()
    sums = metric.statistics(*made_text(6, 20, 2)).sum(axis=0)
    as_ter = TER.statistics(*made_text(6, 20, 2)).sum(axis=0)
    assert metric.score(sums) == TER.score(as_ter)
    np.testing.assert_allclose(metric.gradient(sums), TER.gradient(as_ter)[[0, 0, 0, 0, 1]])
    assert metric.key != TER.key
