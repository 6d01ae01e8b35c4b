"""BLEU of many outputs at once, one reference, words as they stand: what the tuner climbs on."""

from __future__ import annotations

from collections import Counter

import numpy as np

N_STATISTICS = 10  # matches and totals of 1- to 4-grams, hypothesis length, reference length


def statistics(hypothesis: str, reference: str) -> list[int]:
    """Return the sufficient statistics of a segment: four matches, four totals, two lengths."""
    hyp, ref = hypothesis.split(), reference.split()
    matches, totals = [], []
    for order in range(1, 5):
        ours, theirs = _ngrams(hyp, order), _ngrams(ref, order)
        matches.append(sum((ours & theirs).values()))
        totals.append(max(0, len(hyp) - order + 1))
    return [*matches, *totals, len(hyp), len(ref)]


def _ngrams(tokens: list[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def score(sums: np.ndarray) -> np.ndarray:
    """Return corpus BLEU x 100, shape (...), of summed statistics, shape (..., 10); 0 where an order has no match.

    Rounded to 1e-9, so that the tuner's comparisons do not hang on the last bit of a logarithm.
    """
    matches, totals = sums[..., :4], sums[..., 4:8]
    defined = (matches > 0).all(axis=-1)
    logs = np.log(np.maximum(matches, 1) / np.maximum(totals, 1)).mean(axis=-1)
    brevity = np.minimum(0.0, 1.0 - sums[..., 9] / np.maximum(sums[..., 8], 1))
    return np.where(defined, np.round(100 * np.exp(logs + brevity), 9), 0.0)
