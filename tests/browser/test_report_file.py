"""The report as one HTML file, opened without a network."""

from __future__ import annotations

import pytest

from mtsig_core.reports.paper.html import to_html
from mtsig_core.reports.paper.model import Figure
from mtsig_core.resampling import Settings
from mtsig_core.workbench import Workbench
from mtsig_core.workbench.paper.make import make_report
from tests.conftest import small_experiment

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_file_draws_its_figures_offline_in_the_readers_colours(browser, tmp_path, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    bench = Workbench(small_experiment(), settings=Settings(n_bootstrap=50, n_permutations=50))
    report = make_report(bench)
    path = tmp_path / "report.html"
    path.write_text(to_html(report), encoding="utf-8")
    problems = []
    context = browser.new_context(offline=True, color_scheme=scheme, viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(path.as_uri())
    n = len(list(report.blocks(Figure)))
    page.wait_for_function("n => document.querySelectorAll('.js-plotly-plot .xtick').length >= n", arg=n)
    assert page.locator(".js-plotly-plot").count() == n
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    ink = page.evaluate("getComputedStyle(document.body).color")
    assert page.locator(".xtick text").first.evaluate("tick => getComputedStyle(tick).fill") == ink
    assert axe.Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"] == []
    assert page.pdf(format="A4").startswith(b"%PDF")
    assert problems == []
    context.close()
