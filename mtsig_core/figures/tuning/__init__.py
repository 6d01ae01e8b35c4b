"""Figures of tuning: paths, weights, lines, planes, dev against test."""

from mtsig_core.figures.tuning.dev_against_test import dev_test_scatter
from mtsig_core.figures.tuning.envelope import envelope_lines
from mtsig_core.figures.tuning.line import line_steps
from mtsig_core.figures.tuning.plane import plane_heatmap
from mtsig_core.figures.tuning.spreads import spread_intervals
from mtsig_core.figures.tuning.trajectories import score_paths
from mtsig_core.figures.tuning.weights import weight_coordinates

__all__ = [
    "dev_test_scatter",
    "envelope_lines",
    "line_steps",
    "plane_heatmap",
    "score_paths",
    "spread_intervals",
    "weight_coordinates",
]
