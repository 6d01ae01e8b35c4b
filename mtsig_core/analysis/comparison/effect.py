"""How large a difference is in human terms, whatever its significance.

The probability that a replica of B beats one of A (Agarwal et al. 2021, "probability of improvement"), and the share
of pairs of systems on which people agree with a metric's difference of that size (Kocmi et al. 2024).
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

import numpy as np
import pandas as pd

from mtsig_core.formatting import format_percent, format_score
from mtsig_core.metrics.base import Metric, SegmentStatistics
from mtsig_core.significance import OfPair, Result, Scope, with_numbers
from mtsig_core.significance.distributions import normal_quantile

# a metric's name, without punctuation -> the name of its curve, and what people call it
CURVES = {
    "bleu": ("bleu", "BLEU"), "chrf": ("chrf", "chrF"), "comet": ("comet22", "COMET-22"),
    "comet22": ("comet22", "COMET-22"), "wmt22cometda": ("comet22", "COMET-22"), "comet20": ("comet20", "COMET-20"),
    "wmt20cometda": ("comet20", "COMET-20"),
}
ASKED_SHARE = 0.8  # of system pairs: how large a difference people would agree with so often
_COIN = 0.5


@dataclass(frozen=True)
class Improvement:
    """Probability that a replica of B is better than one of A, ties counting half.

    Attributes
    ----------
    probability, low, high : float
        With Newcombe's interval; of declared pairs, with Wilson's.
    n_a, n_b : int
    level : float
    paired : bool
        Whether it is the share of declared pairs in which B's replica is better.
    """

    probability: float
    low: float
    high: float
    n_a: int
    n_b: int
    level: float
    paired: bool = False


@dataclass(frozen=True)
class HumanTerms:
    """How often people agree with a difference of a size.

    Attributes
    ----------
    curve : str
        The metric whose curve is used.
    size : float
        The difference in that curve's units.
    share : float
        Of system pairs, from .5: below it the difference predicts no better than a coin.
    coin : bool
        Whether the difference is too small to predict better than a coin.
    needed : float
        Size at which the share is `ASKED_SHARE`.
    ceiling : float
        The share that no difference exceeds.
    note : str
        What was assumed.
    """

    curve: str
    size: float
    share: float
    coin: bool
    needed: float
    ceiling: float
    note: str = ""


@dataclass(frozen=True)
class Effect(OfPair, Result):
    """A difference in human terms; `human` is None where `reason` says why, `improvement` with one replica each.

    Attributes
    ----------
    scope : Scope
    difference : float
    improvement : Improvement or None
    human : HumanTerms or None
    reason : str

    Examples
    --------
    >>> import mtsig_core
    >>> pair = mtsig_core.Workbench(mtsig_core.load_example()).pair()
    >>> effect = pair.effect()
    >>> effect.difference == pair.compare(presets=["crossed"], n_bootstrap=100).difference
    True
    """

    scope: Scope
    difference: float
    improvement: Improvement | None
    human: HumanTerms | None
    reason: str = ""

    def to_frame(self) -> pd.DataFrame:
        """Return one row: difference, probability of improvement, and share of people who agree."""
        chance, human = self.improvement, self.human
        row = {
            "metric": self.label, "difference": self.difference,
            "P(improvement)": chance and chance.probability, "low": chance and chance.low,
            "high": chance and chance.high, "share of system pairs": human and human.share, "note": self.reason,
        }  # fmt: skip
        return with_numbers(pd.DataFrame([row]))


def improvement(
    scores_a: np.ndarray, scores_b: np.ndarray, *, higher_is_better: bool = True, level: float = 0.95,
    paired: bool = False,
) -> Improvement:
    """Return P(B better than A) over pairs of replicas, with the interval of Newcombe (2006), his method 5.

    A bootstrap of replicas would give an interval of no width where all of B's replicas beat all of A's. Of declared
    pairs it is the share of pairs won, with Wilson's interval (1927).

    Parameters
    ----------
    scores_a, scores_b : ndarray of shape (n_a,), (n_b,)
    higher_is_better : bool
    level : float
        Of the interval.
    paired : bool
        Replicas of equal index belong together.
    """
    gains = np.asarray(scores_b, float)[:, None] - np.asarray(scores_a, float)[None, :]
    if not gains.size or not np.isfinite(gains).all():
        raise ValueError("expected a score of at least one replica of each system.")
    gains = gains if higher_is_better else -gains
    if paired:
        gains = np.diag(gains)
    probability = float(np.mean(gains > 0) + np.mean(gains == 0) / 2)
    n_a, n_b = len(scores_a), len(scores_b)
    low, high = _wilson(probability, n_a, level) if paired else _newcombe(probability, n_a, n_b, level)
    return Improvement(probability, low, high, n_a, n_b, level, paired)


def _wilson(share: float, n: int, level: float) -> tuple[float, float]:
    """Return Wilson's interval of a share of n."""
    z2 = normal_quantile((1 + level) / 2) ** 2
    middle, half = share + z2 / (2 * n), math.sqrt(z2 * (share * (1 - share) + z2 / (4 * n)) / n)
    return max(0.0, (middle - half) / (1 + z2 / n)), min(1.0, (middle + half) / (1 + z2 / n))


