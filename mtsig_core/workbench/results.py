"""Results that a workbench puts together from several analyses; each is a frozen dataclass that prints as a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from mtsig_core.analysis.reading.median import MedianReplica, RankTable
from mtsig_core.analysis.reading.segments import SegmentTable
from mtsig_core.analysis.systems.s_diff import PAgainstDifference, SingleDifferences
from mtsig_core.significance.scope import Result


@dataclass(frozen=True, eq=False)
class ObservedDifference(Result):
    """The differences that single replicas show, and p against the size of a difference.

    Attributes
    ----------
    singles : SingleDifferences
        S_diff of every pair of replicas.
    curves : PAgainstDifference
        p that each test would give to any difference.

    Examples
    --------
    >>> import mtsig_core
    >>> pair = mtsig_core.Workbench(mtsig_core.load_example()).pair()
    >>> pair.observed_difference(n_bootstrap=100, n_permutations=100).singles.values.shape  # 3 x 3 pairs of replicas
    (9,)
    """

    singles: SingleDifferences
    curves: PAgainstDifference

    def to_frame(self) -> pd.DataFrame:
        """Return one row per test: the significant difference, and p at the observed one."""
        return self.curves.to_frame()


@dataclass(frozen=True, eq=False)
class Medians(Result):
    """The median replica of every system, and the ranks of its replicas.

    Attributes
    ----------
    test_set : str
        The one that chose.
    systems : mapping of system to (MedianReplica, RankTable)
        By the first metric, and under all metrics that score the same replicas.

    Examples
    --------
    >>> import numpy as np, mtsig_core
    >>> values = np.arange(24.0).reshape(2, 3, 4)
    >>> bench = mtsig_core.Workbench(mtsig_core.load_scores(values, axes=("system", "replica", "segment")))
    >>> bench.median().replica("system1")
    '2'
    """

    test_set: str
    systems: Mapping[str, tuple[MedianReplica, RankTable]]

    def __getitem__(self, system: str) -> tuple[MedianReplica, RankTable]:
        """Return the median replica and the ranks of a system."""
        return self.systems[system]

    def replica(self, system: str) -> str:
        """Return the name of a system's median replica."""
        return self.systems[system][0].replica

    def to_frame(self) -> pd.DataFrame:
        """Return one row per system: its median replica, the score, and the number of replicas."""
        rows = [(name, one.replica, one.score, len(one.order)) for name, (one, _) in self.systems.items()]
        return pd.DataFrame(rows, columns=["system", "replica", "score", "replicas"])


@dataclass(frozen=True, eq=False)
class MedianSegments(Result):
    """The segments of the median replicas of two systems, side by side.

    Attributes
    ----------
    table : SegmentTable
    select_on : str
        The test set that chose the replicas.
    medians : tuple of MedianReplica
        Of the baseline and of the system.
    warning : str
        Says that they are read where they were chosen; may be empty.

    Examples
    --------
    >>> import mtsig_core
    >>> from mtsig_core.loading.example import example_text
    >>> bench = mtsig_core.Workbench(example_text())
    >>> segments = bench.pair(metric="exact-match").median_segments()
    >>> segments.table.gain.tolist(), segments.select_on
    ([100.0, 0.0], 'news')
    """

    table: SegmentTable
    select_on: str
    medians: tuple[MedianReplica, MedianReplica]
    warning: str

    def to_frame(self) -> pd.DataFrame:
        """Return one row per segment."""
        return self.table.to_frame()
