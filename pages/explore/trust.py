"""Trust the tests, which test can be believed here."""

from __future__ import annotations

from pages.parts import page, view
from pages.parts.sections import Section, show
from pages.parts.trust import arena, limits, your_data

QUESTION = (
    "Each test answers one question. Used for another, it errs more often than its significance level says: this page "
    "shows how often."
)


def main() -> None:
    """Draw the page."""
    now = view.current()
    page.begin(now, "Trust the tests", QUESTION, segments="own")
    show("trust", [
        Section("yours", "On your data", lambda: your_data.draw(now)),
        Section("rates", "Known error rates", lambda: arena.table(now)),
        Section("limits", "Where the verdict errs", limits.table),
        Section("worlds", "Try worlds", lambda: worlds(now)),
    ])  # fmt: skip


def worlds(now: view.View) -> None:
    """Draw the simulated worlds, with the chosen pair as a possible start."""
    name = view.one_metric({m.name: m.label for m in now.metrics})
    metric = next(m for m in now.metrics if m.name == name)
    arena.section(now, now.pair(metric) if now.system else None)


main()
