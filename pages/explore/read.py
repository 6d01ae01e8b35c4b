"""Read and annotate, what the outputs look like."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from mtsig_core.metrics import Metric
from pages.parts import page, view
from pages.parts.read import annotate, choose, differences, segments
from pages.parts.read.chosen import choose as choose_replicas
from pages.parts.read.chosen import readable, scoring_metric, summary
from pages.parts.sections import Section, show
from pages.parts.text import literal

Draw = Callable[[view.View, Metric, tuple[str, str], tuple[str, str]], None]


def main() -> None:
    """Draw the page."""
    now = view.current()
    question = "What do the outputs look like?" if now.one_each else "Read the median run, not the lucky one."
    page.begin(now, "Read and annotate", question, segments="own")
    show("read", [
        Section("read", "Read", lambda: with_pair(now, segments.show)),
        Section("differences", "Where they differ", lambda: with_pair(now, differences.show, needs_text=False)),
        Section("annotate", "Annotate", lambda: with_pair(now, annotate.show, without="there is nothing to annotate")),
        Section("choose", "Choose the run", lambda: choose.draw(now)),
    ])  # fmt: skip


def with_pair(now: view.View, draw: Draw, *, needs_text: bool = True, without: str = "") -> None:
    """Draw a section about the chosen replicas of both systems, or say what it lacks.

    Parameters
    ----------
    now : View
    draw : callable
    needs_text : bool
        Whether scores alone are too little.
    without : str
        What follows for the section from scores alone; by default where the replicas can be read.
    """
    choice = choose_replicas(now)
    if choice is None:
        return
    has_text = any(now.experiment.system(name).on(now.test_set) for name in choice.replicas)
    if needs_text and (has_text or not without):
        summary(now, choice)
    metric = scoring_metric(now, choice)
    pair = readable(now, choice)
    if len(pair) == 2:
        draw(now, metric, pair[0], pair[1])
    elif len(choice.replicas) == 2 and not needs_text:
        first, second = choice.replicas.items()
        draw(now, metric, first, second)
    elif not needs_text:
        st.info(view.ONE_SYSTEM)
    elif not has_text:
        replicas = "the replica" if len(choice.replicas) == 1 else "the replicas"
        follows = without or f"read {replicas} named above in your own files"
        st.info(f"This experiment holds scores and no text on {literal(now.test_set)}: {follows}.")
    else:
        st.info("Reading side by side needs two systems whose chosen replicas have an output on this test set.")


main()
