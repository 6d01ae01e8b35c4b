"""Distinct (segment, hypothesis) pairs: replicas repeat each other, so each pair is scored or counted once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


class DistinctPairs:
    """The distinct (segment, hypothesis) pairs of outputs, numbered as they first appear.

    Parameters
    ----------
    n_segments : int

    Attributes
    ----------
    ids : list of dict, one per segment
        Hypothesis -> number of the pair.
    pairs : list of (segment, hypothesis)
        By number.
    """

    def __init__(self, n_segments: int) -> None:
        self.ids: list[dict[str, int]] = [{} for _ in range(n_segments)]
        self.pairs: list[tuple[int, str]] = []

    def number(self, hypotheses: Sequence[str]) -> np.ndarray:
        """Return the number of the pair of each segment of an output, shape (segment,); new pairs are added."""
        row = np.empty(len(hypotheses), dtype=np.int64)
        for segment, (ids, hypothesis) in enumerate(zip(self.ids, hypotheses, strict=True)):
            number = ids.setdefault(hypothesis, len(self.pairs))
            if number == len(self.pairs):
                self.pairs.append((segment, hypothesis))
            row[segment] = number
        return row
