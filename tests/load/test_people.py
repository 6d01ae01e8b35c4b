"""What the load script reports, and that its tab does what a browser does; the server is left to the script."""

from __future__ import annotations

import asyncio

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.load.__main__ import rows
from tests.load.people import Answer
from tests.load.session import Session
from tests.load.uploads import SYSTEMS, experiment


def finished(status: str = "FINISHED_SUCCESSFULLY") -> ForwardMsg:
    return ForwardMsg(script_finished=ForwardMsg.ScriptFinishedStatus.Value(status))


def drawing(*fragments: str) -> ForwardMsg:
    message = ForwardMsg()
    message.new_session.page_script_hash = "p"
    message.metadata.run.fragment_ids.extend(fragments)
    return message


def test_a_tab_waits_for_timers_and_for_the_whole_page():
    async def visit() -> list[bool]:
        tab, seen = Session("nowhere"), []
        tab._on_new_session(drawing())
        timer = ForwardMsg()
        timer.auto_rerun.fragment_id, timer.auto_rerun.interval = "bar", 100.0
        tab._on_auto_rerun(timer)
        tab._on_script_finished(finished())
        seen += [await tab.first_drawn(0.1), await tab.settle(0.1)]  # a progress bar is on its way
        tab._on_new_session(drawing("bar"))
        tab._on_script_finished(finished("FINISHED_FRAGMENT_RUN_SUCCESSFULLY"))
        seen.append(await tab.settle(0.1))
        tab._on_new_session(drawing())
        tab._on_script_finished(finished())
        seen.append(await tab.settle(0.1))
        return seen

    assert asyncio.run(visit()) == [True, False, False, True]


def test_what_a_person_would_see_go_wrong_is_an_error():
    tab = Session("nowhere")
    message = ForwardMsg()
    message.delta.new_element.exception.type = "KeyError"
    message.delta.new_element.exception.message = "x"
    tab._on_delta(message)
    tab._on_script_finished(finished("FINISHED_WITH_COMPILE_ERROR"))
    assert tab.errors == ["KeyError: x", "FINISHED_WITH_COMPILE_ERROR"]


def test_the_table_has_median_and_95th_percentile_of_each_kind():
    answers = [Answer("visitor 1", "page", i / 10, i, True) for i in range(101)]
    answers += [Answer("owner 1", "first visit", 1.0, 2.0, False), Answer("owner 2", "first visit", 3.0, 4.0, False)]
    assert rows(answers)[2:] == [
        "| visitors, warm | 101 | 5.00 s | 9.50 s | 50.00 s | 95.00 s |",
        "| owners, first visit | 2 | 2.00 s | 2.90 s | 3.00 s | 3.90 s |",
    ]


@pytest.mark.slow
def test_the_experiment_loads():
    from mtsig_core import load

    made, report = load(experiment(2, 30), name="own.zip", cache=False)
    assert {system.name: len(system.replicas) for system in made.systems} == dict.fromkeys(SYSTEMS, 2)
    assert report.refused == ()
