"""Replicas, Dev against test: whether a good score on the tuning set carries over to the test set."""

from __future__ import annotations

import streamlit as st

from mtsig_core.figures.variance import dev_against_test
from pages.parts import downloads, explanations
from pages.parts.replicas.scores import rows_on, variance
from pages.parts.text import literal
from pages.parts.view import View, one_metric


def draw(now: View) -> None:
    """Draw the section."""
    tuning = now.experiment.dev_set()
    if tuning is None:
        st.info("This experiment has no tuning set. Put one beside the test set (a folder named dev, tune or valid, or "
                "a role in experiment.toml) to see whether tuning carries over.")
        return
    if tuning.name == now.test_set:
        st.info(f"{literal(tuning.name)} is the tuning set: choose a test set in the sidebar to see both together.")
        return
    table = variance(now)
    if table is None:
        return
    here = rows_on(table, now.test_set)
    metric = one_metric({row.metric: row.label for row in here})
    on_dev = rows_on(table, tuning.name, metric)
    if not on_dev:
        st.info(f"{literal(tuning.name)} has no scores of this metric.")
        return
    explanations.heading("Score on the tuning set against score on the test set", "dev")
    drawn = dev_against_test(on_dev, [row for row in here if row.metric == metric], colours=now.colours)
    downloads.figure(now, drawn, f"dev-test-{metric}",
                     alt="Score on the tuning set against score on the test set, one mark per replica")
