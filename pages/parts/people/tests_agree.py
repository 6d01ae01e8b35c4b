"""Metrics against people, Do the tests agree?: accuracy of significance tests, and both sets of verdicts."""

from __future__ import annotations

import streamlit as st

from mtsig_core.analysis.people.meta_evaluation.automatic_tests import TestAgreement, TestsAgainstPeople
from mtsig_core.figures.people.systems import automatic_verdicts, people_verdicts
from mtsig_core.reports.meta_evaluation import agreement_sentence, agreement_table
from mtsig_core.significance import PRESETS
from mtsig_core.workbench.meta_evaluation.agreement import DEFAULT_TESTS, LEVELS, TestChoice, agreement_of_tests
from pages.parts import address, downloads, explanations
from pages.parts.people import judged, meta
from pages.parts.people.judged import OpenJudgements
from pages.parts.people.meta import Subject
from pages.parts.text import literal
from pages.parts.view import View


def draw(now: View, judgements: OpenJudgements) -> None:
    """Draw the section."""
    if meta.judgements_alone(now):
        meta.draw_nothing()
        return
    first, second = st.columns([3, 2])
    with second:
        campaign = judged.choose_campaign(judgements)
    about = meta.subject(now, judgements, campaign)
    if about is None:
        return
    with first:
        presets = _choose_tests()
    with second:
        same_level = st.toggle(
            "Judge people at the same level as the tests",
            **address.switch("same_level", "people same level", usual=True),
            help="Turn off to judge people at the significance level under Settings.",
        )
    levels = tuple(dict.fromkeys((*LEVELS, now.settings.alpha)))
    choice = TestChoice(presets, levels, bool(same_level))
    agreement = judged.result(
        now, judgements, "agreement of tests", (*about.key, presets, levels, same_level),
        lambda settings, progress: agreement_of_tests(about.judged, about.metrics, settings, choice, progress),
    )
    if agreement is not None:
        _show(now, about, agreement)


def _choose_tests() -> tuple[str, ...]:
    defaults = list(DEFAULT_TESTS)
    names = st.multiselect("Tests", list(PRESETS), defaults, key="people tests", persist_state="session",
                           format_func=lambda name: PRESETS[name].label)
    return tuple(names or defaults)


def _show(now: View, about: Subject, agreement: TestsAgainstPeople) -> None:
    explanations.heading("How often each test agrees with people", "people-tests")
    frame, shown = agreement.to_frame(), agreement_table(agreement)
    event = st.dataframe(shown, hide_index=True, key="agreement", height=judged.height(shown, 300), on_select="rerun",
                         selection_mode="single-row", alt="Accuracy of significance tests against people")
    downloads.buttons(frame, "agreement", downloads.file_name("mtsig", now.test_set, "agreement"),
                      caption=f"Agreement of significance tests with people on {now.test_set}")
    st.caption("Choose a row to see its verdicts below.")
    row = agreement.rows[event.selection.rows[0] if event.selection.rows else 0]
    st.markdown(literal(agreement_sentence(row)))
    _verdicts(now, agreement, row)


def _verdicts(now: View, agreement: TestsAgainstPeople, row: TestAgreement) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        explanations.heading("People", "people-verdict-maps")
        downloads.figure(now, downloads.built(people_verdicts, agreement, row.alpha), "verdicts-of-people",
                         alt="Verdicts of people on all pairs",
                         frame=agreement.people_matrix(row.alpha).reset_index(names="system"))
    with right:
        explanations.heading(literal(f"{PRESETS[row.preset].label}, {row.metric}"))
        drawn = downloads.built(automatic_verdicts, agreement, row.preset, row.metric, row.alpha)
        downloads.figure(now, drawn, "verdicts-of-test", alt="Verdicts of the test on all pairs",
                         frame=agreement.pair_frame(row.preset, row.metric, row.alpha))
