"""Human judgement: what people say of the systems, and who those people are."""

from __future__ import annotations

from pages.parts import page, view
from pages.parts.people import annotators, judged, set_aside, systems
from pages.parts.sections import Section, show


def main() -> None:
    """Draw the page."""
    now = view.current(needs_metric=False)
    page.begin(now, "Human judgement", "What do people say about the systems, and how well do annotators agree?")
    open_judgements = judged.opened(now)
    if open_judgements is None:
        return
    show("human judgement", [
        Section("systems", "Systems", lambda: systems.draw(now, open_judgements)),
        Section("annotators", "Annotators", lambda: annotators.draw(now, open_judgements)),
        Section("details", "Details and what was set aside", lambda: set_aside.draw(now, open_judgements)),
    ])  # fmt: skip


main()
