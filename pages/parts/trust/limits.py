"""Where the coherent test, on which every verdict rests, rejects more often than its significance level."""

from __future__ import annotations

import json

import streamlit as st

from data import VERDICT_LIMITS
from mtsig_core.analysis.calibration.rates import Limit, Limits, Rate
from mtsig_core.formatting import count, rare_share
from pages.parts import downloads, explanations


def shipped() -> Limits:
    """Return the rates that were measured ahead and come with mtsig: they depend on nothing that is open."""
    rows = json.loads(VERDICT_LIMITS.read_text(encoding="utf-8"))
    return Limits(tuple(Limit(replicas, world, Rate(*rate)) for replicas, world, *rate in rows))


def table() -> None:
    """Show the cases that are known, with their measured rates."""
    explanations.heading("Where the verdict itself errs too often", "verdict-limits")
    result = shipped()
    trials = result.rows[0].rate.trials
    st.caption(
        f"Share of {count(trials, 'simulated experiment')} for each row, without a difference, in which the coherent "
        "test has p below 0.05 and below 0.01. In all other cases measured it stays below 6.5% and 2%. Where your "
        "data look like one of these, the verdict says so."
    )
    frame = result.to_frame()
    shown = frame[["replicas"]].copy()  # numbers first where a screen is narrow
    for level in ("p < 0.05", "p < 0.01"):
        shown[level] = [rare_share(share, trials) for share in frame[level]]
    shown["world"] = frame["world"]
    st.dataframe(shown, hide_index=True, key="verdict limits", height="content",
                 alt="Cases in which the coherent test errs more often than its level")
    downloads.buttons(frame, "verdict-limits", downloads.file_name("mtsig", "verdict-limits"),
                      caption="Cases in which the coherent test errs more often than its level")
