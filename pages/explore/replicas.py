"""Replicas: how far the replicas of each system spread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from mtsig_core.analysis.replicas.variance import VarianceRow, VarianceTable
from mtsig_core.figures.variance import dev_against_test, replica_histograms, replica_strip
from mtsig_core.reports.tables import table1_frame
from mtsig_core.runtime.jobs import Progress
from pages.parts import downloads, view
from pages.parts.background import answer
from pages.parts.explanations import what_is_this
from pages.parts.text import literal

QUICK_DRAWS = 200
MOST_PLAIN = 20  # rows that are read at a glance


def main() -> None:
    """Draw the page."""
    now = view.current()
    st.title("Replicas")
    st.markdown("How far do the runs of one system spread, and how much would the scores move on other text?")
    table = answer("replicas", now.key, lambda progress, publish: compute(now, progress, publish))
    if table is None:
        return
    table_1(now, table)
    label = {m.name: m.label for m in now.metrics}
    shown = [m for m in label if any(r.metric == m for r in table.rows)]
    metric = view.one_metric({m: label[m] for m in shown})
    one_metric(now, metric, [r for r in table.rows if r.metric == metric and r.test_set == now.test_set], table)


def compute(now: view.View, progress: Progress, publish: Callable[[Any], None]) -> VarianceTable:
    """Make Table 1 of the chosen set and of the tuning set, first with few draws."""
    tuning = now.experiment.dev_set()
    sets = list(dict.fromkeys([now.test_set, *([tuning.name] if tuning else [])]))
    if now.settings.n_bootstrap > QUICK_DRAWS:
        quick = replace(now.settings, n_bootstrap=QUICK_DRAWS)
        publish(now.bench.table(sets, now.metrics, settings=quick, progress=progress))
    return now.bench.table(sets, now.metrics, settings=now.settings, progress=progress)


def table_1(now: view.View, table: VarianceTable) -> None:
    """Show Table 1 of the chosen test set."""
    rows = tuple(r for r in table.rows if r.test_set == now.test_set)
    st.subheader("Spread by system and metric")
    show = downloads.plain_table if len(rows) <= MOST_PLAIN else downloads.table
    show(now, table1_frame(replace(table, rows=rows)), "table-1", caption=f"Table 1 on {now.test_set}")
    for remark in dict.fromkeys(r.dev_ratio.remark for r in rows if r.dev_ratio and r.dev_ratio.remark):
        found = [r for r in rows if r.dev_ratio and r.dev_ratio.remark == remark]
        where = "; ".join(f"{literal(r.system)} ({r.label})" for r in found)
        st.caption(f"{where}: {literal(remark)}")
    for reason in replace(table, rows=rows).reasons:
        st.caption(f"— {literal(reason)}")
    st.caption(
        f"{table.settings.n_bootstrap:,} bootstrap draws, seed {table.settings.seed}. "
        + "; ".join(dict.fromkeys(f"{r.label}: `{r.signature}`" for r in rows))
    )
    what_is_this("table")


def one_metric(now: view.View, metric: str, rows: list[VarianceRow], table: VarianceTable) -> None:
    """Show the replicas of all systems, and of the chosen two, under one metric."""
    pair = [r for name in (now.baseline, now.system) for r in rows if r.system == name]
    left, right = st.columns(2)
    with left:
        st.subheader("The two systems")
        if len(pair) == 2:
            drawn = replica_histograms(pair[0], pair[1], now.colours)
            alt = f"Histogram of the replicas' {rows[0].label}"
            downloads.figure(now, drawn, f"histogram-{metric}", alt=alt, frame=_scores(pair))
            what_is_this("histogram")
        else:
            st.info("One system only: add another one to compare.")
    with right:
        st.subheader("All systems")
        downloads.figure(now, replica_strip(rows, colours=now.colours), f"strip-{metric}",
                         alt=f"{rows[0].label} of every replica", frame=_scores(rows))
        what_is_this("strip")
    dev(now, metric, rows, table)
    listed = st.expander("List of replicas", on_change="rerun")
    if listed.open:  # a long list slows the page that hides it
        with listed:
            caption = f"{rows[0].label} of every replica"
            downloads.table(now, _scores(rows), f"replicas-{metric}", caption=caption, height=360)


def dev(now: view.View, metric: str, rows: list[VarianceRow], table: VarianceTable) -> None:
    """Show dev against test scores, where there is a dev set."""
    tuning = now.experiment.dev_set()
    if tuning is None or tuning.name == now.test_set:
        return
    dev_rows = [r for r in table.rows if r.metric == metric and r.test_set == tuning.name]
    if not dev_rows:  # the scores of this metric came for the test set only
        return
    compared = st.expander("Tuning set against test set", on_change="rerun")
    if compared.open:  # hundreds of marks delay the figures above them
        with compared:
            downloads.figure(now, dev_against_test(dev_rows, rows, colours=now.colours), f"dev-test-{metric}",
                             alt="Score on the dev set against score on the test set, one mark for each replica")
            what_is_this("dev")


def _scores(rows: list[VarianceRow]) -> pd.DataFrame:
    return pd.DataFrame(
        [(r.system, replica, round(score, 4)) for r in rows for replica, score in r.scores.items()],
        columns=["System", "Replica", rows[0].label],
    )


main()
