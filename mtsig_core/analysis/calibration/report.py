"""Everything that calibrates the tests on one test set under one metric, in one result."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from mtsig_core.analysis.calibration.calibration import Calibration
from mtsig_core.analysis.calibration.inflation import Inflation
from mtsig_core.analysis.calibration.replica_effect import ReplicaEffects
from mtsig_core.significance import Result, Scope, Scoped


@dataclass(frozen=True)
class CalibrationReport(Scoped, Result):
    """A/A calibration, whole-replica effects, and the variance inflation of hypothesis-level tests.

    Attributes
    ----------
    scope : Scope
        Its systems are those that were calibrated.
    calibrations : tuple of Calibration
        One per system.
    effects : ReplicaEffects
    inflations : tuple of Inflation
        One for each system but the baseline.

    Examples
    --------
    >>> import mtsig_core
    >>> bench = mtsig_core.Workbench(mtsig_core.load_example(4))
    >>> report = bench.calibrations(presets=["welch-replicas"], n_bootstrap=100, n_permutations=100)
    >>> report.to_frame()["system"].tolist()
    ['system1', 'system2']
    """

    scope: Scope
    calibrations: tuple[Calibration, ...]
    effects: ReplicaEffects
    inflations: tuple[Inflation, ...]

    def to_frame(self) -> pd.DataFrame:
        """Return one row per system and test."""
        frames = [one.to_frame().assign(system=one.system) for one in self.calibrations if one.rows]
        if not frames:
            return pd.DataFrame({"system": [one.system for one in self.calibrations],
                                 "note": [one.note for one in self.calibrations]})
        frame = pd.concat(frames, ignore_index=True)
        return frame[["system", *(name for name in frame if name != "system")]]
