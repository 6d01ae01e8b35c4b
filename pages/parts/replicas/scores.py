"""Table 1 and the replicas' scores, which all sections of the page show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from mtsig_core.analysis.replicas.variance import VarianceRow, VarianceTable
from mtsig_core.runtime.jobs import Progress
from pages.parts.background import answer
from pages.parts.view import View

QUICK_BOOTSTRAP = 200


def variance(now: View) -> VarianceTable | None:
    """Return Table 1 of the chosen set and of the tuning set; None while there is none of that set yet."""
    table = answer("replicas", now.key, lambda progress, publish: _compute(now, progress, publish))
    if table is None or not rows_on(table, now.test_set):  # the former result may be of another test set
        return None
    return table


def _compute(now: View, progress: Progress, publish: Callable[[Any], None]) -> VarianceTable:
    tuning = now.experiment.dev_set()
    sets = list(dict.fromkeys([now.test_set, *([tuning.name] if tuning else [])]))
    if now.settings.n_bootstrap > QUICK_BOOTSTRAP:
        quick = replace(now.settings, n_bootstrap=QUICK_BOOTSTRAP)
        publish(now.bench.table(sets, now.metrics, settings=quick, progress=progress))
    return now.bench.table(sets, now.metrics, settings=now.settings, progress=progress)


def rows_on(table: VarianceTable, test_set: str, metric: str | None = None) -> list[VarianceRow]:
    """Return the rows of a test set, and of one metric where it is named."""
    return [row for row in table.rows if row.test_set == test_set and metric in (None, row.metric)]
