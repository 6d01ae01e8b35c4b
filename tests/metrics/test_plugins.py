"""Metrics that packages add: a real entry point, and what is told of bad ones."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mtsig_core.metrics import METRICS, get_metric, metric_names, metric_problems, plugins

ROOT = Path(__file__).resolve().parents[2]
TOY = '''
from dataclasses import dataclass

import numpy as np

from mtsig_core.metrics.mean import MeanMetric


@dataclass(frozen=True)
class SameStart(MeanMetric):
    name = "same-start"
    label = "Same start"
    explanation = "Whether output and reference begin with the same letter."
    weakness = "Nearly everything."
    key = "same-start v1"

    def signature(self, references):
        return self.key

    def segment_scores(self, hypotheses, references):
        return np.array([100.0 * any(h[:1] == (r or "")[:1] for r in row) for h, row in zip(hypotheses, references)])


def fails():
    raise RuntimeError("no licence")


number = 7
'''


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Return install(entry points) -> a package that names them is found from now on."""

    def make(**entries):
        (tmp_path / "toy_metrics.py").write_text(TOY)
        info = tmp_path / "toy_metrics-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-metrics\nVersion: 1.0\n")
        lines = "".join(f"{name.replace('_', '-')} = {value}\n" for name, value in entries.items())
        (info / "entry_points.txt").write_text(f"[{plugins.GROUP}]\n{lines}")
        monkeypatch.syspath_prepend(str(tmp_path))
        plugins.forget_plugins()
        return tmp_path

    yield make
    monkeypatch.undo()
    sys.modules.pop("toy_metrics", None)
    plugins.forget_plugins()


def test_an_added_metric_stands_last_and_scores(install):
    install(same_start="toy_metrics:SameStart")
    assert metric_names()[-1] == "same-start"
    metric = get_metric("same-start", tokenize="zh", lowercase=True)
    assert metric.score(metric.statistics(["ab", "x"], [("ac",), ("y", None)]).sum(axis=0)) == 50
    assert metric_problems() == ()


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("other", "toy_metrics:SameStart", "its name is 'same-start'"),
        ("gone", "no_such_module:Metric", "No module named 'no_such_module'"),
        ("fails", "toy_metrics:fails", "RuntimeError: no licence"),
        ("number", "toy_metrics:number", "expected a class derived from mtsig_core.metrics.Metric"),
        ("dict", "builtins:dict", "it gives a dict"),
        ("bleu", "toy_metrics:SameStart", "a metric of this name exists already"),
    ],
)
def test_a_bad_one_is_told_and_left_out(install, name, value, why):
    install(**{name: value, "same_start": "toy_metrics:SameStart"})
    with pytest.warns(UserWarning, match=f"Metric '{name}' of toy-metrics .* is left out: ") as told:
        names = metric_names()
    assert why in str(told[0].message)
    assert metric_problems() == (str(told[0].message),)
    assert {*METRICS, "same-start"} >= set(names)
    assert names.count(name) == (name == "bleu")
    assert "same-start" in names


@pytest.mark.slow
def test_the_command_line_offers_it(install, monkeypatch):
    folder = install(same_start="toy_metrics:SameStart")
    monkeypatch.setenv("PYTHONPATH", f"{folder}:{ROOT}")
    call = [sys.executable, "-m", "mtsig_core", "table", str(ROOT / "data" / "travel.tar.xz")]
    told = subprocess.run([*call, "--test-set", "test", "--metric", "same-start", "--resamples", "10"],
                          capture_output=True, text=True, check=True, cwd=folder)  # fmt: skip
    assert "Same start ↑" in told.stdout
