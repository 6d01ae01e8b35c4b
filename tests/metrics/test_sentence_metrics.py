"""BLEU+1, ROUGE-L, RIBES, exact match and length: other programs, plain definitions, and cases by hand."""

from __future__ import annotations

from itertools import combinations
from math import exp

import numpy as np
import pytest
import sacrebleu
from nltk.translate.ribes_score import corpus_ribes
from rouge_score import rouge_scorer

from mtsig_core.metrics import compute_statistics, get_metric


def values(name, hypotheses, references, **options):
    metric = get_metric(name, **options)
    return metric.segment_score(metric.statistics(hypotheses, references))


@pytest.mark.parametrize(("streams", "gaps"), [(1, False), (3, True)])
def test_bleu_plus_one_is_sacrebleus_add_k_of_each_sentence(made_text, streams, gaps):
    hypotheses, references = made_text(1, streams=streams, gaps=gaps)
    theirs = sacrebleu.BLEU(smooth_method="add-k", smooth_value=1, max_ngram_order=4, effective_order=False)
    pairs = zip(hypotheses, references, strict=True)
    expected = [theirs.sentence_score(h, [r for r in row if r is not None]).score for h, row in pairs]
    np.testing.assert_allclose(values("bleu+1", hypotheses, references), expected, atol=1e-9)


def test_bleu_plus_one_by_hand():
    # words 3/4; pairs (1+1)/(3+1), triples (0+1)/(2+1), quadruples (0+1)/(1+1); length 4 against 5
    expected = 100 * exp(1 - 5 / 4) * (3 / 4 * 2 / 4 * 1 / 3 * 1 / 2) ** 0.25
    assert values("bleu+1", ["a b x d"], [("a b c d e",)], tokenize="none") == pytest.approx([expected])
    assert values("bleu+1", ["", "x"], [("a",), ("a",)]).tolist() == [0, 0]


def test_the_score_of_an_output_is_the_mean_of_its_sentences(make_experiment):
    experiment = make_experiment(2)
    statistics = compute_statistics(experiment, "t", get_metric("bleu+1"))
    output = experiment.system("s0").replicas[0].outputs["t"]
    rows = list(zip(*experiment.test_set("t").references, strict=True))
    assert statistics.scores[0] == pytest.approx(values("bleu+1", output, rows).mean())


@pytest.mark.parametrize("streams", [1, 3])
def test_rouge_l_is_that_of_googles_program(made_text, streams):
    class Words:
        def tokenize(self, text):
            return text.split()

    hypotheses, references = made_text(2, streams=streams)
    theirs = rouge_scorer.RougeScorer(["rougeL"], tokenizer=Words())
    pairs = zip(hypotheses, references, strict=True)
    expected = [100 * theirs.score_multi(row, h)["rougeL"].fmeasure for h, row in pairs]
    np.testing.assert_allclose(values("rouge-l", hypotheses, references, tokenize="none"), expected, atol=1e-9)


def test_rouge_l_by_hand():
    # a b d of a b c d (4 words) and x a b d (4 words): 2 * 3 / 8
    assert values("rouge-l", ["x a b d", ""], [("a b c d", None), ("", "")]).tolist() == [75, 0]


def test_ribes_is_nltks(made_text):
    hypotheses, references = made_text(3, streams=2)
    rows = [[text.split() for text in row] for row in references]
    ours = values("ribes", hypotheses, references, tokenize="none")
    expected = [100 * corpus_ribes([row], [h.split()]) for h, row in zip(hypotheses, rows, strict=True)]
    np.testing.assert_allclose(ours, expected, atol=1e-9)
    assert ours.mean() == pytest.approx(100 * corpus_ribes(rows, [h.split() for h in hypotheses]))


def test_ribes_is_the_papers_with_unique_words():
    """Kendall's tau of the ranks, by pairs, as Isozaki et al. define it where every word occurs once."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        reference = rng.permutation(list("abcdefghijkl"))[: rng.integers(4, 12)].tolist()
        output = rng.permutation(list("abcdefghijkl"))[: rng.integers(4, 12)].tolist()
        ranks = [reference.index(word) for word in output if word in reference]
        if len(ranks) < 2:
            continue
        in_order = np.mean([a < b for a, b in combinations(ranks, 2)])
        brevity = min(1, exp(1 - len(reference) / len(output)))
        expected = 100 * in_order * (len(ranks) / len(output)) ** 0.25 * brevity**0.1
        assert values("ribes", [" ".join(output)], [(" ".join(reference),)]) == pytest.approx([expected])


def test_ribes_takes_the_best_reference_and_gives_one_word_nothing():
    best = values("ribes", ["b a", "a"], [("a b", "b a"), ("a", None)], tokenize="none")
    assert best.tolist() == [100, 0]


def test_ribes_tells_of_texts_too_long_for_nltk():
    with pytest.raises(ValueError, match=r"2,001 words and nltk aligns at most 2,000.* begins 'w w w w w w w w'"):
        values("ribes", ["w " * 2001], [("w",)])


def test_exact_match():
    hypotheses, references = ["a  b ", "A b", "x", ""], [("a b", None), ("a b", "c"), ("y", "x"), ("", "z")]
    assert values("exact-match", hypotheses, references).tolist() == [100, 0, 100, 100]
    assert values("exact-match", hypotheses, references, lowercase=True).tolist() == [100] * 4


@pytest.mark.parametrize("streams", [1, 3])
def test_the_length_ratio_is_the_one_sacrebleu_prints(made_text, streams):
    hypotheses, references = made_text(6, streams=streams)
    metric = get_metric("length")
    ours = metric.score(metric.statistics(hypotheses, references).sum(axis=0))
    theirs = sacrebleu.BLEU().corpus_score(hypotheses, list(zip(*references, strict=True)))
    assert ours == pytest.approx(100 * theirs.ratio)


def test_gradients_are_the_slopes():
    rng = np.random.default_rng(0)
    for name in ("length", "bleu+1", "exact-match"):
        metric = get_metric(name)
        sums = rng.uniform(50, 100, (5, 2))
        step = 1e-4
        for s in range(2):
            up, down = sums.copy(), sums.copy()
            up[:, s] += step
            down[:, s] -= step
            slopes = (metric.score(up) - metric.score(down)) / (2 * step)
            np.testing.assert_allclose(metric.gradient(sums)[:, s], slopes, rtol=1e-6)
