"""A report as a LaTeX document with booktabs tables, which pdfLaTeX compiles whatever names are made of."""

from __future__ import annotations

import re
from functools import singledispatch

from mtsig_core.reports.files.latex import escape_latex
from mtsig_core.reports.paper import model
from mtsig_core.reports.tables import to_latex

BIBLIOGRAPHY = "references"  # the name of the BibTeX file, without its ending
_PREAMBLE = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{booktabs}
\usepackage{float}
\usepackage{textcomp}
\usepackage{graphicx}
\usepackage[margin=25mm]{geometry}
\setlength{\emergencystretch}{3em}
"""
#: Characters that have no meaning to pdfLaTeX by themselves, and what is printed for them.
_SYMBOLS = {
    "⚠": r"\textbf{!}", "▲": r"$\bigtriangleup$", "▼": r"$\bigtriangledown$", "○": r"$\circ$", "√": r"$\surd$",
    "∞": r"$\infty$", "’": "'", "‘": "`", "“": "``", "”": "''",
}  # fmt: skip
_MOST_ROWS = 40  # of a table on one page
_LATIN = 0x17F  # T1 and inputenc print letters up to here
_WIDE = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"


def to_latex_report(report: model.Report) -> str:
    """Return the report as a LaTeX document; citations are those of ``references.bib`` beside it."""
    parts = []
    for section in report.sections:
        parts.append(rf"\section*{{{escape_latex(section.title)}}}")
        parts += filter(None, map(_block, section.blocks))
    body = "\n\n".join(parts)
    end = "" if not report.cites else f"\n\n\\bibliographystyle{{plain}}\n\\bibliography{{{BIBLIOGRAPHY}}}"
    title = escape_latex(report.title)
    return (
        f"{_PREAMBLE}{_declared(title + body)}\\title{{{title}}}\n\\date{{}}\n\\begin{{document}}\n\\maketitle\n\n"
        f"{body}{end}\n\\end{{document}}\n"
    )


def _declared(text: str) -> str:
    """Return what pdfLaTeX prints for each character that it does not know: a sign, or its number."""
    unknown = sorted({c for c in text if ord(c) > _LATIN or c in _SYMBOLS})
    return "".join(f"\\DeclareUnicodeCharacter{{{ord(c):04X}}}{{{_sign(c)}}}\n" for c in unknown)


def _sign(character: str) -> str:
    return _SYMBOLS.get(character, rf"\texttt{{[U+{ord(character):04X}]}}")


@singledispatch
def _block(block: model.Block) -> str:
    raise TypeError(f"{type(block).__name__} is not a block of a report.")


@_block.register
def _(block: model.Prose) -> str:
    return " ".join(map(_sentence, block.sentences))


def _sentence(sentence: model.Sentence) -> str:
    escaped = model.Sentence(_breakable(escape_latex(sentence.text)), sentence.cites)
    return model.cited(escaped, lambda keys: rf"\cite{{{','.join(keys)}}}")


@_block.register
def _(block: model.Claim) -> str:
    return rf"\begin{{quote}}\textbf{{{_breakable(escape_latex(block.text))}}}\end{{quote}}"


@_block.register
def _(block: model.Items) -> str:
    if not block.texts:
        return ""
    items = "\n".join(rf"\item {_breakable(escape_latex(text))}" for text in block.texts)
    return f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}"


@_block.register
def _(block: model.Answers) -> str:
    items = "\n".join(
        rf"\item \textbf{{{escape_latex(asked)}}} {_breakable(escape_latex(answer))}" for asked, answer in block.pairs
    )
    return f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}"


@_block.register
def _(block: model.Code) -> str:
    return ""  # BibTeX entries stand in their own file


@_block.register
def _(block: model.Table) -> str:
    starts = range(0, max(1, len(block.shown)), _MOST_ROWS)
    return "\n\n".join(_table(block, start, is_last=start == starts[-1]) for start in starts)


def _table(block: model.Table, start: int, *, is_last: bool) -> str:
    """Return the rows of a table that fit on one page, from one on: what is higher would end at the page's edge."""
    rows = slice(start, start + _MOST_ROWS)
    title, label = (f"{block.title} (continued)", f"-{start}") if start else (block.title, "")
    bold = None if block.bold is None else block.bold.iloc[rows]
    notes = block.notes if is_last else ()
    text = to_latex(block.shown.iloc[rows], title, f"tab:{block.name}{label}", notes, bold=bold)
    text = re.sub("^%.*\n", "", text).replace(r"\begin{table}[t]", r"\begin{table}[H]")
    return text.replace(r"\begin{tabular}", f"{_WIDE}\n\\begin{{tabular}}").replace(
        r"\end{tabular}", "\\end{tabular}}"
    ).rstrip()


@_block.register
def _(block: model.Figure) -> str:
    return ""


def _breakable(text: str) -> str:
    """Let long words of signs, such as signatures and names of columns, break at bars and underscores."""
    return text.replace(r"\textbar{}", r"\textbar{}\hspace{0pt}").replace(r"\_", r"\_\hspace{0pt}")
