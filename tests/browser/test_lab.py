"""The optimizer lab in a browser: the slow run plays."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
LINE = re.compile(r"Line\s(\d+)\sof")


def test_the_slow_run_plays_on_by_itself_and_never_back(tab):
    tab.open("optimizer-lab?section=steps&lists=news")
    figure = tab.page.locator(".st-key-figure-lab-step-envelope .js-plotly-plot")
    figure.wait_for()
    assert "Line 1 of" in tab.text()
    tab.page.get_by_text("quick", exact=True).click()
    tab.page.get_by_role("button", name="Play").click()
    lines = [1]
    while lines[-1] < 3:
        assert len(lines) < 800
        tab.page.wait_for_timeout(150)
        lines += [int(found) for found in LINE.findall(tab.text())]
    assert lines == sorted(lines)
    expect(figure).to_have_count(1)  # Streamlit takes a changed figure out for a moment
    tab.pause()
    assert not tab.problems
