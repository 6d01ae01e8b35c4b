"""Metrics: hypotheses become sufficient statistics, sums of statistics become scores.

A new metric is one file with a frozen dataclass derived from `Metric` and one line in `METRICS`; or a package of
anyone's that names the class under the entry points ``mtsig.metrics``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable

from mtsig_core.metrics.available import available_metrics, choose_metric, default_metrics, systems_under
from mtsig_core.metrics.base import Metric, SegmentStatistics
from mtsig_core.metrics.bleu import BLEU
from mtsig_core.metrics.cache import StatisticsCache, default_cache
from mtsig_core.metrics.chrf import ChrF, ChrFPlusPlus
from mtsig_core.metrics.exact import ExactMatch
from mtsig_core.metrics.external import OutsideMetric
from mtsig_core.metrics.languages import LANGUAGES, default_tokenizer, target_language
from mtsig_core.metrics.length import LengthRatio
from mtsig_core.metrics.meteor import METEOR
from mtsig_core.metrics.meteor15 import METEOR15
from mtsig_core.metrics.meteor_jar import why_not
from mtsig_core.metrics.nist import NIST
from mtsig_core.metrics.normalised import normalised
from mtsig_core.metrics.plugins import added_metrics
from mtsig_core.metrics.ribes import RIBES
from mtsig_core.metrics.rouge import RougeL
from mtsig_core.metrics.scoring import compute_statistics
from mtsig_core.metrics.sentence_bleu import BLEUPlusOne
from mtsig_core.metrics.ter import TER
from mtsig_core.metrics.tokenizers import TOKENIZERS, check_tokenizer

__all__ = [
    "LANGUAGES",
    "METRICS",
    "TOKENIZERS",
    "Metric",
    "OutsideMetric",
    "SegmentStatistics",
    "StatisticsCache",
    "available_metrics",
    "choose_metric",
    "compute_statistics",
    "default_cache",
    "default_metrics",
    "default_tokenizer",
    "get_metric",
    "metric_names",
    "metric_problems",
    "systems_under",
    "target_language",
]

METRICS: dict[str, Callable[..., Metric]] = {
    "bleu": BLEU,
    "chrf": ChrF,
    "chrf++": ChrFPlusPlus,
    "ter": TER,
    "nist": NIST,
    "meteor": METEOR,
    "meteor-1.5": METEOR15,
    "ribes": RIBES,
    "bleu+1": BLEUPlusOne,
    "rouge-l": RougeL,
    "length": LengthRatio,
    "exact-match": ExactMatch,
}

# Metrics of text that cannot be used here: why not, with the remedy.
_ABSENT = {"meteor-1.5": why_not()}


def metric_names() -> tuple[str, ...]:
    """Return the names of all metrics of text that can be used here: those of `METRICS`, then added ones."""
    return (*(name for name in METRICS if not _ABSENT.get(name)), *added_metrics(METRICS).found)


def metric_problems() -> tuple[str, ...]:
    """Return why packages that would add metrics could not."""
    return added_metrics(METRICS).problems


def get_metric(
    name: str, *, tokenize: str | None = None, lowercase: bool = False, language: str | None = None, nfc: bool = False
) -> Metric:
    """Return a metric by name.

    Parameters
    ----------
    name : str
        One of `metric_names`.
    tokenize : str, optional
        One of `TOKENIZERS`; metrics that do not tokenize by choice (chrF, TER, exact match) leave it aside.
    lowercase : bool
        Disregard case; TER and METEOR always do.
    language : str, optional
        Code of the target language, for metrics that differ by it (METEOR's stems).
    nfc : bool
        Bring hypotheses and references to Unicode's normal form C first.

    Raises
    ------
    ValueError
        For an unknown metric or tokenizer, or one that needs what is not installed; the message names
        those there are, or the remedy.

    Examples
    --------
    >>> import mtsig_core
    >>> metric = mtsig_core.get_metric("ter")
    >>> metric.label, metric.higher_is_better
    ('TER', False)
    """
    added = added_metrics(METRICS).found
    if name not in METRICS and name not in added:
        raise ValueError(f"No metric {name!r}; there are: {', '.join(metric_names())}.")
    if tokenize is not None:
        check_tokenizer(tokenize)
    factory = METRICS.get(name) or added[name]
    wanted = {"tokenize": tokenize, "lowercase": lowercase or None, "language": language}
    taken = inspect.signature(factory).parameters
    made = factory(**{option: value for option, value in wanted.items() if option in taken and value is not None})
    return normalised(made) if nfc else made
