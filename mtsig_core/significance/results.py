"""The result of one significance test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.significance.conventions import Preset
from mtsig_core.significance.scope import Result


@dataclass(frozen=True, eq=False)
class TestResult(Result):
    """What one test says of one pair of systems.

    Parameters
    ----------
    preset : Preset
        The test: its name, label, rule, and the question that it answers.
    difference : float
        D, B minus A, in score units, as this test computes it.
    p : float or None
        In (0, 1]; None where the test is not defined, with the reason in `note`.
    smallest_p : float or None
        The smallest p that the test can give for so many replicas and draws; None for closed forms, and for strict
        rules, which have no valid floor.
    exact : bool
        Whether every distinct permutation was counted, or a closed form used.
    draws : int
        Number of bootstrap resamples or permutations; 0 for closed forms.
    interval : tuple of two float, or None
        Interval of D at level 1 - alpha.
    null : ndarray of shape (draw,), or None
        What the observed statistic was compared with: centred, and oriented to the winner where one tail counts.
    observed : float or None
        The statistic compared with `null`: D, or Welch's t where replicas of unequal numbers are permuted.
    shares : tuple of three float, or None
        Shares of the draws that A wins, that B wins (larger scores win; the metric's direction is for the caller),
        and that are tied.
    note : str
        Why there is no p, or what to know of it.
    data_warning : str
        What makes this p unreliable for these data, whatever the preset; may be empty.
    actual_scheme, actual_unit, actual_label : str
        What was drawn or permuted, and what the test is called, where the data demand something else than the preset
        names; empty if the same.

    Examples
    --------
    >>> import mtsig_core
    >>> pair = mtsig_core.Workbench(mtsig_core.load_example()).pair()
    >>> result = pair.single_pair("1", "2", n_permutations=100)
    >>> result.smallest_p <= result.p <= 1
    True
    """

    __test__ = False  # not a pytest class, whatever its name

    preset: Preset
    difference: float
    p: float | None
    smallest_p: float | None = None
    exact: bool = False
    draws: int = 0
    interval: tuple[float, float] | None = None
    null: np.ndarray | None = None
    observed: float | None = None
    shares: tuple[float, float, float] | None = None
    note: str = ""
    data_warning: str = ""
    actual_scheme: str = ""
    actual_unit: str = ""
    actual_label: str = ""

    @property
    def label(self) -> str:
        """What people call the test that was run."""
        return self.actual_label or self.preset.label

    @property
    def scheme(self) -> str:
        """What was drawn or permuted, in words."""
        return self.actual_scheme or self.preset.scheme

    @property
    def unit(self) -> str:
        """What was drawn or permuted."""
        return self.actual_unit or self.preset.unit

    @property
    def warning(self) -> str:
        """What to beware of: of these data, else of the preset; may be empty."""
        return self.data_warning or self.preset.warning

    def to_frame(self) -> pd.DataFrame:
        """Return one row, as `results_frame`."""
        return results_frame([self])


def results_frame(results: list[TestResult] | tuple[TestResult, ...]) -> pd.DataFrame:
    """Return one row per test, with headings for people."""
    rows = [
        (t.preset.name, t.unit, t.scheme, t.preset.rule, t.preset.question, t.difference, t.p, t.smallest_p, t.note,
         t.warning)
        for t in results
    ]  # fmt: skip
    columns = ["test", "unit", "scheme", "rule", "question", "difference", "p", "smallest p", "note", "warning"]
    return pd.DataFrame(rows, columns=columns)
