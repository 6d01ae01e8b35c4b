"""Which words and n-grams of the references each output has: counts clipped as in BLEU.

They are counted per distinct (segment, hypothesis) pair, since replicas repeat each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csc_array, csr_array

from mtsig_core.experiment import Experiment, TestSet
from mtsig_core.metrics.compiled.encode import Texts, Words
from mtsig_core.metrics.scoring.distinct_pairs import DistinctPairs
from mtsig_core.metrics.scoring.sacrebleu_adapter import word_splitter
from mtsig_core.runtime.jobs import Progress, no_progress

ORDER = 4
PAIRS_AT_ONCE = 2000


@dataclass(frozen=True, eq=False)
class WordMatches:
    """What two or more systems' outputs have of the words and n-grams of the references.

    A *gram* is a distinct n-gram of the references; an *entry* is a gram in the references of one segment; a *pair*
    is a distinct output of one segment. Where a segment has several references, an entry counts as often as the
    reference that has it most often.

    Attributes
    ----------
    words : tuple of str
        Distinct words of the references.
    gram_words : ndarray of int32 of shape (gram, ORDER)
        Words of each gram, -1 beyond its order; grams of one order stand together, the shortest first.
    entry_segment, entry_gram, entry_count, entry_least : ndarray of int of shape (entry,)
        Sorted by segment, then gram; entry_least is how often every reference of the segment has it.
    pair_segment, pair_words : ndarray of int of shape (pair,)
        Segment, and words of the output.
    matched : csr_array of shape (pair, entry)
        How often the output has the gram, at most entry_count.
    unclipped : csr_array of shape (pair, word)
        How often the output has each word, not clipped.
    reference_words : ndarray of shape (segment,)
        Mean number of words of the references.
    outputs : mapping of system to ndarray of int of shape (replica, segment)
        The pair of each output.
    several : bool
        Whether some segment has several references.
    """

    words: tuple[str, ...]
    gram_words: np.ndarray
    entry_segment: np.ndarray
    entry_gram: np.ndarray
    entry_count: np.ndarray
    entry_least: np.ndarray
    pair_segment: np.ndarray
    pair_words: np.ndarray
    matched: csr_array
    unclipped: csr_array
    reference_words: np.ndarray
    outputs: Mapping[str, np.ndarray]
    several: bool

    @cached_property
    def gram_order(self) -> np.ndarray:
        """Number of words of each gram, shape (gram,)."""
        return (self.gram_words >= 0).sum(axis=1)

    @cached_property
    def gram_frequency(self) -> np.ndarray:
        """How often each gram occurs in the references of the test set, shape (gram,)."""
        return np.bincount(self.entry_gram, weights=self.entry_count, minlength=len(self.gram_words)).astype(np.int64)

    @cached_property
    def matched_grams(self) -> csc_array:
        """Matches of each gram in each pair, shape (pair, gram)."""
        matched = self.matched.tocoo()
        shape = (self.matched.shape[0], len(self.gram_words))
        return csc_array((matched.data, (matched.coords[0], self.entry_gram[matched.coords[1]])), shape=shape)

    @property
    def nbytes(self) -> int:
        """Bytes of the large arrays."""
        sparse = sum(m.data.nbytes + m.indices.nbytes for m in (self.matched, self.unclipped))
        return 2 * sparse + self.gram_words.nbytes + sum(rows.nbytes for rows in self.outputs.values())

    def text(self, gram: int) -> str:
        """Return the words of a gram."""
        return " ".join(self.words[w] for w in self.gram_words[gram].tolist() if w >= 0)

    def chosen(self, system: str) -> csr_array:
        """Return which pairs each replica of a system put out, shape (replica, pair), 0 or 1."""
        rows = self.outputs[system]
        ends = np.arange(len(rows) + 1) * rows.shape[1]
        return csr_array((np.ones(rows.size), rows.ravel(), ends), shape=(len(rows), len(self.pair_segment)))

    def word_counts(self, system: str) -> np.ndarray:
        """Return the words of each output, shape (replica, segment)."""
        return self.pair_words[self.outputs[system]]

    def typical_frequency(self) -> np.ndarray:
        """Return the geometric mean frequency of the words of each segment's references, shape (segment,)."""
        single = self.gram_order[self.entry_gram] == 1
        segment, weight = self.entry_segment[single], self.entry_count[single]
        logs = weight * np.log(self.gram_frequency[self.entry_gram[single]])
        size = len(self.reference_words)
        sums, n = (np.bincount(segment, weights=x, minlength=size) for x in (logs, weight))
        return np.round(np.exp(np.divide(sums, n, out=np.zeros(size), where=n > 0)), 9)


