"""Results of promptfoo as CSV, in both its forms."""

from __future__ import annotations

import pytest

from mtsig_core import load

BEHIND = ",Status,Score,Named Scores,Grader Reason,Comment"
HEADING = f"question,[openai:gpt] Answer: {{{{question}}}}{BEHIND},[mistral:small] Answer: {{{{question}}}}{BEHIND}\n"
ROWS = "".join(f"q{i},an answer,PASS,1.00,,fine,,another,{'FAIL' if i % 2 else 'PASS'},0.{i},,so,\n" for i in range(6))


@pytest.mark.parametrize(("heading", "rows", "metrics"), [
    (HEADING, ROWS, ["pass", "score"]),
    ("question,[openai:gpt] Answer,[mistral:small] Answer\n",
     "".join(f"q{i},[PASS] an answer,[{'FAIL' if i % 2 else 'PASS'}] another\n" for i in range(6)), ["pass"]),
])  # fmt: skip
def test_providers_are_systems_and_tests_segments(heading, rows, metrics):
    experiment, report = load([("results.csv", (heading + rows).encode())], cache=False)
    scores = {s.name: s.replicas[0].scores["test"] for s in experiment.systems}
    assert scores["openai:gpt"]["pass"] == (1.0,) * 6
    assert scores["mistral:small"]["pass"] == (1.0, 0.0) * 3
    assert sorted(experiment.outside_metrics) == metrics
    assert all(experiment.outside_metrics.values())
    assert report.with_code("promptfoo")


def test_repeated_tests_are_replicas():
    experiment, report = load([("results.csv", (HEADING + 3 * ROWS).encode())], cache=False)
    assert [len(s.replicas) for s in experiment.systems] == [3, 3]
    assert report.with_code("repeated-tests")


def test_what_failed_is_missing():
    rows = ROWS.replace("q0,an answer,PASS,1.00", "q0,timeout,ERROR,0.00")
    experiment, _ = load([("results.csv", (HEADING + rows).encode())], cache=False)
    assert experiment.system("openai:gpt").replicas[0].scores["test"]["pass"][0] is None
