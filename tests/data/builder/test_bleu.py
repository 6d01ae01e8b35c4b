import numpy as np
import pytest
from sacrebleu.metrics import BLEU

from data.builder import bleu

HYPOTHESES = ["where is the old station ?", "the the the the", "I would like two tickets , please .", "a b"]
REFERENCES = ["where is the station ?", "the cat is on the mat", "I would like to buy two tickets , please .", "c d e"]


def test_corpus_score_is_sacrebleu_s() -> None:
    sums = np.sum([bleu.statistics(h, r) for h, r in zip(HYPOTHESES, REFERENCES, strict=True)], axis=0)
    expected = BLEU(tokenize="none", smooth_method="none").corpus_score(HYPOTHESES, [REFERENCES]).score
    assert bleu.score(sums) == pytest.approx(expected, abs=1e-8)


def test_no_match_of_an_order_scores_zero() -> None:
    assert bleu.score(np.array(bleu.statistics("a b", "a c"), dtype=float)) == 0


def test_scores_many_at_once() -> None:
    one = np.array(bleu.statistics(HYPOTHESES[0], REFERENCES[0]), dtype=float)
    np.testing.assert_array_equal(bleu.score(np.stack([one, 2 * one])), [bleu.score(one)] * 2)