def word_matches(
    experiment: Experiment, test_set: str, systems: Sequence[str], *, tokenize: str, lowercase: bool = False,
    progress: Progress = no_progress,
) -> WordMatches:  # fmt: skip
    """Return what the outputs of some systems have of the references' n-grams.

    Parameters
    ----------
    experiment : Experiment
    test_set : str
    systems : sequence of str
    tokenize : str
        One of `TOKENIZERS`.
    lowercase : bool
    progress : Progress

    Raises
    ------
    ValueError
        When the test set has no references, or a system has no text there.
    """
    _check_text(experiment, test_set, systems)
    pairs = DistinctPairs(experiment.test_set(test_set).n_segments)
    outputs = {name: _numbered(experiment, test_set, name, pairs, progress) for name in systems}
    encode = Words(word_splitter(tokenize, lowercase))
    reference_grams = _ReferenceGrams(experiment.test_set(test_set), encode)
    counts = _count_matches(pairs.pairs, encode, reference_grams, lambda f: progress(f, f"Words on {test_set}"))
    progress(1.0, f"Words on {test_set}")
    return _assembled(reference_grams, pairs, outputs, counts, encode)


def _check_text(experiment: Experiment, test_set: str, systems: Sequence[str]) -> None:
    if not experiment.test_set(test_set).references:
        raise ValueError(f"Test set {test_set!r} has no references, so words cannot be looked up in them; add them.")
    for name in systems:
        if not experiment.system(name).on(test_set):
            raise ValueError(f"{name} has no text on {test_set!r}: words cannot be counted in scores alone.")


def _numbered(
    experiment: Experiment, test_set: str, system: str, pairs: DistinctPairs, progress: Progress
) -> np.ndarray:
    """Return the pair of each output of a system, shape (replica, segment)."""
    rows = []
    for replica in experiment.system(system).on(test_set):
        progress(0.0, f"Words on {test_set}")
        rows.append(pairs.number(replica.outputs[test_set]))
    return np.array(rows)


class _ReferenceGrams:
    """The n-grams of the references of a test set, and how often each segment has them."""

    def __init__(self, target: TestSet, encode: Words) -> None:
        rows = enumerate(zip(*target.references, strict=True))
        numbered = [(segment, text) for segment, row in rows for text in row if text is not None]
        texts = encode([text for _, text in numbered])
        segments = np.array([segment for segment, _ in numbered])
        n_refs = np.bincount(segments, minlength=target.n_segments)
        self.grams = _Grams(texts, ORDER)
        self.entries = _entries(texts, segments, n_refs, self.grams)
        self.mean_words = np.bincount(segments, np.diff(texts.starts), target.n_segments) / n_refs
        self.several = bool(n_refs.max() > 1)


def _count_matches(
    pairs: Sequence[tuple[int, str]], encode: Words, references: _ReferenceGrams, report: Callable[[float], None]
) -> list[_PairCounts]:
    """Return the counts of the pairs, some at a time."""
    pair_segment = np.array([segment for segment, _ in pairs])
    counts = []
    for start in range(0, len(pairs), PAIRS_AT_ONCE):
        report(start / len(pairs))
        block = slice(start, start + PAIRS_AT_ONCE)
        texts = encode([text for _, text in pairs[block]])
        counts.append(_matched(texts, pair_segment[block], start, references.grams, references.entries))
    return counts


def _assembled(
    references: _ReferenceGrams, pairs: DistinctPairs, outputs: dict[str, np.ndarray],
    counts: Sequence[_PairCounts], encode: Words,
) -> WordMatches:  # fmt: skip
    grams, entries, n_pairs = references.grams, references.entries, len(pairs.pairs)
    return WordMatches(
        words=encode.words(grams.n_words),
        gram_words=grams.words(),
        entry_segment=entries.keys // grams.size,
        entry_gram=entries.keys % grams.size,
        entry_count=entries.counts,
        entry_least=entries.least,
        pair_segment=np.array([segment for segment, _ in pairs.pairs]),
        pair_words=np.concatenate([block.lengths for block in counts]),
        matched=_sparse([block.matched for block in counts], (n_pairs, len(entries.keys))),
        unclipped=_sparse([block.unclipped for block in counts], (n_pairs, grams.n_words)),
        reference_words=references.mean_words,
        outputs=outputs,
        several=references.several,
    )


