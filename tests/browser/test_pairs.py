"""A cell of the matrix of all pairs opens Compare with that pair."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_a_click_opens_the_pair(tab):
    tab.open("rank?section=pairs&demo=news&boot=100&shuffles=100&metrics=chrF")
    grid = tab.page.get_by_test_id("stDataFrame").first
    grid.scroll_into_view_if_needed()
    box = grid.bounding_box()
    # the second row and first column: row height 35, below a heading as high
    grid.locator("canvas").first.click(position={"x": 0.45 * box["width"], "y": 87}, force=True)
    expect(tab.page.get_by_role("heading", name="Compare", level=1)).to_be_visible()
    tab.settle()
    assert "Is words (B) better than segmented (A)" in tab.text()
