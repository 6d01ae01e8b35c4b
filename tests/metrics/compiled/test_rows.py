"""Kernels and sacrebleu give equal statistics on every row."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mtsig_core.metrics import TOKENIZERS, get_metric
from mtsig_core.metrics.compiled import rows
from mtsig_core.metrics.scoring import sacrebleu_adapter

OPTIONS = [
    *(("bleu", {"tokenize": t, "lowercase": False}) for t in ("none", "13a", "intl", "zh", "char")),
    *(("bleu", {"tokenize": t, "lowercase": True}) for t in ("none", "13a", "zh")),
    *((name, {"lowercase": low}) for name in ("chrf", "chrf++") for low in (False, True)),
    ("ter", {}),
]
IDS = ["-".join(map(str, (name, *options.values()))) for name, options in OPTIONS]


def both(metric, hypotheses, references):
    """Return the statistics of kernels and of sacrebleu."""
    kind, options = metric.sacrebleu_class, metric.sacrebleu_options
    theirs = sacrebleu_adapter._shared(kind, tuple(sorted(options.items())))
    ours = rows.compiled_statistics(kind, options, theirs, hypotheses, references)
    return ours, sacrebleu_adapter.sacrebleus_statistics(theirs, hypotheses, references)


def assert_equal(metric, hypotheses, references):
    ours, theirs = both(metric, hypotheses, references)
    assert ours is not None
    assert ours.dtype == np.float64
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), OPTIONS, ids=IDS)
def test_odd_text(name, options, kernels, lines):
    metric = get_metric(name, **options)

    @settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.tuples(lines, lines, st.none() | lines, st.none() | lines), min_size=1, max_size=4))
    def check(given_rows):
        hypotheses = [hypothesis for hypothesis, *_ in given_rows]
        references = [(b, a, c) for _, a, b, c in given_rows]
        assert_equal(metric, hypotheses, references)
        assert_equal(metric, [a for _, a, *_ in given_rows], [(row[0],) for row in given_rows])

    check()


def test_line_ends_within_a_text_may_join_tokens(kernels):
    hypotheses = ["re-\nset it", "a\nb.", "-\n", "x <skipped>-\n y", "5-\n6"]
    references = [("reset it",), ("a b .",), ("",), ("x y",), ("56 5-\n6",)]
    for tokenize in TOKENIZERS:
        assert_equal(get_metric("bleu", tokenize=tokenize), hypotheses, references)


@pytest.mark.parametrize("name", ["bleu", "chrf", "chrf++", "ter"])
def test_equal_rows_share_references_and_keep_their_places(name, kernels, made_text):
    hypotheses, references = made_text(4, 30, 2, True)
    order = random.Random(0).choices(range(30), k=60)
    shuffled = [hypotheses[i] for i in reversed(order)], [references[i] for i in order]
    assert_equal(get_metric(name), *shuffled)


@pytest.mark.parametrize("name", ["bleu", "chrf", "chrf++"])
def test_ties_and_many_references(name, kernels):
    references = [("a b", "b a", "a", "a b c d", "b c"), ("a a a", "a b a", "", "b", None), ("", "", "", "", "")]
    for hypothesis in ("a b c", "", "a a", "c", "b a b a b", "ab"):
        assert_equal(get_metric(name), [hypothesis] * 3, references)


def moved(rng, words):
    """Move some phrases, exchange some words."""
    words = list(words)
    for _ in range(rng.randint(1, 5)):
        start, size = rng.randint(0, len(words)), rng.randint(1, 13)
        phrase, words = words[start : start + size], words[:start] + words[start + size :]
        target = rng.randint(0, len(words))
        words[target:target] = phrase
    return [w if rng.random() < 0.85 else str(rng.randrange(9)) for w in words]


@pytest.mark.parametrize(("longest", "n"), [(12, 100), (25, 15), pytest.param(75, 5, marks=pytest.mark.slow)])
def test_moved_phrases(longest, n, kernels):
    rng = random.Random(longest)
    pairs = []
    for _ in range(n):
        words = [str(rng.randrange(rng.choice([3, 8, 40]))) for _ in range(rng.randint(0, longest))]
        pairs.append((" ".join(moved(rng, words)), (" ".join(words), " ".join(words[1::2]))))
    assert_equal(get_metric("ter"), *map(list, zip(*pairs, strict=True)))


def rotated(n, by):
    return " ".join(str((i + by) % n) for i in range(n))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        ("a", "b " * 130 + "a"),  # a band wider than usual
        ("a b c " * 45, "x a"),
        ("b " * 3 + "c a", "a " * 70 + "c " * 60),
        ("x " + "a b " * 35, "b a " * 35 + "y"),  # so many shifts that the search is given up
        (rotated(36, 0), rotated(36, 19)),
        (rotated(70, 0), rotated(70, 52)),  # shifts may be too far
    ],
)
def test_limits_of_the_search_for_shifts(hypothesis, reference, kernels):
    assert_equal(get_metric("ter"), [hypothesis, reference], [(reference,), (hypothesis,)])


@pytest.mark.slow
def test_distances_at_which_the_band_counts(kernels):
    rng, pairs = random.Random(6), []
    for k in range(12):
        hypothesis, reference = ([f"{side}{i}" for i in range(rng.randint(52, 75))] for side in "hr")
        for words in (hypothesis, reference):
            for common in "abcdef" * (1 + k % 2):
                words[rng.randrange(len(words))] = common
        pairs.append((" ".join(hypothesis), " ".join(reference)))
    ours, theirs = both(get_metric("ter"), [h for h, _ in pairs], [(r,) for _, r in pairs])
    np.testing.assert_array_equal(ours, theirs)
    assert (ours[:, 0] >= 50).mean() > 0.9


def test_what_the_kernels_do_not_cover_is_left_to_sacrebleu(kernels):
    args = [object(), ["a"], [("a",)]]
    assert rows.compiled_statistics("BLEU", {"tokenize": "none", "max_ngram_order": 2}, *args) is None
    assert rows.compiled_statistics("TER", {"normalized": True}, *args) is None
    assert rows.compiled_statistics("TER", {}, object(), ["a", "b"], [("a", None), (None, None)]) is None


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter"])
def test_nothing_depends_on_the_kernels(name, kernels, made_text, monkeypatch):
    metric, text = get_metric(name), made_text(5, 12, 2)
    fast = metric.statistics(*text)
    monkeypatch.setattr(kernels[metric.sacrebleu_class], "_loaded", None)
    np.testing.assert_array_equal(metric.statistics(*text), fast)
