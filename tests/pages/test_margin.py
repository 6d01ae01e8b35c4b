"""The margin and what varied, under Settings: empty at first, and what the verdict then says."""

import pytest

from data import DEMONSTRATIONS
from mtsig_core import Workbench, load
from tests.pages.session import app, goto, said, settle


@pytest.mark.slow
def test_a_margin_makes_equivalence_possible():
    made = goto(app(), "Compare")
    assert made.number_input(key="margin").value is None
    assert "your margin" not in said(made)
    made.number_input(key="margin").set_value(5.0)
    settle(made)
    verdict = Workbench(load(DEMONSTRATIONS["news"].path)).pair("test", "bleu").compare(margin=5.0).verdict
    assert verdict.headline.split("(p")[0].strip() in said(made)
    assert "your margin of 5.00 BLEU" in verdict.headline
    assert "margin 5" in next(c.value for c in made.caption if c.value.startswith("Changed"))
    assert "This margin was stated after the difference had been on screen" in said(made)
    assert "on 60% of pairs of systems" in made.number_input(key="margin").help


@pytest.mark.slow
def test_the_verdict_names_what_the_replicas_differ_by():
    made = goto(app(), "Compare")
    assert made.selectbox(key="varied").value == "unknown"
    made.selectbox(key="varied").set_value("decoding-sample")
    settle(made)
    assert "Samples from one model say nothing about a new training." in said(made)


@pytest.mark.slow
def test_a_link_brings_the_margin_along():
    made = goto(app(margin="5", varied="checkpoint"), "Compare")
    assert made.number_input(key="margin").value == 5.0
    assert "stated after the difference" not in said(made)
    assert "Checkpoints of one training share all that came before them" in said(made)


@pytest.mark.slow
def test_a_margin_stated_after_the_first_screen_came_late():
    made = app(alpha="0.1")  # computed, as the shipped screen is of other settings
    assert "90% interval" in said(made)
    made.number_input(key="margin").set_value(5.0)
    settle(made)
    assert "This margin was stated after the difference had been on screen" in said(made)
