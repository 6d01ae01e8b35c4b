"""The first screen's chart as plain HTML: what it shows, and where."""

from __future__ import annotations

import re

import pytest

from mtsig_core.figures.theme import base_figure, rows_axis, vertical_line
from pages.parts.overview.still import MARGIN, MOST_TICKS, fix_axis, still


def drawn(*rows):
    """Draw rows of (name, low, difference, high); without an interval, low and high are None."""
    figure = base_figure(x="difference", height=90 + 46 * len(rows), legend=False)
    for number, (name, low, centre, high) in enumerate(rows):
        bars = None if low is None else {"array": [high - centre], "arrayminus": [centre - low], "symmetric": False}
        figure.add_scatter(x=[centre], y=[-number], name=name, error_x=bars, marker={"color": "#598dfe"})
    vertical_line(figure, 0.0)
    rows_axis(figure, [name for name, *_ in rows])
    fix_axis(figure)
    return figure


def ticks(figure):
    return re.findall(r'class="tick"[^>]*>([^<]+)<', still(figure))


def test_intervals_stand_at_their_share_of_the_axis():
    figure = drawn(("BLEU", 1.0, 2.0, 4.0), ("chrF", None, 3.0, None))
    low, high = figure.layout.xaxis.range
    assert (low, high) == pytest.approx((-4 * MARGIN, 4 + 4 * MARGIN))
    share = {value: f"{100 * (value - low) / (high - low):.3f}%" for value in (0, 1, 2, 3, 4)}
    html = still(figure)
    assert f"left:{share[1]};top:22.5px;width:calc({share[4]} - {share[1]})" in html
    assert html.count("rotate(45deg)") == 2
    for value in share.values():
        assert value in html
    assert html.count("height:3.0px") == 1, "no interval is drawn where there is none"


def test_rows_are_named_as_plotly_is_told_to():
    html = still(drawn(("a &lt;b&gt;", 0.1, 0.2, 0.3), ("chrF", 0.1, 0.2, 0.3)))
    assert re.findall(r'class="name"[^>]*>([^<]+)<', html) == ["a &lt;b&gt;", "chrF"]
    assert 'aria-hidden="true"' in html


@pytest.mark.parametrize(("low", "high", "expected"), [
    (-0.003, 1.41, ["0", "0.5", "1"]),
    (-3.0, -1.0, ["−3", "−2", "−1", "0"]),
    (-0.04, 0.03, ["−0.04", "−0.02", "0", "0.02"]),
    (5.0, 230.0, ["0", "50", "100", "150", "200"]),
])  # fmt: skip
def test_ticks_are_few_round_and_those_that_plotly_is_told(low, high, expected):
    figure = drawn(("BLEU", low, (low + high) / 2, high))
    assert ticks(figure) == expected
    assert len(expected) <= MOST_TICKS + 2
    step = float(expected[1].replace("−", "-")) - float(expected[0].replace("−", "-"))
    assert figure.layout.xaxis.dtick == pytest.approx(step)


def test_no_difference_at_all_still_has_an_axis():
    figure = drawn(("BLEU", None, 0.0, None))
    assert figure.layout.xaxis.range[0] < 0 < figure.layout.xaxis.range[1]
    assert "0" in ticks(figure)
