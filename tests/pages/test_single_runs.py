"""What the first screen says where some systems have one run, or copies of one."""

from __future__ import annotations

import random

import pytest

from tests.pages.session import said, session, settle, upload

pytestmark = pytest.mark.slow


def overview(rows):
    made = upload(session({}), "scores.csv", "\n".join(rows).encode())
    made.switch_page("pages/start/overview.py")
    return said(settle(made))


def segment_scores(runs, copies=()):
    """Return a table of scores of systems with so many runs each; those of copies are equal."""
    rows = ["system,run,segment,comet"]
    for shift, (system, n) in enumerate(runs.items()):
        for run in range(1, n + 1):
            rng = random.Random(system if system in copies else f"{system}{run}")
            rows += [f"{system},{run},{i},{rng.random() + 0.3 * shift:.4f}" for i in range(1, 51)]
    return rows


@pytest.mark.parametrize("copies", [(), ("base",)])
def test_one_run_against_several_is_that_very_output(copies):
    text = overview(segment_scores({"base": 3 if copies else 1, "new": 3}, copies))
    assert "base (1 run) against new (3 runs), 50 segments" in text
    assert "base has one replica: this compares the training setup of new with that very output" in text
    assert ("The 3 replicas of base have exactly the same" in text) is bool(copies)


def test_one_run_among_several_systems_is_said_once():
    text = overview(segment_scores({"base": 1, "new": 3, "best": 3}))
    assert "3 systems, 7 runs" in text
    assert "base has one run: its rank is that of this output" in text
    assert "with that very output" not in text, "it is said once"


def test_nothing_is_ranked_where_nothing_could_be_tested():
    text = overview(["system,run,bleu", "a,1,20.1", "b,1,21.3", "c,1,25.0"])
    assert "separated" not in text
    assert "3 of 3 pairs could not be tested" in text
