"""The sidebar's pair on a test set that lacks one of its systems."""

from __future__ import annotations

import pytest

from tests.pages.session import goto, said, session, settle, upload

pytestmark = pytest.mark.slow


def scores():
    rows = ["test_set,system,run,segment,comet"]
    for test_set, systems in (("wmt20", ("base", "new", "third")), ("wmt21", ("base", "new"))):
        rows += [f"{test_set},{s},{k},{i},{(hash_of(s, k, i) % 97) / 97:.3f}"
                 for s in systems for k in (1, 2) for i in range(1, 31)]  # fmt: skip
    return "\n".join(rows).encode()


def hash_of(*parts):
    return sum(ord(c) * 31**k for k, c in enumerate("".join(map(str, parts))))


def test_a_system_that_a_test_set_lacks_is_said_and_another_one_shown():
    made = goto(upload(session({}), "scores.csv", scores()), "Compare")
    made.selectbox(key="set").set_value("wmt20")
    settle(made)
    made.selectbox(key="system").set_value("third")
    settle(made)
    assert "no outputs on" not in said(made)

    made.selectbox(key="set").set_value("wmt21")
    settle(made)
    absent = "third has no outputs on wmt21: new is shown."
    assert made.selectbox(key="system").value == "new"
    assert absent in said(made)
    assert made.query_params.get("system") in ("new", ["new"], None)
    settle(made)
    assert absent in said(made), "it stays as long as it is true"

    made.selectbox(key="set").set_value("wmt20")
    assert "no outputs on" not in said(settle(made))
