"""Median system: which replicas are chosen, and how a reader goes through segments."""

from __future__ import annotations

import pytest

from tests.pages.session import app, goto, said, settle, show, unmarked


def position(made):
    """Return where the reader is, as the page says it."""
    said = (unmarked(m.value) for m in made.markdown)
    return next(text for text in said if "· segment " in text).replace("*", "")


def segment(made):
    return int(position(made).split("segment ")[1].split(",")[0].split(" ")[0])


@pytest.fixture(scope="module")
def made():
    return goto(app(demo="travel", metrics="BLEU,TER"), "Read and annotate")


pytestmark = pytest.mark.slow


def test_the_reader_goes_on_and_back_and_stays_when_filters_change(made):
    assert position(made).startswith("1 of 360")
    assert made.button(key="go Previous").disabled
    made.button(key="go Next").click()
    settle(made)
    second = segment(made)
    made.toggle(key="changed only").set_value(True)
    settle(made)
    assert segment(made) == second
    assert position(made).startswith("2 of")
    made.button(key="go Previous").click()
    settle(made)
    assert position(made).startswith("1 of")
    made.toggle(key="changed only").set_value(False)
    settle(made)


def test_a_bad_pattern_is_told_and_nothing_is_lost(made):
    made.toggle(key="contains pattern").set_value(True)
    made.text_input(key="contains").set_value("(")
    settle(made)
    assert "'(' is not a regular expression" in said(made)
    made.text_input(key="contains").set_value("nowhere at all")
    settle(made)
    assert "No segment satisfies all filters" in said(made)
    made.text_input(key="contains").set_value("")
    settle(made)
    assert position(made).startswith("1 of 360")


def test_best_and_worst_are_read_at_one_click_on_the_same_segment(made):
    before = segment(made)
    show(made, "choose")
    chooser = next(g for g in made.button_group if g.key == "replica read of phrase")
    median = chooser.value
    best = next(option for option in chooser.options if option.startswith("Best: ")).removeprefix("Best: ")
    chooser.set_value(best)
    settle(made)
    show(made, "read")
    assert "Not the median replica" in said(made)
    frame = next(d.value for d in made.dataframe if "segment" in d.value.columns)
    assert f"output of phrase/{best}" in frame.columns
    assert segment(made) == before
    show(made, "choose")
    next(g for g in made.button_group if g.key == "replica read of phrase").set_value(median)
    settle(made)
    assert "Not the median replica" not in said(show(made, "read"))


def test_metrics_that_disagree_on_the_median_are_shown_with_all_ranks(made):
    show(made, "choose")
    made.button_group(key="trusted").set_value(["bleu", "ter"])
    settle(made)
    told = said(made)
    assert "closest to the median under 2 metrics" in told
    assert "The metrics disagree on the median: BLEU" in told
    ranks = next(d.value for d in made.dataframe if "rank by TER" in d.value.columns)
    assert ranks["distance to medians"].iloc[0] == min(ranks["distance to medians"], key=float)
    assert f"Read **{ranks['replica'].iloc[0]}**" in told
    made.button_group(key="trusted").set_value([])
    settle(made)
    assert "No metric is trusted yet: BLEU is used" in said(made)
