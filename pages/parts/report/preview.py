"""Report: its files, and its sections as they will look."""

from __future__ import annotations

from dataclasses import replace
from functools import partial, singledispatch

import streamlit as st

from mtsig_core.reports.paper import model
from mtsig_core.reports.paper.bibliography import short_citation
from mtsig_core.reports.paper.files import report_files, report_zip
from mtsig_core.reports.paper.results import ReportRequest
from mtsig_core.reports.tables import as_texts, with_commas
from mtsig_core.workbench.paper.make import make_report
from pages.parts import background, downloads
from pages.parts.text import literal
from pages.parts.view import View

#: Format -> label of its button, file that it offers, and media type.
FILES = {
    "html": ("HTML", "report.html", "text/html"), "markdown": ("Markdown", "report.md", "text/markdown"),
    "latex": ("LaTeX", "report.tex", "text/plain"), "json": ("JSON", "report.json", "application/json"),
}  # fmt: skip
PREVIEW, LINES, LETTERS = 900, 24, 120  # pixels, about how many lines of a table they hold, and letters a line


def draw(now: View, request: ReportRequest) -> None:
    """Draw the downloads and the preview once the report is made."""
    key = (*now.key, replace(request, metrics=()))
    report = background.answer(
        "report", key,
        lambda progress, publish: make_report(now.bench, request, settings=now.settings, progress=progress),
    )
    if report is None:
        return
    _files(report)
    titles = {section.name: section.title for section in report.sections}
    if st.session_state.get("report section") not in titles:
        st.session_state.pop("report section", None)
    shown = st.segmented_control("Preview", titles, default=next(iter(titles)) if "report section" not in
                                 st.session_state else None, format_func=titles.__getitem__, key="report section",
                                 required=True)  # fmt: skip
    section = next(s for s in report.sections if s.name == (shown or next(iter(titles))))
    is_long = sum(map(_lines, section.blocks)) > LINES
    with st.container(height=PREVIEW if is_long else "content", border=True):
        for i, block in enumerate(section.blocks):
            _show(block, now, f"{section.name} {i}")


def _files(report: model.Report) -> None:
    """Draw the downloads: everything as one zip, and single files."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "All files (ZIP)", lambda: report_zip(report), "mtsig-report.zip", "application/zip", key="report zip",
            on_click="ignore", icon=":material/download:", type="primary",
        )
        for name, (label, file, kind) in FILES.items():
            st.download_button(
                label, partial(_file, report, name), f"mtsig-{file}", kind,
                key=f"report {name} file", on_click="ignore", icon=":material/description:",
            )
    st.caption("The HTML file holds live figures and opens without a network. The ZIP adds BibTeX and a CSV of every "
               "table. On the command line, mtsig replay report.json RUNS computes all numbers again.")  # fmt: skip


def _file(report: model.Report, name: str) -> bytes:
    """Return the first file of a format: of LaTeX, the document without its bibliography."""
    return next(report_files(report, [name]))[1]


def _lines(block: model.Block) -> int:
    """Return about how many lines of a table a block takes."""
    match block:
        case model.Figure():
            return 14
        case model.Table(shown=shown, notes=notes):
            return len(shown) + len(notes) + 5
        case model.Items(texts=lines) | model.Answers(pairs=lines):
            return len(lines)
        case model.Code():
            return 8
        case model.Prose(sentences=sentences):
            return sum(len(model.cited(sentence, short_citation)) for sentence in sentences) // LETTERS + 1
    return 3


@singledispatch
def _show(block: model.Block, now: View, key: str) -> None:
    raise TypeError(f"{type(block).__name__} is not a block of a report.")


@_show.register
def _(block: model.Prose, now: View, key: str) -> None:
    st.markdown(literal(" ".join(model.cited(sentence, short_citation) for sentence in block.sentences)))


@_show.register
def _(block: model.Claim, now: View, key: str) -> None:
    st.markdown(f"**{literal(block.text)}**")


@_show.register
def _(block: model.Items, now: View, key: str) -> None:
    st.markdown("\n".join(f"- {literal(text)}" for text in block.texts))


@_show.register
def _(block: model.Answers, now: View, key: str) -> None:
    st.markdown("\n".join(f"- **{literal(asked)}** {literal(answer)}" for asked, answer in block.pairs))


@_show.register
def _(block: model.Code, now: View, key: str) -> None:
    st.code(block.text, language="latex", wrap_lines=True)


@_show.register
def _(block: model.Table, now: View, key: str) -> None:
    st.markdown(f"**{literal(block.title)}**")
    downloads.plain_table(now, as_texts(with_commas(block.shown)), f"{block.name} of the report {key}",
                          caption=block.title, numbers=as_texts(block.shown))
    for note in block.notes:
        st.caption(literal(note))


@_show.register
def _(block: model.Figure, now: View, key: str) -> None:
    st.markdown(f"**{literal(block.title)}**")
    downloads.figure(now, block.draw(), f"{block.name} of the report {key}", alt=block.title)
