"""The lessons in a browser: each one plays, pauses, and leaves its state in the address."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError

from pages.parts.learn.order import LESSONS

pytestmark = pytest.mark.browser
COUNT = re.compile(r"(\d+) [a-z -]+ of at most")


def count(tab) -> int:
    return int(COUNT.search(tab.text())[1])


def pause(tab) -> None:
    """Press Pause until the lesson stands: a press is lost while a busy browser draws the pictures on their way."""
    for _ in range(6):
        tab.page.get_by_role("button", name="Pause").click()
        try:
            return tab.page.get_by_role("button", name="Play").wait_for(timeout=15_000)
        except TimeoutError:
            continue
    raise AssertionError("the lesson does not stop")


@pytest.mark.parametrize(("file", "title"), [(file, title) for file, title, _ in LESSONS])
def test_a_lesson_plays_and_pauses(tab, file, title):
    tab.open(f"{Path(file).stem.replace('_', '-')}?demo=news&metrics=bleu&draws=2")
    tab.page.get_by_role("heading", name=title, level=1, exact=True).wait_for()
    picture = tab.page.locator(".js-plotly-plot").first
    picture.wait_for()
    assert picture.bounding_box()["y"] < 400, "the picture is seen without scrolling"
    tab.page.get_by_role("button", name="+10", exact=True).click()
    tab.page.get_by_text(re.compile("^12 ")).first.wait_for()
    assert "draws=12" in tab.page.url
    tab.page.get_by_role("button", name="Play").click()
    tab.page.get_by_text(re.compile("^1[3-9] ")).first.wait_for()
    pause(tab)
    assert count(tab) > 12
    assert f"draws={count(tab)}" in tab.page.url
    assert tab.page.get_by_test_id("stException").count() == 0
