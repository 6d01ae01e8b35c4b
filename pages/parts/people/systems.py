"""Human judgement, Systems: means, all pairs, win rates with Bradley-Terry strengths, and marked errors."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from mtsig_core.analysis.people.mqm import Penalties
from mtsig_core.analysis.people.pairs import TESTS, SystemPairs, TestName
from mtsig_core.analysis.people.systems import SystemMeans
from mtsig_core.figures.people.errors import penalty_bars
from mtsig_core.figures.people.systems import Scores, mean_intervals, pair_verdicts, strength_intervals, win_rate_matrix
from mtsig_core.reports.people import (
    mean_table,
    pair_table,
    people_table,
    ranking_sentence,
    replica_pair_sentence,
    replica_pair_table,
    scale_sentence,
)
from mtsig_core.workbench.people import Campaign
from pages.parts import address, downloads, explanations
from pages.parts.people import judged
from pages.parts.people.judged import OpenJudgements
from pages.parts.text import literal
from pages.parts.view import View

TOPICS = {"means": "Means and ranks", "pairs": "All pairs", "wins": "Win rates"}
REPLICAS, ERRORS, EDITS = {"replicas": "Replicas"}, {"errors": "Marked errors (MQM)"}, {"edits": "Post-edits (HTER)"}


def draw(now: View, judgements: OpenJudgements) -> None:
    """Draw the section: one topic at a time."""
    first, second = st.columns([3, 2])
    with second:
        campaign = judged.choose_campaign(judgements)
    penalties = judgements.people.penalties.get(campaign.name)
    edits = judgements.people.post_edits.get(campaign.name)
    more = REPLICAS if campaign.has_replicas else {}
    more = more | (ERRORS if penalties is not None else {}) | (EDITS if edits is not None else {})
    with first:
        topic = judged.choose_topic({**TOPICS, **more}, "people systems")
    if said := scale_sentence(campaign.smaller_scale, campaign.name):
        st.warning(literal(said), icon=":material/warning:")
    if topic == "pairs":
        _pairs(now, judgements, campaign)
    elif topic == "wins":
        _wins(now, judgements, campaign)
    elif topic == "replicas":
        _replicas(now, judgements, campaign)
    elif topic == "errors" and penalties is not None:
        _errors(now, penalties)
    elif topic == "edits" and edits is not None:
        _edits(now, edits)
    else:
        _means(now, judgements, campaign)


def _means(now: View, judgements: OpenJudgements, campaign: Campaign) -> None:
    both = judged.result(now, judgements, "means of people", (campaign.name,),
                         lambda settings, _: (campaign.means(settings), campaign.pairs(settings)))
    if both is None:
        return
    means, pairs = both
    st.markdown(f"**{literal(ranking_sentence(pairs))}**")
    explanations.heading("Mean scores of systems", "people-means")
    _mean_figure(now, campaign, means, pairs)
    explanations.heading("Numbers")
    frame = means.to_frame()
    downloads.table(now, frame, f"people-means-{campaign.name}", shown=mean_table(means), height=judged.height(frame),
                    caption=f"Mean scores by people, {campaign.name} on {now.test_set}")
    weights = judged.weights_sentence() if campaign.name in judgements.people.penalties else ""
    judged.sentences([means.note, campaign.replicas().note, weights])


def _mean_figure(now: View, campaign: Campaign, means: SystemMeans, pairs: SystemPairs) -> None:
    scores = _choose_scores(campaign)
    clusters = pairs.clusters() if scores == "raw" else ()
    drawn = downloads.built(mean_intervals, means, scores, clusters=clusters, colours=now.colours)
    prefix = "" if scores == "raw" else "standardised "
    downloads.figure(now, drawn, f"people-mean-{scores}", alt="Mean score of every system with its interval",
                     frame=means.to_frame()[["system", *(prefix + column for column in ("mean", "low", "high"))]])


def _choose_scores(campaign: Campaign) -> Scores:
    """Draw the choice between scores as given and standardised ones, where annotators' scores can be."""
    if not campaign.can_be_standardised:
        return "raw"
    labels: dict[Scores, str] = {"raw": "As given", "standardised": "Standardised by annotator"}
    return st.segmented_control(
        "Scores", list(labels), required=True, format_func=labels.__getitem__, label_visibility="collapsed",
        **address.choice("scores", "people scores", labels),
    ) or "raw"


