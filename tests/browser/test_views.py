"""Every view fits two screens without barriers, has an address that works, and says which values are of no use."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

VIEWS = {
    "": {},
    "replicas": {"spread": "Spread", "table": "Table 1", "tuning": "Dev against test"},
    "compare": {"answer": "Answer", "tests": "Tests", "why": "Why", "methods": "Methods",
                "all": "All test sets and metrics"},
    "rank": {"ranks": "Ranks", "pairs": "Pairs", "methods": "Methods of Fu"},
    "plan": {"plan": "Plan", "fewer": "What fewer runs would have shown", "p": "p against n"},
    "read": {"read": "Read", "differences": "Where they differ", "annotate": "Annotate", "choose": "Choose the run"},
    "trust": {"yours": "On your data", "rates": "Known error rates", "limits": "Where the verdict errs",
              "worlds": "Try worlds"},
    "data": {"open": "Open", "check": "Check and correct", "details": "Details"},
    "report": {},
}  # fmt: skip
FORMER = {"two-systems": "compare", "all-pairs": "rank", "how-many-replicas": "plan", "median-system": "read",
          "trust-the-tests": "trust", "experiment": "data"}  # fmt: skip
BROKEN = re.compile(r"\bp [=<] ?[\d.]|\d% interval|[=<] [\d\u2212]|\d (?:BLEU|chrF|TER)\b")  # with blanks that break
MOST, SCREEN = 1800, {"width": 1440, "height": 900}


# what Streamlit draws itself: its navigation nests a div in a list, its upload box is a section without focus
STREAMLITS_OWN = {
    "list": "stSidebarNavItems", "listitem": "stSidebarNav", "presentation-role-conflict": "stFileUploaderDropzone",
}  # fmt: skip


def barriers(tab) -> list[str]:
    """Return what axe objects to on the page, but for what Streamlit draws itself."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    found = axe.Axe().run(tab.page, options={"resultTypes": ["violations"]}).response["violations"]
    own = "(args) => { const e = document.querySelector(args[0]); return !!e?.closest(`[data-testid=${args[1]}]`) }"
    return [
        f"{violation['id']}: {node['html'][:200]}"
        for violation in found
        for node in violation["nodes"]
        if not (place := STREAMLITS_OWN.get(violation["id"]))
        or not tab.page.evaluate(own, [node["target"][0], place])
    ]


def words(tab) -> str:
    """Return the words of a page that a browser breaks into lines: neither of charts nor of code."""
    return tab.page.evaluate("""() => {
        const walk = document.createTreeWalker(document.querySelector('[data-testid=stMain]'), NodeFilter.SHOW_TEXT)
        const found = []
        while (walk.nextNode()) {
            const text = walk.currentNode
            if (!text.parentElement.closest('svg, canvas, code, style, script')) found.push(text.data)
        }
        return found.join('\\n')
    }""")


def height(tab) -> int:
    return tab.page.evaluate("document.querySelector('[data-testid=stMainBlockContainer]').scrollHeight")


@pytest.mark.parametrize("tab", ["dark"], indirect=True)  # the walk opens every page in light colours
@pytest.mark.parametrize("page", VIEWS)
def test_every_view_fits_two_screens_and_has_no_barriers(tab, page):
    tab.page.set_viewport_size(SCREEN)
    *others, last = list(VIEWS[page].values()) or [""]
    section = "".join(f"&section={slug}" for slug, title in VIEWS[page].items() if title == last)
    tab.open(f"{page}?demo=news&boot=200&shuffles=200{section}")
    look_at(tab, page, last)
    for title in others:
        tab.section(title)
        look_at(tab, page, title)


def look_at(tab, page: str, title: str) -> None:
    if title:
        bar = tab.page.get_by_test_id("stMain").get_by_role("radio", name=title, exact=True)
        expect(bar).to_be_checked()
    view = f"{page} {title}"
    assert tab.page.get_by_test_id("stException").count() == 0, view
    assert not (found := BROKEN.findall(words(tab))), f"{view}: a line may end inside {found}"
    assert height(tab) <= (MOST if page else SCREEN["height"]), f"{view}: {height(tab)} px"
    assert barriers(tab) == [], view


def test_the_controls_that_all_pages_share_need_no_scrolling(tab):
    for size, last in ((SCREEN, "Metrics"), ({"width": 1280, "height": 720}, "System (B)")):
        tab.page.set_viewport_size(size)
        tab.open("compare?demo=news&boot=200&shuffles=200")
        box = tab.page.get_by_test_id("stSidebar").get_by_label(last, exact=True).first.bounding_box()
        assert box["y"] + box["height"] <= size["height"], f"{last} ends below a screen {size['height']} pixels high"


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


def test_a_tuning_set_can_be_chosen_and_its_link_opens_it_again(tab):
    tab.open("compare?demo=news&metrics=BLEU&boot=200&shuffles=200")
    tab.page.get_by_test_id("stSidebar").get_by_role("combobox", name=re.compile("Test set")).click()
    tab.page.get_by_role("option", name="dev (tuning set)", exact=True).click()
    tab.page.get_by_text("This is the tuning set").wait_for()
    address = tab.settle().page.url
    tab.page.goto(address)
    tab.page.get_by_text("This is the tuning set").wait_for()
    assert "The address asks for" not in tab.settle().text()


def test_a_table_wider_than_a_telephone_is_scrolled_by_keys(tab):
    tab.page.set_viewport_size({"width": 240, "height": 844})
    tab.open("replicas?demo=news&boot=200&shuffles=200&section=table")
    table = tab.page.get_by_role("region", name="Mean score")
    assert table.evaluate("e => e.scrollWidth > e.clientWidth")
    assert barriers(tab) == []
    table.focus()
    tab.page.keyboard.press("ArrowRight")
    tab.page.wait_for_function("e => e.scrollLeft > 0", arg=table.element_handle())


def test_a_choice_inside_a_page_is_in_its_link_and_not_in_that_of_the_next(tab):
    tab.open("compare?demo=news&boot=100&shuffles=100&section=methods")
    tab.section("Overlap of intervals")
    tab.section("chrF")
    link, said = tab.page.url, tab.page.get_by_test_id("stMain").inner_text()
    assert "topic=overlap" in link
    assert "metric=chrf" in link
    tab.goto("Trust the tests")
    assert "metric=chrf" in tab.page.url
    assert "topic" not in tab.page.url
    tab.page.goto(link)
    assert tab.settle().page.get_by_test_id("stMain").inner_text() == said
