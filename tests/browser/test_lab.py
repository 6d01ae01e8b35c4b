"""The optimizer lab in a browser: the slow run plays."""

from __future__ import annotations

import re

import pytest

pytestmark = pytest.mark.browser


def test_the_slow_run_plays_on_by_itself(tab):
    tab.open("optimizer-lab?section=steps&lists=news")
    figure = tab.page.locator(".st-key-figure-lab-step-envelope .js-plotly-plot")
    figure.wait_for()
    assert "Line 1 of" in tab.text()
    tab.page.get_by_role("button", name="Play").click()
    tab.page.get_by_text(re.compile("Line 2 of")).wait_for()
    assert figure.count() == 1
    tab.pause()
    assert not tab.problems
