"""What each figure and table is, with its formula and its source: one Markdown file per topic.

The first line of a file is its title, which the page shows; the documentation prints the same files.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st

from pages.parts.text import keep_together

FOLDER = Path(__file__).parent


@cache
def read(topic: str) -> tuple[str, str]:
    """Return title and text of a topic, the name of a file without its ending."""
    title, _, text = (FOLDER / f"{topic}.md").read_text(encoding="utf-8").partition("\n")
    return title.removeprefix("# ").strip(), text.strip()


def heading(title: str, topic: str | None = None) -> None:
    """Draw the heading of a figure or table, with its explanation in a popover beside it.

    Parameters
    ----------
    title : str
        As Markdown.
    topic : str, optional
        The explanation; none is drawn without it.
    """
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header(title, anchor=False, width="content")
        if topic is not None:
            explain(topic)


def explain(topic: str) -> None:
    """Draw the explanation of a topic in a small popover."""
    title, text = read(topic)
    with st.popover(title, icon=":material/help:", type="tertiary"):
        st.markdown(keep_together(text))
