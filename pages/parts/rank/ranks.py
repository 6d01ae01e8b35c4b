"""Rank systems, Ranks: systems best first in groups, with their intervals."""

from __future__ import annotations

import streamlit as st

from mtsig_core.analysis.systems.pairwise import Pairwise
from mtsig_core.figures.three_methods import cluster_intervals
from mtsig_core.reports.ranking import (
    groups_sentence,
    leader_sentence,
    pairs_sentence,
    single_runs_sentence,
    untested_sentence,
)
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
    if any(row.p is not None for row in result.rows):
        assumed = now.pair(metric).direction_note
        st.markdown(keep_together(f"{_groups_in_words(result)}{f' ({assumed})' if assumed else ''}"))
    cautions_of_ranks(now, result)
    if result.preset.warning:
        st.warning(literal(result.preset.warning), icon=":material/warning:")
    explanations.heading("Ranks", "clusters")
    drawn = cluster_intervals(result, now.colours)
    downloads.figure(now, drawn, "ranks", alt="Systems best first with their intervals", frame=result.rank_frame())
    st.caption(f"{literal(result.preset.label)}: {literal(result.preset.question)}.")


def cautions_of_ranks(now: View, result: Pairwise) -> None:
    """Say which pairs could not be tested, and whose ranks hold for one output only."""
    untested = [row.note for row in result.rows if row.p is None]
    if untested:
        st.info(literal(untested_sentence(untested, len(result.rows))), icon=":material/block:")
    if alone := _single_runs(now):
        st.caption(f":material/casino: {literal(alone)}")


def _groups_in_words(result: Pairwise) -> str:
    leader = leader_sentence(result.systems, result.separated)
    leader = leader if result.separated else leader.capitalize()  # not where it begins with a name
    tested = sum(row.p is not None for row in result.rows)
    differ = pairs_sentence(len(result.separated), tested)
    corrected = " (Holm)" if tested > 1 else ""
    groups = literal(groups_sentence(result.clusters))
    return (
        f"**{literal(leader)}.** {differ[0].upper()}{differ[1:]} at significance level α = {result.alpha:g}"
        f"{corrected}. {groups}"
    )


def _single_runs(now: View) -> str:
    """Say whose ranks hold for one output only; where all do, the page says so at its top."""
    systems = now.experiment.systems_present_on(now.test_set)
    alone = [s.name for s in systems if s.runs_on(now.test_set) < 2]
    return single_runs_sentence(alone) if len(alone) < len(systems) else ""
