"""METEOR by nltk's aligner: exact words, then stems; no files need to be downloaded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from mtsig_core.metrics.ribes import nltk_version
from mtsig_core.metrics.scoring.blocks import in_blocks
from mtsig_core.metrics.text.words import WordMetric
from mtsig_core.runtime.optional import optional_hint

MATCHES, CHUNKS, HYP_LEN, REF_LEN = range(4)
ALPHA, BETA, GAMMA = 0.9, 3.0, 0.5

#: nltk's stemmers by language; in any other one only exact words match.
STEMMERS = {
    "ar": "arabic", "da": "danish", "nl": "dutch", "en": "porter", "fi": "finnish", "fr": "french", "de": "german",
    "hu": "hungarian", "it": "italian", "no": "norwegian", "nb": "norwegian", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "es": "spanish", "sv": "swedish",
}  # fmt: skip


class _NoSynonyms:
    """Stands where nltk's aligner expects WordNet, and knows no synonym."""

    def synsets(self, word: str) -> tuple[()]:
        return ()


class _Stems:
    """Stems words by one of nltk's stemmers, each distinct one once; without one, words are their own stems."""

    def __init__(self, name: str) -> None:
        stem = _stemmer(name).stem if name else str
        self.stem = lru_cache(maxsize=2**18)(stem)


def _stemmer(name: str) -> Any:
    from nltk.stem import PorterStemmer, SnowballStemmer

    return PorterStemmer() if name == "porter" else SnowballStemmer(name)


@dataclass(frozen=True)
class METEOR(WordMetric):
    """Corpus METEOR x 100 with exact and stem matching: alpha .9, beta 3, gamma .5.

    The statistics of a segment are [matches, chunks, hypothesis length, reference length], with the
    reference that gives the best score of the segment. Case is disregarded.

    Parameters
    ----------
    language : str
        Code of the target language: chooses the stemmer; where there is none, only exact words match.

    References
    ----------
    Banerjee and Lavie 2005, "METEOR: an automatic metric for MT evaluation with improved correlation with
    human judgments"; parameters as there. Corpus score from summed statistics as in METEOR's own program.
    """

    language: str = "en"

    name = "meteor"
    label = "METEOR"
    n_statistics = 4
    explanation = (
        "METEOR pairs words of output and reference, first the same forms, then the same stems, and joins precision "
        "and recall in a mean in which recall weighs nine times as much. Paired words that form few unbroken chunks in "
        "both texts are in order; the more chunks, the larger the penalty, up to half of the score. Here nltk's "
        "aligner pairs the words, without synonyms or paraphrases, and matches, chunks and lengths are summed over "
        "the test set (Banerjee and Lavie 2005)."
    )
    weakness = (
        "Without synonyms it is harsher than the published program, whose scores it does not reproduce (METEOR 1.5 is "
        "offered beside it where Java and its jar are installed); stems are known for some languages only."
    )

    @classmethod
    def unavailable(cls) -> str:
        """Return how to install nltk, where it is missing."""
        return optional_hint("nltk")

    @property
    def options(self) -> str:
        """How words match, the parameters, and whose program aligns."""
        stems = STEMMERS.get(self.language, "")
        match = f"exact+{stems}" if stems else "exact"
        return f"match:{match}|alpha:{ALPHA}|beta:{BETA:g}|gamma:{GAMMA}|nltk:{nltk_version()}"

    def signature(self, references: Sequence[Sequence[str | None]]) -> str:
        """Return number of references, tokenizer, matching and parameters; case never counts."""
        return super().signature(references).replace("case:mixed", "case:lc")

    def statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]) -> np.ndarray:
        """Return [matches, chunks, hypothesis length, reference length] of each segment, shape (N, 4)."""
        if not hypotheses:
            return np.empty((0, self.n_statistics))
        stems = _stems(STEMMERS.get(self.language, ""))
        rows = self.splitter().rows(hypotheses, references)
        aligned = [[_aligned(words, ref, stems) for ref in refs] for words, refs in rows]
        best = [max(by_reference, key=_sentence_score, default=(0, 0, 0, 0)) for by_reference in aligned]
        return np.array(best, dtype=float)

    def score(self, sums: np.ndarray) -> np.ndarray:
        """Return METEOR x 100, shape (...), of summed statistics, shape (..., 4)."""
        return in_blocks(_score, sums)


@lru_cache(maxsize=4)
def _stems(name: str) -> _Stems:
    return _Stems(name)


def _aligned(words: list[str], reference: list[str], stems: _Stems) -> tuple[int, int, int, int]:
    """Return the statistics of a hypothesis and one reference."""
    from nltk.translate.meteor_score import align_words

    pairs = align_words(words, reference, stemmer=stems, wordnet=_NoSynonyms())[0]
    broken = sum((b[0] - a[0], b[1] - a[1]) != (1, 1) for a, b in zip(pairs, pairs[1:], strict=False))
    return len(pairs), broken + bool(pairs), len(words), len(reference)


def _sentence_score(statistics: tuple[int, int, int, int]) -> float:
    return float(_score(np.array([statistics], dtype=float))[0])


def _score(sums: np.ndarray) -> np.ndarray:
    """Return METEOR x 100, shape (N,), of sums, shape (N, 4); 0 where nothing matches."""
    matches, chunks, hyp, ref = sums.T
    some = (matches > 0) & (hyp > 0) & (ref > 0)
    # m / (alpha r + (1 - alpha) h) is the weighted harmonic mean of m / h and m / r
    mean = np.divide(matches, ALPHA * ref + (1 - ALPHA) * hyp, out=np.zeros(len(sums)), where=some)
    penalty = GAMMA * np.divide(chunks, matches, out=np.zeros(len(sums)), where=some) ** BETA
    return 100 * mean * (1 - penalty)
