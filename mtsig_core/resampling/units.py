"""The units that are drawn or exchanged: segments, or documents with their segments summed."""

from __future__ import annotations

import numpy as np

from mtsig_core.metrics.base import SegmentStatistics


def by_document(values: np.ndarray, documents: np.ndarray) -> np.ndarray:
    """Sum statistics, shape (output, segment, statistic), within documents: (output, document, statistic)."""
    order = np.argsort(documents, kind="stable")
    _, starts = np.unique(documents[order], return_index=True)
    return np.add.reduceat(values[:, order], starts, axis=1)


def unit_values(statistics: SegmentStatistics, values: np.ndarray, unit: str) -> np.ndarray:
    """Return the statistics of the units to be drawn, shape (output, unit, statistic).

    Raises
    ------
    ValueError
        For an unknown unit, a test set without segments, or documents where there are no document ids.
    """
    if statistics.n_segments == 0:
        raise ValueError(f"test set {statistics.test_set!r} has no segments to resample.")
    if unit == "segment":
        return values
    if unit != "document":
        raise ValueError(f"unit must be 'segment' or 'document'; not {unit!r}.")
    if statistics.documents is None:
        raise ValueError(
            f"test set {statistics.test_set!r} has no document ids, so documents cannot be resampled; "
            "add ids or resample segments."
        )
    return by_document(values, statistics.documents)
