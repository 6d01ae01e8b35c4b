"""A report as one HTML file: nothing is loaded from outside, figures are live, and it prints well."""

from __future__ import annotations

import html
import json
from functools import singledispatch
from importlib.resources import files
from typing import Any

import numpy as np

from mtsig_core import __version__
from mtsig_core.formatting import visible
from mtsig_core.reports.files.latex import bold_mask
from mtsig_core.reports.paper.bibliography import short_citation
from mtsig_core.reports.paper.model import (
    Answers,
    Block,
    Claim,
    Code,
    Figure,
    Items,
    Prose,
    Report,
    Section,
    Sentence,
    Table,
    cited,
)
from mtsig_core.reports.tables import printed
from mtsig_core.runtime.optional import is_installed, optional_hint

#: Nothing may be fetched, whatever a name in the data holds.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:"


def to_html(report: Report) -> str:
    """Return the report as one self-contained HTML document.

    Plotly's own program is in it once; without the package there are no figures, and the page says so.
    """
    live = is_installed("plotly")
    figures = list(report.blocks(Figure))
    scripts = f"<script>{_plotly()}</script>\n<script>{_own('report.js')}</script>" if live and figures else ""
    missing = "" if live else f'<p class="note">Without figures: {_text(optional_hint("plotly"))}</p>'
    links = " · ".join(f'<a href="#{section.name}">{_text(section.title)}</a>' for section in report.sections)
    body = "\n".join(_section(section) for section in report.sections)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_text(report.title)}</title>\n<style>\n{_own('report.css')}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{_text(report.title)}</h1>\n<nav>{links}</nav>\n{missing}{body}\n</main>\n"
        f"<footer>Made by mtsig {__version__}. All numbers, settings and hashes are in report.json.</footer>\n"
        f"{scripts}\n</body>\n</html>\n"
    )


def _own(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _plotly() -> str:
    from plotly.offline import get_plotlyjs

    return get_plotlyjs().replace("</script", r"<\/script")


def _text(text: str) -> str:
    return html.escape(visible(str(text)))


def _section(section: Section) -> str:
    blocks = "\n".join(map(_block, section.blocks))
    return f'<section id="{section.name}">\n<h2>{_text(section.title)}</h2>\n{blocks}\n</section>'


@singledispatch
def _block(block: Block) -> str:
    raise TypeError(f"{type(block).__name__} is not a block of a report.")


@_block.register
def _(block: Prose) -> str:
    return f"<p>{' '.join(map(_sentence, block.sentences))}</p>" if block.sentences else ""


def _sentence(sentence: Sentence) -> str:
    return _text(cited(sentence, short_citation))


@_block.register
def _(block: Claim) -> str:
    return f'<p class="claim">{_text(block.text)}</p>'


@_block.register
def _(block: Items) -> str:
    items = "\n".join(f"<li>{_text(text)}</li>" for text in block.texts)
    return f"<ul>\n{items}\n</ul>" if block.texts else ""


@_block.register
def _(block: Answers) -> str:
    pairs = "\n".join(f"<dt>{_text(asked)}</dt>\n<dd>{_text(answer)}</dd>" for asked, answer in block.pairs)
    return f"<dl>\n{pairs}\n</dl>"


@_block.register
def _(block: Code) -> str:
    return f"<pre>{_text_of_lines(block.text)}</pre>" if block.text else ""


def _text_of_lines(text: str) -> str:
    return "\n".join(map(_text, text.split("\n")))


@_block.register
def _(block: Table) -> str:
    columns, rows = printed(block.shown)
    bold = bold_mask(block.shown, block.bold)
    head = "".join(f"<th{_right(right)}>{_text(name)}</th>" for name, right in columns)
    body = "\n".join(
        f"<tr>{''.join(_cell(cell, columns[j][1], _is_bold(bold, i, j)) for j, cell in enumerate(row))}</tr>"
        for i, row in enumerate(rows)
    )
    notes = "".join(f'<p class="note">{_text(note)}</p>' for note in block.notes)
    return (
        f'<figure>\n<figcaption>{_text(block.title)}</figcaption>\n'
        f'<div class="wide" tabindex="0" role="group" aria-label="{_text(block.title)}"><table>\n<thead><tr>{head}</tr>'
        f"</thead>\n<tbody>\n{body}\n</tbody>\n</table></div>\n{notes}</figure>"
    )


def _is_bold(bold: np.ndarray | None, i: int, j: int) -> bool:
    return bold is not None and bool(bold[i, j])


def _right(right: bool) -> str:
    return ' class="number"' if right else ""


def _cell(text: str, right: bool, bold: bool) -> str:
    inner = f"<strong>{_text(text)}</strong>" if bold else _text(text)
    return f"<td{_right(right)}>{inner}</td>"


@_block.register
def _(block: Figure) -> str:
    if not is_installed("plotly"):
        return ""
    return (
        f'<figure>\n<figcaption>{_text(block.title)}</figcaption>\n<div id="figure-{block.name}"></div>\n'
        f'<script type="application/json" class="figure" data-place="figure-{block.name}">{_figure_json(block)}'
        "</script>\n</figure>"
    )


def _figure_json(block: Figure) -> str:
    """Return a figure as JSON that ends no script element."""
    figure: Any = json.loads(block.draw().to_json())
    figure["layout"].pop("template", None)  # its colours are those of Plotly's own pages
    text = json.dumps({"data": figure["data"], "layout": figure["layout"]}, ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
