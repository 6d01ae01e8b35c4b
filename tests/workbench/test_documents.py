"""What the documents say of metrics is what the code does."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

from mtsig_core.experiment import Experiment, Replica, System, TestSet
from mtsig_core.metrics import METRICS, compute_statistics, get_metric, metric_names, plugins
from mtsig_core.resampling import bootstrap_scores

ROOT = Path(__file__).resolve().parents[2]


def words(text):
    return " ".join(text.split())


@pytest.mark.parametrize("name", METRICS)
def test_the_document_of_metrics_tells_each_as_the_app_does(name):
    told = words((ROOT / "docs" / "metrics.md").read_text(encoding="utf-8"))
    metric = METRICS[name]
    assert f"`{name}`; " in told
    for text in (metric.explanation, metric.weakness, metric.scale):
        assert words(text) in told


def test_the_metric_of_the_document_is_complete(tmp_path, monkeypatch):
    text = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    code = re.search(r"`letters\.py`:\n\n```python\n(.*?)```", text, re.DOTALL).group(1)
    assert len(code.strip().split("\n")) <= 25
    project = tomllib.loads(re.search(r"```toml\n(\[project\].*?)```", text, re.DOTALL).group(1))["project"]
    (tmp_path / "letters.py").write_text(code, encoding="utf-8")
    info = tmp_path / f"{project['name']}-{project['version']}.dist-info"
    info.mkdir()
    named = "\n".join(f"{name} = {value}" for name, value in project["entry-points"][plugins.GROUP].items())
    (info / "entry_points.txt").write_text(f"[{plugins.GROUP}]\n{named}\n")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    plugins.forget_plugins()
    try:
        assert metric_names()[-1] == "letters"
        systems = tuple(System(name, (Replica("1", {"t": ("abc", name)}),)) for name in ("a", "ab"))
        experiment = Experiment("x", (TestSet("t", "test", (("ab", "xy"), ("abc", None))),), systems)
        statistics = compute_statistics(experiment, "t", get_metric("letters"))
        assert statistics.scores.tolist() == [80, 100]
        assert bootstrap_scores(statistics, 20, 1).shape == (20, 2)
    finally:
        plugins.forget_plugins()
        sys.modules.pop("letters", None)
