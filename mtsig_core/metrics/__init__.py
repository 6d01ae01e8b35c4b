"""Metrics: hypotheses become sufficient statistics, sums of statistics become scores.

One module per metric; `registry.METRICS` lists them. ``scoring/`` computes and caches statistics, ``text/`` splits and
normalises texts, ``compiled/`` computes the same numbers sooner, ``outside/`` takes scores that came with the data.
"""

from __future__ import annotations

from mtsig_core.metrics.available import available_metrics, choose_metric, default_metrics, systems_under
from mtsig_core.metrics.base import Metric, SegmentStatistics
from mtsig_core.metrics.outside.outside_metric import OutsideMetric
from mtsig_core.metrics.registry import METRICS, get_metric, metric_hints, metric_names, metric_problems
from mtsig_core.metrics.scoring.cache import StatisticsCache, default_cache
from mtsig_core.metrics.scoring.compute import compute_statistics
from mtsig_core.metrics.text.languages import LANGUAGES, default_tokenizer, target_language
from mtsig_core.metrics.text.tokenizers import TOKENIZERS

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
    "metric_hints",
    "metric_names",
    "metric_problems",
    "systems_under",
    "target_language",
]
