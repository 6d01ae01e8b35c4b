"""Answers of one page are computed in the order in which it asks for them."""

from __future__ import annotations

import threading

from mtsig_core.jobs import Job
from pages.parts.answers import _in_turn


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
