"""Any metric on text in Unicode's normal form C."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from mtsig_core.metrics.base import Metric

Rows = Sequence[Sequence[str | None]]
_SAME = ("name", "label", "higher_is_better", "is_quality", "scale", "n_statistics", "explanation", "weakness")


@dataclass(frozen=True)
class Normalised(Metric):
    """A metric whose hypotheses and references are brought to normal form C (NFC) first.

    One letter can be written in several ways, as é or as e with an accent after it; metrics compare code
    points and take these for different.

    Parameters
    ----------
    inner : Metric

    References
    ----------
    Unicode Standard Annex 15, "Unicode normalization forms".
    """

    inner: Metric

    def __post_init__(self) -> None:
        for attribute in _SAME:
            object.__setattr__(self, attribute, getattr(self.inner, attribute))

    @property
    def key(self) -> str:
        """That of the metric, and the version of the tables of normal forms."""
        return f"{self.inner.key} nfc={unicodedata.unidata_version}"

    def signature(self, references: Rows) -> str:
        """Return that of the metric, with the normal form."""
        return f"{self.inner.signature(references)}|norm:NFC"

    def statistics(self, hypotheses: Sequence[str], references: Rows) -> np.ndarray:
        """Return the metric's statistics of normalised text, shape (N, S)."""
        return self.inner.statistics([_nfc(text) for text in hypotheses], _rows(references))

    def score(self, sums: np.ndarray) -> np.ndarray:
        """Return the metric's scores, shape (...)."""
        return self.inner.score(sums)

    def gradient(self, sums: np.ndarray) -> np.ndarray:
        """Return the metric's gradient, shape (..., S)."""
        return self.inner.gradient(sums)

    def segment_score(self, statistics: np.ndarray) -> np.ndarray:
        """Return the metric's scores of segments, shape (...)."""
        return self.inner.segment_score(statistics)

    def prepared(self, references: Rows) -> Normalised:
        """Return the same of the metric prepared with normalised references."""
        return Normalised(self.inner.prepared(_rows(references)))

    def make_faster(self) -> Literal["never", "soon", "now"]:
        """Make the metric faster."""
        return self.inner.make_faster()


def normalised(metric: Metric) -> Metric:
    """Return a metric that compares text in normal form C."""
    return Normalised(metric)


def _rows(references: Rows) -> list[tuple[str | None, ...]]:
    return [tuple(None if text is None else _nfc(text) for text in row) for row in references]


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)
