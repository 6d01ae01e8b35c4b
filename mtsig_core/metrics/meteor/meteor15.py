"""METEOR 1.5: the published program's alignments, scored from sums of its own statistics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from mtsig_core.metrics.base import Metric
from mtsig_core.metrics.meteor.jar import JarScorer, missing_programs
from mtsig_core.metrics.scoring.blocks import in_blocks
from mtsig_core.metrics.text.tokenizers import DEFAULT_TOKENIZER
from mtsig_core.metrics.text.words import given, n_references

# English, task "rank", of METEOR 1.5; weights of exact, stem, synonym and paraphrase matches.
ALPHA, BETA, GAMMA, DELTA = 0.85, 0.20, 0.60, 0.75
WEIGHTS = np.array([1.0, 0.6, 0.8, 0.6])
# Of the numbers that the program prints: lengths and function words of both sides, then for each kind of
# match [content, content, function, function] words of [hypothesis, reference], chunks, matches of both.
_LENGTHS, _FUNCTION, _MATCHES, _CHUNKS, _TOTALS = slice(0, 2), slice(2, 4), slice(4, 20), 20, slice(21, 23)
HYP_MATCHES, REF_MATCHES, HYP_WEIGHT, REF_WEIGHT, CHUNKS, MATCHED = range(6)


@dataclass(frozen=True)
class METEOR15(Metric):
    """Corpus METEOR 1.5 x 100 for English, by the authors' program, which must be installed.

    The statistics of a segment are [weighted matches of hypothesis and of reference, weighted length of
    each, chunks, matched words of both], with the reference that the program finds best. A segment whose
    words all match in one chunk has no chunks, since nothing in it is out of order: so the program sums.
    Scores of any sums of them need no Java.

    Parameters
    ----------
    tokenize : str
        ``none``: texts are tokenized already and the program only lowercases them; with any other, it
        tokenizes them in its own way (``-norm``).

    Raises
    ------
    ValueError
        When Java or the jar is missing; the message has the remedy.

    References
    ----------
    Denkowski and Lavie 2014, "Meteor Universal: language specific translation evaluation for any target
    language"; Denkowski and Lavie 2011 for weights of matches and of function words.
    """

    tokenize: str = DEFAULT_TOKENIZER

    name = "meteor-1.5"
    label = "METEOR 1.5"
    n_statistics = 6
    explanation = (
        "METEOR 1.5 is the published program for English: it pairs the same forms, stems, synonyms of WordNet and "
        "paraphrases, in this order of worth, lets content words count three times as much as function words, joins "
        "precision and recall in a mean that leans to recall, and takes off for chunks in another order. The program "
        "aligns each segment once; scores of resampled test sets come from sums of its statistics (Denkowski and "
        "Lavie 2014)."
    )
    weakness = (
        "English only here, slow to start and hungry for memory; its tables of synonyms and paraphrases reward what "
        "they happen to know."
    )

    @classmethod
    def unavailable(cls) -> str:
        """Return that Java or the jar is missing, with the remedy."""
        return missing_programs()

    def __post_init__(self) -> None:
        if problem := missing_programs():
            raise ValueError(problem)

    @property
    def _normalise(self) -> bool:
        return self.tokenize != "none"

    @property
    def _options(self) -> str:
        return f"lang:en|task:rank|{'norm' if self._normalise else 'lower'}|jar:1.5"

    @property
    def key(self) -> str:
        """Name, options and version of the program."""
        return f"{self.name} v1 {self._options}"

    def signature(self, references: Sequence[Sequence[str | None]]) -> str:
        """Return number of references, language, task, normalization and version."""
        return f"meteor|nrefs:{n_references(references)}|{self._options}"

    def prepared(self, references: Sequence[Sequence[str | None]]) -> METEOR15:
        """Start the program, which takes some ten seconds, before the time of segments is measured."""
        _scorer(self._normalise).statistics(["a"], [["a"]])
        return self

    def make_faster(self) -> Literal["never", "soon", "now"]:
        """Let threads share one program: another one would hold another 1.5 GB."""
        return "now"

    def statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]) -> np.ndarray:
        """Return the statistics of each segment, shape (N, 6)."""
        if not hypotheses:
            return np.empty((0, self.n_statistics))
        return weighted(_scorer(self._normalise).statistics(hypotheses, [given(row) or [""] for row in references]))

    def score(self, sums: np.ndarray) -> np.ndarray:
        """Return METEOR 1.5 x 100, shape (...), of summed statistics, shape (..., 6)."""
        return in_blocks(_score, sums)


def weighted(raw: np.ndarray) -> np.ndarray:
    """Return statistics, shape (N, 6), of what the program prints of segments, shape (N, 23)."""
    words, function = raw[:, _LENGTHS], raw[:, _FUNCTION]
    by_kind = raw[:, _MATCHES].reshape(len(raw), len(WEIGHTS), 2, 2)  # kind, content or function, side
    matches = np.einsum("nkfs,k,f->ns", by_kind, WEIGHTS, np.array([DELTA, 1 - DELTA]))
    lengths = DELTA * (words - function) + (1 - DELTA) * function
    chunks, totals = raw[:, _CHUNKS], raw[:, _TOTALS]
    in_order = (chunks == 1) & (totals == words).all(axis=1)
    return np.column_stack([matches, lengths, np.where(in_order, 0, chunks), totals.sum(axis=1)])


def _score(sums: np.ndarray) -> np.ndarray:
    """Return METEOR 1.5 x 100, shape (N,), of sums, shape (N, 6); 0 where nothing matches."""
    some = (sums > 0)[:, [HYP_MATCHES, REF_MATCHES, HYP_WEIGHT, REF_WEIGHT, MATCHED]].all(axis=1)
    zero = np.zeros(len(sums))
    precision = np.divide(sums[:, HYP_MATCHES], sums[:, HYP_WEIGHT], out=zero.copy(), where=some)
    recall = np.divide(sums[:, REF_MATCHES], sums[:, REF_WEIGHT], out=zero.copy(), where=some)
    mean = np.divide(precision * recall, (1 - ALPHA) * recall + ALPHA * precision, out=zero.copy(), where=some)
    chunks = np.divide(2 * np.maximum(sums[:, CHUNKS], 0), sums[:, MATCHED], out=zero.copy(), where=some)
    return 100 * np.maximum(mean * (1 - GAMMA * chunks**BETA), 0)


@lru_cache(maxsize=2)
def _scorer(normalise: bool) -> JarScorer:
    return JarScorer(normalise)
