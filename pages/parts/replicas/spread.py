"""Replicas, Spread and Table 1: every replica's score, the histogram of a pair, and what varies how much."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from mtsig_core.analysis.replicas.variance import VarianceRow
from mtsig_core.figures.theme import DEFAULT_HEIGHT
from mtsig_core.figures.variance import has_histogram, replica_histograms, replica_strip
from mtsig_core.reports.figure_data import score_frame
from mtsig_core.reports.tables import table1_frame
from pages.parts import downloads, explanations
from pages.parts.replicas.scores import rows_on, variance
from pages.parts.text import literal
from pages.parts.view import View, one_metric

ROW_HEIGHT = 72  # pixels of a system
FROM_FILE = "|from file"  # how the signature of scores ends that were not computed here
MOST_PLAIN = 20  # rows that are read at a glance


def draw(now: View) -> None:
    """Draw the section Spread."""
    table = variance(now)
    if table is None:
        return
    here = rows_on(table, now.test_set)
    metric = one_metric({row.metric: row.label for row in here})
    rows = [row for row in here if row.metric == metric]
    pair = [row for name in (now.baseline, now.system) for row in rows if row.system == name]
    if len(pair) == 2 and (has_histogram(*pair) or len(rows) > 2):
        left, right = st.columns(2, gap="large")
        with left:
            _all_systems(now, metric, rows)
        with right:
            _chosen_pair(now, metric, pair)
    else:  # the points of all systems are those of the pair, too
        _all_systems(now, metric, rows)
    _list_of_replicas(now, metric, rows)


def _all_systems(now: View, metric: str, rows: list[VarianceRow]) -> None:
    explanations.heading("All systems", "strip")
    height = max(DEFAULT_HEIGHT, ROW_HEIGHT * len(rows) + 90)  # at least that of the histogram beside it
    downloads.figure(now, replica_strip(rows, colours=now.colours, height=height), f"strip-{metric}",
                     alt=f"{rows[0].label} of every replica", frame=score_frame(rows))


def _chosen_pair(now: View, metric: str, pair: list[VarianceRow]) -> None:
    kind = "Histogram" if has_histogram(*pair) else "Points"
    if kind == "Histogram":
        explanations.heading("The chosen pair", "histogram")
    else:
        explanations.heading("The chosen pair", "strip")
    downloads.figure(now, replica_histograms(pair[0], pair[1], now.colours), f"histogram-{metric}",
                     alt=f"{kind} of the replicas' {pair[0].label}", frame=score_frame(pair))


def _list_of_replicas(now: View, metric: str, rows: list[VarianceRow]) -> None:
    listed = st.expander("List of replicas", on_change="rerun")
    if listed.open:  # a long list slows the page that hides it
        with listed:
            caption = f"{rows[0].label} of every replica on {now.test_set}"
            downloads.table(now, score_frame(rows), f"replicas-{metric}", caption=caption, height=360)


def table_1(now: View) -> None:
    """Draw the section Table 1."""
    table = variance(now)
    if table is None:
        return
    rows = tuple(rows_on(table, now.test_set))
    explanations.heading("Scores and their variation", "table-1")
    show = downloads.plain_table if len(rows) <= MOST_PLAIN else downloads.table
    show(now, table1_frame(replace(table, rows=rows)), "table-1",
         caption=f"Mean score, test-set and run-to-run variation on {now.test_set}")
    for remark in dict.fromkeys(r.dev_ratio.remark for r in rows if r.dev_ratio and r.dev_ratio.remark):
        where = [f"{r.system} ({r.label})" for r in rows if r.dev_ratio and r.dev_ratio.remark == remark]
        st.caption(f"{literal(', '.join(where))}: {literal(remark)}.")
    for reason, columns in replace(table, rows=rows).reasons.items():
        st.caption(f"Where {columns} is empty (—): {literal(reason)}.")
    signatures = dict.fromkeys(f"{r.label}: {r.signature}" for r in rows if not r.signature.endswith(FROM_FILE))
    has_draws = any(r.s_sel is not None for r in rows)
    drawn = f"{table.settings.n_bootstrap:,} bootstrap samples, seed {table.settings.seed}." if has_draws else ""
    st.caption(f"{drawn} {literal('; '.join(signatures))}".strip())
