"""Figures are built once for the same results."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go
import pytest

from pages.parts import downloads


class Result:
    """Stands for what an analysis returns."""

    def __init__(self, value):
        self.value = value


@pytest.fixture
def calls():
    downloads.figures.clear()
    return []


def test_a_figure_is_built_once_for_a_result_and_anew_for_another(calls):
    def draw(result, label="", height=300):
        calls.append((result.value, label, height))
        return go.Figure(go.Bar(y=[result.value]), layout={"height": height})

    one, other = Result(1), Result(1)
    first = downloads.built(draw, one, label="x")
    assert downloads.built(draw, one, label="x") is first
    assert downloads.built(draw, other, label="x") is not first
    assert downloads.built(draw, one, label="y") is not first
    assert downloads.built(draw, one, height=400).layout.height == 400 + downloads.BUTTON_ROW
    assert calls == [(1, "x", 300), (1, "x", 300), (1, "y", 300), (1, "", 400)]


def test_space_for_the_buttons_is_left_once():
    figure = go.Figure(layout={"height": 300, "margin": {"t": 10}})
    for _ in range(2):
        downloads._leave_space_for_buttons(figure)
    assert (figure.layout.height, figure.layout.margin.t) == (300 + downloads.BUTTON_ROW, 10 + downloads.BUTTON_ROW)


def test_a_wide_legend_gets_lines_of_its_own():
    wide = ("a name of twenty-five long", "another one of that kind")
    five = ("percentile", "sorted elements", "basic", "BCa", "percentile, half draws")
    for names, lines in ((("a", "b"), 0), (wide, 1), (five, 2)):
        legend = {"orientation": "h", "y": 1.02}
        figure = go.Figure([go.Bar(name=name) for name in names], {"showlegend": True, "legend": legend, "height": 300})
        downloads._leave_space_for_buttons(figure)
        assert figure.layout.height == 300 + downloads.BUTTON_ROW + lines * downloads.LEGEND_ROW


def test_a_legend_above_is_placed_from_the_top_so_that_it_cannot_grow_over_the_plot():
    def placed(title):
        legend = {"orientation": "h", "y": 1.02}
        layout = {"showlegend": True, "legend": legend, "height": 300, "title": {"text": title}}
        figure = go.Figure([go.Bar(name="a"), go.Bar(name="b")], layout)
        downloads._leave_space_for_buttons(figure)
        return figure.layout.legend

    assert (placed("").yref, placed("").yanchor) == ("container", "top")
    assert placed("").y * (300 + downloads.BUTTON_ROW) == pytest.approx(300)
    assert placed("A title stands there").yref is None


def test_a_title_wider_than_a_telephone_is_broken():
    long = "a-system-with-a-long-name"
    both_ways = "← A better   (difference)   hierarchical better →"
    for title, lines in (("B − A (BLEU)", 1), (f"{long} − {long} (BLEU)", 2), (both_ways, 1)):
        figure = go.Figure(layout={"height": 300, "margin": {"b": 52}, "xaxis": {"title": {"text": title}}})
        downloads._leave_space_for_buttons(figure)
        more = downloads.TITLE_ROW * (lines - 1)
        assert figure.layout.xaxis.title.text.count("<br>") == lines - 1
        assert figure.layout.xaxis.title.text.replace("<br>", " ") == title
        assert (figure.layout.height, figure.layout.margin.b) == (300 + downloads.BUTTON_ROW + more, 52 + more)


@pytest.mark.slow
def test_a_result_that_is_gone_leaves_no_figure_to_another(calls):
    def draw(result):
        return go.Figure(go.Bar(y=[result.value]))

    for value in range(200):  # let go, most would come to lie where an earlier one was
        assert downloads.built(draw, Result(value)).data[0].y[0] == value


def test_names_from_files_stay_text_in_a_written_table(monkeypatch):
    drawn = []
    monkeypatch.setattr(downloads.st, "html", drawn.append)
    frame = pd.DataFrame({"system": ["<b>a</b>", '"&amp;'], "BLEU": ["12.30", "−0.5"]})
    downloads.written_table(frame, 'the "best"')
    assert "&lt;b&gt;a&lt;/b&gt;" in drawn[0]
    assert "<b>" not in drawn[0]
    assert "&quot;&amp;amp;" in drawn[0]
    assert 'aria-label="the &quot;best&quot;"' in drawn[0]
    assert '<td class="figure">12.30</td>' in drawn[0]
    assert '<th class="figure">BLEU</th>' in drawn[0]
    assert "<th>system</th>" in drawn[0]
    frame = pd.DataFrame({"test": ["sign"], "how": ["p is the share of draws that lie as far " * 3]})
    downloads.written_table(frame, "how")
    assert '<td>sign</td><td class="prose">' in drawn[1]


def test_counts_of_a_thousand_get_a_comma_and_names_of_items_none():
    frame = pd.DataFrame({"tokens": [17703, 12], "few": [1, 2], "segment": [1500, 2], "text": ["a", "b"]})
    shown = downloads._with_commas(frame)
    assert "17,703" in shown.to_html()
    assert "1500" in shown.to_html()
    assert isinstance(downloads._with_commas(frame[["few", "segment"]]), pd.DataFrame)
