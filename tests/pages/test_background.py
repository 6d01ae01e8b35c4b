"""Answers of one page are computed in the order in which it asks for them, and drawn as soon as there is one."""

from __future__ import annotations

import threading

import pytest
from streamlit.testing.v1 import AppTest

from mtsig_core.runtime.jobs import Job
from pages.parts.background import _in_turn
from tests.pages.session import settle


def test_a_later_answer_begins_when_the_earlier_one_has_ended():
    gate, order = threading.Event(), []

    def first(progress, publish):
        gate.wait(20)
        order.append("first")

    def second(progress, publish):
        order.append("second")

    earlier = Job(first).start()
    later = Job(_in_turn(second, (earlier,))).start()
    assert not later.wait(0.3)
    assert later.doing == "waiting for the results above"
    gate.set()
    assert later.wait(20)
    assert order == ["first", "second"]


def test_one_that_waits_can_be_cancelled():
    gate = threading.Event()
    earlier = Job(lambda progress, publish: gate.wait(20)).start()
    later = Job(_in_turn(lambda progress, publish: None, (earlier,))).start()
    later.cancel()
    assert later.wait(20)
    assert later.state == "cancelled"
    gate.set()
    assert earlier.wait(20)


def two_answers():
    import time

    import streamlit as st

    from pages.parts import background as answers

    number = st.number_input("number", value=1)

    def work(progress, publish):
        publish(f"quick {number}")
        time.sleep(1.5)
        return f"full {number}"

    answers.begin()
    st.text(answers.answer("first", ("same content", number), work))
    st.text(answers.answer("second", ("same content", number), lambda progress, publish: f"late {number}"))


@pytest.mark.slow
def test_the_quick_answer_is_drawn_at_once_and_not_the_former_one():
    made = AppTest.from_function(two_answers, default_timeout=30).run()
    assert [text.value for text in made.text] == ["quick 1", "None"]
    settle(made)
    assert [text.value for text in made.text] == ["full 1", "late 1"]
    made.number_input[0].set_value(2).run()
    assert [text.value for text in made.text] == ["quick 2", "late 1"]
    assert any("former settings" in caption.value for caption in made.caption)
    settle(made)
    assert [text.value for text in made.text] == ["full 2", "late 2"]


def one_that_waits():
    import threading
    import time

    import streamlit as st

    from pages.parts import background as answers

    gate = st.session_state.setdefault("gate", threading.Event())

    def work(progress, publish):
        while not gate.is_set():
            progress(0.5, "waiting")  # raises when it was cancelled
            time.sleep(0.01)
        return "there"

    answers.begin()
    st.text(answers.answer("question", ("content",), work))


def pressed(app, label: str):
    next(button for button in app.button if button.label == label).click()
    return app.run()


@pytest.mark.slow
def test_what_was_cancelled_is_computed_when_asked_for_again():
    app = AppTest.from_function(one_that_waits, default_timeout=30).run()
    pressed(app, "Cancel")
    settle(app)
    assert [info.value for info in app.info] == ["Cancelled."]
    assert [text.value for text in app.text] == ["None"]
    app.session_state["gate"].set()
    pressed(app, "Compute")
    settle(app)
    assert [text.value for text in app.text] == ["there"]
    assert not app.info
