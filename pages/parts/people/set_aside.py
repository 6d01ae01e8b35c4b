"""Human judgement, Details: files, what was set aside and why, and which judged system is which output."""

from __future__ import annotations

import streamlit as st

from mtsig_core.reports.people import file_table, left_out_sentence, people_table, unmatched_sentences
from pages.parts import downloads, explanations
from pages.parts.people import judged
from pages.parts.people.judged import OpenJudgements
from pages.parts.text import literal
from pages.parts.view import View

MOST_NOTES = 12


def draw(now: View, judgements: OpenJudgements) -> None:
    """Draw the section."""
    people = judgements.people
    explanations.heading("What was read, and what was set aside", "people-set-aside")
    frame = file_table([campaign.table for campaign in people.campaigns])
    downloads.table(now, frame, "people-files", caption=f"Judgements by dimension and kind on {now.test_set}")
    for campaign in people.campaigns:
        if said := left_out_sentence(campaign.not_standardised):
            st.markdown(literal(f"{campaign.name}: {said}" if len(people.campaigns) > 1 else said))
    if people.match is not None:
        st.header("Names of systems", anchor=False)
        judged.sentences(unmatched_sentences(people.match.unmatched, people.match.not_judged))
        names_frame = people.match.to_frame()
        downloads.table(now, names_frame, "people-names", shown=people_table(names_frame),
                        height=judged.height(names_frame, 300),
                        caption=f"Judged systems and outputs on {now.test_set}")
    st.header("Notes", anchor=False)
    judged.sentences(people.notes[:MOST_NOTES])
    if people.notes[MOST_NOTES:]:
        with st.expander(f"{len(people.notes) - MOST_NOTES} more"):
            judged.sentences(people.notes[MOST_NOTES:])
