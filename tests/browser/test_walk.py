"""A newcomer's walk: the demonstration, a folder of one's own, and uploads that are refused."""

from __future__ import annotations

import io
import re
import zipfile

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PATIENCE

pytestmark = pytest.mark.browser

PAGES = ["Data", "Replicas", "Compare", "Rank systems", "Plan", "Read and annotate", "Trust the tests"]
WORDS = [
    "the", "a", "old", "new", "small", "river", "town", "bridge", "market", "opens", "closes", "near", "under", "with",
    "our", "every", "morning",
]  # fmt: skip


def lines(seed: int, n: int = 60, noise: int = 0) -> str:
    """Make n readable segments; noise changes every so many words."""
    made = []
    for i in range(n):
        words = [WORDS[(i * 7 + k * (i % 5 + 3)) % len(WORDS)] for k in range(8 + i % 5)]
        if noise:
            words = [WORDS[(i + k + seed) % len(WORDS)] if (i * 13 + k * 7 + seed) % noise == 0 else w
                     for k, w in enumerate(words)]  # fmt: skip
        made.append(" ".join(words))
    return "\n".join(made) + "\n"


def run_folder() -> dict[str, str]:
    files = {"refs/ref0.txt": lines(0)}
    for system, noise in (("plain", 5), ("better", 9)):
        for seed in (1, 2, 3):
            files[f"systems/{system}/seed{seed}.txt"] = lines(seed, noise=noise)
    return files


def zipped(files: dict[str, str]) -> dict:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return {"name": "mine.zip", "mimeType": "application/zip", "buffer": stream.getvalue()}


def upload(tab, *files) -> None:
    tab.page.locator('[data-testid="stFileUploader"] input[type="file"]').first.set_input_files(list(files))


def opened(tab, name: str) -> None:
    tab.page.get_by_text(f"Open now: {name}", exact=True).wait_for()


def menu(tab) -> None:
    """Open the first download menu of the page."""
    tab.page.get_by_test_id("stPopover").filter(has_text="Download").first.get_by_role("button").click()


def no_error(tab) -> None:
    assert tab.page.get_by_test_id("stException").count() == 0, tab.text()
    assert "Traceback" not in tab.text()


def test_every_page_is_drawn_on_the_demonstration(tab):
    tab.open("?boot=200&shuffles=200")
    for title in PAGES:
        tab.goto(title)
        no_error(tab)
        assert "nan" not in re.findall(r"[a-z]+", tab.page.get_by_test_id("stMain").inner_text().lower())
        wide = tab.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{title} scrolls sideways by {wide} px"


def test_a_warm_server_draws_the_demonstration_without_computing_again(tab):
    tab.open().settle()
    tab.page.goto(tab.url)
    tab.page.locator('[data-testid="stMain"] .js-plotly-plot').first.wait_for()
    assert tab.page.get_by_test_id("stProgress").count() == 0
    assert tab.page.get_by_role("button", name="Cancel", exact=True).count() == 0


def test_a_zip_of_ones_own_opens_and_is_compared(tab):
    tab.open("data").settle()
    upload(tab, zipped(run_folder()))
    opened(tab, "mine")
    tab.settle()
    tab.goto("Compare")
    text = tab.text()
    assert "Is plain (B) better than better (A)" in text or "Is better (B) better than plain (A)" in text
    no_error(tab)
    tab.goto("Replicas")
    assert tab.page.get_by_text("2 systems, 6 replicas").count() == 1


def test_a_folder_of_ones_own_opens(tab, tmp_path):
    for name, text in run_folder().items():
        path = tmp_path / "mine" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    tab.open("data").settle()
    tab.page.get_by_role("tab", name="Folder").click()
    tab.page.locator('input[type="file"][webkitdirectory]').set_input_files(tmp_path / "mine")
    opened(tab, "mine")
    tab.settle()
    assert tab.page.get_by_test_id("stSidebar").get_by_text("2 systems, 6 replicas").count() == 1
    no_error(tab)


