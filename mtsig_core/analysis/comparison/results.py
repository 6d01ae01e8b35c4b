"""The result of a comparison of two systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

import numpy as np
import pandas as pd

from mtsig_core.metrics.pairs import Basis
from mtsig_core.significance import CoherentResult, CrossedResult, OfPair, Outcome, Result, Scope, TestResult
from mtsig_core.significance.closed_form.equivalence import MarginTest
from mtsig_core.significance.results import results_frame

Interval = tuple[float, float]


@dataclass(frozen=True)
class Intervals:
    """Three intervals of the difference D, in score units, each at level 1 - alpha.

    Attributes
    ----------
    test_set : (float, float) or None
        Test-set variance alone: percentile interval of the segment bootstrap.
    optimizer : (float, float) or None
        Optimizer variance alone: Welch's interval of the difference of means, or the paired t interval for replicas
        declared as paired.
    both : (float, float) or None
        The coherent test's interval: new replicas on new text.
    reasons : mapping of {"test_set", "optimizer", "both"} to str
        Why an interval is None.
    """

    test_set: Interval | None
    optimizer: Interval | None
    both: Interval | None
    reasons: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class WinShares:
    """Shares of bootstrap resamples that each system wins by quality, and ties; they sum to 1 (Koehn 2004)."""

    a: float
    b: float
    tie: float


@dataclass(frozen=True)
class Verdict:
    """The answer in words.

    Attributes
    ----------
    outcome : {"better", "worse", "higher", "lower", "equivalent", "undecided", "same outputs", "not defined"}
        Of B against A; see `mtsig_core.significance.scope.Outcome`.
    headline : str
        It rests on the coherent test only.
    details : tuple of str
        What else to know, most important first.
    not_worse : bool or None
        With a margin: whether B is not worse than A by the margin, True or False where that was shown, else None.
    """

    outcome: Outcome
    headline: str
    details: tuple[str, ...] = ()
    not_worse: bool | None = None


@dataclass(frozen=True, eq=False)
class Comparison(OfPair, Result):
    """System B against the baseline A on one test set under one metric.

    Attributes
    ----------
    scope : Scope
        Test set, metric, baseline A and system B.
    signature : str
        Of the metric.
    replicas_a, replicas_b : tuple of str
    scores_a, scores_b : ndarray of shape (n_A,), (n_B,)
        Score of each replica.
    difference : float
        D, mean of scores_b minus mean of scores_a, in score units and as signed.
    alpha : float
        Significance level.
    intervals : Intervals
    wins : WinShares or None
    tests : tuple of TestResult
        One for each preset.
    coherent : CoherentResult or None
        What the verdict rests on; None when both systems have one replica.
    margin : MarginTest or None
        The difference against the margin that was stated, if one was.
    basis : Basis or None
        Segments and replicas used, and those left out.
    bootstrap_differences : ndarray of shape (draw,)
        D on each bootstrap resample.
    verdict : Verdict

    Examples
    --------
    >>> import mtsig_core
    >>> pair = mtsig_core.Workbench(mtsig_core.load_example()).pair()
    >>> comparison = pair.compare(presets=["crossed", "ar-replica"], n_bootstrap=100)
    >>> [test.preset.name for test in comparison.tests]
    ['crossed', 'ar-replica']
    """

    scope: Scope
    signature: str
    replicas_a: tuple[str, ...]
    replicas_b: tuple[str, ...]
    scores_a: np.ndarray
    scores_b: np.ndarray
    difference: float
    alpha: float
    intervals: Intervals
    wins: WinShares | None
    tests: tuple[TestResult, ...]
    coherent: CoherentResult | None
    bootstrap_differences: np.ndarray
    verdict: Verdict
    margin: MarginTest | None = None
    basis: Basis | None = None

    @property
    def crossed(self) -> CrossedResult | None:
        """The crossed test alone, one of the coherent test's two parts."""
        return None if self.coherent is None else self.coherent.crossed

    def test(self, preset: str) -> TestResult | None:
        """Return the result of a preset, or None when it was not asked for."""
        return next((t for t in self.tests if t.preset.name == preset), None)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per test, with headings for people."""
        return results_frame(self.tests)

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.verdict.headline)}</p>{super()._repr_html_()}"
