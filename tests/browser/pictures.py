"""Take the pictures of the documentation anew: ``python -m tests.browser.pictures`` after ``make docs``.

Writes ``docs/overview.png``, the app's first screen, and ``docs/thumbnails/NAME.png``, the first figure of each
example.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import QUIET, ROOT, Tab, find_chromium, serving

DOCS = ROOT / "docs"


class Folders:
    """Temporary folders that go with the program."""

    def __init__(self, base: str):
        self._base = base

    def mktemp(self, name: str) -> Path:
        return Path(tempfile.mkdtemp(prefix=name, dir=self._base))


def first_screen(browser: Browser) -> None:
    """Draw the app's first screen, as somebody sees it who has just started it."""
    with tempfile.TemporaryDirectory() as base, serving(Folders(base)) as (url, _):
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        Tab(page, url).open()
        page.wait_for_timeout(1000)
        page.screenshot(path=DOCS / "overview.png")
        page.close()


def examples(browser: Browser) -> list[str]:
    """Draw the first figure of each example; return the names of those that are not built."""
    page, missing = browser.new_page(viewport={"width": 900, "height": 800}), []
    for program in sorted((DOCS / "examples").glob("plot_*.py")):
        built = DOCS / "_build/html/gallery" / f"{program.stem}.html"
        if not built.exists():
            missing.append(program.stem)
            continue
        page.goto(built.as_uri())
        page.locator(".js-plotly-plot .main-svg").first.wait_for()
        page.wait_for_timeout(500)
        page.locator(".plotly-graph-div").first.screenshot(
            path=DOCS / "thumbnails" / f"{program.stem.removeprefix('plot_')}.png"
        )
    page.close()
    return missing


def main() -> int:
    """Take all pictures; exit status 1 when an example was not built."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(playwright), args=QUIET)
        first_screen(browser)
        missing = examples(browser)
        browser.close()
    if missing:
        print(f"Not built: {', '.join(missing)}. Run make docs first.", file=sys.stderr)
    return int(bool(missing))


if __name__ == "__main__":
    raise SystemExit(main())
