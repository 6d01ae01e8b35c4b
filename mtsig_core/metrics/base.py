"""What a metric is, and the sufficient statistics that everything else is computed from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np


class Metric(ABC):
    """A score that is a function of summed sufficient statistics.

    Attributes
    ----------
    name : str
        As on the command line (``bleu``); `label` is what people read (``BLEU``).
    higher_is_better : bool
    is_quality : bool
        False where neither direction is better, as for lengths.
    scale : str
        Which numbers are possible, for people.
    n_statistics : int
        Number S of sufficient statistics of a segment.
    explanation : str
        What it measures and who proposed it, in one paragraph for people.
    weakness : str
        What it is known to get wrong.

    Examples
    --------
    >>> import mtsig_core
    >>> metric = mtsig_core.get_metric("exact-match")
    >>> isinstance(metric, mtsig_core.Metric), metric.is_quality
    (True, True)
    """

    name: str
    label: str
    higher_is_better: bool = True
    is_quality: bool = True
    scale: str = "0 to 100"
    n_statistics: int
    explanation: str = ""
    weakness: str = ""

    @classmethod
    def unavailable(cls) -> str:
        """Return why this metric cannot be used here, with the remedy; empty where it can."""
        return ""

    @property
    def direction(self) -> str:
        """Which direction is better, for people."""
        if not self.is_quality:
            return "neither direction is better"
        return "higher is better" if self.higher_is_better else "lower is better"

    def description(self) -> dict[str, str]:
        """Return name, label, direction, scale, explanation and weakness, for people."""
        keys = ("name", "label", "direction", "scale", "explanation", "weakness")
        return {key: getattr(self, key) for key in keys}

    @property
    @abstractmethod
    def key(self) -> str:
        """Name, options and version in one string: two metrics of one key give equal statistics."""

    @abstractmethod
    def signature(self, references: Sequence[Sequence[str | None]]) -> str:
        """Return what a paper must print so that others can reproduce the score."""

    @abstractmethod
    def statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]) -> np.ndarray:
        """Return sufficient statistics, shape (N, S), float64.

        Parameters
        ----------
        hypotheses : sequence of N str
        references : sequence of N sequences of str or None
            The references of each hypothesis (row-wise); None where a stream lacks one.
        """

    @abstractmethod
    def score(self, sums: np.ndarray) -> np.ndarray:
        """Return scores, shape (...), of summed statistics, shape (..., S)."""

    def prepared(self, references: Sequence[Sequence[str | None]]) -> Metric:
        """Return this metric with what it must know of all references of a test set before it scores some of them.

        Parameters
        ----------
        references : sequence of L sequences of str or None
            Those of the whole test set, row-wise.
        """
        return self

    def make_faster(self) -> Literal["never", "soon", "now"]:
        """Start in the background whatever makes `statistics` faster; say when, or whether, it will be.

        Called once a lot is to be scored. "now" also says that threads can share the work.
        """
        return "never"

    def gradient(self, sums: np.ndarray) -> np.ndarray:
        """Return the derivative of the score by each summed statistic, shape (..., S).

        Central differences here; a metric that is not smooth at a sum overrides it.
        """
        sums = np.asarray(sums, dtype=float)
        out = np.empty_like(sums)
        for s in range(sums.shape[-1]):
            step = 1e-5 * np.maximum(1.0, np.abs(sums[..., s]))
            up, down = sums.copy(), sums.copy()
            up[..., s] += step
            down[..., s] -= step
            out[..., s] = (self.score(up) - self.score(down)) / (2 * step)
        return out

    def segment_score(self, statistics: np.ndarray) -> np.ndarray:
        """Return a score of each single segment, shape (...), of statistics, shape (..., S)."""
        return self.score(statistics)


@dataclass(frozen=True, eq=False)
class SegmentStatistics:
    """Sufficient statistics of every output on one test set under one metric.

    An *output* is one replica of one system; outputs are flattened, system by system.

    Parameters
    ----------
    metric : Metric
    test_set : str
    signature : str
    systems : tuple of str
        System names, in the experiment's order.
    replicas : tuple of tuple of str
        Replica names of each system, in natural order.
    values : ndarray of shape (output, segment, statistic), float64
    documents : ndarray of int of shape (segment,), or None
        Index of each segment's document, 0..n_documents-1.
    segments : ndarray of int of shape (segment,), or None
        Which segments of the test set these are, counted from 0, where some were left out; None for all.
    note : str
        Why segments were left out and how many are left, for people; empty when none was.
    n_total : int, optional
        Segments of the test set, where some were left out.
    lacking : tuple of (str, int)
        Outputs (as system/replica) that lack segments, and how many.
    """

    metric: Metric
    test_set: str
    signature: str
    systems: tuple[str, ...]
    replicas: tuple[tuple[str, ...], ...]
    values: np.ndarray
    documents: np.ndarray | None = None
    segments: np.ndarray | None = None
    note: str = ""
    n_total: int | None = None
    lacking: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        n = sum(map(len, self.replicas))
        if self.values.ndim != 3 or self.values.shape[0] != n or self.values.shape[2] != self.metric.n_statistics:
            raise ValueError(f"values have shape {self.values.shape}; expected ({n}, L, {self.metric.n_statistics}).")

    @property
    def n_segments(self) -> int:
        """Number of segments L."""
        return self.values.shape[1]

    def rows(self, system: str) -> slice:
        """Return where the outputs of a system stand on the output axis."""
        i = self._place(system)
        start = sum(map(len, self.replicas[:i]))
        return slice(start, start + len(self.replicas[i]))

    def of(self, system: str) -> np.ndarray:
        """Return the statistics of a system's n replicas, shape (n, segment, statistic)."""
        return self.values[self.rows(system)]

    def names(self, system: str) -> tuple[str, ...]:
        """Return the names of a system's replicas."""
        return self.replicas[self._place(system)]

    def _place(self, system: str) -> int:
        """Return where a system stands, or raise ValueError with the names there are."""
        if system not in self.systems:
            names = ", ".join(repr(name) for name in self.systems)
            raise ValueError(f"No system {system!r} with outputs on {self.test_set!r}; there are: {names}.")
        return self.systems.index(system)

    @cached_property
    def scores(self) -> np.ndarray:
        """Score m of each output on the whole test set, shape (output,)."""
        return self.metric.score(self.values.sum(axis=1))

    def scores_of(self, system: str) -> np.ndarray:
        """Return the scores m of a system's replicas, shape (n,)."""
        return self.scores[self.rows(system)]

    def pseudo_values(self, system: str) -> np.ndarray:
        """Return y, shape (n, segment): linearised contributions whose mean is each replica's score.

        y[i, l] = m[i] + L grad f(sum T[i]) . (T[i, l] - mean_l T[i]); the gradient is taken at each
        replica's own sums, so the mean over l is m[i] exactly.
        """
        values = self.of(system)
        sums = values.sum(axis=1)
        gradient, scores = self.metric.gradient(sums), self.metric.score(sums)
        pseudo = np.empty(values.shape[:2])
        for k in range(len(values)):  # one replica's statistics stay in the processor's cache
            one = values[k : k + 1]
            u = np.einsum("nls,ns->nl", one - one.mean(axis=1, keepdims=True), gradient[k : k + 1])
            pseudo[k] = scores[k] + self.n_segments * u[0]
        return pseudo


def document_numbers(documents: Sequence[str] | None) -> np.ndarray | None:
    """Number the documents 0, 1, ... as they first appear; shape (segment,), or None without documents."""
    if documents is None:
        return None
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(document, len(numbers)) for document in documents])
