"""Where do the two systems differ in words: accuracy, length, n-grams, stable errors; over all replicas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from mtsig_core.analysis.differences.buckets import BucketTable
from mtsig_core.analysis.differences.edits import EditTable
from mtsig_core.analysis.differences.lengths import LengthTable
from mtsig_core.analysis.differences.ngrams import NgramTable
from mtsig_core.analysis.differences.stability import StabilityTable
from mtsig_core.analysis.differences.words import WordTable
from mtsig_core.figures import differences as figures
from mtsig_core.reports.differences.tables import display_of
from mtsig_core.reports.differences.words import ngram_frame, stability_frame
from mtsig_core.workbench import Pair
from pages.parts import downloads, explanations
from pages.parts.background import answer
from pages.parts.text import literal
from pages.parts.view import View

MOST_SHOWN = 200
HEIGHT, MOST_AT_ONCE = 420, 12  # of a table, pixels, and rows before it scrolls


def height_of(rows: int) -> int | Literal["content"]:
    """Return how high a table of so many rows is drawn."""
    return HEIGHT if rows > MOST_AT_ONCE else "content"


def asked(now: View, pair: Pair, what: str) -> Any:
    """Return the answer to a question about words, or None; say why it cannot be asked."""
    if why := pair.why_no_differences(what):
        st.info(literal(why))
        return None
    key = (*now.key, pair.metric.key, pair.a, pair.b, what)
    return answer(f"differ {what}", key, lambda progress, publish: pair.differences(
        what, settings=now.settings, progress=progress))


def say(lines: tuple[str, ...]) -> None:
    """Show what to know of an answer."""
    for line in filter(None, lines):
        st.caption(literal(line))


def two_figures(now: View, *drawn: tuple[go.Figure, str, str]) -> None:
    """Show figures side by side, each with the name of its file and its text alternative."""
    for column, (figure, name, alt) in zip(st.columns(len(drawn)), drawn, strict=True):
        with column:
            downloads.figure(now, figure, name, alt=alt)


def words(now: View, pair: Pair) -> None:
    """Show accuracy of words by frequency."""
    caption = f"Accuracy of words on {now.test_set} by frequency"
    _figures_and_table(now, pair, "words", {
        "word-f1": (figures.word_f1, "F1 of words by frequency"),
        "word-f1-differences": (figures.word_f1_differences, "Difference in F1 by frequency, with intervals"),
    }, ("word-accuracy", caption), explanation="words")  # fmt: skip


def lengths(now: View, pair: Pair) -> None:
    """Show outputs that are too short or too long."""
    caption = f"Outputs too short or too long on {now.test_set}"
    _figures_and_table(now, pair, "output-length", {
        "output-lengths": (figures.output_lengths, "Share of segments by difference in length"),
        "output-length-differences": (figures.output_length_differences, "Differences in these shares, with intervals"),
    }, ("output-lengths", caption), explanation="output-lengths")  # fmt: skip


def _figures_and_table(
    now: View, pair: Pair, what: str, drawn: Mapping[str, tuple[Callable[..., go.Figure], str]],
    table: tuple[str, str], explanation: str,
) -> None:  # fmt: skip
    """Show an answer: figures, each by the name of its file and with its text alternative, and a table."""
    result = asked(now, pair, what)
    if result is not None:
        two_figures(now, *((draw(result, now.colours), name, alt) for name, (draw, alt) in drawn.items()))
        answer_table(now, result, *table)
        explanations.explain(explanation)


def answer_table(now: View, table: WordTable | LengthTable | EditTable | BucketTable, name: str, caption: str) -> None:
    """Show the table of an answer, with its downloads and what to know of it."""
    shown = display_of(table)
    downloads.table(now, table.to_frame(), name, shown=shown.tables[0][1], caption=caption,
                    height=height_of(len(shown.tables[0][1])))
    say(shown.lines)


def ngrams(now: View, pair: Pair) -> None:
    """Show n-grams that one system gets right more often."""
    table: NgramTable | None = asked(now, pair, "ngrams")
    if table is None:
        return
    say(display_of(table).lines)
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
            places = table.best(side, MOST_SHOWN, order=order, only_significant=only)
            if not len(places):
                st.info("None.")
                continue
            downloads.table(now, table.to_frame(places), f"n-grams-{side}", shown=ngram_frame(table, places),
                            caption=f"n-grams that {name} gets right more often on {now.test_set}",
                            height=height_of(len(places)))
            if len(places) == MOST_SHOWN:
                first = "largest difference" if table.smallest_p is None else "smallest p"
                st.caption(f"Shown: the first {MOST_SHOWN}, the {first} first.")
    st.caption("Right: how often a replica's outputs match the references, over all segments.")
    explanations.explain("n-grams")


def stability(now: View, pair: Pair) -> None:
    """Show errors of every replica against errors of some."""
    table: StabilityTable | None = asked(now, pair, "stability")
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
