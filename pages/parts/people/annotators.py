"""Human judgement, Annotators: scales, speed and checks, who judged what, agreement, and results without somebody."""

from __future__ import annotations

import streamlit as st

from mtsig_core.analysis.people.annotators import AnnotatorOverview
from mtsig_core.figures.people.annotators import annotator_scores, balance_matrix
from mtsig_core.figures.people.systems import mean_intervals
from mtsig_core.reports.people import (
    annotator_table,
    balance_sentence,
    people_table,
    suspects_sentence,
    without_sentence,
)
from mtsig_core.workbench.people import Campaign
from pages.parts import downloads, explanations
from pages.parts.people import judged
from pages.parts.people.judged import OpenJudgements
from pages.parts.text import literal
from pages.parts.view import View

TOPICS = {"people": "Who they are", "scales": "Scales", "balance": "Who judged what", "agreement": "Agreement"}


def draw(now: View, judgements: OpenJudgements) -> None:
    """Draw the section: one topic at a time."""
    campaign, topic = judged.choose_campaign_and_topic(judgements, TOPICS, "people annotators")
    if not campaign.table.annotators:
        st.info("These judgements do not name their annotators, so nothing can be said about them.")
        return
    overview = judged.result(now, judgements, "annotators", (campaign.name,),
                             lambda settings, _: campaign.annotators(settings.alpha))
    if overview is None:
        return
    if topic == "scales":
        _scales(now, campaign, overview)
    elif topic == "balance":
        _balance(now, overview)
    elif topic == "agreement":
        _agreement(now, judgements, campaign)
    else:
        _people(now, judgements, campaign, overview)


def _people(now: View, judgements: OpenJudgements, campaign: Campaign, overview: AnnotatorOverview) -> None:
    st.markdown(f"**{literal(suspects_sentence(overview))}**")
    explanations.heading("Annotators", "people-annotators")
    st.caption("Choose rows to see the results without these annotators beside those of everybody.")
    shown = annotator_table(overview)
    event = st.dataframe(
        shown, hide_index=True, key=f"annotators {campaign.name}", height=judged.height(shown, 320), on_select="rerun",
        selection_mode="multi-row", alt="Annotators with means, spreads, speed, repeats and checks",
    )
    downloads.buttons(overview.to_frame(), "annotators", downloads.file_name("mtsig", now.test_set, "annotators"),
                      caption=f"Annotators, {campaign.name} on {now.test_set}")
    removed = tuple(overview.annotators[row].name for row in event.selection.rows)
    if removed:
        _without(now, judgements, campaign, removed)


def _without(now: View, judgements: OpenJudgements, campaign: Campaign, removed: tuple[str, ...]) -> None:
    both = judged.result(now, judgements, "without annotators", (campaign.name, removed),
                         lambda settings, _: campaign.without(removed, settings))
    if both is None:
        return
    explanations.heading("With and without", "people-without")
    st.markdown(literal(without_sentence(both)))
    left, right = st.columns(2, gap="large")
    for place, title, means in ((left, "Everybody", both.everyone), (right, "Without them", both.without)):
        with place:
            st.markdown(f"**{title}**")
            downloads.figure(now, downloads.built(mean_intervals, means, colours=now.colours), f"people-{title}",
                             alt=f"Mean scores, {title.lower()}", frame=both.to_frame())


def _scales(now: View, campaign: Campaign, overview: AnnotatorOverview) -> None:
    explanations.heading("How strictly each annotator scores", "people-scales")
    higher = campaign.higher_is_better
    downloads.figure(now, downloads.built(annotator_scores, overview, higher_is_better=higher), "people-scales",
                     alt="Mean and standard deviation of each annotator", frame=overview.to_frame())


def _balance(now: View, overview: AnnotatorOverview) -> None:
    st.markdown(literal(balance_sentence(overview)))
    explanations.heading("Outputs judged by each annotator", "people-balance")
    downloads.figure(now, downloads.built(balance_matrix, overview), "people-balance", alt="Who judged what",
                     frame=overview.balance.reset_index())


def _agreement(now: View, judgements: OpenJudgements, campaign: Campaign) -> None:
    agreement = judged.result(now, judgements, "agreement", (campaign.name,),
                              lambda settings, _: campaign.reliability(settings))
    if agreement is None:
        return
    explanations.heading("Agreement between annotators", "people-agreement")
    frame = agreement.to_frame()
    downloads.table(now, frame, "people-agreement", shown=people_table(frame),
                    caption=f"Agreement between annotators, {campaign.name} on {now.test_set}")
