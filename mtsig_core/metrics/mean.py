"""Metrics of a corpus that are the mean of scores of its segments: their statistics are sum and count."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from mtsig_core.metrics.base import Metric

SUM, COUNT = 0, 1


class MeanMetric(Metric):
    """A metric whose corpus score is the mean of segment scores; subclasses give those."""

    n_statistics = 2

    @abstractmethod
    def segment_scores(self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]) -> np.ndarray:
        """Return the score of each segment, shape (N,); see `Metric.statistics` for the parameters."""

    def statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]) -> np.ndarray:
        """Return [score, 1] of each segment, shape (N, 2)."""
        if not hypotheses:
            return np.empty((0, 2))
        scores = np.asarray(self.segment_scores(hypotheses, references), dtype=float)
        return np.stack([scores, np.ones_like(scores)], axis=-1)

    def score(self, sums: np.ndarray) -> np.ndarray:
        """Return the mean: sum / count, nan where nothing is counted."""
        sums = np.asarray(sums, dtype=float)
        counts = sums[..., COUNT]
        return np.divide(sums[..., SUM], counts, out=np.full(counts.shape, np.nan), where=counts != 0)

    def gradient(self, sums: np.ndarray) -> np.ndarray:
        """Return the derivatives (1 / count, - sum / count^2)."""
        sums = np.asarray(sums, dtype=float)
        counts = sums[..., COUNT]
        return np.stack([1 / counts, -sums[..., SUM] / counts**2], axis=-1)
