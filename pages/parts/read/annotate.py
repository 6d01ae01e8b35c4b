"""Let people judge: a blind sheet of the two median replicas to download, and the result of filled ones."""

from __future__ import annotations

import hashlib
from functools import partial

import pandas as pd
import streamlit as st

from mtsig_core.analysis.reading.annotation import AnnotationResult, Choice, annotation_result, segments_named
from mtsig_core.analysis.reading.segments import SegmentTable
from mtsig_core.loading.judgements.sheets.annotation_key import (
    COLUMNS,
    ERROR_TYPES,
    ERRORS,
    RATINGS,
    AnnotationKey,
    Asked,
    key_csv,
)
from mtsig_core.metrics import Metric
from mtsig_core.runtime.jobs import Progress
from mtsig_core.workbench import Pair
from pages.parts import downloads, explanations
from pages.parts.background import answer
from pages.parts.read import chosen
from pages.parts.text import keep_together, literal
from pages.parts.view import View

CHOICES = {"Spread over the differences": "stratified", "At random": "random", "Chosen numbers": "by number"}
SCALES = {"1 to 5": (1, 5), "1 to 7": (1, 7), "0 to 100": (0, 100)}
TYPES = {
    "csv": ("CSV", "text/csv"),
    "tsv": ("TSV", "text/tab-separated-values"),
    "xlsx": ("XLSX", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}
PREVIEW = 5  # rows of the sheet shown on the page
DEFAULT_N = 50


def show(now: View, metric: Metric, a: tuple[str, str], b: tuple[str, str]) -> None:
    """Show how to get a blind sheet of two outputs, and what filled ones say.

    Parameters
    ----------
    now : View
    metric : Metric
        Its differences spread the choice.
    a, b : tuple of (str, str)
        System and replica of each side.
    """
    st.markdown("Each row of the sheet shows one segment with both outputs, without names and in random order. The "
                "key says which is which: keep it to yourself until the sheets come back.")  # fmt: skip
    pair = now.bench.pair(now.test_set, metric, a[0], b[0])
    table = answer("segments", (*now.key, metric.key, a, b),
                   lambda progress, publish: pair.segments(a[1], b[1], progress=progress))  # fmt: skip
    if table is None:
        return
    st.header("The sheet")
    _sheet(now, pair, table)
    st.header("Filled sheets")
    _filled(now)
    explanations.explain("annotation")


def _sheet(now: View, pair: Pair, table: SegmentTable) -> None:
    from mtsig_core.reports.files.annotation_sheets import KINDS, sheet_bytes
    from mtsig_core.workbench.medians import SheetChoice

    n, how, segments, with_equal = _choice(table)
    try:
        asked = _asked()
        named = segments_named(segments) if how == "by number" else ()
        if how == "by number" and not named:
            st.info("Give the numbers of the segments, such as 3, 7, 10-12: they are shown under 'Read'.")
            return
        choice: Choice = "random" if how == "random" else "stratified"
        read = chosen.choose(now)
        drawn = SheetChoice(n, choice, tuple(named), with_equal, chosen.how_chosen(read) if read else "")
        replicas = table.a[1], table.b[1]
        sheet = pair.annotation_sheet(asked, drawn, replicas=replicas, seed=now.settings.seed)
    except ValueError as error:
        st.error(literal(str(error)))
        return
    st.caption(literal(f"{sheet.key.drawn[:1].upper()}{sheet.key.drawn[1:]}. Sheet {sheet.key.sheet}."))
    stem = downloads.file_name("mtsig", now.test_set, "sheet", sheet.key.sheet)
    with st.container(horizontal=True):
        for kind in KINDS:
            label, mime = TYPES[kind]
            st.download_button(
                f"Sheet as {label}", partial(sheet_bytes, sheet, kind), f"{stem}.{kind}", mime, key=f"sheet {kind}",
                on_click="ignore", icon=":material/download:", type="primary" if kind == "xlsx" else "secondary",
            )  # fmt: skip
        st.download_button(
            "Key", lambda: key_csv(sheet.key), f"{stem}-KEY.csv", "text/csv", key="sheet key", on_click="ignore",
            icon=":material/key:", help="Not for annotators. Save it now: only this key fits this sheet.",
        )
    with st.expander("Look at the sheet"):
        for line in sheet.instructions:
            st.markdown(f"- {literal(line)}")
        shown = pd.DataFrame(sheet.rows[:PREVIEW], columns=list(sheet.header))
        st.dataframe(shown, hide_index=True, key="sheet preview", alt="First rows of the annotation sheet")
        if len(sheet.rows) > PREVIEW:
            st.caption(keep_together(f"{PREVIEW} of {len(sheet.rows)} rows."))


def _choice(table: SegmentTable) -> tuple[int, str, str, bool]:
    """Choose which segments people get."""
    left, right = st.columns(2)
    how = left.segmented_control(
        "Segments", list(CHOICES), default=next(iter(CHOICES)), required=True, key="sheet how", persist_state="session",
        help="Spread: the segments are cut into fifths by the difference in score, the same number from each.",
    )  # fmt: skip
    most = len(table.index)
    if CHOICES.get(how or "") == "by number":
        numbers = right.text_input("Their numbers", key="sheet segments", persist_state="session")
        return DEFAULT_N, "by number", numbers, True
    n = right.number_input("How many", 1, most, min(DEFAULT_N, most), key=f"sheet n {most}", persist_state="session")
    with_equal = st.toggle("Also where both outputs are equal", key="sheet equal", persist_state="session",
                              help="Identical outputs are always ties.")  # fmt: skip
    return int(n), CHOICES[how or next(iter(CHOICES))], "", with_equal


def _asked() -> Asked:
    """Choose what people are asked."""
    left, right = st.columns(2)
    columns = left.pills("Ask for", list(COLUMNS), default=list(COLUMNS), selection_mode="multi", key="sheet asks",
                         format_func=lambda c: "Error types" if c == ERRORS else c.capitalize(),
                         persist_state="session")  # fmt: skip
    scale = next(iter(SCALES))
    if set(columns) & set(RATINGS):
        scale = right.segmented_control("Scale, worst to best", list(SCALES), default=scale, required=True,
                                        key="sheet scale", persist_state="session") or scale  # fmt: skip
    errors = ", ".join(ERROR_TYPES)
    if ERRORS in columns:
        errors = st.text_input("Types of error", errors, key="sheet errors", persist_state="session")
    names = tuple(name.strip() for name in errors.split(",") if name.strip())
    return Asked(tuple(c for c in COLUMNS if c in columns), SCALES[scale], names)


def _filled(now: View) -> None:
    left, right = st.columns(2)
    sheets = left.file_uploader(
        "Filled sheets", ["csv", "tsv", "txt", "xlsx"], accept_multiple_files=True, key="filled sheets",
        help="One file per person: CSV with any separator, tab-separated or Unicode text, or XLSX; rows in any order.",
    )  # fmt: skip
    key = right.file_uploader("Their key", ["csv", "tsv", "txt"], key="filled key")
    if not sheets or key is None:
        st.caption("Upload the filled sheets and their key; the result appears here.")
        return
    files = [(each.name, each.getvalue()) for each in sheets]
    key_file = (key.name, key.getvalue())
    digest = hashlib.sha256()
    for name, data in (*files, key_file):
        digest.update(repr((name, len(data))).encode() + data)
    level = now.settings.alpha
    read = answer("annotation", (now.experiment.digest, digest.hexdigest(), level),
                  lambda progress, publish: _read(files, key_file, level, progress), keep=False)  # fmt: skip
    if read is not None:
        _result(now, *read)


def _read(
    files: list[tuple[str, bytes]], key_file: tuple[str, bytes], alpha: float, progress: Progress
) -> tuple[AnnotationKey, AnnotationResult]:
    from mtsig_core.loading.judgements.sheets.annotation_key import read_key
    from mtsig_core.loading.judgements.sheets.annotation_sheets import read_sheets

    key = read_key(*key_file)
    progress(0.3, "reading the sheets")
    judgements = read_sheets(files, key)
    progress(0.7, "comparing")
    return key, annotation_result(judgements, key.a, key.b, alpha=alpha)


def _result(now: View, key: AnnotationKey, result: AnnotationResult) -> None:
    from mtsig_core.reports.reading import annotation_frame, annotation_headline, annotation_notes, annotation_sides

    st.markdown(f"**{literal(annotation_headline(result, now.settings.alpha))}**")
    sides = annotation_sides(result)
    st.caption(literal(f"{sides}, on {key.test_set}: {key.drawn}."))
    if result.columns:
        downloads.table(now, result.to_frame(), "annotation", shown=annotation_frame(result),
                        caption=f"Judgements of {sides} on {key.test_set}")  # fmt: skip
    if any(error.a or error.b for error in result.errors):
        downloads.table(now, result.error_frame(), "annotation-errors", caption=f"Errors marked on {key.test_set}")
    for note in annotation_notes(result):
        st.caption(literal(note))
