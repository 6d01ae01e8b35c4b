"""Metrics against people, Correlation: systems with outliers, segments, and how uncertain r is."""

from __future__ import annotations

import streamlit as st

from mtsig_core.figures.people.metrics import correlation_distribution, metric_scatter
from mtsig_core.reports.meta_evaluation import correlation_table, outlier_sentence, segment_table
from mtsig_core.reports.people import people_table
from mtsig_core.workbench.meta_evaluation.correlations import Correlations
from pages.parts import downloads, explanations
from pages.parts.people import judged, meta
from pages.parts.people.judged import OpenJudgements
from pages.parts.text import literal
from pages.parts.view import View

TOPICS = {"systems": "Systems", "r": "How uncertain r is", "segments": "Segments"}


def draw(now: View, judgements: OpenJudgements) -> None:
    """Draw the section: one topic at a time."""
    campaign, topic = meta.choose_campaign_and_topic(now, judgements, TOPICS, "people correlation")
    meta_evaluation = meta.all_correlations(now, judgements, campaign)
    if meta_evaluation is None:
        return
    if topic == "segments":
        _segments(now, meta_evaluation)
        return
    label = meta.choose_label([one.metric for one in meta_evaluation.metrics], "people metric")
    one = next(each for each in meta_evaluation.metrics if each.metric == label)
    if topic == "r":
        explanations.heading("The bootstrap distribution of r", "people-r")
        downloads.figure(now, downloads.built(correlation_distribution, one), f"people-r-{label}",
                         alt=f"Bootstrap distribution of the correlation of {label} with people")
    else:
        explanations.heading("Each system by metric and people", "people-scatter")
        higher = campaign.higher_is_better
        drawn = downloads.built(metric_scatter, one, campaign.name, humans_higher_is_better=higher, colours=now.colours)
        downloads.figure(now, drawn, f"people-scatter-{label}", alt=f"Systems by {label} and by people")
    explanations.heading("Coefficients")
    frame = one.to_frame()
    shown = correlation_table(one).drop(columns="note", errors="ignore")  # which stands below, once
    downloads.table(now, frame, f"people-correlation-{label}", shown=shown,
                    caption=f"Correlation of {label} with people on {now.test_set}")
    st.markdown(literal(outlier_sentence(one)))
    judged.sentences(tuple(dict.fromkeys(frame["note"])))


def _segments(now: View, meta_evaluation: Correlations) -> None:
    if not meta_evaluation.segments:
        st.info("No judgement names a segment of this test set, so there is nothing at segment level.")
        return
    explanations.heading("Segment level", "people-segments")
    frame, shown = segment_table(meta_evaluation.segments)
    said = zip(frame["metric"], frame["note"], strict=True)
    notes = dict.fromkeys(f"{metric}: {note}" for metric, note in said if note)
    shown = people_table(shown.drop(columns="note"))  # notes stand below: a table would cut them
    downloads.table(now, frame, "people-segments", shown=shown, height=judged.height(frame),
                    caption=f"Agreement with people on {meta_evaluation.n_segments} segments of {now.test_set}")
    judged.sentences(tuple(notes))
