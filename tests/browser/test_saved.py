"""An upload comes back by its address in a fresh browser, can be corrected, and is gone once deleted."""

from __future__ import annotations

import io
import re
import zipfile

import pytest

from tests.browser.conftest import PATIENCE

pytestmark = pytest.mark.browser


def run_folder() -> bytes:
    lines = [f"the old bridge near the market opens at {i} every morning" for i in range(40)]
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("refs/ref0.txt", "\n".join(lines) + "\n")
        for k, system in enumerate(("plain", "better")):
            for seed in (1, 2, 3):
                made = [line.replace("old", "new") if (i + seed) % (3 + 4 * k) == 0 else line
                        for i, line in enumerate(lines)]  # fmt: skip
                archive.writestr(f"systems/{system}/seed{seed}.txt", "\n".join(made) + "\n")
    return stream.getvalue()


def test_an_upload_is_corrected_comes_back_by_its_address_and_is_deleted(tab, browser):
    tab.open("?demo=news&metrics=BLEU&boot=100").settle()
    tab.goto("Data")
    file = {"name": "returning.zip", "mimeType": "application/zip", "buffer": run_folder()}
    tab.page.locator('input[type="file"]:not([webkitdirectory])').first.set_input_files(file)
    tab.page.get_by_text("Open now: returning", exact=True).wait_for()
    tab.page.wait_for_url(re.compile(r"experiment=[A-Za-z0-9_-]{22}"))
    tab.settle()
    address = tab.page.url

    tab.page.get_by_text("Check and correct", exact=True).click()
    tab.settle()
    tab.page.get_by_text("Correct names, kinds and roles").click()
    tab.page.get_by_role("textbox", name="New name").fill("finer")
    tab.page.get_by_role("textbox", name="New name").press("Enter")
    tab.settle()
    tab.page.get_by_role("button", name="Rename", exact=True).click()
    tab.settle()
    tab.page.get_by_role("button", name="Apply", exact=True).click()
    tab.page.get_by_text(re.compile(r"finer \(3\sreplicas\)")).wait_for()
    tab.settle()
    assert tab.page.url.replace("&section=check", "").replace("section=check&", "") == address, (
        "a correction keeps the link"
    )

    other = browser.new_context()
    page = other.new_page()
    page.set_default_timeout(PATIENCE)
    try:
        page.goto(f"{address}&section=check")
        page.get_by_text("returning, recognised as systems/SYSTEM/REPLICA with refs/").wait_for()
        page.get_by_text(re.compile(r"finer \(3\sreplicas\)")).wait_for()
    finally:
        other.close()

    tab.page.get_by_text("Open", exact=True).first.click()
    tab.settle()
    tab.page.get_by_role("button", name="Delete").first.click()
    tab.page.get_by_role("button", name="Yes, delete it").click()
    tab.settle()
    assert "experiment=" not in tab.page.url
    assert tab.page.get_by_text("Open now: returning", exact=True).count() == 1
    tab.page.goto(address)
    tab.page.get_by_text("There is no experiment").wait_for()
    tab.settle()
