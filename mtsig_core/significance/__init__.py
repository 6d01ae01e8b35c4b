"""Significance: one pair of systems, one metric, one preset in, one result out."""

from mtsig_core.significance.conventions import Convention, Preset
from mtsig_core.significance.corrections import benjamini_hochberg, holm
from mtsig_core.significance.crossed import CrossedResult, crossed_test
from mtsig_core.significance.pair import Pair, PairDraws
from mtsig_core.significance.presets import PRESETS, honest_presets
from mtsig_core.significance.results import TestResult
from mtsig_core.significance.run import applicable, run_on, run_preset

__all__ = [
    "PRESETS",
    "Convention",
    "CrossedResult",
    "Pair",
    "PairDraws",
    "Preset",
    "TestResult",
    "applicable",
    "benjamini_hochberg",
    "crossed_test",
    "holm",
    "honest_presets",
    "run_on",
    "run_preset",
]
