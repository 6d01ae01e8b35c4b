"""Statistics and signatures of sacrebleu: the only place that asks it, or the kernels that stand in for it.

sacrebleu hands out corpus scores; the statistics of single segments, which it resamples itself, come
from a private method. Importing sacrebleu takes a fifth of a second, so it happens at first use: scores
from statistics on disk never need it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib.metadata import version
from typing import Any, Literal

import numpy as np

from mtsig_core.metrics.base import Metric
from mtsig_core.metrics.compiled import KERNELS_OF
from mtsig_core.metrics.compiled.rows import compiled_edit_kinds, compiled_statistics
from mtsig_core.metrics.scoring.signatures import plain_signature

Options = tuple[tuple[str, Any], ...]


@lru_cache(maxsize=1)
def sacrebleu_version() -> str:
    """Return the installed version of sacrebleu, without importing it."""
    return version("sacrebleu")


def segment_statistics(
    kind: str, options: Options, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]
) -> np.ndarray:
    """Return sacrebleu's statistics of each segment; every request for statistics passes here.

    Compiled kernels count where they are ready and cover the case, else sacrebleu does: the numbers are
    the same.

    Parameters
    ----------
    kind : {"BLEU", "CHRF", "TER"}
        sacrebleu's class.
    options : tuple of (name, value)
        Arguments of that class.
    hypotheses : sequence of N str
    references : sequence of N sequences of str or None
        Row-wise and of equal lengths; None where a stream lacks a reference.

    Returns
    -------
    ndarray of shape (N, S), float64
    """
    theirs = _shared(kind, options)
    counted = compiled_statistics(kind, dict(options), theirs, hypotheses, references)
    return counted if counted is not None else sacrebleus_statistics(theirs, hypotheses, references)


def sacrebleus_statistics(
    theirs: Any, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]
) -> np.ndarray:
    """Return the statistics that an object of sacrebleu's computes itself, shape (N, S)."""
    streams = list(zip(*references, strict=True))
    return np.array(theirs._extract_corpus_statistics(hypotheses, streams), dtype=float)


def asian_ter_text(text: str) -> str:
    """Return a text as sacrebleu's TER compares it with ``normalized`` and ``asian_support``, words set apart."""
    theirs = _shared("TER", (("asian_support", True), ("normalized", True)))
    return str(theirs._preprocess_segment(text))


def edit_kinds(hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]) -> np.ndarray:
    """Return TER's edits to the nearest reference, by kind, with the mean reference length.

    Parameters
    ----------
    hypotheses : sequence of N str
    references : sequence of N sequences of str or None

    Returns
    -------
    ndarray of shape (N, 5), float64
        Insertions (words that the output lacks), deletions, substitutions, shifts, length.
    """
    counted = compiled_edit_kinds(hypotheses, references)
    return counted if counted is not None else sacrebleus_edit_kinds(hypotheses, references)


def sacrebleus_edit_kinds(hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]) -> np.ndarray:
    """Return what `edit_kinds` does, from sacrebleu's own search for shifts and the trace it leaves."""
    theirs, rows = _shared("TER", ()), []
    for hypothesis, row in zip(hypotheses, references, strict=True):
        words = theirs._preprocess_segment(hypothesis).split()
        refs = [theirs._preprocess_segment(text).split() for text in row if text is not None]
        nearest = min((_trace_kinds(words, ref) for ref in refs), key=sum)  # the first of those equally near
        rows.append([*nearest, sum(map(len, refs)) / len(refs)])
    return np.array(rows, dtype=float).reshape(-1, 5)


def edit_steps(hypothesis: str, reference: str) -> tuple[list[list[str]], list[str], str]:
    """Return how sacrebleu's TER edits an output, in the words that it compares.

    Parameters
    ----------
    hypothesis, reference : str

    Returns
    -------
    stages : list of list of str
        Words of the output, then the same after each shift.
    reference : list of str
    trace : str
        What remains after the last shift, word by word: a blank for a word that stays, s for one to be replaced, d for
        one of the output to be deleted, i for one of the reference to be inserted.
    """
    theirs = _shared("TER", ())
    words, ref = (theirs._preprocess_segment(text).split() for text in (hypothesis, reference))
    stages, trace = _shifted(words, ref)
    return stages, ref, trace


