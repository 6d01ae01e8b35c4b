"""Tuning weights on n-best lists: optimizers, replicas, what stands beside them, and what becomes of them."""

from mtsig_core.optimizers.base import Optimizer, Trajectory
from mtsig_core.optimizers.baselines import Baselines, baselines
from mtsig_core.optimizers.export import (
    moses_ini,
    moses_zip,
    replica_files,
    replica_zip,
    system_names,
    to_experiment,
    weights_document,
    weights_json,
)
from mtsig_core.optimizers.problem import TuningProblem, tuning_problem
from mtsig_core.optimizers.registry import OPTIMIZERS, get_optimizer
from mtsig_core.optimizers.replicas import tune_replicas
from mtsig_core.optimizers.results import TunedReplica, TuningResult
from mtsig_core.optimizers.scored_list import ScoredList, score_list

__all__ = [
    "OPTIMIZERS",
    "Baselines",
    "Optimizer",
    "ScoredList",
    "Trajectory",
    "TunedReplica",
    "TuningProblem",
    "TuningResult",
    "baselines",
    "get_optimizer",
    "moses_ini",
    "moses_zip",
    "replica_files",
    "replica_zip",
    "score_list",
    "system_names",
    "to_experiment",
    "tune_replicas",
    "tuning_problem",
    "weights_document",
    "weights_json",
]