def test_a_refused_upload_says_why_and_loses_nothing(tab):
    tab.open("data").settle()
    before = tab.page.get_by_text(re.compile("^Open now: ")).inner_text()
    upload(tab, zipped(run_folder()) | {"name": "cut.zip", "buffer": zipped(run_folder())["buffer"][:200]})
    expect(tab.page.get_by_test_id("stAlert").filter(has_text="cut.zip").first).to_be_visible()
    tab.settle()
    assert tab.page.get_by_text(re.compile("^Open now: ")).inner_text() == before
    no_error(tab)
    tab.goto("Replicas")
    no_error(tab)


def test_the_address_restores_the_view_in_a_fresh_browser(tab, browser, server):
    tab.open("compare?demo=news&metrics=chrF&alpha=0.01&seed=7&boot=200&shuffles=200")
    address = tab.page.url
    other = browser.new_context()
    page = other.new_page()
    page.set_default_timeout(PATIENCE)
    try:
        page.goto(address)
        page.get_by_role("heading", name="Compare", level=1).wait_for()
        page.get_by_text("Settings", exact=True).click()
        expect(page.get_by_label("Random seed")).to_have_value("7")
        expect(page.get_by_label("Significance level")).to_have_value("0.010")
        assert page.get_by_text("2 systems, 100 replicas").count() == 1
        assert page.get_by_test_id("stMultiSelect").inner_text().count("chrF") == 1
    finally:
        other.close()


def test_cancel_stops_and_the_shown_results_stay(tab):
    tab.open("compare?demo=news&metrics=BLEU&section=tests").settle()
    shown = tab.page.get_by_role("heading", name="What each test says").count()
    assert shown == 1
    tab.page.get_by_text("Settings", exact=True).click()
    box = tab.page.get_by_label("Permutations")
    box.fill("1000000")
    box.press("Enter")
    tab.page.get_by_role("button", name="Cancel", exact=True).first.click()
    tab.page.get_by_text("Cancelled.").wait_for()
    assert tab.page.get_by_role("heading", name="What each test says").count() == 1
    no_error(tab)


def test_a_link_to_any_page_works_as_the_first_visit_of_a_server(browser, cold_server):
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    try:
        page.goto(f"{cold_server[0]}/plan?demo=news&seed=7")
        page.get_by_role("heading", name="Plan", level=1).wait_for()
        page.get_by_text("Settings", exact=True).click()
        expect(page.get_by_label("Random seed")).to_have_value("7")
        assert page.get_by_role("dialog").count() == 0
    finally:
        page.close()


def test_names_with_markup_are_shown_as_they_are(tab):
    odd = "$a_1$ *new* :smile: <b>x"
    files = {name.replace("better", odd): text for name, text in run_folder().items()}
    tab.open("data").settle()
    upload(tab, zipped(files))
    opened(tab, "mine")
    tab.settle()
    tab.goto("Compare")
    said = tab.page.get_by_test_id("stMain").inner_text().replace("\u2060", "")
    assert odd in said
    assert tab.page.locator('[data-testid="stMain"] b').count() == 0
    assert tab.page.locator('[data-testid="stMain"] em').filter(has_text=re.compile("^new$")).count() == 0
    no_error(tab)


def test_downloads_give_files(tab):
    tab.open("replicas?section=table&boot=200").settle()
    for label, ending, holds in (("CSV", ".csv", "system"), ("LaTeX", ".tex", r"\begin{table}")):
        menu(tab)
        with tab.page.expect_download() as download:
            tab.page.get_by_test_id("stDownloadButton").filter(has_text=label).first.click()
        tab.page.keyboard.press("Escape")
        path = download.value.path()
        assert download.value.suggested_filename.endswith(ending)
        assert holds in path.read_text().lower() if ending == ".csv" else holds in path.read_text()
    tab.open("replicas?boot=200").settle()
    menu(tab)
    with tab.page.expect_download() as download:
        tab.page.get_by_role("button", name="Image (SVG)").click()
    assert download.value.suggested_filename.endswith(".svg")
    assert "<svg" in download.value.path().read_text()
