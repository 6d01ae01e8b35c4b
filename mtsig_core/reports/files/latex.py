"""A frame as a LaTeX table with booktabs rules; all text escaped."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from mtsig_core.formatting import MINUS, UNDEFINED

_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"{\char34}", "`": r"\textasciigrave{}", "'": r"\textquotesingle{}",
    # a row that starts with these would be an argument of the \\ before it
    "[": "{[}", "]": "{]}", "*": "{*}",
    UNDEFINED: "---", "–": "--", MINUS: "$-$", "±": r"$\pm$", "×": r"$\times$", "≤": r"$\leq$", "≥": r"$\geq$",
    "↑": r"$\uparrow$", "↓": r"$\downarrow$", "→": r"$\rightarrow$", "←": r"$\leftarrow$", "…": r"\ldots{}",
    "▲": r"$\bigtriangleup$", "▼": r"$\bigtriangledown$", "○": r"$\circ$", "√": r"$\surd$", "∞": r"$\infty$",
    "α": r"$\alpha$", "σ": r"$\sigma$", "⚠": "(!)", "\u00a0": "~",
}
# "--" and "---" in a name are hyphens, not dashes; likewise ",," and "?`"
_HYPHENS = re.compile("-(?=-)")
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\ufffe\uffff]+")
_PACKAGES = "% in the preamble: \\usepackage{booktabs}, \\usepackage{textcomp}"


def escape_latex(text: str) -> str:
    """Return text that LaTeX prints as it is; line ends and control characters become a space."""
    text = _UNPRINTABLE.sub(" ", str(text))
    pieces = re.split(f"([{re.escape(''.join(_SPECIAL))}])", text)
    return "".join(_SPECIAL.get(piece) or _HYPHENS.sub("-{}", piece).replace(",,", ",{},") for piece in pieces)


def latex_label(text: str) -> str:
    """Return a label made of letters, digits and ``: . _ -`` only: all that a label can hold."""
    return re.sub("[^A-Za-z0-9:._-]+", "-", text).strip("-")


def latex_table(
    columns: Sequence[tuple[str, bool]], rows: Sequence[Sequence[str]], *, caption: str = "", label: str = "",
    notes: Sequence[str] = (), bold: np.ndarray | None = None,
) -> str:
    """Return a table float.

    Parameters
    ----------
    columns : sequence of (str, bool)
        Heading, and whether to align the column on the right.
    rows : sequence of rows of str
        Cells as people read them, not escaped.
    caption, label : str
        Left out when empty.
    notes : sequence of str
        Lines below the table.
    bold : ndarray of bool, shape (row, column), optional
    """
    head = " & ".join(_head(heading) for heading, _ in columns)
    body = [" & ".join(_cell(text, bold is not None and bool(bold[i, j])) for j, text in enumerate(row))
            for i, row in enumerate(rows)]
    lines = [
        _PACKAGES, r"\begin{table}[t]", r"\centering",
        *([rf"\caption{{{escape_latex(caption)}}}"] if caption else []),
        *([rf"\label{{{latex_label(label)}}}"] if label else []),
        rf"\begin{{tabular}}{{{''.join('r' if right else 'l' for _, right in columns)}}}",
        r"\toprule", rf"{head} \\", r"\midrule", *(rf"{line} \\" for line in body), r"\bottomrule", r"\end{tabular}",
        *(rf"\par\smallskip{{\footnotesize {escape_latex(note)}}}" for note in notes),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _head(text: str) -> str:
    """Return a heading; s_dev and its like get a subscript."""
    match = re.fullmatch("s_([a-z]+)", text)
    return rf"$s_{{\mathrm{{{match[1]}}}}}$" if match else escape_latex(text)


def _cell(text: str, bold: bool) -> str:
    escaped = escape_latex(text)
    return rf"\textbf{{{escaped}}}" if bold else escaped


def bold_mask(frame: pd.DataFrame, bold: pd.DataFrame | None) -> np.ndarray | None:
    """Return which cells are bold, shape (row, column); columns that ``bold`` lacks are not.

    Raises
    ------
    ValueError
        When ``bold`` has another number of rows than the frame.
    """
    if bold is None:
        return None
    if len(bold) != len(frame):
        raise ValueError(f"bold has {len(bold)} rows, the table has {len(frame)}; give one row for each.")
    mask = [bold[c].to_numpy(dtype=bool) if c in bold.columns else np.zeros(len(frame), bool) for c in frame.columns]
    return np.stack(mask, axis=1) if mask else np.zeros((len(frame), 0), dtype=bool)
