"""Controls that say which segments to read."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mtsig_core.analysis.reading.segment_filters import EVERYTHING, FIELDS, Agree, Field, Range, SegmentFilter
from mtsig_core.analysis.reading.segments import SegmentTable
from pages.parts.text import literal


def wanted(beside: DeltaGenerator, table: SegmentTable, *, one_each: bool) -> SegmentFilter:
    """Draw the filters and return what they say.

    Parameters
    ----------
    beside : DeltaGenerator
        Where the text to look for is asked.
    table : SegmentTable
    one_each : bool
        Both systems have a single replica, so that all of them agree trivially.
    """
    names: dict[Field, str] = {
        "source": "Source", "references": "References", "output a": table.a[0], "output b": table.b[0],
    }
    possible = [f for f in FIELDS if f != "source" or table.source]
    left, right = beside.columns([3, 2], vertical_alignment="bottom")
    text = left.text_input("Only segments that contain", key="contains", persist_state="session")
    regex = right.toggle("Regular expression", key="contains pattern", persist_state="session",
                         help="In Python's notation: ^The matches at the start, \\bnot\\b a whole word.")
    with st.expander("More filters"):
        left, right = st.columns(2)
        with left:
            chosen = st.pills("Look for the text in", possible, default=possible, selection_mode="multi",
                              format_func=lambda f: literal(names[f]), key=f"contains in {len(possible)}",
                              persist_state="session")
            match_case = st.toggle("Match case", key="contains case", persist_state="session")
            changed = st.toggle("Only where the outputs differ", key="changed only", persist_state="session")
            agree = _agree(table) if not one_each else ""
            documents = _documents(table)
        with right:
            length, gain, score_a, score_b = _ranges(table)
    return SegmentFilter(
        text=text or "", fields=tuple(chosen or possible), regex=regex, match_case=match_case, length=length,
        documents=documents, score_a=score_a, score_b=score_b, gain=gain, agree=agree, changed=changed,
    )


def _ranges(table: SegmentTable) -> tuple[Range, Range, Range, Range]:
    """Draw the ranges of length, gain and both scores."""
    measured = "reference" if any(table.references) else "source"
    decimals = 3 if max(map(abs, table.gain), default=0.0) < 2 else 1
    return (
        _range(f"Words of the {measured} (characters, in scripts without spaces)", table.lengths, table, 0),
        _range("Gain of B over A", table.gain, table, decimals),
        _range(f"{table.label} of A ({table.a[0]})", table.score_a, table, decimals),
        _range(f"{table.label} of B ({table.b[0]})", table.score_b, table, decimals),
    )


def _agree(table: SegmentTable) -> Agree:
    words: dict[Agree, str] = {
        "": "All segments", "any": "All replicas agree", "a": f"All say that {table.a[0]} is better",
        "b": f"All say that {table.b[0]} is better",
    }
    picked: Agree | None = st.selectbox(
        "What all replicas say", list(words), format_func=words.__getitem__, key="replicas say",
        persist_state="session", help="Segments on which every replica of one system beats every one of the other.",
    )
    return picked or ""


def _documents(table: SegmentTable) -> tuple[str, ...]:
    names = list(dict.fromkeys(table.document or ()))
    if len(names) < 2:
        return ()
    return tuple(st.multiselect("Documents", names, key=f"documents {table.test_set}", placeholder="All documents"))


def _range(label: str, values: Iterable[Any], table: SegmentTable, decimals: int) -> Range:
    """Draw a slider over the values; its ends mean no limit."""
    known = [float(v) for v in values if math.isfinite(v)]
    unit = 10.0**-decimals
    low, high = (math.floor(min(known) / unit) * unit, math.ceil(max(known) / unit) * unit) if known else (0.0, 0.0)
    low, high = round(low, decimals), round(high, decimals)
    if low == high:
        return EVERYTHING
    least, most = st.slider(
        literal(label), low, high, (low, high), unit, f"%.{decimals}f",
        key=f"range {label} {table.test_set} {low} {high}",
    )
    return (-math.inf if least <= low else least, math.inf if most >= high else most)
