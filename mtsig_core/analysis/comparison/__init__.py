"""Is system B better than system A? Difference, intervals, tests, and a verdict in words."""

from mtsig_core.analysis.comparison.compare import compare, compare_pair
from mtsig_core.analysis.comparison.results import Comparison, Intervals, Verdict, WinShares

__all__ = ["Comparison", "Intervals", "Verdict", "WinShares", "compare", "compare_pair"]
