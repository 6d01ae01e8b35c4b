"""The lessons in a browser: each one plays, pauses, and leaves its state in the address."""

from __future__ import annotations

import re

import pytest

from pages.parts.learn.order import LESSONS

pytestmark = pytest.mark.browser
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


def test_every_lesson_plays_and_pauses(tab):
    tab.open("?demo=news&metrics=bleu")
    for _, title, _ in LESSONS:
        tab.goto(title)
        picture = tab.page.locator(".js-plotly-plot").first
        picture.wait_for()
        assert picture.bounding_box()["y"] < 400, f"the picture of {title} is not seen without scrolling"
        play_a_little(tab, title)
        assert tab.page.get_by_test_id("stException").count() == 0, title


def test_a_link_opens_a_lesson_where_it_stood(tab):
    tab.open("bootstrap?demo=news&metrics=bleu&draws=12")
    tab.page.get_by_text(re.compile("^12 ")).first.wait_for()
    tab.page.get_by_role("button", name="+1", exact=True).click()
    tab.page.get_by_text(re.compile("^13 ")).first.wait_for()
    assert "draws=13" in tab.page.url
