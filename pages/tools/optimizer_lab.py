"""Optimizer lab: tune weights on n-best lists many times, and see how much the results differ."""

from __future__ import annotations

from pages.parts import page, view
from pages.parts.lab import lists, objective, replicas, spread, steps
from pages.parts.sections import Section, show

QUESTION = (
    "Start an optimizer again, and it ends with other weights. Tune weights on n-best lists many times (each run is a "
    "*replica*), see why the runs differ, and use the replicas on the other pages."
)


def main() -> None:
    """Draw the page."""
    now = view.current(needs_metric=False)
    page.heading("Optimizer lab", QUESTION)
    lists.choose()
    show("lab", [
        Section("replicas", "Make replicas", lambda: replicas.draw(now)),
        Section("steps", "Step by step", lambda: steps.draw(now)),
        Section("objective", "The objective", lambda: objective.draw(now)),
        Section("spread", "Which optimizer varies least?", lambda: spread.draw(now)),
    ])  # fmt: skip


main()
