"""Columns of a table of which nothing was recognised are said by hand, one after the other."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest

pytestmark = pytest.mark.browser

TABLE = "wer,mal,nr,marke\n" + "".join(
    f"{s},{k},{i},0.{i}{k}\n" for s in ("alt", "neu") for k in (1, 2, 3) for i in range(12)
)
TEXTS = "wer,mal,nr,ziel,muster,marke\n" + "".join(
    f"{s},{k},{i},a cat {s} sat {k},the cat sat {i},0.{i}{k}\n"
    for s in ("alt", "neu") for k in (1, 2) for i in range(12)
)


def choose(tab, grid, row: int, word: str) -> None:
    """Choose a word in the cell behind the first value of a row; again where a busy browser lost it."""
    from playwright.sync_api import TimeoutError as Late

    cell = grid.get_by_test_id(f"glide-cell-2-{row}")  # what the canvas shows, for screen readers
    for _ in range(6):
        box = grid.bounding_box()
        place = box["y"] + 35 + 33 * row + 17
        for x in (50, 700):  # a click on a cell that is chosen would open it, and Enter then take what it says
            tab.page.mouse.click(box["x"] + x, place)
            tab.page.wait_for_timeout(400)
        if cell.get_attribute("aria-selected") == "true":  # else Enter would open another one
            tab.page.keyboard.press("Enter")
            with suppress(Late):
                tab.page.locator("#portal [role=option]").get_by_text(word, exact=True).click(timeout=8_000)
            tab.page.wait_for_timeout(400)
        tab.settle()
        if cell.text_content() == word:
            return
        tab.page.keyboard.press("Escape")
    raise AssertionError(f"row {row} does not say {word}")


@pytest.mark.parametrize(
    ("content", "of", "words", "size"),
    [
        (TABLE, "scores", ("system", "replica", "segment"), "6"),
        (TEXTS, "texts", ("system", "replica", "segment", "output", "reference"), "4"),
    ],
    ids=["scores", "texts"],
)
def test_columns_are_said_by_hand_and_every_one_of_them_is_kept(tab, content, of, words, size):
    tab.page.set_viewport_size({"width": 1280, "height": 1600})
    tab.open("data?demo=news&boot=100").settle()
    file = {"name": f"{of}.csv", "mimeType": "text/csv", "buffer": content.encode()}
    tab.page.locator('input[type="file"]:not([webkitdirectory])').first.set_input_files(file)
    tab.page.get_by_text(f"Columns of a table of {of}").wait_for()
    tab.settle()
    grid = tab.page.get_by_test_id("stMain").get_by_test_id("stDataFrame").nth(1)
    grid.scroll_into_view_if_needed()
    for row, word in enumerate(words):
        choose(tab, grid, row, word)
    tab.page.get_by_role("button", name="Apply", exact=True).click()
    tab.page.get_by_text(f"Open now: {of}", exact=True).wait_for()
    tab.page.get_by_text(re.compile(rf"2\ssystems, {size}\sreplicas")).first.wait_for()
    tab.settle()
