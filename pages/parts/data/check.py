"""Data, Check and correct: what was recognised, and the table that corrects it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

import streamlit as st

from mtsig_core.loading.layouts.common.words import in_words
from pages.parts import downloads
from pages.parts.data.correcting import correcting
from pages.parts.text import literal
from pages.parts.view import View

KINDS = {
    "refused": "Left out", "warning": "Warnings", "repaired": "Repaired", "assumed": "Assumed",
    "recognised": "Recognised", "ignored": "Ignored",
}  # fmt: skip
REMEDY = " To change this,"  # how the remedy of an assumption begins
ADVICE = " If so,"  # how the advice of a warning begins
MOST_LINES, MORE_HEIGHT = 6, 400  # lines of one kind that stand at once; pixels of the others


def draw(now: View) -> None:
    """Draw the section."""
    st.caption(f"{literal(now.experiment.name)}, recognised as {literal(in_words(now.opened.report.layout))}")
    what_was_recognised(now)
    correcting(now.opened)


def what_was_recognised(now: View) -> None:
    """List what loading recognised, assumed, repaired and refused, the important first."""
    frame = now.opened.report.to_frame()
    order = {kind: i for i, kind in enumerate(KINDS)}
    frame = frame.sort_values("kind", key=lambda kinds: kinds.map(order), kind="stable")
    shown = frame[frame.kind.isin(["refused", "warning"])].head(5)
    for kind, messages in shown.groupby("kind", sort=False).message:
        for text in _boxes(messages):
            (st.error if kind == "refused" else st.warning)(text)
    st.header("What was recognised")
    # a list, as a table keeps its cells narrow however wide the page is
    for kind, lines in frame.drop(shown.index).groupby("kind", sort=False).message:
        st.markdown(f"**{'More: ' if kind in set(shown.kind) else ''}{KINDS[str(kind)]}**")
        at_once = MOST_LINES if len(lines) > MOST_LINES + 1 else len(lines)
        st.markdown(_listed(lines[:at_once]))
        if len(lines) > at_once:
            with st.expander(f"{len(lines) - at_once} more"), st.container(height=MORE_HEIGHT, border=False):
                st.markdown(_listed(lines[at_once:]))
    every = now.opened.report.to_frame(each=True)
    downloads.buttons(every, "load-report", downloads.file_name("mtsig", now.experiment.name, "report"), latex=False)


def _boxes(messages: Iterable[str]) -> Iterator[str]:
    """Yield the text of each box: one of its own for a message, one for several that end in the same advice."""
    for advice, own in groupby(messages, key=lambda message: message.partition(ADVICE)[2]):
        together = list(own)
        if advice and len(together) > 1:
            yield _listed(together, ADVICE)
        else:
            yield from map(literal, together)


def _listed(lines: Iterable[str], ending: str = REMEDY) -> str:
    """Return lines as a list; below several that end in the same way, from `ending` on, their end is said once."""
    said = ""
    for remedy, own in groupby((line.partition(ending) for line in lines), key=lambda parts: parts[1] + parts[2]):
        of_one = list(own)
        once = bool(remedy) and len(of_one) > 1
        said += "".join(f"- {literal(line if once else line + remedy)}\n" for line, _, _ in of_one)
        said += f"\n{literal(remedy.strip())}\n\n" if once else ""
    return said
