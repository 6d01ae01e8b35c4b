"""Significance tests: one pair of systems, one metric and one preset in, one result out."""

from mtsig_core.significance.closed_form.coherent import CoherentResult, coherent_test
from mtsig_core.significance.closed_form.crossed import CrossedResult, crossed_test
from mtsig_core.significance.conventions import Convention, Preset
from mtsig_core.significance.corrections import benjamini_hochberg, holm
from mtsig_core.significance.pair import Pair, PairDraws
from mtsig_core.significance.presets import PRESETS, valid_presets
from mtsig_core.significance.results import TestResult
from mtsig_core.significance.run import applicable, run_on, run_preset
from mtsig_core.significance.scope import OfPair, OfSystem, Outcome, Result, Scope, Scoped, with_numbers

__all__ = [
    "PRESETS",
    "CoherentResult",
    "Convention",
    "CrossedResult",
    "OfPair",
    "OfSystem",
    "Outcome",
    "Pair",
    "PairDraws",
    "Preset",
    "Result",
    "Scope",
    "Scoped",
    "TestResult",
    "applicable",
    "benjamini_hochberg",
    "coherent_test",
    "crossed_test",
    "holm",
    "valid_presets",
    "run_on",
    "run_preset",
    "with_numbers",
]
