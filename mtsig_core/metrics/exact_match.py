"""Exact match: the share of segments that equal a reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtsig_core.metrics.mean import MeanMetric
from mtsig_core.metrics.text.words import given, n_references


@dataclass(frozen=True)
class ExactMatch(MeanMetric):
    """Percent of segments that equal one of their references, white space aside.

    The statistics of a segment are [100 or 0, 1].

    Parameters
    ----------
    lowercase : bool
    """

    lowercase: bool = False

    name = "exact-match"
    label = "Exact match"
    explanation = (
        "Exact match is the share of segments that are the same as a reference, letter for letter; only the amount of "
        "white space is disregarded. It suits short answers: question answering, inflection, formulas, code "
        "(Rajpurkar, Zhang, Lopyrev and Liang 2016, without their removal of articles and punctuation)."
    )
    weakness = "A wrong comma counts as much as a wrong answer, and in translation nearly all segments get 0."

    @property
    def key(self) -> str:
        """Name and options."""
        return f"{self.name} v1 lowercase={self.lowercase}"

    def signature(self, references: Sequence[Sequence[str | None]]) -> str:
        """Return number of references and case."""
        case = "lc" if self.lowercase else "mixed"
        return f"exact-match|nrefs:{n_references(references)}|case:{case}|version:mtsig-1"

    def segment_scores(self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]) -> np.ndarray:
        """Return 100 or 0 for each segment, shape (N,)."""
        same = [
            self._plain(hypothesis) in map(self._plain, given(row))
            for hypothesis, row in zip(hypotheses, references, strict=True)
        ]
        return 100.0 * np.array(same)

    def _plain(self, text: str) -> str:
        text = " ".join(text.split())
        return text.lower() if self.lowercase else text
