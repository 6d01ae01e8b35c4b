"""Metrics against people, Metric pairs: which metric agrees more with people, and the classical mistake."""

from __future__ import annotations

import streamlit as st

from mtsig_core.figures.people.metrics import williams_matrix
from mtsig_core.reports.meta_evaluation import accuracy_table, metric_pair_table, mistake_sentence, tie_table
from mtsig_core.reports.people import people_table
from mtsig_core.workbench.meta_evaluation.correlations import Correlations
from pages.parts import downloads, explanations
from pages.parts.people import judged, meta
from pages.parts.people.judged import OpenJudgements
from pages.parts.text import literal
from pages.parts.view import View

TOPICS = {"correlations": "Differences of correlations", "orders": "Pairs of systems in the right order"}


def draw(now: View, judgements: OpenJudgements) -> None:
    """Draw the section: one topic at a time."""
    campaign, topic = meta.choose_campaign_and_topic(now, judgements, TOPICS, "people metric pairs")
    meta_evaluation = meta.all_correlations(now, judgements, campaign)
    if meta_evaluation is None:
        return
    if topic == "orders":
        _orders(now, meta_evaluation)
        _soft_tests(now, judgements, campaign.name, meta_evaluation)
    else:
        _differences(now, meta_evaluation)


def _differences(now: View, meta_evaluation: Correlations) -> None:
    compared = meta_evaluation.comparisons
    if not compared.pairs:
        st.info("Fewer than two metrics have a correlation with people. Choose more metrics in the sidebar; a "
                "correlation needs at least three judged systems.")
        return
    explanations.heading("Williams test of every pair, one-sided", "people-williams")
    downloads.figure(now, downloads.built(williams_matrix, compared, now.settings.alpha), "people-williams",
                     alt="p of Williams test for every pair of metrics",
                     frame=compared.matrix().reset_index(names="metric"))
    explanations.heading("Williams and permutation test", "people-metric-pairs")
    frame = compared.to_frame()
    downloads.table(now, frame, "people-metric-pairs", shown=metric_pair_table(compared),
                    height=judged.height(frame, 330),
                    caption=f"Differences of correlations with people on {now.test_set}")
    with st.container(border=True):
        explanations.heading("The classical mistake", "people-mistake")
        st.markdown(literal(mistake_sentence(meta_evaluation.metrics, compared, now.settings.alpha)))


def _orders(now: View, meta_evaluation: Correlations) -> None:
    if meta_evaluation.accuracies is None:
        st.info("No judgement names a segment of this test set, so pairs of systems cannot be compared by segments.")
        return
    explanations.heading("Pairwise accuracy, and soft pairwise accuracy", "people-pair-accuracy")
    frame = meta_evaluation.accuracies.to_frame()
    downloads.table(now, frame, "people-pair-accuracy", shown=accuracy_table(meta_evaluation.accuracies),
                    caption=f"Pairs of systems that metric and people order in the same way on {now.test_set}")
    explanations.heading("Pairs of outputs, with ties", "people-ties")
    ties = tie_table(meta_evaluation.segments)
    downloads.table(now, ties, "people-ties", shown=people_table(tie_table(meta_evaluation.segments, for_people=True)),
                    caption=f"Tie-calibrated pairwise accuracy on {now.test_set}")


def _soft_tests(now: View, judgements: OpenJudgements, dimension: str, meta_evaluation: Correlations) -> None:
    """Show whether two metrics differ in soft pairwise accuracy."""
    if len(meta_evaluation.metric_segments) < 2:
        return
    names = tuple(name for name, _ in meta_evaluation.metric_segments)
    about = (now.test_set, dimension, names, tuple(metric.key for metric in now.metrics))
    frame = judged.result(now, judgements, "tests of soft accuracies", about,
                          lambda settings, _: meta_evaluation.soft_accuracy_tests(settings))
    if frame is None or frame.empty:
        return
    explanations.heading("Differences in soft pairwise accuracy", "people-soft-accuracy")
    downloads.table(now, frame, "people-soft-accuracy", shown=people_table(frame), height=judged.height(frame, 330),
                    caption=f"Differences in soft pairwise accuracy on {now.test_set}")
