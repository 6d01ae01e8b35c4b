"""Data, Details: sizes, and lines, empty lines and tokens of every output."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from mtsig_core.experiment import Experiment
from mtsig_core.loading import overview
from mtsig_core.loading.layouts.common.words import in_words
from pages.parts import downloads
from pages.parts.text import literal
from pages.parts.view import View

OF_TEXT = ["segments", "empty", "tokens", "duplicates"]  # columns that say nothing of scores alone


def draw(now: View) -> None:
    """Draw the section."""
    summary(now)
    outputs(now)


def summary(now: View) -> None:
    """Show the size of what is open."""
    experiment = now.experiment
    st.header("Size")
    st.caption(f"Recognised as {literal(in_words(now.opened.report.layout))}")
    columns = st.columns(4)
    columns[0].metric("Systems", len(experiment.systems))
    columns[1].metric("Replicas", sum(len(s.replicas) for s in experiment.systems))
    columns[2].metric("Test sets", len(experiment.test_sets))
    segments = sum(t.n_segments for t in experiment.test_sets if t.has_segments)
    columns[3].metric("Segments", f"{segments:,}" if segments else "—")


def outputs(now: View) -> None:
    """Show the table of systems x replicas x test sets."""
    frame = _overview(now.experiment)
    with_text = bool(frame["tokens"].notna().any())
    st.header("Outputs" if with_text else "Scores")
    columns = st.columns(2)
    names = {"systems": sorted(frame["system"].unique()), "sets": sorted(frame["test set"].unique())}
    systems = columns[0].multiselect("Systems", names["systems"], placeholder="all", key="overview systems")
    sets = columns[1].multiselect("Test sets", names["sets"], placeholder="all", key="overview sets")
    if systems:
        frame = frame[frame.system.isin(systems)]
    if sets:
        frame = frame[frame["test set"].isin(sets)]
    if not with_text:
        frame = frame.drop(columns=OF_TEXT)
    elif not frame["duplicates"].astype(bool).any():
        frame = frame.drop(columns="duplicates")
    frame = frame.rename(columns=str.capitalize)
    caption = f"Lines, empty lines, tokens and duplicates of every output of {now.experiment.name}"
    downloads.table(now, frame, "outputs", caption=caption, height=360)
    if "Tokens" in frame:
        st.caption("Tokens are separated by spaces, so text in Chinese, Japanese or Thai has few.")


@st.cache_data(max_entries=32, show_spinner=False,
               hash_funcs={"mtsig_core.experiment.model.Experiment": lambda e: e.digest})
def _overview(experiment: Experiment) -> pd.DataFrame:
    return overview(experiment)
