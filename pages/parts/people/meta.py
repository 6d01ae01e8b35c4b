"""What the sections of Metrics against people share: the judged systems, their metrics, and the correlations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from mtsig_core.loading.layouts.judgements import NAME as JUDGEMENTS_ALONE
from mtsig_core.metrics import Metric
from mtsig_core.reports.people import lines_left_out_sentence
from mtsig_core.workbench.meta_evaluation.agreement import Judged
from mtsig_core.workbench.meta_evaluation.correlations import (
    Correlations,
    correlations,
    correlations_of_dimensions,
    correlations_of_scores,
)
from mtsig_core.workbench.people import Campaign
from pages.parts import address
from pages.parts.people import judged
from pages.parts.people.judged import OpenJudgements
from pages.parts.text import literal
from pages.parts.view import View, one_of

NOTHING = (
    "There are judgements only, so there is no metric to compare with people. Put the judgements in a folder "
    "`judgements/`, one of these beside it, and open both together:\n\n"
    "- the outputs that were judged, as `systems/SYSTEM/REPLICA.txt`, with their references in `refs/`\n"
    "- scores of metrics: a table (csv, tsv, jsonl) with the columns *system* and *segment*, and one for each metric"
)
OTHER_DIMENSIONS = (
    "There are judgements only: each other dimension that people judged takes the place of a metric. Add the outputs "
    "that were judged, or scores of metrics, to compare metrics with people."
)
NO_METRIC = (
    "None of the chosen metrics has scores of the judged systems on this test set. Choose another metric, or another "
    "test set, in the sidebar."
)


@dataclass(frozen=True, eq=False)
class Subject:
    """What is compared with people.

    Parameters
    ----------
    judged : Judged
    metrics : tuple of Metric
        The chosen ones that score all judged systems, without what people gave themselves.
    """

    judged: Judged
    metrics: tuple[Metric, ...]

    @property
    def key(self) -> tuple:
        """Identity of the systems, the test set, the dimension and the metrics."""
        own = self.judged
        return own.test_set, own.systems, own.campaign.name, tuple(metric.key for metric in self.metrics)


def draw_nothing() -> None:
    """Say that there is no metric to compare with people, and how to get one."""
    st.info(NOTHING, icon=":material/compare_arrows:")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link("pages/people/human_judgement.py", label="See the judgements", icon=":material/groups:")
        st.page_link("pages/start/data.py", label="Open your own", icon=":material/folder_open:")


def judgements_alone(now: View) -> bool:
    """Say whether nothing but judgements is open, so that no test can be held against people."""
    return now.opened.report.layout == JUDGEMENTS_ALONE


def drawn_for_lack_of_metrics(now: View, judgements: OpenJudgements) -> bool:
    """Say what is missing where judgements alone are open, and neither scores nor another dimension beside any."""
    people = judgements.people
    if not judgements_alone(now) or not people.metric_scores.empty or any(
        _has_company(campaign, judgements) for campaign in people.campaigns
    ):
        return False
    draw_nothing()
    return True


def choose_campaign_and_topic(
    now: View, judgements: OpenJudgements, topics: Mapping[str, str], key: str
) -> tuple[Campaign, str]:
    """Draw the choice of a dimension, and that of a topic where this dimension has something to be compared with."""
    first, second = st.columns([3, 2])
    with second:
        campaign = judged.choose_campaign(judgements)
    if judgements_alone(now) and judgements.people.metric_scores.empty and not _has_company(campaign, judgements):
        return campaign, next(iter(topics))  # the section says what is missing
    with first:
        return campaign, judged.choose_topic(topics, key)


def subject(now: View, judgements: OpenJudgements, campaign: Campaign) -> Subject | None:
    """Return what is compared with people on the chosen test set; None where nothing is, which is said."""
    if judgements_alone(now):
        draw_nothing()
        return None
    try:
        own = Judged.of(now.bench, now.test_set, judgements.people, campaign.name)
    except ValueError as error:
        st.info(literal(str(error)), icon=":material/compare_arrows:")
        return None
    given = {c.dimension for c in judgements.people.campaigns} | {c.name for c in judgements.people.campaigns}
    metrics = tuple(
        metric for metric in now.metrics
        if metric.name not in given and now.bench.can_score(now.test_set, metric, *own.systems)
    )  # fmt: skip
    if not metrics:
        st.info(NO_METRIC, icon=":material/compare_arrows:")
        return None
    return Subject(own, metrics)


def all_correlations(now: View, judgements: OpenJudgements, campaign: Campaign) -> Correlations | None:
    """Return the correlations of the chosen metrics, or of those that stand beside the judgements in a table."""
    scores, is_alone = judgements.people.metric_scores, _is_alone(now, judgements)
    if is_alone and not scores.empty:
        return judged.result(now, judgements, "correlations", (campaign.name,),
                             lambda settings, _: correlations_of_scores(campaign, scores, settings))
    if is_alone and _has_company(campaign, judgements):
        st.info(OTHER_DIMENSIONS, icon=":material/compare_arrows:")
        return judged.result(now, judgements, "correlations of dimensions", (campaign.name,),
                             lambda settings, _: correlations_of_dimensions(campaign, judgements.people, settings))
    about = subject(now, judgements, campaign)
    if about is None:
        return None
    if said := lines_left_out_sentence(about.judged.n_left_out, now.test_set):
        st.info(literal(said), icon=":material/info:")
    return judged.result(now, judgements, "correlations", about.key,
                         lambda settings, _: correlations(about.judged, about.metrics, settings))


def _has_company(campaign: Campaign, judgements: OpenJudgements) -> bool:
    """Say whether another dimension was judged of two of the systems."""
    own = set(campaign.items.systems)
    others = (other for other in judgements.people.campaigns if other is not campaign)
    return any(len(own.intersection(other.items.systems)) > 1 for other in others)


def _is_alone(now: View, judgements: OpenJudgements) -> bool:
    """Say whether nothing but judgements is open: by the layout, or as every metric is what people gave."""
    given = {campaign.dimension for campaign in judgements.people.campaigns}
    of_people = bool(now.metrics) and all(metric.name in given for metric in now.metrics)
    return judgements_alone(now) or (of_people and not now.experiment.has_text)


def choose_label(labels: list[str], key: str, title: str = "Metric") -> str:
    """Draw the choice of one metric, where there are several."""
    return one_of({label: label for label in labels}, key, title, address.METRIC)