def _pairs(now: View, judgements: OpenJudgements, campaign: Campaign) -> None:
    standardised = _choose_scores(campaign) == "standardised"
    pairs = judged.result(now, judgements, "pairs of people", (campaign.name, standardised),
                          lambda settings, _: campaign.pairs(settings, standardised=standardised))
    if pairs is None:
        return
    names: list[TestName] = list(TESTS)
    test: TestName = st.segmented_control("Test", names, required=True, format_func=TESTS.__getitem__,
                                          **address.choice("test", "people test", TESTS)) or "rank_sum"
    left, right = st.columns([2, 3], gap="large")
    with left:
        explanations.heading("Who is better by people", "people-pairs")
        downloads.figure(now, downloads.built(pair_verdicts, pairs, test), f"people-verdicts-{test}",
                         alt="Verdicts of people on every pair of systems")
    with right:
        explanations.heading("p of every pair")
        frame = pairs.to_frame()
        shown = pair_table(pairs, test, standardised=standardised)
        downloads.table(now, frame, f"people-pairs-{campaign.name}", shown=shown, height=judged.height(frame),
                        caption=f"All pairs of systems by people, {campaign.name} on {now.test_set}")
        st.caption("The download holds all four tests, one- and two-sided.")
    _combined(now, judgements, test)


def _combined(now: View, judgements: OpenJudgements, test: TestName) -> None:
    """Show the verdict of adequacy with fluency as fallback, where people judged both."""
    if len(judgements.people.deciding()) < 2:
        return
    verdicts = judged.result(now, judgements, "verdicts of people", (test,),
                             lambda settings, _: judgements.people.verdicts(settings, test=test))
    if verdicts is None:
        return
    explanations.heading("Adequacy first, fluency where it does not decide", "people-verdicts")
    frame = verdicts.to_frame()
    downloads.table(now, frame, "people-combined", shown=people_table(frame), height=judged.height(frame, 300),
                    caption=f"Combined verdicts of people on {now.test_set}")


def _wins(now: View, judgements: OpenJudgements, campaign: Campaign) -> None:
    ranking = judged.result(now, judgements, "win rates of people", (campaign.name,),
                            lambda settings, _: campaign.ranking(settings))
    if ranking is None:
        return
    left, right = st.columns(2, gap="large")
    with left:
        explanations.heading("Share of comparisons won", "people-wins")
        downloads.figure(now, downloads.built(win_rate_matrix, ranking), "people-wins", alt="Win rates of all pairs",
                         frame=ranking.win_rates.reset_index(names="system"))
    with right:
        explanations.heading("Strength of each system", "people-strengths")
        drawn = downloads.built(strength_intervals, ranking, now.colours)
        downloads.figure(now, drawn, "people-strengths", alt="Bradley-Terry strengths", frame=ranking.to_frame())
    judged.sentences([ranking.note])


def _replicas(now: View, judgements: OpenJudgements, campaign: Campaign) -> None:
    """Show the tests that count the spread of replicas."""
    answers = judged.result(now, judgements, "replicas of people", (campaign.name,),
                          lambda settings, _: (campaign.replicas(), campaign.replica_pairs(settings)))
    replicas, tested = answers or (None, None)
    if replicas is None or tested is None:
        return
    explanations.heading("Judged replicas", "people-replica-tests")
    st.markdown(f"**{literal(replica_pair_sentence(tested))}**")
    frame = tested.to_frame()
    downloads.table(now, frame, f"people-replica-tests-{campaign.name}", shown=replica_pair_table(tested),
                    height=judged.height(frame), caption=f"Pairs by judged replicas, {campaign.name} on {now.test_set}")
    frame = replicas.to_frame()
    downloads.table(now, frame, f"people-judged-replicas-{campaign.name}", height=judged.height(frame, 300),
                    caption=f"Judged replicas of each system on {now.test_set}")


def _errors(now: View, penalties: Penalties) -> None:
    with st.columns([2, 3])[0]:
        judged.choose_weights()
    if not len(penalties.by_category()):
        st.caption("These errors have no category, so both weights give the same penalties.")
    explanations.heading("Penalties for marked errors", "people-mqm")
    downloads.figure(now, downloads.built(penalty_bars, penalties), "people-penalties", frame=penalties.errors,
                     alt="Penalty per item of every system, by category and severity of the marked errors")
    by_category = penalties.by_category()
    left, right = st.columns(2, gap="large") if len(by_category) else (st.container(), None)
    with left:
        frame = penalties.to_frame()
        downloads.table(now, frame, "people-mqm", shown=people_table(frame), height=judged.height(frame),
                        caption=f"Mean score and errors per item on {now.test_set}")
    if right is not None:
        with right:
            downloads.table(now, by_category, "people-errors", shown=people_table(by_category),
                            height=judged.height(by_category),
                            caption=f"Penalty per item by category on {now.test_set}")


def _edits(now: View, edits: pd.DataFrame) -> None:
    st.markdown("HTER is the edits that a person made to an output, per 100 words of the post-edit. Most edited first.")
    columns = [name for name in ("system", "replica", "segment", "hter", "output", "post_edit") if name in edits]
    frame = edits[columns].rename(columns={"post_edit": "post-edit", "hter": "HTER"})
    frame = frame.sort_values("HTER", ascending=False, kind="stable")
    downloads.table(now, frame, "people-post-edits", shown=people_table(frame), height=judged.height(frame),
                    caption=f"Outputs beside their post-edits, with the HTER of each on {now.test_set}")
