"""RIBES: rank correlation of the order of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version

import numpy as np

from mtsig_core.metrics.mean import MeanMetric
from mtsig_core.metrics.text.words import WordMetric
from mtsig_core.runtime.optional import optional_hint


@lru_cache(maxsize=1)
def nltk_version() -> str:
    """Return the installed version of nltk, without importing it."""
    return version("nltk")


@dataclass(frozen=True)
class RIBES(MeanMetric, WordMetric):
    """Mean sentence RIBES x 100, by nltk: alpha .25 and beta .10; the best of several references counts.

    The statistics of a segment are [RIBES, 1].

    References
    ----------
    Isozaki et al. 2010, "Automatic evaluation of translation quality for distant language pairs":
    normalised Kendall's tau times precision to the power of alpha, of an output and one reference. The
    brevity penalty and the best of several references are not in that formula; nltk has them from the
    authors' own program (version 1.03).
    """

    name = "ribes"
    label = "RIBES"
    explanation = (
        "RIBES pairs the words of the output with those of the reference and asks how well they stand in the same "
        "order: the share of pairs of words in the right order (Kendall's tau, brought to 0 to 1), times the share "
        "of paired words to the power of 0.25, times a brevity penalty to the power of 0.10. Segments are averaged, "
        "and the best of several references counts. Made for languages as far apart as Japanese and English (Isozaki, "
        "Hirao, Duh, Sudoh and Tsukada 2010)."
    )
    weakness = (
        "It cares little for which words are missing, pairs identical forms only, and gives 0 when fewer than two "
        "words can be paired, even to a right answer of one word."
    )

    @classmethod
    def unavailable(cls) -> str:
        """Return how to install nltk, where it is missing."""
        return optional_hint("nltk")

    @property
    def options(self) -> str:
        """Its two exponents, and whose program computes it."""
        return f"alpha:0.25|beta:0.1|mean:sentences|nltk:{nltk_version()}"

    def segment_scores(self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]) -> np.ndarray:
        """Return RIBES x 100 of each segment, shape (N,).

        Raises
        ------
        ValueError
            For a text of more words than nltk aligns (2000).
        """
        from nltk.translate.ribes_score import MAX_ALIGNMENT_LEN, sentence_ribes

        scores = []
        for words, rows in self.splitter().rows(hypotheses, references):
            longest = max(map(len, [words, *rows]))
            if longest > MAX_ALIGNMENT_LEN:
                beginning = " ".join(max([words, *rows], key=len)[:8])
                raise ValueError(
                    f"RIBES: a segment has {longest:,} words and nltk aligns at most {MAX_ALIGNMENT_LEN:,}; "
                    f"shorten the segment that begins {beginning!r}, or choose another metric."
                )
            scores.append(100 * max(0.0, sentence_ribes(rows, words)))
        return np.array(scores)
