"""Report: what a paper and its reviewers need, to look at and to download."""

from __future__ import annotations

from pages.parts import page, view
from pages.parts.report import choice, preview

QUESTION = (
    "Export the numbers, figures and text of this experiment: for a paper, for its reviewers, and for reproducing them."
)


def main() -> None:
    """Draw the page."""
    now = view.current()
    page.begin(now, "Report", QUESTION, segments="common")
    request = choice.draw(now)
    if request is not None:
        preview.draw(now, request)


main()
