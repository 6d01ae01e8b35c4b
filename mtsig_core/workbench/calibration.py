"""Questions about the tests themselves, asked of a workbench: can they be trusted with these replicas."""

from __future__ import annotations

from collections.abc import Sequence

from mtsig_core.analysis.calibration.arena import world_like
from mtsig_core.analysis.calibration.calibration import DEFAULT, MOST_SPLITS, Calibration, CalibrationDesign, calibrate
from mtsig_core.analysis.calibration.inflation import Inflation, inflation
from mtsig_core.analysis.calibration.replica_effect import PERMUTATIONS, ReplicaEffects, replica_effects
from mtsig_core.analysis.calibration.report import CalibrationReport
from mtsig_core.metrics import Metric
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance import PRESETS, Scope
from mtsig_core.significance.simulated import World
from mtsig_core.workbench.pair import Where
from mtsig_core.workbench.workbench import Workbench


def ask_replica_effects(
    bench: Workbench,
    test_set: str,
    metrics: Sequence[Metric],
    settings: Settings,
    *,
    systems: Sequence[str] | None = None,
    n_permutations: int = PERMUTATIONS,
    progress: Progress = no_progress,
) -> ReplicaEffects:
    """Return the whole-replica effect of every system under every metric."""
    statistics = [bench.statistics(test_set, metric, subprogress(progress, 0, 0.3)) for metric in metrics]
    return replica_effects(
        statistics,
        systems=systems,
        alpha=settings.alpha,
        n_permutations=min(n_permutations, settings.n_permutations),
        seed=settings.seed,
        progress=subprogress(progress, 0.3, 1),
    )


def ask_calibration(
    bench: Workbench,
    test_set: str,
    metric: Metric,
    system: str,
    settings: Settings,
    *,
    presets: Sequence[str] = DEFAULT,
    most_splits: int = MOST_SPLITS,
    progress: Progress = no_progress,
) -> Calibration:
    """Return A/A calibration of one system's replicas."""
    statistics = bench.statistics(test_set, metric, subprogress(progress, 0, 0.2))
    drawn = None
    if any(PRESETS[name].family == "bootstrap" for name in presets if name in PRESETS):
        drawn = bench.bootstrap(test_set, metric, settings, subprogress(progress, 0.2, 0.4))
    return calibrate(
        statistics, system, settings, CalibrationDesign(tuple(presets), most_splits), bootstrap=drawn,
        progress=subprogress(progress, 0.4, 1),
    )


def ask_overclaim(where: Where, settings: Settings) -> Inflation:
    """Return the variance inflation of hypothesis-level tests of a pair."""
    return inflation(where.statistics(), where.a, where.b, settings)


def ask_world_like(where: Where) -> World | None:
    """Return a simulated world whose parts vary as two systems do."""
    return world_like(where.statistics(), where.a, where.b)


def ask_trust(
    bench: Workbench,
    test_set: str,
    metric: Metric,
    settings: Settings,
    *,
    baseline: str | None = None,
    system: str | None = None,
    presets: Sequence[str] | None = None,
    progress: Progress = no_progress,
) -> CalibrationReport:
    """Return A/A calibration of every system (or of one), whole-replica effects, and overclaims against the baseline.

    Raises
    ------
    ValueError
        For a system that the experiment does not have, or a test that cannot be calibrated so.
    """
    scored = bench.statistics(test_set, metric, subprogress(progress, 0, 0.2)).systems
    for name in (baseline, system):
        if name is not None:
            bench.experiment.system(name)
    chosen = [name for name in scored if system in (None, name)]
    if not chosen:
        raise ValueError(f"{metric.label} has no scores of {system!r} on {test_set!r}; it scores {', '.join(scored)}.")
    first = baseline or bench.experiment.baseline or scored[0]
    if first not in scored:
        first = scored[0]
    calibrations = [
        ask_calibration(bench, test_set, metric, name, settings, presets=tuple(presets or DEFAULT),
                        progress=subprogress(progress, 0.2 + 0.6 * k / len(chosen), 0.2 + 0.6 * (k + 1) / len(chosen)))
        for k, name in enumerate(chosen)
    ]
    effects = ask_replica_effects(bench, test_set, [metric], settings, systems=chosen,
                                  progress=subprogress(progress, 0.8, 1))
    others = [name for name in chosen if name != first]
    over = [ask_overclaim(Where(bench, test_set, metric, first, name), settings) for name in others]
    scope = Scope.of(bench.statistics(test_set, metric), *chosen)
    return CalibrationReport(scope, tuple(calibrations), effects, tuple(over))
