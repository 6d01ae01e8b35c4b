"""Resampling: statistics and a seed in, distributions of scores and differences out."""

from mtsig_core.resampling.bootstrap import Sampling, bootstrap_scores, hypothesis_bootstrap
from mtsig_core.resampling.randomization import Exchange, ExchangeDesign, exchange
from mtsig_core.resampling.replica_resampling import bootstrap_means, shuffled_scores
from mtsig_core.resampling.settings import Settings
from mtsig_core.resampling.system_sums import SystemSums

__all__ = [
    "Exchange",
    "ExchangeDesign",
    "Sampling",
    "Settings",
    "SystemSums",
    "bootstrap_means",
    "bootstrap_scores",
    "exchange",
    "hypothesis_bootstrap",
    "shuffled_scores",
]
