"""Texts as numbers: what the compiled kernels count and compare."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np

Row = Sequence[str | None]


@dataclass(frozen=True)
class Texts:
    """Texts as numbered tokens.

    Parameters
    ----------
    tokens : ndarray of int32
        Of all texts, one after the other.
    starts : ndarray of int64 of shape (T + 1,)
        Text t has tokens[starts[t]:starts[t + 1]].
    """

    tokens: np.ndarray
    starts: np.ndarray


@dataclass(frozen=True)
class References:
    """The distinct rows of references of some hypotheses.

    Parameters
    ----------
    texts : list of str
        References of all groups, one after the other.
    groups : ndarray of int64 of shape (G + 1,)
        Group g has texts[groups[g]:groups[g + 1]].
    group_of : ndarray of int64 of shape (N,)
        The group of each hypothesis.
    """

    texts: list[str]
    groups: np.ndarray
    group_of: np.ndarray

    @property
    def together(self) -> np.ndarray:
        """Hypotheses in an order that has those of one group together, shape (N,)."""
        return np.argsort(self.group_of, kind="stable")

    @property
    def complete(self) -> bool:
        """Whether every hypothesis has a reference; what to make of one that has none is left to sacrebleu."""
        return bool((np.diff(self.groups) > 0).all())


class _Numbers(dict[str, int]):
    """Numbers 0, 1, ... of strings as they first appear."""

    def __missing__(self, text: str) -> int:
        number = self[text] = len(self)
        return number


def group_references(rows: Sequence[Row]) -> References:
    """Return the distinct rows of references, without the gaps in them."""
    numbers: dict[Row, int] = {}
    group_of = np.array([numbers.setdefault(row, len(numbers)) for row in map(tuple, rows)], dtype=np.int64)
    given = [[text for text in row if text is not None] for row in numbers]
    return References(list(chain.from_iterable(given)), _offsets(map(len, given)), group_of)


class Words:
    """Splits texts into words and numbers them; equal words have equal numbers as long as this lives.

    Parameters
    ----------
    split : callable
        Returns the words of a text.
    """

    def __init__(self, split: Callable[[str], Sequence[str]]) -> None:
        self._split = split
        self._numbers = _Numbers()

    def __call__(self, texts: Sequence[str]) -> Texts:
        """Return the numbered words of texts."""
        words = [self._split(text) for text in texts]
        starts = _offsets(map(len, words))
        numbers = map(self._numbers.__getitem__, chain.from_iterable(words))
        return Texts(np.fromiter(numbers, dtype=np.int32, count=starts[-1]), starts)

    def words(self, n: int) -> tuple[str, ...]:
        """Return the words numbered 0..n-1: those that appeared first."""
        return tuple(islice(self._numbers, n))


class Pieces:
    """Like `Words`, where the words of a text are those of its white-space tokens, each on its own.

    Parameters
    ----------
    split : callable
        Returns the words of a token.
    prepare : callable
        Applied to a whole text first.
    """

    def __init__(self, split: Callable[[str], Sequence[str]], prepare: Callable[[str], str]) -> None:
        self._numbers = _Numbers()
        self._prepare = prepare
        self._tokens = _SplitTokens(lambda token: tuple(map(self._numbers.__getitem__, split(token))))

    def __call__(self, texts: Sequence[str]) -> Texts:
        """Return the numbered words of texts."""
        numbers: list[int] = []
        ends = [0]
        for text in texts:
            numbers.extend(chain.from_iterable(map(self._tokens.__getitem__, self._prepare(text).split())))
            ends.append(len(numbers))
        return Texts(np.array(numbers, dtype=np.int32), np.array(ends, dtype=np.int64))


class _SplitTokens(dict[str, tuple[int, ...]]):
    """The numbered words of tokens seen so far."""

    def __init__(self, split: Callable[[str], tuple[int, ...]]) -> None:
        self._split = split

    def __missing__(self, token: str) -> tuple[int, ...]:
        words = self[token] = self._split(token)
        return words


def characters(texts: Iterable[str]) -> Texts:
    """Return the code points of texts, without white space; lone surrogates are code points like others."""
    squeezed = ["".join(text.split()) for text in texts]
    data = "".join(squeezed).encode("utf-32-le", "surrogatepass")
    return Texts(np.frombuffer(data, dtype="<i4").astype(np.int32), _offsets(map(len, squeezed)))


def _offsets(lengths: Iterable[int]) -> np.ndarray:
    return np.array([0, *lengths], dtype=np.int64).cumsum()
