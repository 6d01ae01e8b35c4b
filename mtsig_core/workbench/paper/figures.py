"""The figures of a report, drawn when they are asked for: Plotly is imported then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mtsig_core.analysis.comparison import Comparison
from mtsig_core.analysis.planning.components import VarianceComponents
from mtsig_core.analysis.planning.planner import Plan
from mtsig_core.analysis.replicas.by_n_results import ByN
from mtsig_core.analysis.replicas.variance import VarianceRow
from mtsig_core.analysis.systems.pairwise import Pairwise
from mtsig_core.experiment import Experiment


def colours_of(experiment: Experiment) -> dict[str, str]:
    """Return one colour per system, the same in every figure."""
    from mtsig_core.figures.theme import system_colours

    return system_colours([system.name for system in experiment.systems])


def difference(comparison: Comparison) -> Any:
    """Return the difference with its intervals."""
    from mtsig_core.figures.comparison import difference_intervals

    return difference_intervals(comparison)


def replicas(rows: Sequence[VarianceRow], experiment: Experiment) -> Any:
    """Return every replica as a point."""
    from mtsig_core.figures.variance import replica_strip

    return replica_strip(rows, colours_of(experiment))


def ranks(result: Pairwise, experiment: Experiment) -> Any:
    """Return systems best first with their intervals."""
    from mtsig_core.figures.three_methods import cluster_intervals

    return cluster_intervals(result, colours_of(experiment))


def by_n(result: ByN) -> Any:
    """Return the difference against the number of replicas."""
    from mtsig_core.figures.by_n import difference_band

    return difference_band(result, result.label)


def components(result: VarianceComponents) -> Any:
    """Return the parts of the variance of the difference."""
    from mtsig_core.figures.components import luck_shares

    return luck_shares(result)


def power(result: Plan) -> Any:
    """Return power over replicas and segments."""
    from mtsig_core.figures.planner import power_contour

    return power_contour(result)