class _Grams:
    """The distinct n-grams of the references, numbered; those of one order in one stretch, the shortest first.

    An n-gram is identified by the number of its first n - 1 words and its last word.
    """

    def __init__(self, texts: Texts, order: int) -> None:
        self.order = order
        self.n_words = int(texts.tokens.max()) + 1 if texts.tokens.size else 0
        self.keys: list[np.ndarray] = []
        self.starts = [0, self.n_words]
        where, places = texts.tokens.astype(np.int64), _places(texts)
        for n in range(2, order + 1):
            long = places.left >= n
            keys = np.full(len(where), -1)
            keys[long] = where[long] * self.n_words + texts.tokens[np.flatnonzero(long) + n - 1]
            self.keys.append(np.unique(keys[long]))
            where = self._numbered(keys, n)
            self.starts.append(self.starts[-1] + len(self.keys[-1]))

    @property
    def size(self) -> int:
        """Number of grams, at least 1 so that keys can be divided by it."""
        return max(1, self.starts[-1])

    def _numbered(self, keys: np.ndarray, n: int) -> np.ndarray:
        """Return the gram of each key of order n, -1 where there is none."""
        own = self.keys[n - 2]
        place = np.searchsorted(own, keys)
        exists = (keys >= 0) & (place < len(own))
        exists[exists] = own[place[exists]] == keys[exists]
        return np.where(exists, self.starts[n - 1] + place, -1)

    def of(self, texts: Texts) -> tuple[np.ndarray, np.ndarray]:
        """Return text and gram of every n-gram of some texts that the references have as well."""
        places = _places(texts)
        where = np.where(texts.tokens < self.n_words, texts.tokens, -1).astype(np.int64)
        tokens, gram_text, gram_number = where, [places.text[where >= 0]], [where[where >= 0]]
        for n in range(2, self.order + 1):
            keys = np.full(len(where), -1, dtype=np.int64)
            long = np.flatnonzero((places.left >= n) & (where >= 0))
            last = tokens[long + n - 1]
            keys[long] = np.where(last >= 0, where[long] * self.n_words + last, -1)
            where = self._numbered(keys, n)
            gram_text.append(places.text[where >= 0])
            gram_number.append(where[where >= 0])
        return np.concatenate(gram_text), np.concatenate(gram_number)

    def words(self) -> np.ndarray:
        """Return the words of each gram, -1 beyond its order, shape (gram, order)."""
        out = np.full((self.starts[-1], self.order), -1, dtype=np.int32)
        out[: self.n_words, 0] = np.arange(self.n_words)
        for n, keys in enumerate(self.keys, start=2):
            rows = slice(self.starts[n - 1], self.starts[n])
            out[rows] = out[keys // max(1, self.n_words)]
            out[rows, n - 1] = keys % max(1, self.n_words)
        return out


@dataclass(frozen=True, eq=False)
class _Places:
    """Of each token: its text, and how many tokens there are from it to the text's end."""

    text: np.ndarray
    left: np.ndarray


def _places(texts: Texts) -> _Places:
    lengths = np.diff(texts.starts)
    left = np.repeat(texts.starts[1:], lengths) - np.arange(len(texts.tokens))
    return _Places(np.repeat(np.arange(len(lengths)), lengths), left)


@dataclass(frozen=True, eq=False)
class _Entries:
    """Sorted keys segment * grams + gram, and how often the references have it at most and at least."""

    keys: np.ndarray
    counts: np.ndarray
    least: np.ndarray


def _entries(texts: Texts, segments: np.ndarray, n_refs: np.ndarray, grams: _Grams) -> _Entries:
    text, gram = grams.of(texts)
    each, counts = np.unique(text * grams.size + gram, return_counts=True)
    keys = segments[each // grams.size] * grams.size + each % grams.size
    order = np.argsort(keys, kind="stable")
    distinct, first, having = np.unique(keys[order], return_index=True, return_counts=True)
    if not len(first):
        return _Entries(distinct, counts, counts)
    most, least = (f.reduceat(counts[order], first) for f in (np.maximum, np.minimum))
    return _Entries(distinct, most, np.where(having == n_refs[distinct // grams.size], least, 0))


Triples = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class _PairCounts:
    """Of some pairs: words of each, matches (pair, entry, count), words (pair, word, count)."""

    lengths: np.ndarray
    matched: Triples
    unclipped: Triples


def _matched(texts: Texts, segments: np.ndarray, first: int, grams: _Grams, entries: _Entries) -> _PairCounts:
    text, gram = grams.of(texts)
    each, counts = np.unique(text * grams.size + gram, return_counts=True)
    pair, gram = each // grams.size, each % grams.size
    keys = segments[pair] * grams.size + gram
    place = np.searchsorted(entries.keys, keys)
    here = place < len(entries.keys)
    here[here] = entries.keys[place[here]] == keys[here]
    clipped = np.minimum(counts[here], entries.counts[place[here]])
    single = gram < grams.n_words
    return _PairCounts(
        np.diff(texts.starts), (first + pair[here], place[here], clipped),
        (first + pair[single], gram[single], counts[single]),
    )


def _sparse(blocks: Sequence[Triples], shape: tuple[int, int]) -> csr_array:
    rows, columns, values = (np.concatenate([block[k] for block in blocks]) for k in range(3))
    return csr_array((values.astype(float), (rows, columns)), shape=shape)

