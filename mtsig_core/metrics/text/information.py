"""How much each n-gram of the references tells, and how much of that a hypothesis has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from mtsig_core.metrics.compiled.encode import Texts, group_references

ORDER = 5
Row = Sequence[str | None]
_UNKNOWN = -1


@dataclass(frozen=True)
class _Level:
    """The distinct n-grams of one order: each is the number of its first n - 1 words, and one more word.

    Parameters
    ----------
    keys : ndarray of int64, ascending
        Number of the beginning times number of words, plus the last word. An n-gram is its place here.
    weights : ndarray of float64
        log2 (count of the beginning / count of the n-gram).
    counts : ndarray of int64
    """

    keys: np.ndarray
    weights: np.ndarray
    counts: np.ndarray


class Information:
    """The weights of all n-grams of one to five words of the references of a test set.

    Parameters
    ----------
    split : callable
        Returns the words of a text.
    references : sequence of L sequences of str or None
        Of the whole test set, row-wise.
    """

    def __init__(self, split: Callable[[str], list[str]], references: Sequence[Row]) -> None:
        self._words: dict[str, int] = {}
        texts = self._encode(split, (text for row in references for text in row if text is not None), learn=True)
        self._levels: list[_Level] = []
        beginnings, before = np.zeros(len(texts.tokens), dtype=np.int64), np.array([len(texts.tokens)])
        for order in range(ORDER):
            at = _starts(texts, order)
            keys, places, counts = np.unique(
                self._key(beginnings[at], texts.tokens[at + order]), return_inverse=True, return_counts=True
            )
            level = _Level(keys, np.log2(before[keys // self._n_words] / counts), counts)
            self._levels.append(level)
            beginnings = np.full(len(texts.tokens), _UNKNOWN)
            beginnings[at] = places
            before = counts

    @property
    def _n_words(self) -> int:
        return max(len(self._words), 1)

    def _key(self, beginnings: np.ndarray, words: np.ndarray) -> np.ndarray:
        return beginnings * self._n_words + words

    def _encode(self, split: Callable[[str], list[str]], texts: Iterable[str], learn: bool = False) -> Texts:
        """Number the words of texts; -1 for a word that no reference has."""
        vocabulary = self._words
        numbers: list[int] = []
        ends = [0]
        for text in texts:
            if learn:
                numbers.extend(vocabulary.setdefault(word, len(vocabulary)) for word in split(text))
            else:
                numbers.extend(vocabulary.get(word, _UNKNOWN) for word in split(text))
            ends.append(len(numbers))
        return Texts(np.array(numbers, dtype=np.int64), np.array(ends, dtype=np.int64))

    def weight(self, words: Sequence[str]) -> float | None:
        """Return the information of an n-gram of one to five words, in bits; None where no reference has it."""
        place = 0
        for level, word in zip(self._levels, words, strict=False):
            number = self._words.get(word)
            if number is None:
                return None
            place = int(_places(level.keys, np.array([place * self._n_words + number]))[0])
            if place < 0:
                return None
        return float(self._levels[len(words) - 1].weights[place])

    def statistics(
        self, split: Callable[[str], list[str]], hypotheses: Sequence[str], references: Sequence[Row]
    ) -> np.ndarray:
        """Return [matched information, n-grams] of each order and mean reference length, shape (N, 11).

        Parameters
        ----------
        split : callable
            Returns the words of a text; the same way of splitting that these weights were computed with.
        hypotheses : sequence of N str
        references : sequence of N rows of str or None
            Rows of the test set that these weights were computed for.
        """
        grouped = group_references(references)
        ours, theirs = self._encode(split, hypotheses), self._encode(split, grouped.texts)
        n_groups = len(grouped.groups) - 1
        row_of = np.repeat(np.arange(n_groups), np.diff(grouped.groups))
        out = np.zeros((len(hypotheses), 2 * ORDER + 1))
        lengths = np.diff(ours.starts)
        out[:, ORDER : 2 * ORDER] = np.maximum(lengths[:, None] - np.arange(ORDER), 0)
        sizes = np.bincount(row_of, np.diff(theirs.starts), minlength=n_groups)
        out[:, -1] = (sizes / np.maximum(np.diff(grouped.groups), 1))[grouped.group_of]
        for order, (own, ref) in enumerate(zip(self._ngrams(ours), self._ngrams(theirs), strict=True)):
            out[:, order] = self._matched(self._levels[order], own, ref, grouped.group_of, row_of)
        return out

    def _ngrams(self, texts: Texts) -> Iterable[tuple[np.ndarray, np.ndarray]]:
        """Yield, order by order, the text and the number of each n-gram that a reference has."""
        beginnings = np.zeros(len(texts.tokens), dtype=np.int64)
        text_of = np.repeat(np.arange(len(texts.starts) - 1), np.diff(texts.starts))
        for order, level in enumerate(self._levels):
            at = _starts(texts, order)
            at = at[(beginnings[at] >= 0) & (texts.tokens[at + order] >= 0)]
            places = _places(level.keys, self._key(beginnings[at], texts.tokens[at + order]))
            beginnings = np.full(len(texts.tokens), _UNKNOWN)
            beginnings[at] = places
            there = places >= 0
            yield text_of[at[there]], places[there]

    @staticmethod
    def _matched(
        level: _Level, own: tuple[np.ndarray, np.ndarray], ref: tuple[np.ndarray, np.ndarray], group_of: np.ndarray,
        row_of: np.ndarray,
    ) -> np.ndarray:  # fmt: skip
        """Return the information of each hypothesis's n-grams that its references have, shape (N,)."""
        n = len(level.keys)
        if not n or not ref[0].size:
            return np.zeros(len(group_of))
        pairs, counts = np.unique(ref[0] * n + ref[1], return_counts=True)
        in_group = row_of[pairs // n] * n + pairs % n
        order = np.lexsort((counts, in_group))
        last = np.flatnonzero(np.diff(in_group[order], append=-1))  # the highest count of each stands last
        most, limits = in_group[order][last], counts[order][last]
        pairs, counts = np.unique(own[0] * n + own[1], return_counts=True)
        texts, ngrams = pairs // n, pairs % n
        places = _places(most, group_of[texts] * n + ngrams)
        there = places >= 0
        gained = level.weights[ngrams[there]] * np.minimum(counts[there], limits[places[there]])
        return np.bincount(texts[there], gained, minlength=len(group_of))


def _starts(texts: Texts, order: int) -> np.ndarray:
    """Return where n-grams of order + 1 words begin that end within their text."""
    at = np.arange(len(texts.tokens) - order) if len(texts.tokens) > order else np.zeros(0, dtype=np.int64)
    text_end = np.repeat(texts.starts[1:], np.diff(texts.starts))
    return at[at + order < text_end[at]]


def _places(keys: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return where each wanted key stands among ascending ones; -1 where it does not."""
    if not keys.size:
        return np.full(len(wanted), _UNKNOWN)
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[places] == wanted, places, _UNKNOWN)
