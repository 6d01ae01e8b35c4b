"""Is system B better than system A? Difference, intervals, tests, and a verdict in words."""

from mtsig_core.analysis.comparison.compare import compare
from mtsig_core.analysis.comparison.results import Comparison, Intervals, Level, Verdict, WinShares

__all__ = ["Comparison", "Intervals", "Level", "Verdict", "WinShares", "compare"]
