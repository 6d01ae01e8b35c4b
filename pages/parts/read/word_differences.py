"""Where do the two systems differ in words: accuracy, length, n-grams, stable errors; over all replicas."""

from __future__ import annotations

from typing import Any, Literal

import pandas as pd
import streamlit as st

from mtsig_core.analysis.differences.lengths import LengthTable
from mtsig_core.analysis.differences.ngrams import NgramTable
from mtsig_core.analysis.differences.stability import StabilityTable
from mtsig_core.analysis.differences.words import WordTable
from mtsig_core.figures import differences as figures
from mtsig_core.reports.differences import told_of
from mtsig_core.reports.word_differences import ngram_frame, stability_frame
from mtsig_core.workbench.differences import ask, why_no_words
from mtsig_core.workbench.pair import Where
from pages.parts import downloads, explanations
from pages.parts.background import answer
from pages.parts.text import literal
from pages.parts.view import View

MOST_SHOWN = 200
HEIGHT, MOST_AT_ONCE = 420, 12  # of a table, pixels, and rows before it scrolls


def height_of(rows: int) -> int | Literal["content"]:
    """Return how high a table of so many rows is drawn."""
    return HEIGHT if rows > MOST_AT_ONCE else "content"


def asked(now: View, where: Where, what: str) -> Any:
    """Return the answer to a question about words, or None; say why it cannot be asked."""
    if why := why_no_words(where):
        st.info(literal(why))
        return None
    key = (*now.key, where.metric.key, where.a, where.b, what)
    return answer(f"differ {what}", key, lambda progress, publish: ask(where, what, now.settings, progress))


def say(lines: tuple[str, ...]) -> None:
    """Show what to know of an answer."""
    for line in filter(None, lines):
        st.caption(literal(line))


def words(now: View, where: Where) -> None:
    """Show accuracy of words by frequency."""
    table: WordTable | None = asked(now, where, "words")
    if table is None:
        return
    left, right = st.columns(2)
    with left:
        downloads.figure(now, figures.word_f1(table, now.colours), "word-f1", alt="F1 of words by frequency")
    with right:
        downloads.figure(now, figures.word_f1_differences(table, now.colours), "word-f1-differences",
                         alt="Difference in F1 by frequency, with intervals")
    _table(now, table, "word-accuracy", f"Accuracy of words on {now.test_set} by frequency")
    explanations.explain("words")


def lengths(now: View, where: Where) -> None:
    """Show outputs that are too short or too long."""
    table: LengthTable | None = asked(now, where, "output-length")
    if table is None:
        return
    left, right = st.columns(2)
    with left:
        downloads.figure(now, figures.output_lengths(table, now.colours), "output-lengths",
                         alt="Share of segments by difference in length")
    with right:
        downloads.figure(now, figures.output_length_differences(table, now.colours), "output-length-differences",
                         alt="Differences in these shares, with intervals")
    _table(now, table, "output-lengths", f"Outputs too short or too long on {now.test_set}")
    explanations.explain("output-lengths")


def _table(now: View, table: WordTable | LengthTable, name: str, caption: str) -> None:
    told = told_of(table)
    downloads.table(now, table.to_frame(), name, shown=told.tables[0][1], caption=caption)
    say(told.lines)


def ngrams(now: View, where: Where) -> None:
    """Show n-grams that one system gets right more often."""
    table: NgramTable | None = asked(now, where, "ngrams")
    if table is None:
        return
    say(told_of(table).lines)
    left, right = st.columns([1, 2], vertical_alignment="bottom")
    size = left.segmented_control(
        "Words of the n-gram", ["All", "1", "2", "3", "4"], default="All", required=True, key="ngram words",
        persist_state="session",
    )
    only = right.toggle(
        "Only those found", key="ngrams found", persist_state="session",
        help="Only n-grams whose corrected p is at most the level; else all whose counts differ.")
    order = int(size) if size and size.isdigit() else None
    sides: tuple[tuple[Literal["b", "a"], str], ...] = (("b", table.b), ("a", table.a))
    for tab, (side, name) in zip(st.tabs([f"Right more often in {literal(n)}" for _, n in sides]), sides, strict=True):
        with tab:
            places = table.best(side, MOST_SHOWN, order=order, only_found=only)
            if not len(places):
                st.info("None.")
                continue
            downloads.table(now, table.to_frame(places), f"n-grams-{side}", shown=ngram_frame(table, places),
                            caption=f"n-grams that {name} gets right more often on {now.test_set}",
                            height=height_of(len(places)))
            if len(places) == MOST_SHOWN:
                st.caption(f"Shown: the first {MOST_SHOWN}, the smallest p first.")
    st.caption("Right: matches a replica, over all segments.")
    explanations.explain("n-grams")


def stability(now: View, where: Where) -> None:
    """Show errors of every replica against errors of some."""
    table: StabilityTable | None = asked(now, where, "stability")
    if table is None:
        return
    say((table.note,))
    downloads.figure(now, figures.stability(table, now.colours), "stability",
                     alt="What every, some and no replica of each system gets right")
    downloads.table(now, table.to_frame(), "stability", shown=stability_frame(table),
                    caption=f"Stable and unstable errors on {now.test_set}")
    left, right = st.tabs(["By word", "By segment"])
    with left:
        _long(now, table.listing, "errors-by-word", f"Errors by word on {now.test_set}")
    with right:
        _long(now, table.by_segment, "errors-by-segment", f"Errors by segment on {now.test_set}")
    explanations.explain("stability")


def _long(now: View, frame: pd.DataFrame, name: str, caption: str) -> None:
    if frame.empty:
        st.info("No replica misses anything.")
        return
    downloads.table(now, frame, name, caption=caption, height=height_of(len(frame)))
