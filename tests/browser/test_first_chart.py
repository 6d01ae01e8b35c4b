"""The first screen's chart stands before Plotly is loaded, and Plotly draws the same in its place."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PARTS = {  # as plain HTML, and as Plotly draws it
    "differences": ('.still i[style*="rotate"]', ".js-plotly-plot path.point"),
    "intervals": ('.still i[style*="height:3.0px"]', ".js-plotly-plot path.xerror"),
    "ticks": (".still .tick", ".js-plotly-plot .xtick text"),
    "metrics": (".still .name", ".js-plotly-plot .ytick text"),
    "title": (".still .title", ".js-plotly-plot .xtitle"),
}
MIDDLES = """
selector => [...document.querySelectorAll(selector)].map(e => {
    const box = e.getBoundingClientRect()
    return [box.x + box.width / 2, box.y + box.height / 2, e.textContent]
})
"""
PIXELS = 1.5


@pytest.mark.parametrize("width", [1440, 390])
def test_the_first_chart_does_not_wait_for_plotly_and_stays_where_it_is(tab, width):
    page, held = tab.page, []
    page.set_viewport_size({"width": width, "height": 900})
    page.route("**/PlotlyChart.*.js", lambda route: held.append(route))
    page.goto(tab.url)
    page.locator(".still .title").wait_for()
    plain = {name: page.evaluate(MIDDLES, first) for name, (first, _) in PARTS.items()}
    assert not page.locator(".js-plotly-plot").count()

    held[0].continue_()
    page.locator(".js-plotly-plot .xtitle").wait_for()
    assert not page.locator(".still").is_visible()
    for name, (_, second) in PARTS.items():
        drawn = page.evaluate(MIDDLES, second)
        assert len(drawn) == len(plain[name]) > 0, name
        for (x, y, text), (plain_x, plain_y, plain_text) in zip(drawn, plain[name], strict=True):
            assert text == plain_text
            assert (x, y) == (pytest.approx(plain_x, abs=PIXELS), pytest.approx(plain_y, abs=PIXELS)), (name, text)
    tab.settle()
