"""Overview, what this is, what data are open, the answer, and where to go on."""

from __future__ import annotations

from pages.parts.overview import front


def main() -> None:
    """Draw the page; on a first visit nothing is imported that its first screen does not need."""
    if front.is_untouched():
        front.draw()
        return
    from pages.parts.overview import computed

    computed.draw()


main()
