"""What a report is asked for, and all results that it prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mtsig_core.analysis.comparison import Comparison
from mtsig_core.analysis.comparison.combined import Combined
from mtsig_core.analysis.comparison.effect import Effect
from mtsig_core.analysis.planning.components import SharedSeeds, VarianceComponents
from mtsig_core.analysis.planning.planner import Plan
from mtsig_core.analysis.replicas.by_n_results import ByN
from mtsig_core.analysis.replicas.lottery import Lottery
from mtsig_core.analysis.replicas.variance import VarianceTable
from mtsig_core.analysis.systems.pairwise import Pairwise
from mtsig_core.experiment import Experiment
from mtsig_core.metrics import Metric
from mtsig_core.reports.paper.model import DEFAULT_PARTS, PARTS
from mtsig_core.resampling import Settings

#: Components, how similar replicas of equal index are, a plan or None, and why there is none.
Planned = tuple[VarianceComponents, SharedSeeds | None, Plan | None, str]


@dataclass(frozen=True)
class ReportRequest:
    """What goes into a report.

    Parameters
    ----------
    parts : tuple of str
        Keys of `mtsig_core.reports.paper.model.PARTS`.
    test_sets : tuple of str
        By default all that are no tuning sets.
    metrics : tuple of Metric or of their names
        By default one, as `Workbench.metric` chooses it.
    baseline : str
        By default the experiment's.
    systems : tuple of str
        Those that are compared with the baseline; by default all others.
    presets : tuple of str
        Tests of the comparisons; by default the valid ones that the replicas allow.
    difference : float, optional
        What a plan is for: the smallest difference that matters; by default the margin of the settings.
    power : float
        Share of experiments in which a plan must find it.

    Raises
    ------
    ValueError
        For an unknown part.

    Examples
    --------
    >>> import mtsig_core
    >>> mtsig_core.ReportRequest(parts=("verdict", "checklist")).parts
    ('verdict', 'checklist')
    """

    parts: tuple[str, ...] = DEFAULT_PARTS
    test_sets: tuple[str, ...] = ()
    metrics: tuple[Metric, ...] = ()
    baseline: str = ""
    systems: tuple[str, ...] = ()
    presets: tuple[str, ...] = ()
    difference: float | None = None
    power: float = 0.8

    def __post_init__(self) -> None:
        for name in ("parts", "test_sets", "systems", "presets"):
            if isinstance(value := getattr(self, name), str):  # one instead of several
                object.__setattr__(self, name, (value,))
        unknown = [part for part in self.parts if part not in PARTS]
        if unknown or not self.parts:
            raise ValueError(f"A report has one or more of the parts {', '.join(PARTS)}; not {', '.join(unknown)!r}.")

    def has(self, *parts: str) -> bool:
        """Say whether one of these parts is wanted."""
        return not set(parts).isdisjoint(self.parts)


@dataclass(frozen=True, eq=False)
class Results:
    """All results that a report prints; those of parts that it does not have are missing.

    Parameters
    ----------
    experiment : Experiment
    settings : Settings
    request : ReportRequest
        With every default filled in.
    signatures : mapping of (test set, metric name) to str
        The metrics that score something on a test set.
    comparisons : tuple of Comparison
        Of the baseline with each of the systems, on each test set and under each metric.
    effects : tuple of Effect
        One for each comparison.
    combined : tuple of Combined
        Over several test sets.
    why_not_combined : tuple of str
    table : VarianceTable or None
    pairwise : tuple of Pairwise
    by_n : tuple of ByN
    lotteries : tuple of Lottery
    plans : tuple of Planned
    notes : tuple of str
        What was left out.
    """

    experiment: Experiment
    settings: Settings
    request: ReportRequest
    signatures: Mapping[tuple[str, str], str]
    comparisons: tuple[Comparison, ...] = ()
    effects: tuple[Effect, ...] = ()
    combined: tuple[Combined, ...] = ()
    why_not_combined: tuple[str, ...] = ()
    table: VarianceTable | None = None
    pairwise: tuple[Pairwise, ...] = ()
    by_n: tuple[ByN, ...] = ()
    lotteries: tuple[Lottery, ...] = ()
    plans: tuple[Planned, ...] = ()
    notes: tuple[str, ...] = ()

    def metric(self, name: str) -> Metric:
        """Return a metric of the request."""
        return next(metric for metric in self.request.metrics if metric.name == name)
