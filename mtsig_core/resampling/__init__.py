"""Resampling: statistics and a seed in, distributions of scores and differences out."""

from mtsig_core.resampling.engine import Exchange, bootstrap_scores, exchange
from mtsig_core.resampling.replica_draws import hypothesis_bootstrap, redrawn_means, reshuffled_scores
from mtsig_core.resampling.settings import Settings
from mtsig_core.resampling.system_sums import SystemSums

__all__ = ["Exchange", "Settings", "SystemSums", "bootstrap_scores", "exchange", "hypothesis_bootstrap",
           "redrawn_means", "reshuffled_scores"]
