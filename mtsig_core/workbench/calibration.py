"""Whether the tests can be trusted with these replicas: calibration, whole-replica effects, inflation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mtsig_core.analysis.calibration.calibration import Calibration, CalibrationDesign, calibrate
from mtsig_core.analysis.calibration.report import CalibrationReport
from mtsig_core.metrics import Metric
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress, subprogress
from mtsig_core.significance import PRESETS, Scope

if TYPE_CHECKING:
    from mtsig_core.workbench.workbench import Workbench


def calibration(
    bench: Workbench, subject: tuple[str, Metric, str], settings: Settings, splits: tuple[Sequence[str], int],
    progress: Progress,
) -> Calibration:  # fmt: skip
    """Return A/A calibration of one system's replicas.

    Parameters
    ----------
    bench : Workbench
    subject : tuple of (str, Metric, str)
        Test set, metric and system.
    settings : Settings
    splits : tuple of (sequence of str, int)
        The presets, and the largest number of splits that are tested.
    progress : Progress
    """
    (test_set, metric, system), (presets, most_splits) = subject, splits
    own = bench.own_statistics(test_set, metric, subprogress(progress, 0, 0.2))
    statistics = next((s for s in own if system in s.systems), own[0])
    draws = None
    if len(own) == 1 and any(PRESETS[name].family == "bootstrap" for name in presets if name in PRESETS):
        draws = bench.bootstrap(test_set, metric, settings, subprogress(progress, 0.2, 0.4))
    return calibrate(
        statistics, system, settings, CalibrationDesign(tuple(presets), most_splits), bootstrap=draws,
        progress=subprogress(progress, 0.4, 1),
    )


@dataclass(frozen=True)
class Chosen:
    """Baseline and system (None: the default, and all), and the presets to calibrate."""

    baseline: str | None
    system: str | None
    presets: tuple[str, ...]


def summary(
    bench: Workbench, subject: tuple[str, Metric], chosen: Chosen, settings: Settings, progress: Progress
) -> CalibrationReport:
    """Return calibration and replica effects of every system (or of one), and inflation against the baseline."""
    test_set, metric = subject
    own = bench.own_statistics(test_set, metric, subprogress(progress, 0, 0.2))
    scored = [name for one in own for name in one.systems]
    for name in (chosen.baseline, chosen.system):
        if name is not None:
            bench.experiment.system(name)
    systems = [name for name in scored if chosen.system in (None, name)]
    if not systems:
        raise ValueError(
            f"{metric.label} has no scores of {chosen.system!r} on {test_set!r}; it scores {', '.join(scored)}."
        )
    baseline = chosen.baseline or bench.experiment.baseline
    if baseline not in scored:
        baseline = scored[0]
    step = 0.6 / len(systems)
    calibrated = [
        bench.calibration(test_set, metric, name, presets=chosen.presets, settings=settings,
                          progress=subprogress(progress, 0.2 + step * k, 0.2 + step * (k + 1)))
        for k, name in enumerate(systems)
    ]
    effects = bench.replica_effects(test_set, [metric], systems=systems, settings=settings,
                                    progress=subprogress(progress, 0.8, 1))
    inflations = [
        bench.pair(test_set, metric, baseline, name).inflation(settings=settings) for name in systems
        if name != baseline
    ]
    scope = Scope.of(own[0], *systems)
    return CalibrationReport(scope, tuple(calibrated), effects, tuple(inflations))
