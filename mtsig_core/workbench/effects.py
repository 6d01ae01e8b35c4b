"""Questions about the size of a difference, asked of a workbench: in human terms, and over several test sets."""

from __future__ import annotations

from collections.abc import Sequence

from mtsig_core.analysis.comparison.combined import Combined, combined
from mtsig_core.analysis.comparison.effect import Effect, effect
from mtsig_core.metrics import Metric
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.workbench.pair import Where
from mtsig_core.workbench.workbench import Workbench


def ask_effect(where: Where, settings: Settings) -> Effect:
    """Return the difference of a pair in human terms."""
    return effect(where.statistics(), where.a, where.b, level=1 - settings.alpha)


def comparable_sets(bench: Workbench, metric: Metric, a: str, b: str) -> list[str]:
    """Return the test sets, those for tuning left out, on which a metric scores both systems."""
    sets = [t.name for t in bench.experiment.test_sets if t.role != "dev"]
    return [name for name in sets if bench.can_score(name, metric, a, b)]


def ask_combined(
    bench: Workbench, test_sets: Sequence[str], metric: Metric, a: str, b: str, settings: Settings,
    progress: Progress = no_progress,
) -> Combined:
    """Return a pair over several test sets together."""
    made = [
        bench.statistics(name, metric, subprogress(progress, 0.5 * k / len(test_sets), 0.5 * (k + 1) / len(test_sets)))
        for k, name in enumerate(test_sets)
    ]
    return combined(made, a, b, settings, progress=subprogress(progress, 0.5, 1))


def ask_all_combined(
    bench: Workbench, asked: Sequence[tuple[str, Metric]], a: str, b: str, settings: Settings,
    progress: Progress = no_progress,
) -> tuple[list[Combined], list[str]]:
    """Return a pair over all sets asked for, metric by metric where there are several, and why some are missing."""
    found, reasons = [], []
    for metric in dict.fromkeys(metric for _, metric in asked):
        sets = [name for name, other in asked if other is metric]
        if len(sets) < 2:
            continue
        try:
            found.append(ask_combined(bench, sets, metric, a, b, settings, progress))
        except ValueError as error:
            reasons.append(f"{metric.label}: the test sets are not put together: {error}")
    return found, reasons
