"""Five tasks of a newcomer, each from the first screen, without reading documentation, in at most four clicks."""

from __future__ import annotations

import io
import re
import zipfile

import pytest

import mtsig_core
from mtsig_core.metrics import get_metric
from mtsig_core.reports.overview import overview_answer

pytestmark = pytest.mark.browser

QUICK = "?boot=200&shuffles=200"
MOST = 4


class Visitor:
    """Somebody who counts clicks."""

    def __init__(self, tab):
        self.tab, self.main, self.clicks = tab, tab.page.get_by_test_id("stMain"), 0
        tab.open(QUICK)

    def click(self, target) -> None:
        self.clicks += 1
        target.click()

    def door(self, name: str) -> None:
        """Follow a link of the page and wait for what it opens."""
        before = self.tab.page.url.split("?")[0]
        self.click(self.main.get_by_role("link", name=name))
        self.tab.page.wait_for_function("before => location.href.split('?')[0] !== before", arg=before)
        self.tab.settle()

    def says(self) -> str:
        return self.main.inner_text().replace("\u2060", "").replace("\u00a0", " ")


@pytest.fixture
def visitor(tab):
    """A newcomer at the first screen, who is done after four clicks."""
    made = Visitor(tab)
    yield made
    assert 1 <= made.clicks <= MOST


def folder(at) -> None:
    """Write two systems with three runs each, the second one nearer to the reference."""
    words = ("the", "old", "bridge", "near", "our", "market", "opens", "under", "a", "small", "river", "with", "new")
    reference = [" ".join(words[(i * 7 + k * (i % 5 + 3)) % len(words)] for k in range(9)) for i in range(60)]
    for system, step in (("plain", 3), ("better", 11)):
        for seed in (1, 2, 3):
            lines = [
                " ".join("closes" if (i + k * 5 + seed) % step == 0 else word for k, word in enumerate(line.split()))
                for i, line in enumerate(reference)
            ]
            path = at / "systems" / system / f"seed{seed}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(lines) + "\n")
    (at / "refs").mkdir()
    (at / "refs" / "ref0.txt").write_text("\n".join(reference) + "\n")


def test_open_a_zip_and_find_the_verdict(visitor, tmp_path):
    folder(tmp_path / "mine")
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for path in sorted((tmp_path / "mine").rglob("*.txt")):
            archive.write(path, path.relative_to(tmp_path / "mine"))
    visitor.door("Open your own outputs")
    visitor.clicks += 1  # choosing the file
    visitor.tab.page.locator('[data-testid="stFileUploader"] input[type="file"]').first.set_input_files(
        {"name": "mine.zip", "mimeType": "application/zip", "buffer": stream.getvalue()}
    )
    visitor.tab.page.get_by_text("Open now: mine", exact=True).wait_for()
    visitor.tab.settle()
    visitor.door("See the verdict")
    visitor.tab.page.locator(".st-key-verdict").wait_for()

    experiment, _ = mtsig_core.load(tmp_path / "mine")
    pair = mtsig_core.Workbench(experiment).pair("test", get_metric("bleu"), "better", "plain")
    said = overview_answer(pair.compare(settings=mtsig_core.Settings(n_bootstrap=200, n_permutations=200)))
    assert said.claim in visitor.says()
    assert said.evidence in visitor.says()


def test_find_how_many_more_runs_a_difference_of_one_takes(visitor):
    visitor.door("How many runs do I need?")
    field = visitor.main.get_by_label(re.compile("^Smallest difference that matters"))
    visitor.click(field)
    field.fill("1")
    field.press("Enter")
    visitor.tab.settle()
    answer = re.search(r"difference of 1(\.00)? BLEU[^.]*", visitor.says())
    assert answer, visitor.says()
    assert re.search(r"\d+ replicas|[Nn]o number of replicas", visitor.says())


def test_find_which_run_to_read_and_where_b_loses(visitor):
    visitor.door("Read example outputs")
    assert re.search(r"Reading .+ \(median\) beside .+ \(median\)", visitor.says())
    visitor.click(visitor.main.get_by_role("combobox", name=re.compile("Order")))
    visitor.click(visitor.tab.page.get_by_role("option", name="Largest loss of B first"))
    visitor.tab.settle()
    gains = []
    for place in (1, 2, 3):
        visitor.main.get_by_text(re.compile(rf"^{place}\sof\s\d")).wait_for()
        gains.append(float(re.search(r"gain ([+−-][\d.]+)", visitor.says()).group(1).replace("−", "-")))
        if place == 1:
            visitor.click(visitor.main.get_by_role("button", name="Next"))
        else:
            visitor.tab.page.keyboard.press("j")
        visitor.tab.settle()
    assert gains == sorted(gains)
    assert gains[0] < 0


def test_get_the_table_of_a_paper_in_latex(visitor):
    visitor.click(visitor.tab.page.get_by_test_id("stSidebarNav").get_by_role("link", name="Replicas", exact=True))
    visitor.tab.page.get_by_role("heading", name="Replicas", level=1, exact=True).wait_for()
    visitor.tab.settle()
    visitor.click(visitor.main.get_by_role("radio", name="Table 1", exact=True))
    visitor.tab.settle()
    visitor.click(visitor.main.get_by_test_id("stPopover").filter(has_text="Download").first.get_by_role("button"))
    with visitor.tab.page.expect_download() as download:
        visitor.click(visitor.tab.page.get_by_test_id("stDownloadButton").filter(has_text="LaTeX").first)
    table = download.value.path().read_text()
    assert r"\begin{tabular}" in table
    assert "hierarchical" in table


def test_find_out_whether_the_test_can_be_believed(visitor):
    visitor.click(visitor.tab.page.get_by_test_id("stSidebarNav").get_by_role("link", name="Trust the tests"))
    visitor.tab.page.get_by_role("heading", name="Trust the tests", level=1, exact=True).wait_for()
    visitor.tab.settle()
    assert re.search(r"every p below 0\.05 is a false alarm", visitor.says())
    assert re.search(r"\d+(\.\d+)?% false alarms at α = 0\.05", visitor.says())
