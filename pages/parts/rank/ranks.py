"""Rank systems, Ranks: systems best first in groups, with their intervals."""

from __future__ import annotations

import streamlit as st

from mtsig_core.analysis.systems.pairwise import Pairwise
from mtsig_core.figures.three_methods import cluster_intervals
from mtsig_core.formatting import count
from mtsig_core.reports.ranking import groups_sentence, leader_sentence
from pages.parts import downloads, explanations
from pages.parts.rank.pairwise import choose_metric, pairwise
from pages.parts.text import literal
from pages.parts.view import View


def draw(now: View) -> None:
    """Draw the section."""
    metric = choose_metric(now)
    found = pairwise(now, metric, None)
    if found is None:
        return
    st.markdown(_groups_in_words(found))
    if found.preset.warning:
        st.warning(literal(found.preset.warning), icon=":material/warning:")
    explanations.heading("Ranks", "clusters")
    ends = {
        name: None if (i := found.intervals[name]) is None else (i.low, found.scores[name], i.high)
        for name in found.systems
    }
    drawn = cluster_intervals(ends, found.label, found.higher_is_better, found.clusters, now.colours)
    downloads.figure(now, drawn, "ranks", alt="Systems best first with their intervals", frame=found.rank_frame())
    st.caption(f"{literal(found.preset.label)}: {literal(found.preset.question)}.")


def _groups_in_words(found: Pairwise) -> str:
    leader = leader_sentence(found.systems, found.separated)
    differ = f"{len(found.separated)} of {count(len(found.rows), 'pair')} differ"
    groups = literal(groups_sentence(found.clusters))
    return f"**{literal(leader)}.** {differ} at significance level α = {found.alpha:g} (Holm). {groups}"
