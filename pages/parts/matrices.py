"""Matrices whose cells can be clicked, coloured by what they say and never by colour alone."""

from __future__ import annotations

import pandas as pd
import streamlit as st

# a tint over the page, whose ink stays: readable on a light page and on a dark one
STYLES = {
    "better": "background-color: rgba(46, 160, 67, 0.28)",
    "worse": "background-color: rgba(218, 78, 54, 0.28)",
    "higher": "font-weight: bold",
    "lower": "font-weight: bold",
    "undecided": "",
    "not defined": "color: #808495",
}


FIRST = {"_index": st.column_config.Column("row")}  # a heading for the names of rows, which screen readers ask for


def coloured(texts: pd.DataFrame, words: pd.DataFrame) -> pd.io.formats.style.Styler:
    """Return texts coloured by words of the same shape; columns without a word stay as they are."""
    def paint(column: pd.Series) -> list[str]:
        if column.name not in words:
            return [""] * len(column)
        return [STYLES.get(word, "") for word in words[column.name]]

    return texts.style.apply(paint, axis=0)


def clickable(texts: pd.DataFrame, words: pd.DataFrame, key: str, *, alt: str, height: int | None = None
              ) -> tuple[int, int] | None:
    """Show a matrix and return the place (row, column) of the cell that was clicked last, or None."""
    event = st.dataframe(
        coloured(texts, words), on_select="rerun", selection_mode="single-cell", key=key, alt=alt,
        height=height or "content", column_config=FIRST,
    )
    cells = event.selection.cells
    if not cells:
        return None
    row, column = cells[0]
    columns = [str(name) for name in texts.columns]
    return (int(row), columns.index(column)) if column in columns else None