def _newcombe(observed: float, n_a: int, n_b: int, level: float) -> tuple[float, float]:
    """Return both theta with (theta - observed)^2 = z^2 var(theta): Hanley and McNeil's, (n_a + n_b)/2 for both n."""
    z, extra = normal_quantile((1 + level) / 2), (n_a + n_b) / 2 - 1

    def gap(theta: float) -> float:
        spread = 1 + extra * ((1 - theta) / (2 - theta) + theta / (1 + theta))
        return (theta - observed) ** 2 - z**2 * theta * (1 - theta) * spread / (n_a * n_b)

    # at 0 and 1 the observed share is itself a root, but not the wanted end
    low = 0.0 if observed == 0 else _root(gap, 0.0, min(observed, 1 - 1e-9))
    high = 1.0 if observed == 1 else _root(gap, max(observed, 1e-9), 1.0)
    return low, high


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function changes its sign between two places: halved until no number lies between them."""
    rising = function(low) < 0
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if (function(middle) < 0) == rising else (low, middle)
    return middle


def human_terms(metric: str, difference: float, scale: float = 1.0, label: str = "") -> HumanTerms | str:
    """Return how often people agree with a difference of a size, or why that is not known.

    Parameters
    ----------
    metric : str
        Name of the metric.
    difference : float
        In score units, of either sign.
    scale : float
        Size of the scores: COMET's curves are made for scores times 100.
    label : str
        What people call the metric, where it is not its name.
    """
    key = re.sub(r"[^a-z0-9+]", "", metric.lower().removeprefix("unbabel/").removesuffix(" (from file)"))
    if key not in CURVES:
        asked = label or metric
        return f"How people judge differences in {asked} is not known: there are curves for BLEU, chrF and COMET."
    package = _package()
    if package is None:
        return "Install mt-thresholds (pip install mt-thresholds) to see how often people agree with such a difference."
    curve, label = CURVES[key]
    size, note = abs(difference), ""
    if curve.startswith("comet") and scale <= 2:
        size, note = 100 * size, "Scores times 100, as the curve is made."
    if key == "comet":
        note = f"Taken as COMET-22. {note}".strip()
    share = package.accuracy(size, curve) / 100  # the package returns percent
    return HumanTerms(
        label, size, max(_COIN, share), share <= _COIN, float(package.delta(ASKED_SHARE, curve)),
        package.accuracy(1e6, curve) / 100, note,
    )


def margin_suggestion(statistics: SegmentStatistics, a: str, b: str) -> str:
    """Return what is known of which differences people notice, beside a field for the smallest that matters.

    Parameters
    ----------
    statistics : SegmentStatistics
    a, b : str
        Systems, whose scores show the scale.
    """
    scores = np.concatenate([statistics.scores_of(a), statistics.scores_of(b)])
    return noticed_differences(statistics.metric, float(np.abs(scores).max()))


def noticed_differences(metric: Metric, scale: float | None = None) -> str:
    """Return which differences under a metric people notice.

    Parameters
    ----------
    metric : Metric
    scale : float, optional
        Size of the scores; by default what is usual: up to 1 for COMET, up to 100 for others.
    """
    usual = 1.0 if "comet" in metric.name.lower() else 100.0
    human = human_terms(metric.name, 1.0, usual if scale is None else scale, metric.label)
    package = _package()
    if isinstance(human, str) or package is None:
        return human if isinstance(human, str) else ""
    unit = 1.0 if human.size == 1.0 else 0.01
    curve = next(name for name, label in CURVES.values() if label == human.curve)
    some, most = (format_score(unit * float(package.delta(share, curve))) for share in (0.6, ASKED_SHARE))
    return (
        f"People agree with a difference of {some} {metric.label} on 60% of pairs of systems, with {most} on "
        f"{format_percent(ASKED_SHARE)} (Kocmi et al. 2024)."
    )


def _package() -> ModuleType | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the package's own source, when it is compiled first
            return import_module("mt_thresholds")
    except ImportError:
        return None


def effect(
    statistics: SegmentStatistics, a: str, b: str, *, level: float = 0.95, paired: bool = False
) -> Effect:
    """Return the difference of two systems in human terms.

    Parameters
    ----------
    statistics : SegmentStatistics
    a, b : str
        Baseline and system.
    level : float
        Of the interval.
    paired : bool
        Replicas of equal index belong together; it counts where there are as many of one as of the other.
    """
    scores_a, scores_b = statistics.scores_of(a), statistics.scores_of(b)
    difference = float(scores_b.mean() - scores_a.mean())
    metric = statistics.metric
    scope = Scope.of(statistics, a, b)
    if not math.isfinite(difference):
        return Effect(scope, difference, None, None, "A replica has no score.")
    if not metric.is_quality:
        return Effect(scope, difference, None, None, f"{metric.label} is no measure of quality: neither is better.")
    scale = float(np.abs(np.concatenate([scores_a, scores_b])).max())
    human = human_terms(metric.name, difference, scale, metric.label)
    single = len(scores_a) == len(scores_b) == 1  # a share of one pair is no share
    chance = None if single else improvement(
        scores_a, scores_b, higher_is_better=metric.higher_is_better, level=level,
        paired=paired and len(scores_a) == len(scores_b),
    )
    if isinstance(human, str):
        return Effect(scope, difference, chance, None, human)
    return Effect(scope, difference, chance, human)
