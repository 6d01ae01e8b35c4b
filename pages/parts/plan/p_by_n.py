"""Plan, p against n: how p and the share of significant results change with the number of replicas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from mtsig_core.analysis.replicas.p_by_n import DRAWS, PByN
from mtsig_core.figures.p_by_n import p_band, p_shares
from mtsig_core.metrics import Metric
from mtsig_core.reports.pairs.p_by_n import table2_frame, table2_numbers
from mtsig_core.reports.pairs.tables import p_by_n_frame
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress, subprogress
from mtsig_core.workbench import Pair
from pages.parts import downloads, explanations
from pages.parts.background import answer
from pages.parts.text import literal
from pages.parts.view import View

QUICK_DRAWS, QUICK_SHUFFLES, MOST_SHUFFLES = 60, 100, 1000


def draw(now: View, system: str, metric: Metric) -> None:
    """Show how p and the share of significant results move with the number of replicas."""
    explanations.heading("p against the number of replicas", "p-by-n")
    pair = now.pair(metric, system)
    settings = replace(now.settings, n_permutations=min(MOST_SHUFFLES, now.settings.n_permutations))

    def work(progress: Progress, publish: Callable[[Any], None]) -> PByN:
        quick = replace(settings, n_permutations=min(QUICK_SHUFFLES, settings.n_permutations))
        publish(pair.p_by_n(settings=quick, draws=QUICK_DRAWS, progress=subprogress(progress, 0, 0.15)))
        return pair.p_by_n(settings=settings, progress=subprogress(progress, 0.15, 1))

    result = answer("p by n", (*now.key, metric.key), work)
    if result is None:
        return
    st.caption(
        f"{result.design.draws} times, n replicas of each system are drawn and tested with {result.n_permutations:,} "
        "permutations"
        + (" (quick answer)." if result.design.draws < DRAWS else ".")
    )
    frame = result.to_frame()
    of_p = [name for name in frame if name.startswith("p, ")]
    left, right = st.columns(2)
    with left:
        downloads.figure(now, downloads.built(p_band, result), "p-band", frame=frame[["permuted", "replicas", *of_p]],
                         alt="p against the number of replicas")
    with right:
        downloads.figure(now, downloads.built(p_shares, result), "p-shares", frame=frame.drop(columns=of_p),
                         alt="Share of significant results against the number of replicas")
    for note in result.notes:
        st.caption(literal(note))
    table_2, numbers = st.tabs(["One replica, and several (Table 2)", "Numbers"])
    with table_2:
        _table_2(now, pair, settings, result)
    with numbers:
        downloads.table(now, frame, "p-by-n", shown=p_by_n_frame(result), height=420,
                        caption=f"p against the number of replicas, {metric.label} on {now.test_set}")


def _table_2(now: View, pair: Pair, settings: Settings, several: PByN) -> None:
    single = answer("lottery", (*now.key, pair.metric.key), lambda progress, publish: pair.lottery(
        settings=settings, progress=progress))
    if single is None:
        return
    explanations.heading("One replica, and several", "table-2")
    downloads.table(now, table2_numbers(single, several), "table-2", shown=table2_frame(single, several), height=420,
                    caption=f"p with one and with more replicas on {now.test_set}, {pair.metric.label}")
