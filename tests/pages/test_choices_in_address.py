"""Choices inside pages are in the address: a copied link opens the same view."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.session import PAGES, app, goto, said, session, settle, show

pytestmark = pytest.mark.slow
BOTH = {"demo": "news", "metrics": ["BLEU", "chrF"]}


def asked(made: AppTest, parameter: str) -> str | None:
    found = made.query_params.get(parameter)
    return found[0] if isinstance(found, list) else found


def go(made: AppTest, page: str, section: str = "") -> AppTest:
    """Go to a page as the browser does: only what the sidebar writes goes along."""
    for parameter in ("section", "topic", "metric", "dimension", "difference", "power"):
        made.query_params.pop(parameter, None)
    made.switch_page(PAGES[page])
    return show(made, section)


@pytest.mark.parametrize("written", ["chrf", "chrF"])
def test_a_link_opens_its_metric_and_topic(written):
    made = session(BOTH | {"section": "methods", "topic": "overlap", "metric": written}, "Compare")
    assert made.segmented_control(key="one metric").value == "chrf"
    assert made.segmented_control(key="method").value == "overlap"
    assert "Scores on other test sets of this kind" in said(made)
    assert asked(made, "metric") == "chrf"
    assert "The address asks" not in said(made)


def test_choosing_writes_the_address_and_the_first_option_needs_no_mention():
    made = session(BOTH | {"section": "methods"}, "Compare")
    assert asked(made, "topic") is None
    assert asked(made, "metric") is None
    made.segmented_control(key="method").set_value("overlap")
    made.segmented_control(key="one metric").set_value("chrf")
    settle(made)
    assert (asked(made, "topic"), asked(made, "metric")) == ("overlap", "chrf")
    made.segmented_control(key="method").set_value("bootstrap")
    settle(made)
    assert (asked(made, "topic"), asked(made, "metric")) == (None, "chrf")


def test_values_that_cannot_be_used_are_said():
    text = said(made := session(BOTH | {"section": "methods", "topic": "nothing", "metric": "TER"}, "Compare"))
    assert "The address asks for topic = 'nothing'. It must be one of bootstrap, null, overlap, difference." in text
    assert "The address asks for metric = 'TER'" in text
    assert "Shown here: BLEU." in text
    assert (asked(made, "topic"), asked(made, "metric")) == (None, None)
    text = said(app("Plan", difference="-1", power="nan"))
    assert "The address asks for difference = '-1'. It must be a number of at least" in text
    assert "The address asks for power = 'nan'. It must be a number from 0.05 to 0.99. Shown here: 0.8." in text


def test_a_choice_is_kept_for_the_next_visit_and_a_topic_does_not_go_along():
    made = session(BOTH | {"section": "methods", "topic": "overlap", "metric": "chrf"}, "Compare")
    go(made, "Trust the tests")
    assert (asked(made, "topic"), asked(made, "metric")) == (None, "chrf")
    assert made.segmented_control(key="trust topic").value == "calibration"
    assert made.segmented_control(key="one metric").value == "chrf"
    go(made, "Compare", "methods")
    assert made.segmented_control(key="method").value == "overlap"
    assert (asked(made, "topic"), asked(made, "metric")) == ("overlap", "chrf")
    assert "The address asks" not in said(made)


def test_a_link_wins_over_the_choice_that_was_kept():
    made = session(BOTH | {"section": "methods", "topic": "overlap"}, "Compare")
    go(made, "Replicas")
    made.query_params["topic"] = "difference"
    goto(made, "Compare", "methods")
    assert made.segmented_control(key="method").value == "difference"


def test_going_back_in_the_browser_undoes_a_choice():
    made = session(BOTH | {"section": "methods", "topic": "overlap"}, "Compare")
    made.query_params.pop("topic")
    settle(made)
    assert made.segmented_control(key="method").value == "bootstrap"
    assert asked(made, "topic") is None


def test_another_section_of_the_page_takes_no_topic_along():
    made = session(BOTH | {"section": "methods", "topic": "overlap", "metric": "chrf"}, "Compare")
    made.segmented_control(key="section of compare").set_value("why")
    settle(made)
    assert (asked(made, "section"), asked(made, "topic"), asked(made, "metric")) == ("why", None, "chrf")
    made.segmented_control(key="section of compare").set_value("methods")
    settle(made)
    assert (asked(made, "topic"), asked(made, "metric")) == ("overlap", "chrf")


def test_metrics_that_are_chosen_anew_take_the_place_of_one_that_is_gone_without_a_word():
    made = session(BOTH | {"metric": "chrf"}, "Replicas")
    made.multiselect(key="metrics").set_value(["bleu", "ter"])
    settle(made)
    assert made.segmented_control(key="one metric").value == "bleu"
    assert asked(made, "metric") is None
    assert "The address asks" not in said(made)


def test_the_difference_that_a_plan_is_for_is_each_metrics_own():
    made = session(BOTH | {"difference": "1.5", "power": "0.9"}, "Plan")
    assert made.number_input(key="difference bleu").value == 1.5
    assert made.number_input(key="power").value == 0.9
    made.segmented_control(key="one metric").set_value("chrf")
    settle(made)
    assert made.number_input(key="difference chrf").value is None
    assert (asked(made, "difference"), asked(made, "power")) == (None, "0.9")
    made.number_input(key="difference chrf").set_value(2.0)
    settle(made)
    assert asked(made, "difference") == "2"
    made.segmented_control(key="one metric").set_value("bleu")
    settle(made)
    assert made.number_input(key="difference bleu").value == 1.5
    assert asked(made, "difference") == "1.5"


def test_a_link_opens_its_dimension_and_topic_of_people():
    made = session({"demo": "judged", "metrics": "BLEU", "topic": "pairs"})
    made.switch_page(PAGES["Human judgement"])
    settle(made)
    assert made.segmented_control(key="people systems").value == "pairs"
    assert "The address asks" not in said(made)


@pytest.mark.parametrize(("page", "query", "kind", "key", "value"), [
    ("Compare", {"section": "tests", "published": "true"}, "toggle", "published variants", True),
    ("Compare", {"section": "methods", "topic": "null", "test": "ar-replica"}, "selectbox", "null bleu", "ar-replica"),
    ("Rank systems", {"section": "pairs", "test": "crossed"}, "selectbox", "pairs preset", "crossed"),
    ("Rank systems", {"section": "pairs", "correction": "bh"}, "selectbox", "correction", "bh"),
    ("Rank systems", {"section": "methods", "three": "true"}, "toggle", "three methods", True),
    ("Plan", {"section": "fewer", "replace": "false"}, "toggle", "replace", False),
    ("Read and annotate", {"order": "loss"}, "selectbox", "order", "loss"),
    ("Read and annotate", {"section": "differences", "by": "document"}, "segmented_control", "differ by 4", "document"),
    ("Trust the tests", {"replicas_of": "words"}, "selectbox", "calibrated system", "words"),
])  # fmt: skip
def test_a_link_opens_the_other_choices_of_a_page(page, query, kind, key, value):
    made = app(page, **query)
    assert getattr(made, kind)(key=key).value == value
    assert {name: asked(made, name) for name in query} == query
    assert "The address asks" not in said(made)


def test_another_order_begins_with_its_first_segment_and_is_in_the_address():
    made = app("Read and annotate")
    made.button(key="go Next").click()
    settle(made)
    assert "**2** of 360" in said(made)
    assert asked(made, "segment")
    made.selectbox(key="order").set_value("loss")
    settle(made)
    assert "**1** of 360" in said(made)
    assert (asked(made, "order"), asked(made, "segment")) == ("loss", None)


def test_a_link_opens_its_segment_and_says_where_there_is_none():
    made = app("Read and annotate", segment="5")
    assert "segment 5," in said(made)
    made.button(key="go Next").click()
    settle(made)
    beside = asked(made, "segment")
    assert beside not in (None, "5")
    assert f"segment {beside}," in said(made)
    made.text_input(key="contains").set_value("the")
    settle(made)
    assert f"segment {asked(made, 'segment')}," in said(made)
    text = said(made := app("Read and annotate", segment="9999"))
    assert "The address asks for segment = '9999'" in text
    assert asked(made, "segment") is None


def test_a_link_opens_the_difference_that_p_is_asked_for():
    made = app("Compare", section="methods", topic="difference", s_diff="0.5")
    assert next(w.value for w in made.slider if w.label == "A difference to ask about") == 0.5
    typed = next(w for w in made.number_input if w.label == "Or type it")
    assert typed.value == 0.5
    typed.set_value(0.25)
    settle(made)
    assert asked(made, "s_diff") == "0.25"
    assert "It must be a number from 0 to" in said(
        app("Compare", section="methods", topic="difference", s_diff="-3"))


def test_a_switch_that_is_neither_true_nor_false_is_said():
    made = app("Plan", section="fewer", replace="maybe")
    assert "The address asks for replace = 'maybe'. It must be true or false. Shown here: true." in said(made)
    made.toggle(key="replace").set_value(False)
    settle(made)
    assert asked(made, "replace") == "false"
