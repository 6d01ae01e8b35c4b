"""A reader goes through the segments of two replicas with the keyboard."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_keys_go_on_and_back_but_not_while_typing(tab):
    tab.open("read?demo=news&metrics=BLEU")
    where = tab.page.get_by_test_id("stMain").get_by_text(re.compile(r"^\d+\sof\s\d+ · segment"))
    expect(where).to_contain_text("1 of ")
    tab.page.get_by_role("heading", name="Read and annotate").click()
    for key, place in (("j", 2), ("j", 3), ("k", 2)):
        tab.page.keyboard.press(key)
        expect(where).to_contain_text(f"{place} of ")
        tab.settle()
    box = tab.page.get_by_label("Only segments that contain")
    box.click()
    tab.page.keyboard.type("jjj")
    expect(box).to_have_value("jjj")
    tab.settle()
    expect(where).to_contain_text("2 of ")
    assert tab.page.get_by_test_id("stMain").locator("mark").count() > 0
    assert not tab.problems
