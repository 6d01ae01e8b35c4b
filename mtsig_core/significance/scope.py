"""What a result is about, stated once: test set, metric and systems; and what all results can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal

import pandas as pd

from mtsig_core.metrics.base import SegmentStatistics

Outcome = Literal["better", "worse", "higher", "lower", "equivalent", "undecided", "same outputs", "not defined"]
"""What a comparison of B with A shows at a significance level.

``better`` and ``worse`` are judged by quality: a lower error rate is better. ``equivalent`` exists only where a margin
was stated: both one-sided tests against it reject, and p is not below alpha. ``undecided`` means that p is not below
alpha, ``not defined`` that there is no p. Three outcomes are special cases: ``same outputs`` is equivalence of the
strongest kind (the outputs have identical statistics), and ``higher`` and ``lower`` replace ``better`` and ``worse``
under a metric of which neither direction is better (output length).
"""

_MOST_ROWS = 60  # of a frame in a notebook


@dataclass(frozen=True)
class Scope:
    """Test set, metric and systems of a result.

    Parameters
    ----------
    test_set : str
    metric : str
        Name of the metric, as on the command line.
    label : str
        What people call the metric.
    higher_is_better : bool
    is_quality : bool
        False where neither direction of the metric is better.
    systems : tuple of str
        For a pair the baseline A and the system B.
    """

    test_set: str = ""
    metric: str = ""
    label: str = "score"
    higher_is_better: bool = True
    is_quality: bool = True
    systems: tuple[str, ...] = ()

    @classmethod
    def of(cls, statistics: SegmentStatistics, *systems: str) -> Scope:
        """Return the scope of a result on some systems of these statistics.

        Parameters
        ----------
        statistics : SegmentStatistics
        systems : str
            In the order of the result; for a pair the baseline first.
        """
        metric = statistics.metric
        return cls(
            statistics.test_set, metric.name, metric.label, metric.higher_is_better, metric.is_quality, systems
        )

    @property
    def sign(self) -> int:
        """1 where higher scores are better, -1 where lower ones are: orients scores and differences by quality."""
        return 1 if self.higher_is_better else -1

    def direction(self, difference: float) -> Outcome:
        """Return what a difference other than 0 says of B, whatever its significance.

        Parameters
        ----------
        difference : float
            Score of B minus score of A.
        """
        if not self.is_quality:
            return "higher" if difference > 0 else "lower"
        return "better" if (difference > 0) == self.higher_is_better else "worse"

    def outcome(self, p: float | None, difference: float, alpha: float) -> Outcome:
        """Return what a test says of B at significance level alpha.

        Parameters
        ----------
        p : float or None
        difference : float
            Score of B minus score of A.
        alpha : float
            A p of exactly alpha is undecided.
        """
        if p is None:
            return "not defined"
        return "undecided" if p >= alpha or difference == 0 else self.direction(difference)


class Result(ABC):
    """A result that can be shown as a table, also in a notebook."""

    @abstractmethod
    def to_frame(self) -> pd.DataFrame:
        """Return the result as a table with headings for people."""

    def _repr_html_(self) -> str:
        return self.to_frame().to_html(index=False, max_rows=_MOST_ROWS, na_rep="—")


def with_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose columns of numbers are numbers, also where none is defined: NaN instead of None.

    Parameters
    ----------
    frame : DataFrame
    """
    empty = [name for name in frame.columns if frame[name].isna().all()]
    return frame.astype(dict.fromkeys(empty, float))


class Scoped:
    """Read access to the fields of `scope`, for results and rows that have one."""

    scope: Scope

    @property
    def test_set(self) -> str:
        """Name of the test set."""
        return self.scope.test_set

    @property
    def metric(self) -> str:
        """Name of the metric, as on the command line."""
        return self.scope.metric

    @property
    def label(self) -> str:
        """What people call the metric."""
        return self.scope.label

    @property
    def higher_is_better(self) -> bool:
        """Whether higher scores are better."""
        return self.scope.higher_is_better

    @property
    def is_quality(self) -> bool:
        """False where neither direction of the metric is better."""
        return self.scope.is_quality


class OfSystem(Scoped):
    """The same for results on one system."""

    @property
    def system(self) -> str:
        """Name of the system."""
        return self.scope.systems[0]


class OfPair(Scoped):
    """The same for results on two systems."""

    @property
    def a(self) -> str:
        """The baseline."""
        return self.scope.systems[0]

    @property
    def b(self) -> str:
        """The system that is compared with the baseline."""
        return self.scope.systems[1]
