"""The judgements that are open, the dimension that is shown, and answers about both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, TypeVar

import pandas as pd
import streamlit as st

from data import JUDGED
from mtsig_core.analysis.people.mqm import WEIGHTS
from mtsig_core.loading.judgements.find import judgements_of
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress
from mtsig_core.workbench.people import Campaign, People, open_people, outputs_of
from pages.parts import address, page, sections, view
from pages.parts import opened as experiments
from pages.parts.background import answer
from pages.parts.sections import Section, show
from pages.parts.text import literal
from pages.parts.view import View

QUICK_BOOTSTRAP, QUICK_PERMUTATIONS = 200, 300
T = TypeVar("T")
_WEIGHTS_KEY, _USUAL = "mqm weights", next(iter(WEIGHTS))
_WEIGHT_LABELS = {
    "freitag-2021": "By severity and category (Freitag et al. 2021)",
    "major-minor": "By severity alone: major 5, minor 1",
}


@dataclass(frozen=True, eq=False)
class OpenJudgements:
    """What people judged in the open experiment.

    Parameters
    ----------
    people : People
    digest : str
        Of the files of judgements and the weights of marked errors.
    """

    people: People
    digest: str


def opened(now: View) -> OpenJudgements | None:
    """Return the judgements that are open; None while they are read, or where there are none, which is said."""
    recognition = now.opened.recognition
    if recognition is None or not recognition.judgement_files:
        _nothing_here()
        return None
    digest = recognition.judgements_digest

    _settle_weights()  # all sections depend on them
    weights = _weights()

    def work(progress: Progress, publish: Callable[[Any], None]) -> People:
        judgements = judgements_of(recognition)
        if judgements is None:
            raise ValueError("The files of judgements are gone. Open the experiment again.")
        edited = outputs_of(now.experiment, now.test_set)
        return open_people(judgements, [system.name for system in now.experiment.systems], weights=WEIGHTS[weights],
                           edited=edited, test_set=now.test_set)  # fmt: skip

    people = answer("judgements", (now.experiment.digest, digest, now.test_set, weights), work)
    if people is None:
        return None
    if now.opened.demonstration:
        st.info("These judgements are **simulated**: a program made them up, and no person judged anything.",
                icon=":material/science:")
    return OpenJudgements(people, f"{digest} {weights}")


def draw_page(
    title: str, question: str, sections: Sequence[tuple[str, str, Callable[[View, OpenJudgements], None]]],
    instead: Callable[[View, OpenJudgements], bool] = lambda now, judgements: False,
) -> None:
    """Draw a page about judgements: its head, and where there are judgements its sections.

    Parameters
    ----------
    title, question : str
    sections : sequence of (slug, title, draw)
        Each is drawn with the view and the judgements.
    instead : callable
        Draws what takes the place of the sections where they would be empty, and says whether it did.
    """
    now = view.current(needs_metric=False)
    page.begin(now, title, question)
    judgements = opened(now)
    if judgements is not None and not instead(now, judgements):
        show(title.lower(), [Section(slug, name, partial(draw, now, judgements)) for slug, name, draw in sections])


def _weights() -> str:
    """Return the name of the chosen weights of marked errors."""
    chosen = st.session_state.get(_WEIGHTS_KEY)
    return str(chosen) if chosen in WEIGHTS else _USUAL


def _settle_weights() -> dict[str, Any]:
    return address.choice("weights", _WEIGHTS_KEY, _WEIGHT_LABELS)


def choose_weights() -> None:
    """Draw the choice of the weights of marked errors."""
    st.selectbox(
        "Weights of errors", list(WEIGHTS), format_func=_WEIGHT_LABELS.__getitem__, **_settle_weights(),
        help="By severity and category: major 5, minor 1, minor punctuation 0.1, non-translation 25. By severity "
        "alone: every major error 5, every minor one 1, as in ESA and in published means that ignore categories.",
    )  # fmt: skip


def weights_sentence() -> str:
    """Return how marked errors are weighted."""
    return f"Weights of marked errors: {_WEIGHT_LABELS[_weights()]}. Change them under Marked errors (MQM)."


def _nothing_here() -> None:
    st.info("No human judgements came with what is open.", icon=":material/groups:")
    st.markdown(
        "Bring any of these, in the upload of your outputs (in a folder `judgements/`) or alone:\n\n"
        "- a table (csv, tsv, jsonl) with the columns *system*, *segment*, *annotator* and *score*, or *adequacy*, "
        "*fluency*, *mqm*, *rank*\n"
        "- an export of Appraise or Pearmut; WMT's files of direct assessment and ESA, as csv or JSON lines\n"
        "- MQM annotations: Google's tsv files with rater, severity and category, or JSON\n"
        "- `LANGUAGES.NAME.seg.score` of mt-metrics-eval\n"
        "- post-edits of the outputs, for HTER: a table, or files such as `postedits/SYSTEM/REPLICA.txt`\n\n"
        "Each file is recognised by its content; **Data** says what was understood."
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link("pages/start/data.py", label="Open your own", icon=":material/folder_open:")
        st.button("Open the demonstration with judgements", icon=":material/science:", key="open example",
                  on_click=experiments.pend_demonstration, args=(JUDGED,))


def choose_campaign(judgements: OpenJudgements) -> Campaign:
    """Draw the choice of what people judged, where there is more than one dimension."""
    by_name = {campaign.name: campaign for campaign in judgements.people.campaigns}
    names = list(by_name)
    kept = address.choice(address.DIMENSION, "dimension", {name: name for name in names})
    if len(names) == 1:
        return by_name[names[0]]
    picked = st.selectbox("Dimension", names, help="What people judged.", **kept)
    return by_name[str(picked or names[0])]


def choose_topic(topics: Mapping[str, str], key: str) -> str:
    """Draw the choice of what a section shows, where there is one; the first topic to begin with."""
    return sections.topic("Show", key, topics)


def choose_campaign_and_topic(
    judgements: OpenJudgements, topics: Mapping[str, str], key: str
) -> tuple[Campaign, str]:
    """Draw both choices beside each other, the topic first: what people judged decides what can be shown of it."""
    first, second = st.columns([3, 2])
    with second:
        campaign = choose_campaign(judgements)
    with first:
        return campaign, choose_topic(topics, key)


def result(
    now: View, judgements: OpenJudgements, question: str, about: tuple, compute: Callable[[Settings, Progress], T]
) -> T | None:
    """Return an answer about judgements: from few draws first, then from all.

    Parameters
    ----------
    now : View
    judgements : OpenJudgements
    question : str
        Names the computation.
    about : tuple
        What the answer depends on besides the experiment, the judgements and the settings.
    compute : callable (settings, progress) -> answer
    """
    full = now.settings
    quick = replace(
        full, n_bootstrap=min(QUICK_BOOTSTRAP, full.n_bootstrap),
        n_permutations=min(QUICK_PERMUTATIONS, full.n_permutations),
    )  # fmt: skip

    def work(progress: Progress, publish: Callable[[Any], None]) -> T:
        if quick != full:
            publish(compute(quick, progress))
        return compute(full, progress)

    return answer(question, (now.experiment.digest, judgements.digest, full, *about), work)


def height(frame: pd.DataFrame, most: int = 420) -> int | Literal["content"]:
    """Return the height of a table: that of its rows while they fit, else `most` pixels."""
    return "content" if 35 * (len(frame) + 1) <= most else most


def sentences(lines: list[str] | tuple[str, ...]) -> None:
    """Draw remarks, one below the other."""
    for line in lines:
        if line:
            st.caption(f":material/info: {literal(line)}")
