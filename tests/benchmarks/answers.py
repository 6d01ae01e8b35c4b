"""How long a changed setting takes to answer on the demonstration: significance level, seed, pair; tokenizer and case.

Each view is visited, and one setting changed, before it is timed. Two times are given: until the page changes, and
until nothing more is on its way (a quick answer is refined).
Run with ``python -m tests.benchmarks.answers`` on an idle machine; needs Chromium.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.first_screen import ROOT, served
from tests.browser.conftest import QUIET, Tab, find_chromium

VIEWS = (
    "", "compare", "compare?section=tests", "compare?section=why", "compare?section=methods", "rank",
    "rank?section=pairs", "replicas", "replicas?section=table", "plan", "plan?section=fewer", "plan?section=p",
    "read", "read?section=differences", "trust",
)  # fmt: skip
WATCH = """
() => {
    const shown = () => {
        const main = document.querySelector('[data-testid="stMain"]').cloneNode(true)
        main.querySelectorAll('[class*="st-key-cancel-"], [data-testid="stProgress"]').forEach(part => part.remove())
        return main.textContent
    }
    const busy = () => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState !== 'notRunning'
        || document.querySelector('[class*="st-key-cancel-"] button')
    window.lastBusy = window.firstChange = 0
    window.before = shown()
    window.watch ??= setInterval(() => {
        if (busy()) window.lastBusy = performance.now()
        if (!window.firstChange && shown() !== window.before) window.firstChange = performance.now()
    }, 20)
}
"""


def seconds_until_answered(tab: Tab, act: Callable[[], None]) -> tuple[float, float]:
    """Return the seconds from a deed to the first change of the page, and to the last moment it was busy with it."""
    tab.page.evaluate(WATCH)
    act()
    start = tab.page.evaluate("performance.now()")
    tab.page.wait_for_function(
        "start => window.lastBusy > start - 50 ? performance.now() - window.lastBusy > 1500"
        " : performance.now() - start > 3000",
        arg=start, polling=50,
    )  # fmt: skip
    ends = tab.page.evaluate("[window.firstChange || window.lastBusy, window.lastBusy]")
    return tuple(max(0.0, end - start) / 1000 for end in ends)


def type_number(tab: Tab, label: str, value: str) -> Callable[[], None]:
    """Type a number into a setting; the deed that is timed is the key that ends it."""
    box = tab.page.get_by_label(label)
    box.fill(value)
    return lambda: box.press("Enter")


def measure(tab: Tab, view: str) -> dict[str, tuple[float, float]]:
    """Return the seconds that each kind of change takes in a view."""
    tab.open(view)
    tab.page.get_by_text("Settings", exact=True).click()
    tab.settle()
    seconds_until_answered(tab, type_number(tab, "Random seed", "3"))
    seconds = {}
    for name, label, value in (("alpha", "Significance level", "0.04"), ("seed", "Random seed", "7")):
        seconds[name] = seconds_until_answered(tab, type_number(tab, label, value))
    swap = tab.page.get_by_role("button", name="Swap A and B")
    seconds["pair"] = seconds_until_answered(tab, swap.click)
    if view.startswith(("compare?", "rank?", "replicas?")):
        seconds["case"] = seconds_until_answered(tab, tab.page.get_by_text("Ignore case", exact=True).click)
    return seconds


def main() -> None:
    """Print the seconds by view and kind of change."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--demo", default="travel")
    parser.add_argument("--views", nargs="*", default=VIEWS)
    options = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(playwright), args=QUIET)
        with served(ROOT / "app.py", ROOT, Path(home)) as (url, _):
            rows = []
            for view in options.views:
                page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
                page.set_default_timeout(60_000)
                path = f"{view}{'&' if '?' in view else '?'}demo={options.demo}"
                seconds = measure(Tab(page, url), path)
                page.context.close()
                rows.append(seconds)
                told = "".join(f"{name:>8} {first:5.2f} {last:5.2f} s" for name, (first, last) in seconds.items())
                print(f"{view or 'overview':30}{told}", flush=True)
        browser.close()
    for name in rows[0]:
        for end, what in enumerate(("first answer", "refined")):
            values = [row[name][end] for row in rows if name in row]
            print(f"{name}, {what}: median {statistics.median(values):.2f} s, slowest {max(values):.2f} s")


if __name__ == "__main__":
    main()
