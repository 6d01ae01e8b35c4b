"""The lessons in a browser: each one plays, pauses, and leaves its state in the address."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from pages.parts.learn.order import LESSONS
from pages.parts.learn.texts import HOW
from tests.browser.test_views import MOST, SCREEN, barriers, height

pytestmark = pytest.mark.browser
LAPTOP = {"width": 1280, "height": 720}
COUNT = re.compile(r"(\d+)\s[a-z -]+ of at most")


def count(tab) -> int:
    return int(COUNT.search(tab.text())[1])


def play_a_little(tab, title: str) -> None:
    tab.page.get_by_role("button", name="+10", exact=True).click()
    tab.page.get_by_text(re.compile("^10 ")).first.wait_for()
    tab.page.get_by_role("button", name="Play").click()
    tab.page.get_by_text(re.compile(r"^(?!10 )\d\d+ ")).first.wait_for()
    tab.pause()
    assert count(tab) > 10, title
    assert f"draws={count(tab)}" in tab.page.url, title


def look_at(tab, view: str) -> None:
    assert height(tab) <= MOST, f"{view}: {height(tab)} px"
    if LESSONS[0][1] in view:  # one frame draws all lessons
        assert barriers(tab) == [], view


def go_through(tab, title: str) -> None:
    """Answer the question, and go by its doors through all sections of a lesson; none is taller than two screens."""
    main, doors = tab.page.get_by_test_id("stMain"), 0
    tab.page.set_viewport_size(SCREEN)
    main.get_by_role("radiogroup", name="What do you expect?").get_by_role("radio").first.click(force=True)
    tab.settle()
    while (door := main.get_by_role("button", name="Next: ")).count():
        look_at(tab, f"{title} after {doors} doors")
        door.click()
        doors += 1
        expect(main.get_by_role("radiogroup", name="Section").get_by_role("radio").nth(doors)).to_be_checked()
        tab.settle()
    main.get_by_role("heading", name=HOW).wait_for()
    look_at(tab, f"words of {title}")
    assert main.evaluate("e => e.scrollTop") == 0, f"{title}: a door leads to the middle of a section"
    tab.page.set_viewport_size(LAPTOP)


def test_every_lesson_plays_and_no_section_is_taller_than_two_screens(tab):
    tab.open("?demo=news&metrics=bleu")
    for _, title, _ in LESSONS:
        tab.goto(title)
        picture = tab.page.locator(".js-plotly-plot").first
        picture.wait_for()
        assert picture.bounding_box()["y"] < 400, f"the picture of {title} is not seen without scrolling"
        play_a_little(tab, title)
        go_through(tab, title)
        assert tab.page.get_by_test_id("stException").count() == 0, title


def test_a_link_opens_a_lesson_where_it_stood(tab):
    tab.open("bootstrap?demo=news&metrics=bleu&draws=12")
    tab.page.get_by_text(re.compile("^12 ")).first.wait_for()
    tab.page.get_by_role("button", name="+1", exact=True).click()
    tab.page.get_by_text(re.compile("^13 ")).first.wait_for()
    assert "draws=13" in tab.page.url
