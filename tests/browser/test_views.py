"""Every view fits two screens, has an address that works, and says which values of an address it cannot use."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.browser

VIEWS = {
    "": ["first"],
    "replicas": ["spread", "table", "tuning"],
    "compare": ["answer", "tests", "why", "methods", "all"],
    "rank": ["ranks", "pairs", "methods"],
    "plan": ["plan", "fewer", "p"],
    "read": ["read", "differences", "annotate", "choose"],
    "trust": ["yours", "rates", "limits", "worlds"],
    "data": ["open", "check", "details"],
}
FORMER = {"two-systems": "compare", "all-pairs": "rank", "how-many-replicas": "plan", "median-system": "read",
          "trust-the-tests": "trust", "experiment": "data"}  # fmt: skip
MOST, SCREEN = 1800, {"width": 1440, "height": 900}


def height(tab) -> int:
    return tab.page.evaluate("document.querySelector('[data-testid=stMainBlockContainer]').scrollHeight")


@pytest.mark.parametrize("tab", ["dark"], indirect=True)  # the walk opens every page in light colours
@pytest.mark.parametrize("page", VIEWS)
def test_no_view_is_taller_than_two_screens(tab, page):
    tab.page.set_viewport_size(SCREEN)
    for section in VIEWS[page]:
        where = f"&section={section}" if page else ""
        tab.open(f"{page}?demo=news&boot=200&shuffles=200{where}")
        assert tab.page.get_by_test_id("stException").count() == 0
        assert height(tab) <= (SCREEN["height"] if not page else MOST), f"{page} {section}: {height(tab)} px"


def test_former_addresses_open_the_pages_that_took_their_place(tab):
    for former, present in FORMER.items():
        tab.page.goto(f"{tab.url}/{former}?demo=news&boot=200&shuffles=200&seed=7")
        tab.page.wait_for_url(f"**/{present}?*")
        assert "seed=7" in tab.page.url


def test_values_that_cannot_be_used_are_said(tab):
    tab.open("compare?demo=news&boot=200&shuffles=200&alpha=much&section=nowhere&set=elsewhere")
    text = tab.text()
    for parameter in ("alpha", "section", "set"):
        assert f"The address asks for {parameter} = " in text.replace("\u2060", "")
