"""Ids of segments that start again for each language or domain: that column is the test set."""

from __future__ import annotations

import json

import pytest

from mtsig_core import load

OUTPUTS = [(system, k) for system in ("a", "b") for k in (1, 2)]


@pytest.mark.parametrize("column", ["tgt_lang", "language", "domain", "Genre"])
def test_scores(column):
    rows = [f"{s},{k},{i},{v},0.{n}{i}{k}" for s, k in OUTPUTS for n, v in enumerate(("x", "y"), 1) for i in range(4)]
    text = "\n".join([f"system,seed,segment,{column},comet", *rows])
    experiment, report = load([("s.csv", text.encode())], cache=False)
    assert {t.name: t.n_segments for t in experiment.test_sets} == {"x": 4, "y": 4}
    (guess,) = report.with_code("sets-by-column")
    assert repr(column) in guess.message


def test_of_unique_ids_nothing_is_made():
    rows = [f"{s},{k},{i},{'xy'[i % 2]},0.{i}{k}" for s, k in OUTPUTS for i in range(4)]
    experiment, report = load([("s.csv", "\n".join(["system,seed,segment,domain,comet", *rows]).encode())], cache=False)
    assert [t.n_segments for t in experiment.test_sets] == [4]
    assert not report.with_code("sets-by-column")


def test_texts():
    rows = [{"id": i, "system": s, "lang": v, "output": f"{v} {i} by {s}", "ref": f"{v} {i} said"}
            for s in ("a", "b") for v in ("de", "fr") for i in range(4)]  # fmt: skip
    experiment, report = load([("t.jsonl", "\n".join(map(json.dumps, rows)).encode())], cache=False)
    assert {t.name: t.n_segments for t in experiment.test_sets} == {"de": 4, "fr": 4}
    assert report.with_code("sets-by-column")
