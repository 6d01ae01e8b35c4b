"""Lengths are those that BLEU counts, without its n-grams."""

import numpy as np
import pytest

from mtsig_core.metrics import get_metric


@pytest.mark.parametrize("tokenize", ["none", "13a", "intl", "zh", "char"])
@pytest.mark.parametrize(("streams", "gaps"), [(1, False), (3, True)])
def test_lengths_are_bleus(tokenize, streams, gaps, made_text):
    hypotheses, references = made_text(11, 60, streams, gaps)
    hypotheses[:4] = ["", "   ", "one", "two  words "]
    bleu, length = (get_metric(name, tokenize=tokenize, lowercase=True) for name in ("bleu", "length"))
    found = length.statistics(hypotheses, references)
    np.testing.assert_array_equal(found, bleu.statistics(hypotheses, references)[:, :2])
    assert length.statistics([], []).shape == (0, 2)


def test_of_two_references_equally_close_the_shorter_counts():
    length = get_metric("length", tokenize="none")
    assert length.statistics(["a b c"], [("a b c d", "a b", None)]).tolist() == [[3, 2]]
