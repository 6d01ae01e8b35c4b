"""Human judgement and Metrics against people, as a person plays them: from nothing to the example, with clicks."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def choose(tab, label: str) -> str:
    """Press a segment of a bar, and return what the page says then."""
    tab.page.get_by_role("radio", name=label, exact=True).or_(
        tab.page.get_by_test_id("stMain").get_by_role("button", name=label, exact=True)
    ).first.click()
    return tab.settle().text()


def click_row(tab, row: int, then: str) -> str:
    """Choose a row of the page's first table, and return what the page says then.

    A row is 35 pixels high, below a heading as high. A table that is still being drawn hears no click: as a person
    would, click again.
    """
    grid = tab.page.get_by_test_id("stMain").get_by_test_id("stDataFrame").first
    for _ in range(5):
        grid.scroll_into_view_if_needed()
        grid.locator("canvas").first.click(position={"x": 15, "y": 35 * row + 52}, force=True)
        said = tab.settle().text()
        if then in said:
            break
    return said


def test_both_pages_on_the_example(tab):
    tab.open("?demo=travel&boot=100&shuffles=100&metrics=BLEU&metrics=chrF")
    tab.goto("Human judgement")
    assert "No human judgements came with what is open" in tab.text()
    tab.page.get_by_role("button", name="Open the demonstration").click()
    said = tab.page.get_by_text("These judgements are simulated")
    expect(said.first).to_be_visible()  # what was drawn before may stand beside it for a moment
    tab.settle()
    expect(said).to_have_count(1)
    tab.settle()
    assert "pairs differ at α = 0.05 (rank-sum test, Holm)" in tab.text()
    assert "Annotators" in choose(tab, "Annotators")
    assert "section=annotators" in tab.page.url
    assert "Of 5 annotators who got damaged copies, 1 does not score them worse" in tab.text()
    said = click_row(tab, 0, "With and without")
    assert "With and without" in said
    assert "judgements fewer" in said

    tab.goto("Metrics against people")
    assert "in people's scores" in tab.text() or "No system is an outlier" in tab.text()
    assert "The classical mistake" in choose(tab, "Metric pairs")
    assert "agrees with people on" in choose(tab, "Do the tests agree?")
    assert "would have reported r between" in choose(tab, "Replicas and points")
    assert "section=replicas" in tab.page.url
    assert "What is a point worth?" in choose(tab, "What is a point worth?")
