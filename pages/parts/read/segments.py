"""Two replicas' segments side by side, for a reader who goes through them with the keyboard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from mtsig_core.analysis.reading.segment_filters import filter_segments, nearest
from mtsig_core.analysis.reading.segments import SegmentTable
from mtsig_core.figures.median import segment_spread
from mtsig_core.formatting import count, number, score_decimals
from mtsig_core.metrics import Metric
from mtsig_core.reports.reading import Order, agreement_words, ranked
from mtsig_core.runtime.patterns import PatternError
from pages.parts import address, downloads, explanations
from pages.parts.background import answer
from pages.parts.read import segment_controls
from pages.parts.read.segment_card import card, legend
from pages.parts.text import keep_together, literal
from pages.parts.view import View

ORDERS: dict[Order, str] = {
    "gain": "Largest gain of B first", "loss": "Largest loss of B first", "index": "Order of the test set",
}
SPREAD_MARKS = "Bar: lowest to highest of all replicas; line: their mean; diamond: the output shown."
ONE_MARK = "Diamond: the output shown."
SEGMENT = "segment"  # in the address
AGAINST = ("each other", "the reference")


def show(now: View, metric: Metric, a: tuple[str, str], b: tuple[str, str]) -> None:
    """Show two outputs' segments side by side.

    Parameters
    ----------
    now : View
    metric : Metric
        Scores the segments.
    a, b : tuple of (str, str)
        System and replica of each side.
    """
    pair = now.bench.pair(now.test_set, metric, a[0], b[0])
    table = answer("segments", (*now.key, metric.key, a, b),
                   lambda progress, publish: pair.segments(a[1], b[1], progress=progress))
    if table is not None:
        _chosen(now, table)
    explanations.explain("segments")


@st.fragment
def _chosen(now: View, table: SegmentTable) -> None:
    """Draw filters, the segment that is read, and the list of all that are left."""
    n_a, n_b = (len(now.experiment.system(name).on(now.test_set)) for name, _ in (table.a, table.b))
    at = f"reading at {now.experiment.digest} {now.test_set}"
    first, rest = st.columns([2, 5], vertical_alignment="bottom")
    kept = address.choice("order", "order", ORDERS)
    written, what = kept.pop("on_change"), kept.pop("args")

    def start_again() -> None:
        written(*what)
        _forget(at)

    order: Order = first.selectbox("Order", list(ORDERS), format_func=ORDERS.__getitem__, on_change=start_again, **kept)
    wanted = segment_controls.wanted(rest, table, one_each=n_a == n_b == 1)
    try:
        left = set(filter_segments(table, wanted).tolist())
    except PatternError as error:
        st.error(literal(str(error)))
        return
    every = ranked(table, order)
    places = [place for place in every if place in left]
    if not places:
        st.info("No segment satisfies all filters: loosen one of them.")
        return
    numbers = {int(number): str(number) for number in table.index}
    link = address.choice(SEGMENT, at, numbers, int(table.index[places[0]]))
    go = partial(_go, at, partial(link["on_change"], *link["args"]))
    go(int(table.index[nearest(every, left, table.row(st.session_state[at]))]))
    decimals = score_decimals(map(float, table.score_a)) - 1  # of a segment: one less than of a test set
    _reader(now, table, places, (at, go), (n_a, n_b), decimals)
    of = f"{len(places):,} of {len(every):,}" if len(places) < len(every) else f"All {len(every):,}"
    on = f" ({count(len(wanted.asked), 'filter')} on)" if wanted.asked else ""
    st.caption(keep_together(f"{of} segments in this order{on}. Select a row to read it."))
    _list(now, table, places, go, decimals)


def _forget(at: str) -> None:
    st.session_state.pop(at, None)
    st.query_params.pop(SEGMENT, None)


def _go(at: str, write: Callable[[], None], segment: int) -> None:
    st.session_state[at] = segment
    write()


def _step(at: str, go: Callable[[int], None], order: list[int], by: int) -> None:
    """Go on from where the reader is now: a press may come before what the last one asked for is drawn."""
    place = order.index(st.session_state[at]) + by
    go(order[min(max(place, 0), len(order) - 1)])


@st.fragment
def _reader(
    now: View, table: SegmentTable, places: Sequence[int], reading: tuple[str, Callable[[int], None]],
    n: tuple[int, int], decimals: int,
) -> None:
    """Draw the segment that is read, and the way to the next; alone, so that going on is quick."""
    place = table.row(st.session_state[reading[0]])
    k = places.index(place)
    way, marks = st.columns([5, 3], vertical_alignment="center")
    with way, st.container(horizontal=True, vertical_alignment="center"):
        order = [int(table.index[p]) for p in places]
        for label, key, by, icon in (
            ("Previous", "K", -1, ":material/arrow_back:"), ("Next", "J", 1, ":material/arrow_forward:"),
        ):
            st.button(label, key=f"go {label}", icon=icon, shortcut=key, disabled=not 0 <= k + by < len(places),
                      on_click=_step, args=(*reading, order, by))
        document = f", document {literal(table.document[place])}" if table.document else ""
        st.markdown(keep_together(
            f"**{k + 1:,}** of {len(places):,} · segment {table.index[place]}{document} · gain "
            f"**{number(float(table.gain[place]), decimals, sign=True)}**"
        ))
    against = marks.segmented_control(
        "Mark differences", AGAINST, default=AGAINST[0], required=True, key="marked against",
        format_func=lambda x: f"Against {x}", persist_state="session", label_visibility="collapsed",
    ) if table.references[place] else AGAINST[0]
    to_reference = against == AGAINST[1]
    with st.container(border=True):
        texts, drawn = st.columns([5, 3])
        with texts:
            st.html(card(table, place, against_reference=to_reference, decimals=decimals))
            st.caption(legend(table, place, against_reference=to_reference))
        with drawn:
            figure = segment_spread(table, int(table.index[place]), now.colours, height=180, legend=False)
            downloads.figure(now, figure, "segment spread",
                             alt="Scores of this segment over all replicas of both systems, those shown marked")
            said = SPREAD_MARKS if max(n) > 1 else ONE_MARK
            st.caption(f"{literal(agreement_words(table, place, *n))} {said}")


def _list(now: View, table: SegmentTable, places: Sequence[int], go: Callable[[int], None], decimals: int) -> None:
    frame = table.to_frame().iloc[list(places)]
    key = f"segments {hash(tuple(places))} {table.a} {table.b} {table.metric}"
    numbers = [int(table.index[place]) for place in places]
    st.dataframe(
        frame, hide_index=True, height=320, key=key, on_select=lambda: _jump(go, key, numbers),
        selection_mode="single-row", column_config=_columns(frame, table, decimals), alt="Segments of both systems",
        column_order=["segment", "gain", *_outputs(frame), *([] if now.one_each else ["all replicas say"]),
                      *_scores(frame, table),
                      *(name for name in ("source", "references") if name in frame)],
    )
    downloads.buttons(frame, "segments", downloads.file_name("mtsig", now.test_set, "segments"), latex=False)


def _jump(go: Callable[[int], None], key: str, numbers: Sequence[int]) -> None:
    rows = st.session_state[key].selection.rows
    if rows and rows[0] < len(numbers):
        go(numbers[rows[0]])


def _outputs(frame: pd.DataFrame) -> list[str]:
    return [name for name in frame.columns if name.startswith("output of ")]


def _scores(frame: pd.DataFrame, table: SegmentTable) -> list[str]:
    return [name for name in frame.columns if name.startswith(f"{table.label} of ")]


def _columns(frame: pd.DataFrame, table: SegmentTable, decimals: int) -> dict[str, Any]:
    """Return how columns look: both outputs stand side by side in a window of 1280 pixels, scores to their right."""
    form = f"%.{decimals}f"
    columns: dict[str, Any] = {name: st.column_config.NumberColumn(format=form)
                               for name in frame.select_dtypes("number").columns.drop("segment")}
    columns["segment"] = st.column_config.NumberColumn(width=70)
    columns["gain"] = st.column_config.NumberColumn(format=form, width=70)
    sides = zip("AB", (table.a, table.b), _outputs(frame), _scores(frame, table), strict=True)
    for side, names, output, score in sides:
        name = "/".join(dict.fromkeys(names))  # a system's only output often has no name of its own
        columns[output] = st.column_config.TextColumn(f"{side}: {name}", width=325)
        columns[score] = st.column_config.NumberColumn(f"{table.label} of {side}", format=form)
    return columns
