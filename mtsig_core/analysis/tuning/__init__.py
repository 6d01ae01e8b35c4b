"""What tuning does: along a line, on a plane, from dev to test, and from run to run."""

from mtsig_core.analysis.tuning.envelope import SegmentEnvelope, most_changing_segment, segment_envelope
from mtsig_core.analysis.tuning.generalisation import Generalisation, GeneralisationRow, generalisation
from mtsig_core.analysis.tuning.least_variance import LeastVariance, SpreadRow, least_variance
from mtsig_core.analysis.tuning.line import LineObjective, objective_along_line
from mtsig_core.analysis.tuning.plane import WeightPlane, weight_plane
from mtsig_core.analysis.tuning.steps import SlowRun, slow_run
from mtsig_core.analysis.tuning.trajectories import Trajectories, trajectories

__all__ = [
    "Generalisation",
    "GeneralisationRow",
    "LeastVariance",
    "LineObjective",
    "SegmentEnvelope",
    "SlowRun",
    "SpreadRow",
    "Trajectories",
    "WeightPlane",
    "generalisation",
    "least_variance",
    "most_changing_segment",
    "objective_along_line",
    "segment_envelope",
    "slow_run",
    "trajectories",
    "weight_plane",
]
