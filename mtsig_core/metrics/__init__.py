"""Metrics: hypotheses become sufficient statistics, sums of statistics become scores.

A new metric is one file with a frozen dataclass derived from `Metric` and one line in `METRICS`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable

from mtsig_core.metrics.available import available_metrics, choose_metric, default_metrics, systems_under
from mtsig_core.metrics.base import Metric, SegmentStatistics
from mtsig_core.metrics.bleu import BLEU
from mtsig_core.metrics.cache import StatisticsCache, default_cache
from mtsig_core.metrics.chrf import ChrF, ChrFPlusPlus
from mtsig_core.metrics.external import OutsideMetric
from mtsig_core.metrics.scoring import compute_statistics
from mtsig_core.metrics.ter import TER
from mtsig_core.metrics.tokenizers import TOKENIZERS, check_tokenizer

__all__ = [
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
    "get_metric",
    "systems_under",
]

METRICS: dict[str, Callable[..., Metric]] = {
    "bleu": BLEU,
    "chrf": ChrF,
    "chrf++": ChrFPlusPlus,
    "ter": TER,
}


def get_metric(name: str, *, tokenize: str | None = None, lowercase: bool = False) -> Metric:
    """Return a metric by name.

    Parameters
    ----------
    name : str
        One of `METRICS`.
    tokenize : str, optional
        One of `TOKENIZERS`; metrics that do not tokenize by choice (chrF, TER) leave it aside.
    lowercase : bool
        Disregard case; TER always does.

    Raises
    ------
    ValueError
        For an unknown metric or tokenizer, or one that needs what is not installed; the message names
        those there are, or the remedy.
    """
    if name not in METRICS:
        raise ValueError(f"No metric {name!r}; there are: {', '.join(METRICS)}.")
    if tokenize is not None:
        check_tokenizer(tokenize)
    factory = METRICS[name]
    wanted = {"tokenize": tokenize, "lowercase": lowercase or None}
    taken = inspect.signature(factory).parameters
    return factory(**{option: value for option, value in wanted.items() if option in taken and value is not None})
