"""Variance inflation: how far tests that permute single hypotheses underestimate the variance of a difference."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import Settings
from mtsig_core.significance import OfPair, Result, Scope, crossed_test, with_numbers
from mtsig_core.significance.closed_form.crossed import segment_mean_square
from mtsig_core.significance.distributions import ndtr, ndtri


@dataclass(frozen=True)
class Inflation(OfPair, Result):
    """By how much hypothesis-level tests underestimate the variance of a difference.

    Attributes
    ----------
    scope : Scope
    n_a, n_b : int
    variance, variance_hypothesis : float or None
        V of the crossed test, and the variance that permuting single outputs assumes.
    ratio, rate : float or None
        VR = V / V_hyp, and the expected share of false alarms at alpha where the training setups do not differ.
    ratio_text, rate_text : float or None
        The same without the whole-replica effect: of these outputs, on new text.
    alpha : float
    note : str
        Why a number is not defined.

    Examples
    --------
    >>> import mtsig_core
    >>> bench = mtsig_core.Workbench(mtsig_core.load_example())
    >>> inflation = bench.pair().inflation()
    >>> round(inflation.ratio, 2), round(inflation.rate, 3)
    (0.7, 0.019)
    """

    scope: Scope
    n_a: int
    n_b: int
    variance: float | None
    variance_hypothesis: float | None
    ratio: float | None
    rate: float | None
    ratio_text: float | None
    rate_text: float | None
    alpha: float
    note: str = ""

    def to_frame(self) -> pd.DataFrame:
        """Return one row: variance ratios and expected false alarms."""
        row = (self.a, self.b, self.label, self.ratio, self.rate, self.ratio_text, self.rate_text, self.note)
        columns = [
            "A", "B", "metric", "variance ratio", "false alarms", "variance ratio, these outputs",
            "false alarms, these outputs", "note",
        ]  # fmt: skip
        return with_numbers(pd.DataFrame([row], columns=columns))


def alarm_rate(variance_ratio: float, alpha: float) -> float:
    """Return how often a test at alpha rejects when the true variance is a multiple of the one that it assumes.

    2 Phi(-z / sqrt(VR)), z the normal quantile of 1 - alpha/2.

    Parameters
    ----------
    variance_ratio : float
        VR, true over assumed variance.
    alpha : float
    """
    if variance_ratio <= 0:
        return 0.0
    return float(2 * ndtr(-ndtri(1 - alpha / 2) / np.sqrt(variance_ratio)))


def hypothesis_variance(y_a: np.ndarray, y_b: np.ndarray) -> float:
    """Return V_hyp = (1/n_A + 1/n_B) sum_l S2_l / L^2.

    S2_l is the variance (ddof 1) of the n_A + n_B pseudo-values, of shape (replica, segment), of segment l.
    """
    spread = np.concatenate([y_a, y_b]).var(axis=0, ddof=1)
    return float((1 / len(y_a) + 1 / len(y_b)) * spread.sum() / len(spread) ** 2)


def inflation(statistics: SegmentStatistics, a: str, b: str, settings: Settings) -> Inflation:
    """Return the variance inflation of hypothesis-level tests of two systems.

    Parameters
    ----------
    statistics, a, b, settings
        As of `mtsig_core.significance.Pair`.
    """
    y_a, y_b = statistics.pseudo_values(a), statistics.pseudo_values(b)
    paired = settings.paired and len(y_a) == len(y_b) > 1
    crossed = crossed_test(y_a, y_b, alpha=settings.alpha, documents=statistics.documents, paired=paired)
    of_outputs = hypothesis_variance(y_a, y_b) if statistics.n_segments > 1 else 0.0
    text = None
    if statistics.n_segments > 1:
        text = segment_mean_square(y_b.mean(axis=0) - y_a.mean(axis=0), statistics.documents)[0] / statistics.n_segments
    ratio, ratio_text = (v / of_outputs if v is not None and of_outputs > 0 else None for v in (crossed.variance, text))
    note = crossed.note if ratio is None else ""
    if of_outputs == 0:
        note = "Not defined: the outputs of both systems score the same in every segment."
    return Inflation(
        Scope.of(statistics, a, b), len(y_a), len(y_b), crossed.variance, of_outputs or None,
        ratio, None if ratio is None else alarm_rate(ratio, settings.alpha),
        ratio_text, None if ratio_text is None else alarm_rate(ratio_text, settings.alpha),
        settings.alpha, note,
    )  # fmt: skip
