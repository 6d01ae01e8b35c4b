"""NIST: figures of mteval on real files, nltk for one reference, a plain count by dictionaries, and cases by hand."""

from __future__ import annotations

from collections import Counter
from math import exp, log, log2

import numpy as np
import pytest
from nltk.translate.nist_score import corpus_nist

from mtsig_core.metrics import compute_statistics, get_metric
from mtsig_core.resampling import bootstrap_scores


def ngrams(words):
    return Counter(tuple(words[i : i + n]) for n in range(1, 6) for i in range(len(words) - n + 1))


def plain_nist(hypotheses, references, all_references=None):
    """Doddington's definition by dictionaries: rows of references are lists of word lists."""
    counts, n_words = Counter(), 0
    for row in all_references or references:
        for words in row:
            counts.update(ngrams(words))
            n_words += len(words)
    gained, totals, hyp_len, ref_len = [0.0] * 5, [0] * 5, 0, 0.0
    for words, row in zip(hypotheses, references, strict=True):
        most = Counter()
        for ref in row:
            most |= ngrams(ref)
        for ngram, count in ngrams(words).items():
            totals[len(ngram) - 1] += count
            if ngram in most:
                before = counts[ngram[:-1]] if len(ngram) > 1 else n_words
                gained[len(ngram) - 1] += min(count, most[ngram]) * log2(before / counts[ngram])
        hyp_len += len(words)
        ref_len += sum(map(len, row)) / len(row)
    ratio = min(hyp_len / ref_len, 1)
    penalty = exp(log(0.5) / log(1.5) ** 2 * log(ratio) ** 2) if ratio else 0
    return sum(g / max(t, 1) for g, t in zip(gained, totals, strict=True)) * penalty


def split(rows):
    return [[text.split() for text in row if text is not None] for row in rows]


def whole(metric, hypotheses, references):
    return metric.score(metric.prepared(references).statistics(hypotheses, references).sum(axis=0))


def test_two_words_by_hand():
    # references "a b", "a c": a twice, b and c once of 4 words; after a come b and c, once each
    # output "a b": log2(4/2) + log2(4/1) = 3 from 2 words, log2(2/1) = 1 from 1 pair: 3/2 + 1
    references = [("a b",), ("a c",)]
    metric = get_metric("nist", tokenize="none").prepared(references)
    statistics = metric.statistics(["a b", "a"], references)
    assert statistics[0].tolist() == [3, 1, 0, 0, 0, 2, 1, 0, 0, 0, 2]
    assert statistics[1].tolist() == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2]
    assert metric.segment_score(statistics)[0] == pytest.approx(2.5)
    # together 3 of 4 words: log2 sums 4 / 3 words + 1 / 1 pair, penalised for 3/4 of the length
    penalty = exp(log(0.5) / log(1.5) ** 2 * log(0.75) ** 2)
    assert metric.score(statistics.sum(axis=0)) == pytest.approx((4 / 3 + 1) * penalty)


def test_two_thirds_of_the_length_halve_the_score():
    metric = get_metric("nist")
    sums = np.array([[8, 0, 0, 0, 0, 4, 0, 0, 0, 0, 6.0], [8, 0, 0, 0, 0, 4, 0, 0, 0, 0, 4.0]])
    assert metric.score(sums) == pytest.approx([1, 2])


def test_matches_are_cut_at_the_reference_that_has_most():
    references = [("a a b", "a b b b"), ("c", None)]
    metric = get_metric("nist", tokenize="none").prepared(references)
    gained = metric.statistics(["a a a b b b b x", "c"], references)
    # a: 2 of 3 at log2(8/3), b: 3 of 4 at log2(8/4)
    assert gained[0, 0] == pytest.approx(2 * log2(8 / 3) + 3 * log2(8 / 4))
    assert gained[:, -1].tolist() == [3.5, 1]


@pytest.mark.parametrize(("streams", "gaps"), [(1, False), (3, False), (3, True)])
def test_a_plain_count_agrees(made_text, streams, gaps):
    for seed in range(3):
        hypotheses, references = made_text(seed, streams=streams, gaps=gaps)
        expected = plain_nist([h.split() for h in hypotheses], split(references))
        assert whole(get_metric("nist", tokenize="none"), hypotheses, references) == pytest.approx(expected, abs=1e-12)


def test_nltk_agrees_with_one_reference(made_text):
    hypotheses, references = made_text(4)
    kept = [(h, row) for h, row in zip(hypotheses, references, strict=True) if len(h.split()) > 5]
    hypotheses, references = [h for h, _ in kept], [row for _, row in kept]
    expected = corpus_nist(split(references), [h.split() for h in hypotheses])
    assert whole(get_metric("nist", tokenize="none"), hypotheses, references) == pytest.approx(expected, abs=1e-9)


def test_the_weights_are_those_of_the_whole_set_also_in_parts_and_draws(make_experiment):
    experiment = make_experiment(3, segments=30, streams=2)
    target = experiment.test_set("t")
    metric = get_metric("nist", tokenize="none")
    statistics = compute_statistics(experiment, "t", metric)
    rows = split(zip(*target.references, strict=True))
    output = [line.split() for line in experiment.system("s1").replicas[2].outputs["t"]]
    part = metric.score(statistics.of("s1")[2, :10].sum(axis=0))
    assert part == pytest.approx(plain_nist(output[:10], rows[:10], rows))
    draws = bootstrap_scores(statistics, 50, 1)
    assert draws.shape == (50, 5)
    assert np.isfinite(draws).all()


def test_tokenizers_and_case_are_mtevals():
    references = [("It's 3.14, isn't it?",)]
    hypotheses = ["it's 3.14 , isn't it ?"]
    same = whole(get_metric("nist", lowercase=True), hypotheses, references)
    assert same == pytest.approx(whole(get_metric("nist"), [references[0][0]], references))
    assert whole(get_metric("nist"), hypotheses, references) < same
    assert "tok:intl" in get_metric("nist", tokenize="intl").signature(references)


def test_outputs_without_words_are_worth_nothing():
    metric = get_metric("nist")
    assert whole(metric, ["", ""], [("a",), ("b c",)]) == 0
    assert whole(metric, ["x"], [("",)]) == 0


@pytest.mark.slow
def test_figures_that_mteval_printed(real_data, read_lines):
    folder = real_data("multeval-4ref")
    streams = [read_lines(folder / f"ref{k}") for k in range(4)]
    printed = {0: (8.9005, 5.7625), 1: (8.9073, 5.7464), 2: (8.8840, 5.7374), 3: (8.9002, 5.7596)}
    metric = get_metric("nist", tokenize="none")
    for k, (four, one) in printed.items():
        output = read_lines(folder / f"out.{k}")
        assert round(float(whole(metric, output, list(zip(*streams, strict=True)))), 4) == four
        assert round(float(whole(metric, output, [(line,) for line in streams[0]])), 4) == one
