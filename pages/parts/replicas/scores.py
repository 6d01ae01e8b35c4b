"""Table 1 and the replicas' scores, which all sections of the page show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from mtsig_core.analysis.replicas.variance import VarianceRow, VarianceTable
from mtsig_core.runtime.jobs import Progress
from pages.parts.background import answer
from pages.parts.view import View

QUICK_BOOTSTRAP = 200
OWN = "own segments"  # in the session: the switch


def on_own_segments() -> bool:
    """Say whether each system is shown on all segments that it has, not on those that all systems have."""
    return bool(st.session_state.get(OWN))


def offer_own_segments(now: View) -> None:
    """Draw the choice of segments, where some systems lack scores that others have."""
    if now.bench.notes([now.test_set], now.metrics):
        st.toggle("Each system on all segments that it has", key=OWN)


def variance(now: View) -> VarianceTable | None:
    """Return Table 1 of the chosen set and of the tuning set; None while there is none of that set yet."""
    own = on_own_segments()
    table = answer("replicas", (*now.key, own), partial(_compute, now, own))
    if table is None or not rows_on(table, now.test_set):  # the former result may be of another test set
        return None
    return table


def _compute(now: View, own: bool, progress: Progress, publish: Callable[[Any], None]) -> VarianceTable:
    tuning = now.experiment.dev_set()
    sets = list(dict.fromkeys([now.test_set, *([tuning.name] if tuning else [])]))
    if now.settings.n_bootstrap > QUICK_BOOTSTRAP:
        quick = replace(now.settings, n_bootstrap=QUICK_BOOTSTRAP)
        publish(now.bench.table(sets, now.metrics, own_segments=own, settings=quick, progress=progress))
    return now.bench.table(sets, now.metrics, own_segments=own, settings=now.settings, progress=progress)


def rows_on(table: VarianceTable, test_set: str, metric: str | None = None) -> list[VarianceRow]:
    """Return the rows of a test set, and of one metric where it is named."""
    return [row for row in table.rows if row.test_set == test_set and metric in (None, row.metric)]
