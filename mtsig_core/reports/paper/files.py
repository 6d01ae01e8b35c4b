"""The files of a report: HTML, Markdown, LaTeX with BibTeX, CSV of every table, and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence

from mtsig_core.loading.writing import zip_of
from mtsig_core.reports.paper.bibliography import bibtex
from mtsig_core.reports.paper.html import to_html
from mtsig_core.reports.paper.latex import BIBLIOGRAPHY, to_latex_report
from mtsig_core.reports.paper.markdown import to_markdown_report
from mtsig_core.reports.paper.model import Report, Table
from mtsig_core.reports.tables import to_csv

Files = Iterator[tuple[str, str]]


def _html(report: Report) -> Files:
    yield "report.html", to_html(report)


def _markdown(report: Report) -> Files:
    yield "report.md", to_markdown_report(report)


def _latex(report: Report) -> Files:
    yield "report.tex", to_latex_report(report)
    if report.cites:
        yield f"{BIBLIOGRAPHY}.bib", bibtex(report.cites)


def _csv(report: Report) -> Files:
    taken: set[str] = set()
    for table in report.blocks(Table):
        name, n = table.name, 1
        while name in taken:  # names of test sets may differ in characters that no file name has
            n += 1
            name = f"{table.name}-{n}"
        taken.add(name)
        yield f"tables/{name}.csv", to_csv(table.shown if table.numbers is None else table.numbers)


def _json(report: Report) -> Files:
    yield "report.json", json.dumps(report.document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


#: Formats of a report, and what writes them.
FORMATS: dict[str, Callable[[Report], Files]] = {
    "html": _html, "markdown": _markdown, "latex": _latex, "csv": _csv, "json": _json,
}  # fmt: skip


def report_files(report: Report, formats: Sequence[str] = tuple(FORMATS)) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of every file of a report.

    Parameters
    ----------
    report : Report
    formats : sequence of str
        Keys of `FORMATS`.

    Raises
    ------
    ValueError
        For an unknown format.
    """
    unknown = [name for name in formats if name not in FORMATS]
    if unknown:
        raise ValueError(f"A report is written as {', '.join(FORMATS)}; not {unknown[0]!r}.")
    for name in formats:
        for path, text in FORMATS[name](report):
            yield path, text.encode("utf-8", "backslashreplace")


def report_zip(report: Report) -> bytes:
    """Return a zip of all files of a report."""
    return zip_of(report_files(report))
