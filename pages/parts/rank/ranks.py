"""Rank systems, Ranks: systems best first in groups, with their intervals."""

from __future__ import annotations

import streamlit as st

from mtsig_core.analysis.systems.pairwise import Pairwise
from mtsig_core.figures.three_methods import cluster_intervals
from mtsig_core.reports.ranking import groups_sentence, leader_sentence, pairs_sentence
from pages.parts import downloads, explanations
from pages.parts.rank.pairwise import choose_metric, pairwise
from pages.parts.text import keep_together, literal
from pages.parts.view import View


def draw(now: View) -> None:
    """Draw the section."""
    metric = choose_metric(now)
    result = pairwise(now, metric, None)
    if result is None:
        return
    st.markdown(keep_together(_groups_in_words(result)))
    if result.preset.warning:
        st.warning(literal(result.preset.warning), icon=":material/warning:")
    explanations.heading("Ranks", "clusters")
    drawn = cluster_intervals(result, now.colours)
    downloads.figure(now, drawn, "ranks", alt="Systems best first with their intervals", frame=result.rank_frame())
    st.caption(f"{literal(result.preset.label)}: {literal(result.preset.question)}.")


def _groups_in_words(result: Pairwise) -> str:
    leader = leader_sentence(result.systems, result.separated)
    leader = leader if result.separated else leader.capitalize()  # not where it begins with a name
    differ = pairs_sentence(len(result.separated), len(result.rows))
    corrected = " (Holm)" if len(result.rows) > 1 else ""
    groups = literal(groups_sentence(result.clusters))
    return (
        f"**{literal(leader)}.** {differ[0].upper()}{differ[1:]} at significance level α = {result.alpha:g}"
        f"{corrected}. {groups}"
    )
