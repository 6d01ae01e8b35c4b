"""mtsig tells whether one text-generation system is better when every training run gives another result.

Text files become an `Experiment` (`load`), or scores that are already in memory (`load_scores`). A `Workbench` answers
every question about it; questions about two systems are methods of the pair that `Workbench.pair` returns.

Examples
--------
>>> import numpy as np, mtsig_core
>>> scores = np.random.default_rng(0).normal(size=(2, 3, 40))  # 2 systems, 3 replicas, 40 segments
>>> scores[1] += 1
>>> bench = mtsig_core.Workbench(mtsig_core.load_scores(scores, axes=("system", "replica", "segment")))
>>> comparison = bench.pair().compare(n_bootstrap=200, n_permutations=200)
>>> round(comparison.difference, 2), comparison.test("welch-replicas").p < 0.05
(0.79, True)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mtsig_core.analysis.calibration.calibration import Calibration
    from mtsig_core.analysis.calibration.inflation import Inflation
    from mtsig_core.analysis.calibration.replica_effect import ReplicaEffects
    from mtsig_core.analysis.calibration.report import CalibrationReport
    from mtsig_core.analysis.comparison.bootstrap_intervals import BootstrapIntervals
    from mtsig_core.analysis.comparison.combined import Combined
    from mtsig_core.analysis.comparison.effect import Effect
    from mtsig_core.analysis.comparison.results import Comparison
    from mtsig_core.analysis.planning.components import SharedSeeds, VarianceComponents
    from mtsig_core.analysis.planning.planner import Plan
    from mtsig_core.analysis.reading.segments import SegmentTable
    from mtsig_core.analysis.replicas.by_n_results import ByN
    from mtsig_core.analysis.replicas.lottery import Lottery
    from mtsig_core.analysis.replicas.p_by_n import PByN
    from mtsig_core.analysis.replicas.variance import VarianceTable
    from mtsig_core.analysis.systems.overlap import Overlap
    from mtsig_core.analysis.systems.pairwise import Pairwise
    from mtsig_core.analysis.systems.three_methods import ThreeMethods
    from mtsig_core.experiment import Experiment
    from mtsig_core.loading import LoadError, LoadReport, load
    from mtsig_core.loading.example import load_example
    from mtsig_core.loading.scores.frames import load_scores
    from mtsig_core.metrics import get_metric
    from mtsig_core.metrics.base import Metric
    from mtsig_core.reports.paper.model import Report
    from mtsig_core.reports.paper.results import ReportRequest
    from mtsig_core.resampling.settings import Settings
    from mtsig_core.significance.results import TestResult
    from mtsig_core.workbench.meta_evaluation.agreement import Judged, TestChoice, agreement_of_tests
    from mtsig_core.workbench.meta_evaluation.correlations import correlations
    from mtsig_core.workbench.pair import Pair
    from mtsig_core.workbench.paper.make import make_report
    from mtsig_core.workbench.people import People, open_people
    from mtsig_core.workbench.results import Medians, MedianSegments, ObservedDifference
    from mtsig_core.workbench.workbench import Workbench

__version__ = "0.1.0"

# Each public name is imported when it is first asked for: name -> the module that defines it.
_MODULES = {
    "BootstrapIntervals": "analysis.comparison.bootstrap_intervals",
    "ByN": "analysis.replicas.by_n_results",
    "Calibration": "analysis.calibration.calibration",
    "CalibrationReport": "analysis.calibration.report",
    "Combined": "analysis.comparison.combined",
    "Comparison": "analysis.comparison.results",
    "Effect": "analysis.comparison.effect",
    "Experiment": "experiment",
    "Judged": "workbench.meta_evaluation.agreement",
    "Inflation": "analysis.calibration.inflation",
    "LoadError": "loading",
    "LoadReport": "loading",
    "Lottery": "analysis.replicas.lottery",
    "Medians": "workbench.results",
    "MedianSegments": "workbench.results",
    "Metric": "metrics.base",
    "ObservedDifference": "workbench.results",
    "Overlap": "analysis.systems.overlap",
    "Pair": "workbench.pair",
    "Pairwise": "analysis.systems.pairwise",
    "People": "workbench.people",
    "PByN": "analysis.replicas.p_by_n",
    "Plan": "analysis.planning.planner",
    "ReplicaEffects": "analysis.calibration.replica_effect",
    "Report": "reports.paper.model",
    "ReportRequest": "reports.paper.results",
    "SegmentTable": "analysis.reading.segments",
    "Settings": "resampling.settings",
    "SharedSeeds": "analysis.planning.components",
    "TestChoice": "workbench.meta_evaluation.agreement",
    "TestResult": "significance.results",
    "ThreeMethods": "analysis.systems.three_methods",
    "VarianceComponents": "analysis.planning.components",
    "VarianceTable": "analysis.replicas.variance",
    "Workbench": "workbench.workbench",
    "agreement_of_tests": "workbench.meta_evaluation.agreement",
    "correlations": "workbench.meta_evaluation.correlations",
    "get_metric": "metrics",
    "load": "loading",
    "load_example": "loading.example",
    "load_scores": "loading.scores.frames",
    "make_report": "workbench.paper.make",
    "open_people": "workbench.people",
}

__all__ = [
    "BootstrapIntervals",
    "ByN",
    "Calibration",
    "CalibrationReport",
    "Combined",
    "Comparison",
    "Effect",
    "Experiment",
    "Judged",
    "Inflation",
    "LoadError",
    "LoadReport",
    "Lottery",
    "Medians",
    "MedianSegments",
    "Metric",
    "ObservedDifference",
    "Overlap",
    "Pair",
    "Pairwise",
    "People",
    "PByN",
    "Plan",
    "ReplicaEffects",
    "Report",
    "ReportRequest",
    "SegmentTable",
    "Settings",
    "SharedSeeds",
    "TestChoice",
    "TestResult",
    "ThreeMethods",
    "VarianceComponents",
    "VarianceTable",
    "Workbench",
    "agreement_of_tests",
    "correlations",
    "get_metric",
    "load",
    "load_example",
    "load_scores",
    "make_report",
    "open_people",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return all public names, also those that are not imported yet."""
    return sorted({*globals(), *__all__})
