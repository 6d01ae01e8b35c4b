"""Metrics against people, Replicas and points: r with one replica per system, and what a point is worth."""

from __future__ import annotations

import streamlit as st

from mtsig_core.figures.people.metrics import replica_distribution
from mtsig_core.figures.people.worth import point_worth_figure
from mtsig_core.reports.meta_evaluation import spread_sentence, worth_table
from mtsig_core.workbench.meta_evaluation.agreement import worth_of_points
from mtsig_core.workbench.meta_evaluation.correlations import Correlations
from pages.parts import downloads, explanations
from pages.parts.people import judged, meta
from pages.parts.people.judged import OpenJudgements
from pages.parts.text import literal
from pages.parts.view import View

TOPICS = {"replicas": "One replica per system", "worth": "What is a point worth?"}


def draw(now: View, judgements: OpenJudgements) -> None:
    """Draw the section: one topic at a time."""
    topics = {"replicas": TOPICS["replicas"]} if meta.judgements_alone(now) else TOPICS
    campaign, topic = meta.choose_campaign_and_topic(now, judgements, topics, "people replicas")
    if topic == "worth":
        about = meta.subject(now, judgements, campaign)
        if about is not None:
            _worth(now, judgements, about)
        return
    meta_evaluation = meta.all_correlations(now, judgements, campaign)
    if meta_evaluation is not None:
        _spread(now, meta_evaluation)


def _spread(now: View, meta_evaluation: Correlations) -> None:
    label = meta.choose_label([one.metric for one in meta_evaluation.spreads], "people metric")
    spread = next(each for each in meta_evaluation.spreads if each.metric == label)
    line = spread_sentence(label, spread.averaged, spread.interval, 1 - spread.alpha)
    if line:
        st.markdown(f"**{literal(line)}**")
    explanations.heading("r with one replica per system", "people-replicas")
    if not line:
        st.info(literal(spread.note))
        return
    downloads.figure(now, downloads.built(replica_distribution, spread), f"people-replicas-{label}",
                     alt=f"Correlation of {label} with people when one replica per system is drawn")
    judged.sentences([spread.note])


def _worth(now: View, judgements: OpenJudgements, about: meta.Subject) -> None:
    label = meta.choose_label([metric.label for metric in about.metrics], "people metric")
    metric = next(each for each in about.metrics if each.label == label)
    worth = judged.result(now, judgements, "worth of points", (*about.key, metric.key),
                          lambda settings, _: worth_of_points(about.judged, metric, settings))
    if worth is None:
        return
    explanations.heading("What is a point worth?", "people-worth")
    left, right = st.columns(2, gap="large")  # the table needs half of a window of 1440 pixels
    with left:
        downloads.figure(now, downloads.built(point_worth_figure, worth), f"people-worth-{metric.name}",
                         alt=f"p and agreement of people by the difference in {label}", frame=worth.pairs)
    with right:
        downloads.table(now, worth.to_frame(), f"people-worth-bins-{metric.name}", shown=worth_table(worth),
                        caption=f"Agreement of people by the difference in {label} on {now.test_set}")