def _shifted(words: list[str], ref: list[str]) -> tuple[list[list[str]], str]:
    """Return the words before and after each shift, and the trace of the edits that remain."""
    from sacrebleu.metrics import lib_ter

    if not ref:
        return [words], "d" * len(words)
    distance, stages, checked = lib_ter.BeamEditDistance(ref), [words], 0
    while True:
        gain, moved, checked = lib_ter._shift(stages[-1], ref, distance, checked)
        if checked >= lib_ter._MAX_SHIFT_CANDIDATES or gain <= 0:
            break
        stages.append(moved)
    return stages, distance(stages[-1])[1]


def _trace_kinds(words: list[str], ref: list[str]) -> tuple[int, int, int, int]:
    """Return insertions, deletions, substitutions and shifts from words to a reference."""
    stages, trace = _shifted(words, ref)
    return trace.count("i"), trace.count("d"), trace.count("s"), len(stages) - 1


def signature(kind: str, options: Options, references: Sequence[Sequence[str | None]]) -> str:
    """Return sacrebleu's signature for references given row-wise (``nrefs:var`` when counts differ)."""
    counts = {len(row) - row.count(None) for row in references}
    n_references = counts.pop() if len(counts) == 1 else None
    text = plain_signature(kind, dict(options), n_references or "var", sacrebleu_version())
    if text is not None and n_references != 0:
        return text
    metric = _new(kind, options)
    # What scoring the references would leave behind: their number, or -1 for a variable one.
    metric.num_refs = -1 if n_references is None else n_references
    return str(metric.get_signature())


@lru_cache(maxsize=16)
def word_splitter(tokenize: str, lowercase: bool) -> Callable[[str], list[str]]:
    """Return what splits a text into words as BLEU with this tokenizer does."""
    theirs = _shared("BLEU", (("force", True), ("lowercase", lowercase), ("tokenize", tokenize)))

    def whole(text: str) -> list[str]:
        return theirs._preprocess_segment(text).split()

    # Five times as fast: 13a may be applied to each token on its own, see `compiled.rows.bleu_encoder`.
    words_of = lru_cache(maxsize=2**18)(lambda token: theirs.tokenizer(token).split())

    def by_token(text: str) -> list[str]:
        if "\n" in text:
            return whole(text)
        return [word for token in (text.lower() if lowercase else text).split() for word in words_of(token)]

    return by_token if tokenize == "13a" else whole


def _new(kind: str, options: Options) -> Any:
    from sacrebleu import metrics

    return getattr(metrics, kind)(**dict(options))


_shared = lru_cache(maxsize=16)(_new)


class SacrebleuMetric(Metric):
    """A metric whose statistics and signature are sacrebleu's; subclasses score sums of them."""

    sacrebleu_class: str

    @property
    @abstractmethod
    def sacrebleu_options(self) -> Mapping[str, Any]:
        """Arguments of sacrebleu's class."""

    @property
    def _options(self) -> Options:
        return tuple(sorted(self.sacrebleu_options.items()))

    @property
    def key(self) -> str:
        """Name, options and sacrebleu's version."""
        options = " ".join(f"{name}={value}" for name, value in self._options)
        return f"{self.name} {options} sacrebleu={sacrebleu_version()}"

    def signature(self, references: Sequence[Sequence[str | None]]) -> str:
        """Return sacrebleu's signature for these references (row-wise)."""
        return signature(self.sacrebleu_class, self._options, references)

    def prepared(self, references: Sequence[Sequence[str | None]]) -> SacrebleuMetric:
        """Return this metric, sacrebleu loaded: else that would count as the time of the first segment."""
        _shared(self.sacrebleu_class, self._options)
        return self

    def make_faster(self) -> Literal["never", "soon", "now"]:
        """Load the kernels of this metric, or start to compile them; say when they will count."""
        kernels = KERNELS_OF[self.sacrebleu_class]
        state = kernels.wait_while_loading()
        if state == "ready":
            kernels.start_followers()
        return "now" if state == "ready" else "never" if state == "failed" else "soon"

    def statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]) -> np.ndarray:
        """Return sacrebleu's statistics of each segment, shape (N, S)."""
        if not hypotheses:
            return np.empty((0, self.n_statistics))
        return segment_statistics(self.sacrebleu_class, self._options, hypotheses, references)
