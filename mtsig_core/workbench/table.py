"""The table of averages and variations (Clark et al. 2011, Table 1), its bootstrap samples drawn side by side."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from mtsig_core.analysis.replicas.variance import VarianceTable, variance_table
from mtsig_core.metrics import Metric
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress, subprogress

if TYPE_CHECKING:
    from mtsig_core.workbench.workbench import Workbench


def table(
    bench: Workbench, test_sets: Sequence[str], metrics: Sequence[Metric], settings: Settings, progress: Progress,
    own_segments: bool = False,
) -> VarianceTable:  # fmt: skip
    """Return average, s_sel, s_dev and s_test by test set, metric and system; see `Workbench.table`."""
    tuning = bench.experiment.dev_set()
    needed = [*test_sets, *([tuning.name] if tuning and tuning.name not in test_sets else [])]
    steps = [(name, metric) for name in needed for metric in metrics if bench.can_score(name, metric)]
    if not any(name in test_sets for name, _ in steps):
        labels = ", ".join(metric.label for metric in metrics)
        raise ValueError(f"No output that {labels} can score on {', '.join(test_sets)}; choose another metric.")
    statistics = {}
    for i, (name, metric) in enumerate(steps):
        step = subprogress(progress, 0.7 * i / len(steps), 0.7 * (i + 1) / len(steps))
        statistics[name, metric.name] = bench.statistics(name, metric, step)
    draws = _bootstraps(bench, [s for s in steps if s[0] in test_sets], settings, subprogress(progress, 0.7, 1))
    shown = [one for (name, _), one in statistics.items() if name in test_sets]
    if own_segments:
        shown = [own for one in shown for own in bench.own_statistics(one.test_set, one.metric)]
        draws = {key: drawn for key, drawn in draws.items() if statistics[key].segments is None}
    return variance_table(
        shown,
        settings,
        dev={m: one for (name, m), one in statistics.items() if tuning and name == tuning.name},
        roles={t.name: t.role for t in bench.experiment.test_sets},
        bootstrap=draws,
    )


def _bootstraps(
    bench: Workbench, steps: Sequence[tuple[str, Metric]], settings: Settings, progress: Progress
) -> dict[tuple[str, str], np.ndarray]:
    """Return bootstrap scores by the names of test set and metric, computed side by side."""
    def scores(k: int) -> np.ndarray:
        name, metric = steps[k]
        return bench.bootstrap(name, metric, settings, subprogress(progress, k / len(steps), (k + 1) / len(steps)))

    with ThreadPoolExecutor(min(len(steps), os.cpu_count() or 1)) as pool:
        drawn = list(pool.map(scores, range(len(steps))))
    return {(name, metric.name): draws for (name, metric), draws in zip(steps, drawn, strict=True)}
