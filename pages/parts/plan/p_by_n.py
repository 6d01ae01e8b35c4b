"""Plan, p against n: how p and the share of significant results change with the number of replicas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from mtsig_core.analysis.replicas.p_by_n import DRAWS, ReplicatedP
from mtsig_core.figures.p_by_n import p_band, p_shares
from mtsig_core.formatting import format_p
from mtsig_core.metrics import Metric
from mtsig_core.reports.p_by_n import table2_frame
from mtsig_core.reports.tables import readable
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress, subprogress
from mtsig_core.workbench.pair import Where, ask_lottery, ask_replicated_p
from pages.parts import downloads, explanations
from pages.parts.background import answer
from pages.parts.text import literal
from pages.parts.view import View

QUICK_DRAWS, QUICK_SHUFFLES, MOST_SHUFFLES = 60, 100, 1000


def draw(now: View, system: str, metric: Metric) -> None:
    """Show how p and the share of significant results move with the number of replicas."""
    explanations.heading("p against the number of replicas", "p-by-n")
    where = Where(now.bench, now.test_set, metric, now.baseline, system)
    settings = replace(now.settings, n_permutations=min(MOST_SHUFFLES, now.settings.n_permutations))

    def work(progress: Progress, publish: Callable[[Any], None]) -> ReplicatedP:
        quick = replace(settings, n_permutations=min(QUICK_SHUFFLES, settings.n_permutations))
        publish(ask_replicated_p(where, quick, draws=QUICK_DRAWS, progress=subprogress(progress, 0, 0.15)))
        return ask_replicated_p(where, settings, progress=subprogress(progress, 0.15, 1))

    found = answer("p by n", (*now.key, metric.key), work)
    if found is None:
        return
    st.caption(
        f"{found.draws} times n replicas of each system are drawn and tested with {found.n_permutations} permutations"
        + (" (quick answer)." if found.draws < DRAWS else ".")
    )
    frame = found.to_frame()
    left, right = st.columns(2)
    with left:
        downloads.figure(now, downloads.built(p_band, found), "p-band", frame=frame,
                         alt="p against the number of replicas")
    with right:
        downloads.figure(now, downloads.built(p_shares, found), "p-shares", frame=frame,
                         alt="Share of significant results against the number of replicas")
    for note in found.notes:
        st.caption(literal(note))
    downloads.table(now, frame, "p-by-n", shown=_possible(found, frame),
                    caption=f"p against the number of replicas, {metric.label}")
    _table_2(now, where, settings, found)


def _table_2(now: View, where: Where, settings: Settings, several: ReplicatedP) -> None:
    single = answer("lottery", (*now.key, where.metric.key), lambda progress, publish: ask_lottery(
        where, settings, progress))
    if single is None:
        return
    explanations.heading("One replica, and several", "table-2")
    downloads.table(now, table2_frame(single, several), "table-2",
                    caption=f"p with one and with more replicas on {now.test_set}, {where.metric.label}")


def _possible(found: ReplicatedP, frame: pd.DataFrame) -> pd.DataFrame:
    """Leave out the numbers of replicas that the smaller pool does not have, and show what the draws support."""
    kept = frame[frame["p, median"].notna()].drop(columns="note", errors="ignore")
    p_columns = [name for name in kept if name.startswith("p, ")]
    for name in p_columns:
        kept[name] = [format_p(p, 1 / (found.n_permutations + 1)) for p in kept[name]]
    return readable(kept, shares=[n for n in kept if n not in (*p_columns, "swapped", "replicas")], draws=found.draws)
