"""What MultEval prints for reading: which outputs stand side by side, and which outputs have their segments listed."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from mtsig_core.analysis.reading.segments import SegmentTable
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.significance import Result


@dataclass(frozen=True, eq=False)
class MultEvalTables(Result):
    """The content of MultEval's ``--rankDir`` and ``--sentLevelDir``.

    Attributes
    ----------
    ranked : dict of str to tuple of SegmentTable
        By file name: the same two outputs under each metric; the first one sorts.
    statistics : tuple of SegmentStatistics
        One per metric.
    systems : dict of str to str
        ``{"sys1": "baseline's name", ...}``.
    replicas : dict of str to tuple of str
        Replicas of each system in the order of ``opt1``, ``opt2``, ...
    """

    ranked: dict[str, tuple[SegmentTable, ...]]
    statistics: tuple[SegmentStatistics, ...]
    systems: dict[str, str]
    replicas: dict[str, tuple[str, ...]]

    def to_frame(self) -> pd.DataFrame:
        """Return one row per system: its name in the files, its own name, and how many replicas it has."""
        rows = [(short, name, len(self.replicas[name])) for short, name in self.systems.items()]
        return pd.DataFrame(rows, columns=["name in the files", "system", "replicas"])
