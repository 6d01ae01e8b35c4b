"""All pairs: every system against every other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from mtsig_core.analysis.systems.pairwise import CORRECTIONS, Correction, Pairwise
from mtsig_core.figures.s_diff import p_against_difference_figure, single_difference_histogram
from mtsig_core.figures.three_methods import cluster_intervals, method_intervals, overlap_bars
from mtsig_core.formatting import count, format_p, format_score, score_decimals
from mtsig_core.metrics import Metric
from mtsig_core.reports.comparator import SYMBOLS
from mtsig_core.runtime.jobs import Progress, subprogress
from mtsig_core.significance import PRESETS, Outcome
from pages.parts import downloads, view
from pages.parts.background import answer
from pages.parts.explanations import what_is_this
from pages.parts.matrices import clickable
from pages.parts.text import literal

QUICK_DRAWS, QUICK_SHUFFLES = 200, 300
MOST_METHOD_SYSTEMS = 40


def main() -> None:
    """Draw the page."""
    now = view.current()
    st.title("Rank systems")
    st.markdown(f"Every system against every other, on {literal(now.test_set)}.")
    if now.system is None:
        st.info(view.ONE_SYSTEM)
        return
    metric, preset, correction = controls(now)
    if not metric.is_quality:
        st.info(f"{literal(metric.label)} has no better direction: read better as higher, and the ranks as an order.")
    found = answer("all pairs", (*now.key, metric.key, preset), lambda progress, publish: compute(
        now, metric, preset, progress, publish))
    if found is not None:
        show(now, found, correction)
    st.divider()
    three_methods(now, metric)
    st.divider()
    observed_difference(now, now.system, metric)


def controls(now: view.View) -> tuple[Metric, str | None, Correction]:
    """Choose metric, test and correction."""
    left, middle, right = st.columns(3)
    labels = {m.name: m for m in now.metrics}
    name = left.selectbox("Metric", list(labels), format_func=lambda n: labels[n].label, key="one metric",
                          persist_state="session")
    presets: list[str | None] = [None, *PRESETS]
    preset = middle.selectbox(
        "Test", presets, key="pairs preset", persist_state="session",
        format_func=lambda n: "Chosen by the replicas there are" if n is None else PRESETS[n].label,
        help="By default the crossed test; approximate randomization by segment where systems have one replica.",
    )
    corrections: list[Correction] = list(CORRECTIONS)
    correction = right.selectbox("Correction for the number of pairs", corrections, key="correction",
                                 format_func=lambda n: CORRECTIONS[n], persist_state="session")
    return labels[name], preset, correction


def compute(
    now: view.View, metric: Metric, preset: str | None, progress: Progress, publish: Callable[[Any], None]
) -> Pairwise:
    """Test all pairs, first with few draws."""
    full = now.settings
    quick = replace(
        full, n_bootstrap=min(QUICK_DRAWS, full.n_bootstrap), n_permutations=min(QUICK_SHUFFLES, full.n_permutations)
    )
    subject = (now.test_set, metric)
    preliminary = None
    if quick != full:
        preliminary = now.bench.pairwise(*subject, preset=preset, settings=quick,
                                         progress=subprogress(progress, 0, 0.2))
        publish(preliminary)
    return now.bench.pairwise(*subject, preset=preset, preliminary=preliminary, publish=publish, settings=full,
                              progress=subprogress(progress, 0.2, 1))


def show(now: view.View, found: Pairwise, correction: Correction) -> None:
    """Show clusters, the p matrix, overlaps, and the table of pairs."""
    st.markdown(f"{_clusters_in_words(found)} {literal(found.preset.label)}: {literal(found.preset.question)}.")
    if found.preset.warning:
        st.warning(literal(found.preset.warning), icon=":material/warning:")
    left, right = st.columns([2, 3])
    with left:
        st.subheader("Ranks")
        ends = {
            name: None if (i := found.intervals[name]) is None else (i.low, found.scores[name], i.high)
            for name in found.systems
        }
        drawn = cluster_intervals(ends, found.label, found.higher_is_better, found.clusters, now.colours)
        downloads.figure(now, drawn, "ranks", alt="Systems best first with their intervals", frame=found.rank_frame())
        what_is_this("clusters")
    with right:
        st.subheader("p of every pair")
        _p_matrix(now, found, correction)
        what_is_this("pairs")
    st.subheader("Overlap of intervals")
    matrix = found.overlap_matrix()
    st.dataframe(matrix.style.format("{:.2f}", na_rep="—"), key="overlap matrix", height="content",
                 alt="Overlap ratio of every pair of systems")
    downloads.buttons(matrix.reset_index(names="system"), "overlap-matrix",
                      downloads.file_name("mtsig", now.test_set, "overlap"), caption="Overlap ratios")
    what_is_this("overlap")
    st.subheader("Numbers")
    _pair_table(now, found)


def _clusters_in_words(found: Pairwise) -> str:
    pairs = count(len(found.rows), "pair")
    beaten = sum(r.p_holm is not None and r.p_holm < found.alpha for r in found.rows)
    if len(found.clusters) == 1:
        said = "no line can be drawn between better and worse systems"
    else:
        said = " > ".join("{" + ", ".join(literal(s) for s in cluster) + "}" for cluster in found.clusters)
        said = f"{count(len(found.clusters), 'cluster')}: {said}".replace(">", "\\>")
    return f"**{said[0].upper()}{said[1:]}.** {beaten} of {pairs} differ at level {found.alpha:g} (Holm)."


def _p_matrix(now: view.View, found: Pairwise, correction: Correction) -> None:
    st.caption(
        f"Row against column, best first; ▲ the row is better, ▼ worse, ○ undecided at level {found.alpha:g} "
        f"(correction: {CORRECTIONS[correction]}). Click a cell to open Compare."
    )
    words = [[_word(found, row, column, correction) for column in found.systems] for row in found.systems]
    texts = [[_text(found, row, column, correction) for column in found.systems] for row in found.systems]
    frames = [pd.DataFrame(x, index=list(found.systems), columns=list(found.systems)) for x in (texts, words)]
    version = st.session_state.setdefault("pairs clicked", 0)
    place = clickable(frames[0], frames[1], f"p matrix {version}", alt="p-values of every pair of systems")
    downloads.buttons(frames[0].reset_index(names="system"), "p-matrix",
                      downloads.file_name("mtsig", now.test_set, "p-matrix"), caption=f"p of every pair, {found.label}")
    if place is not None and place[0] != place[1]:
        st.session_state["pairs clicked"] = version + 1  # a new matrix has no cell chosen when one comes back
        view.pend_pair(found.systems[place[1]], found.systems[place[0]])
        # the controls put what they are bound to into the address again; None would refuse to clear it
        st.switch_page("pages/explore/compare.py", query_params={})


def _word(found: Pairwise, row: str, column: str, correction: Correction) -> Outcome:
    if row == column:
        return "not defined"
    pair = found.row(row, column)
    p = pair.corrected(correction)
    if p is None:
        return "not defined"
    if p >= found.alpha or not pair.better:
        return "undecided"
    return "better" if pair.better == row else "worse"


def _text(found: Pairwise, row: str, column: str, correction: Correction) -> str:
    if row == column:
        return "·"
    pair = found.row(row, column)
    word = _word(found, row, column, correction)
    smallest = pair.smallest_p
    return f"{format_p(pair.corrected(correction), smallest, exact=pair.exact)} {SYMBOLS[word]}"


def _pair_table(now: view.View, found: Pairwise) -> None:
    frame = found.to_frame()
    titles: dict[str, Correction] = {"p": "none", "p, Holm": "holm", "p, Benjamini–Hochberg": "bh"}
    for title, correction in titles.items():
        frame[title] = [
            format_p(row.corrected(correction), row.smallest_p, exact=row.exact) for row in found.rows
        ]
    for title, decimals in (("B − A", score_decimals(found.scores.values())), ("overlap ratio", 2)):
        frame[title] = [format_score(value, decimals) for value in frame[title]]
    downloads.table(now, frame, "pairs", caption=f"All pairs of systems on {now.test_set}, {found.label}",
                    height="content" if len(frame) <= 12 else 420)


def three_methods(now: view.View, metric: Metric) -> None:
    """Show Fu's three methods for a few systems, when asked."""
    st.subheader("Three ways to use replicas")
    names = list(now.bench.statistics(now.test_set, metric).systems)
    asked = st.toggle("Compare the methods of Riezler, Clark and Fu", key="three methods", persist_state="session",
                      help="Draws and swaps single outputs of all replicas: may take a minute on large pools.")
    if len(names) > 2:
        names = st.multiselect("Systems", names, names[:7], max_selections=MOST_METHOD_SYSTEMS, key="method systems")
    what_is_this("three methods")
    if not asked:
        return
    if len(names) < 2:
        st.info("Choose at least two systems.")
        return
    found = answer("three methods", (*now.key, metric.key, tuple(names)), lambda progress, publish:
                   now.bench.three_methods(now.test_set, metric, names, settings=now.settings, progress=progress))
    if found is None:
        return
    left, right = st.columns(2)
    with left:
        downloads.figure(now, method_intervals(found), "method-intervals", frame=found.interval_frame(),
                         alt="Intervals of each system by three methods")
    with right:
        downloads.figure(now, overlap_bars(found), "method-overlaps", alt="Overlap ratios of pairs by three methods")
    frame = found.pair_frame()
    floors = {
        "p, randomization": 1 / (now.settings.n_permutations + 1),
        "p, bootstrap": 1 / (now.settings.n_bootstrap + 1),
    }
    for title, floor in floors.items():
        frame[title] = [format_p(None if p != p else p, floor) for p in frame[title].astype(float)]
    downloads.table(now, frame, "three-methods", caption=f"Three methods on {now.test_set}, {found.label}",
                    height="content" if len(frame) <= 12 else 420)
    st.caption("Riezler's method uses one replica of each system, the median one: "
               + literal(", ".join(f"{system} {replica}" for system, replica in found.replica.items())) + ".")


