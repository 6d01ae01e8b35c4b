"""Replicas, how far runs of one system differ."""

from __future__ import annotations

from pages.parts import page, view
from pages.parts.replicas import scores, spread, tuning
from pages.parts.sections import Section, show

QUESTION = (
    "How far do replicas (training or tuning runs) of one system differ, and how much would scores move on other text?"
)


def main() -> None:
    """Draw the page."""
    now = view.current()
    page.begin(now, "Replicas", QUESTION, segments="own" if scores.on_own_segments() else "common")
    scores.offer_own_segments(now)
    show("replicas", [
        Section("spread", "Spread", lambda: spread.draw(now)),
        Section("table", "Table 1", lambda: spread.table_1(now)),
        Section("tuning", "Dev against test", lambda: tuning.draw(now)),
    ])  # fmt: skip


main()
