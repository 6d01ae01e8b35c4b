"""What a comparison of two systems answers with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import pandas as pd

from mtsig_core.significance import CrossedResult, TestResult

Level = Literal["better", "worse", "higher", "lower", "undecided", "same outputs", "not defined"]
Interval = tuple[float, float]


@dataclass(frozen=True)
class Intervals:
    """Three intervals of the difference D, in score units, each at level 1 - alpha.

    Attributes
    ----------
    test_set : (float, float) or None
        Luck of the test set alone: percentile interval of the segment bootstrap.
    optimizer : (float, float) or None
        Luck of the replicas alone: Welch's interval of the difference of means, or the paired t interval
        for replicas declared as paired.
    both : (float, float) or None
        The crossed interval: new replicas on new text.
    reasons : mapping of {"test_set", "optimizer", "both"} to str
        Why an interval is None.
    """

    test_set: Interval | None
    optimizer: Interval | None
    both: Interval | None
    reasons: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class WinShares:
    """Shares of bootstrap test sets that each system wins by quality, and ties; they sum to 1 (Koehn 2004)."""

    a: float
    b: float
    tie: float


@dataclass(frozen=True)
class Verdict:
    """The answer in words.

    Attributes
    ----------
    level : {"better", "worse", "higher", "lower", "undecided", "same outputs", "not defined"}
        Of B against A, by quality: for error rates too, better is better. Higher or lower where neither
        direction of the metric is better.
    headline : str
        One sentence; it rests on the crossed test only.
    details : tuple of str
        What else to know, most important first.
    """

    level: Level
    headline: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Comparison:
    """System B against the baseline A on one test set under one metric.

    Attributes
    ----------
    test_set, metric, label, signature : str
        `label` is what people call the metric.
    higher_is_better : bool
    a, b : str
        Baseline and system.
    replicas_a, replicas_b : tuple of str
    scores_a, scores_b : ndarray of shape (n_A,), (n_B,)
        Score of each replica.
    difference : float
        D, mean of scores_b minus mean of scores_a, in score units and as signed.
    alpha : float
    intervals : Intervals
    wins : WinShares or None
    tests : tuple of TestResult
        One for each preset.
    crossed : CrossedResult or None
        What the verdict rests on; None when both systems have one replica.
    bootstrap_differences : ndarray of shape (draw,)
        D on each bootstrap test set.
    verdict : Verdict
    is_quality : bool
        False where neither direction of the metric is better.

    Examples
    --------
    >>> import numpy as np, mtsig_core
    >>> values = np.random.default_rng(1).normal(size=(2, 3, 50))  # 2 systems, 3 replicas, 50 segments
    >>> pair = mtsig_core.Workbench(mtsig_core.load_scores(values, axes=("system", "replica", "segment"))).pair()
    >>> comparison = pair.compare(presets=["crossed", "ar-replica"], n_bootstrap=100)
    >>> [test.preset for test in comparison.tests]
    ['crossed', 'ar-replica']
    """

    test_set: str
    metric: str
    label: str
    signature: str
    higher_is_better: bool
    a: str
    b: str
    replicas_a: tuple[str, ...]
    replicas_b: tuple[str, ...]
    scores_a: np.ndarray
    scores_b: np.ndarray
    difference: float
    alpha: float
    intervals: Intervals
    wins: WinShares | None
    tests: tuple[TestResult, ...]
    crossed: CrossedResult | None
    bootstrap_differences: np.ndarray
    verdict: Verdict
    is_quality: bool = True

    def test(self, preset: str) -> TestResult | None:
        """Return the result of a preset, or None when it was not asked for."""
        return next((t for t in self.tests if t.preset == preset), None)

    def to_frame(self) -> pd.DataFrame:
        """Return one row a test, with headings for people."""
        names = {
            "preset": "test", "unit": "unit", "scheme": "scheme", "rule": "rule", "question": "answers for",
            "difference": "difference", "p": "p", "smallest_p": "smallest p", "note": "note", "warning": "warning",
        }  # fmt: skip
        return pd.DataFrame([[getattr(t, key) for key in names] for t in self.tests], columns=list(names.values()))
