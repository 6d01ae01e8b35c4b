"""A trigram language model of the grammar's correct English."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

_MIX = ((0.6, 3), (0.3, 2), (0.09, 1))  # interpolation weights; the rest goes to unseen words
_FLOOR = 1e-5


@dataclass(frozen=True)
class LanguageModel:
    """Interpolated relative frequencies of 1- to 3-grams."""

    counts: dict[int, Counter[tuple[str, ...]]]
    contexts: dict[int, Counter[tuple[str, ...]]]
    known: dict[tuple[str, ...], float] = field(default_factory=dict, repr=False, compare=False)

    def score(self, text: str) -> float:
        """Return the natural-log probability of a sentence."""
        tokens = _padded(text.split())
        return sum(map(self._log_probability, zip(tokens, tokens[1:], tokens[2:], strict=False)))

    def _log_probability(self, trigram: tuple[str, ...]) -> float:
        """Return it for the last of three words; the same ones come again and again."""
        if trigram not in self.known:
            p = _FLOOR
            for weight, order in _MIX:
                ngram = trigram[3 - order :]
                context = self.contexts[order][ngram[:-1]]
                if context:
                    p += weight * self.counts[order][ngram] / context
            self.known[trigram] = math.log(p)
        return self.known[trigram]


def train(sentences: Iterable[str]) -> LanguageModel:
    """Count n-grams of sentences, words separated by spaces."""
    counts: dict[int, Counter[tuple[str, ...]]] = {n: Counter() for n in (1, 2, 3)}
    contexts: dict[int, Counter[tuple[str, ...]]] = {n: Counter() for n in (1, 2, 3)}
    for sentence in sentences:
        tokens = _padded(sentence.split())
        for order in counts:
            ngrams = [tuple(tokens[i - order + 1 : i + 1]) for i in range(2, len(tokens))]
            counts[order].update(ngrams)
            contexts[order].update(ngram[:-1] for ngram in ngrams)
    return LanguageModel(counts, contexts)


def _padded(tokens: Sequence[str]) -> list[str]:
    return ["<s>", "<s>", *tokens, "</s>"]
