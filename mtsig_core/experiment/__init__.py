"""The data model: an immutable, validated experiment of systems, replicas and test sets."""

from __future__ import annotations

from mtsig_core.experiment.assumptions import Assumption
from mtsig_core.experiment.lazy_outputs import LazyOutputs
from mtsig_core.experiment.model import LARGEST_SCORE, Experiment, Replica, Scores, System
from mtsig_core.experiment.names import natural_key
from mtsig_core.experiment.test_sets import ROLES, ExperimentError, Role, TestSet

__all__ = [
    "LARGEST_SCORE",
    "ROLES",
    "Assumption",
    "Experiment",
    "ExperimentError",
    "LazyOutputs",
    "Replica",
    "Role",
    "Scores",
    "System",
    "TestSet",
    "natural_key",
]