def observed_difference(now: view.View, system: str, metric: Metric) -> None:
    """Show how much the observed difference owes to luck, and p against it."""
    st.subheader(f"The observed difference: {literal(system)} − {literal(now.baseline)}")
    pair = now.pair(metric, system)
    found = answer("observed difference", (*now.key, metric.key),
                   lambda progress, publish: pair.observed_difference(settings=now.settings, progress=progress))
    if found is None:
        return
    left, right = st.columns(2)
    with left:
        downloads.figure(now, single_difference_histogram(found.singles, metric.label), "s-diff",
                         alt="Differences of single pairs of replicas with a normal fit")
        what_is_this("s_diff")
    with right:
        curves = found.curves
        top = float(curves.x[-1])
        asked = st.slider("A difference to ask about", 0.0, top, min(abs(curves.difference), top), top / 200,
                          format="%.3f", key=f"s_diff {metric.name} {system} {now.baseline} {top:.6f}")
        downloads.figure(now, p_against_difference_figure(curves, metric.label, asked), "p-curve",
                         alt="p of each test against the size of the difference")
        what_is_this("p curve")
    frame = curves.at_frame(asked)
    decimals = score_decimals([top * 10])  # a difference is a small part of the scale
    frame[frame.columns[1]] = [format_score(value, decimals) for value in frame[frame.columns[1]]]
    frame[frame.columns[2]] = [format_p(value) for value in frame[frame.columns[2]]]
    downloads.table(now, frame, "p-at-difference",
                    caption=f"p of a difference of {format_score(asked, decimals)} {metric.label}")


main()
