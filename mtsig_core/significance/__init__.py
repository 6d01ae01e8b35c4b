"""Significance: one pair of systems, one metric, one preset in, one result out."""

from mtsig_core.significance.crossed import CrossedResult, crossed_test
from mtsig_core.significance.presets import PRESETS, Convention, Preset
from mtsig_core.significance.run import TestResult, applicable, run_preset

__all__ = [
    "PRESETS",
    "Convention",
    "CrossedResult",
    "Preset",
    "TestResult",
    "applicable",
    "crossed_test",
    "run_preset",
]
