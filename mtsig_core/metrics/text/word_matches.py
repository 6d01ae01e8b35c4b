"""Which words and n-grams of the references each output has: counts clipped as in BLEU, kept by distinct output.

Replicas repeat each other, so each distinct (segment, hypothesis) pair is counted once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csc_array, csr_array

from mtsig_core.experiment import Experiment
from mtsig_core.metrics.compiled.encode import Texts, Words
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
    known : csr_array of shape (pair, word)
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
    known: csr_array
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
        found = self.matched.tocoo()
        shape = (self.matched.shape[0], len(self.gram_words))
        return csc_array((found.data, (found.coords[0], self.entry_gram[found.coords[1]])), shape=shape)

    @property
    def nbytes(self) -> int:
        """Bytes of the large arrays."""
        sparse = sum(m.data.nbytes + m.indices.nbytes for m in (self.matched, self.known))
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
    experiment: Experiment,
    test_set: str,
    systems: Sequence[str],
    *,
    tokenize: str,
    lowercase: bool = False,
    order: int = ORDER,
    progress: Progress = no_progress,
) -> WordMatches:
    """Return what the outputs of some systems have of the references' n-grams.

    Raises
    ------
    ValueError
        When the test set has no references, or a system has no text there.
    """
    target = experiment.test_set(test_set)
    if not target.references:
        raise ValueError(f"Test set {test_set!r} has no references, so words cannot be looked up in them; add them.")
    replicas = {name: experiment.system(name).on(test_set) for name in systems}
    for name, found in replicas.items():
        if not found:
            raise ValueError(f"{name} has no text on {test_set!r}: words cannot be counted in scores alone.")
    ids: list[dict[str, int]] = [{} for _ in range(target.n_segments)]
    pairs: list[tuple[int, str]] = []
    outputs: dict[str, np.ndarray] = {}
    for name, found in replicas.items():
        rows_of = []
        for replica in found:
            progress(0.0, f"Words on {test_set}")
            rows_of.append(_number(ids, pairs, replica.outputs[test_set]))
        outputs[name] = np.array(rows_of)
    rows = enumerate(zip(*target.references, strict=True))
    texts = [(segment, text) for segment, row in rows for text in row if text is not None]
    encode = Words(word_splitter(tokenize, lowercase))
    theirs = encode([text for _, text in texts])
    grams = _Grams(theirs, order)
    segments = np.array([segment for segment, _ in texts])
    n_refs = np.bincount(segments, minlength=target.n_segments)
    entries = _entries(theirs, segments, n_refs, grams)
    pair_segment = np.array([s for s, _ in pairs])
    parts = []
    for start in range(0, len(pairs), PAIRS_AT_ONCE):
        progress(start / len(pairs), f"Words on {test_set}")
        part = slice(start, start + PAIRS_AT_ONCE)
        parts.append(_matched(encode([text for _, text in pairs[part]]), pair_segment[part], start, grams, entries))
    pair_words = np.concatenate([p.lengths for p in parts])
    reference_words = np.bincount(segments, np.diff(theirs.starts), target.n_segments) / n_refs
    progress(1.0, f"Words on {test_set}")
    return WordMatches(
        words=encode.words(grams.n_words),
        gram_words=grams.words(),
        entry_segment=entries.keys // grams.size,
        entry_gram=entries.keys % grams.size,
        entry_count=entries.counts,
        entry_least=entries.least,
        pair_segment=pair_segment,
        pair_words=pair_words,
        matched=_sparse([p.matched for p in parts], (len(pairs), len(entries.keys))),
        known=_sparse([p.known for p in parts], (len(pairs), grams.n_words)),
        reference_words=reference_words,
        outputs=outputs,
        several=bool(n_refs.max() > 1),
    )


def _number(ids: list[dict[str, int]], pairs: list[tuple[int, str]], output: Sequence[str]) -> np.ndarray:
    """Return the pair of each segment of an output, new ones numbered."""
    row = np.empty(len(output), dtype=np.int64)
    for segment, (known, text) in enumerate(zip(ids, output, strict=True)):
        number = known.setdefault(text, len(pairs))
        if number == len(pairs):
            pairs.append((segment, text))
        row[segment] = number
    return row


class _Grams:
    """The distinct n-grams of the references, numbered; those of one order in one stretch, the shortest first.

    An n-gram is known by the number of its first n - 1 words and its last word.
    """

    def __init__(self, texts: Texts, order: int) -> None:
        self.order = order
        self.n_words = int(texts.tokens.max()) + 1 if texts.tokens.size else 0
        self.keys: list[np.ndarray] = []
        self.starts = [0, self.n_words]
        where, places = texts.tokens.astype(np.int64), _places(texts)
        for n in range(2, order + 1):
            long = places.room >= n
            made = np.full(len(where), -1)
            made[long] = where[long] * self.n_words + texts.tokens[np.flatnonzero(long) + n - 1]
            self.keys.append(np.unique(made[long]))
            where = self._numbered(made, n)
            self.starts.append(self.starts[-1] + len(self.keys[-1]))

    @property
    def size(self) -> int:
        """Number of grams, at least 1 so that keys can be divided by it."""
        return max(1, self.starts[-1])

    def _numbered(self, keys: np.ndarray, n: int) -> np.ndarray:
        """Return the gram of each key of order n, -1 where there is none."""
        known = self.keys[n - 2]
        place = np.searchsorted(known, keys)
        found = (keys >= 0) & (place < len(known))
        found[found] = known[place[found]] == keys[found]
        return np.where(found, self.starts[n - 1] + place, -1)

    def of(self, texts: Texts) -> tuple[np.ndarray, np.ndarray]:
        """Return text and gram of every n-gram of some texts that the references have as well."""
        places = _places(texts)
        where = np.where(texts.tokens < self.n_words, texts.tokens, -1).astype(np.int64)
        tokens, found_text, found_gram = where, [places.text[where >= 0]], [where[where >= 0]]
        for n in range(2, self.order + 1):
            made = np.full(len(where), -1, dtype=np.int64)
            long = np.flatnonzero((places.room >= n) & (where >= 0))
            last = tokens[long + n - 1]
            made[long] = np.where(last >= 0, where[long] * self.n_words + last, -1)
            where = self._numbered(made, n)
            found_text.append(places.text[where >= 0])
            found_gram.append(where[where >= 0])
        return np.concatenate(found_text), np.concatenate(found_gram)

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
    room: np.ndarray


def _places(texts: Texts) -> _Places:
    lengths = np.diff(texts.starts)
    room = np.repeat(texts.starts[1:], lengths) - np.arange(len(texts.tokens))
    return _Places(np.repeat(np.arange(len(lengths)), lengths), room)


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
class _Part:
    """Of some pairs: words of each, matches (pair, entry, count), words known (pair, word, count)."""

    lengths: np.ndarray
    matched: Triples
    known: Triples


def _matched(texts: Texts, segments: np.ndarray, first: int, grams: _Grams, entries: _Entries) -> _Part:
    text, gram = grams.of(texts)
    each, counts = np.unique(text * grams.size + gram, return_counts=True)
    pair, gram = each // grams.size, each % grams.size
    keys = segments[pair] * grams.size + gram
    place = np.searchsorted(entries.keys, keys)
    here = place < len(entries.keys)
    here[here] = entries.keys[place[here]] == keys[here]
    clipped = np.minimum(counts[here], entries.counts[place[here]])
    single = gram < grams.n_words
    return _Part(
        np.diff(texts.starts), (first + pair[here], place[here], clipped),
        (first + pair[single], gram[single], counts[single]),
    )


def _sparse(parts: Sequence[Triples], shape: tuple[int, int]) -> csr_array:
    rows, columns, values = (np.concatenate([part[k] for part in parts]) for k in range(3))
    return csr_array((values.astype(float), (rows, columns)), shape=shape)

