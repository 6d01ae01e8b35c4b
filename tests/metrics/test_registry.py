"""The registry: a metric is one class and one line, and works everywhere."""

from __future__ import annotations

import pickle
from dataclasses import dataclass

import numpy as np
import pytest

from mtsig_core.metrics import METRICS, Metric, StatisticsCache, compute_statistics, get_metric, metric_names


@dataclass(frozen=True)
class Vowels(Metric):
    """Share of vowels: a metric that knows nothing of sacrebleu."""

    lowercase: bool = False

    name = "vowels"
    label = "Vowels"
    n_statistics = 2

    @property
    def key(self) -> str:
        return f"vowels lowercase={self.lowercase}"

    def signature(self, references) -> str:
        return f"vowels|nrefs:{len(references[0])}"

    def statistics(self, hypotheses, references) -> np.ndarray:
        vowels = "aeiou" if not self.lowercase else "aeiouAEIOU"
        return np.array([[sum(c in vowels for c in h), len(h)] for h in hypotheses], dtype=float)

    def score(self, sums) -> np.ndarray:
        return 100 * sums[..., 0] / sums[..., 1]


def test_a_toy_metric_takes_one_line(monkeypatch, make_experiment, tmp_path):
    monkeypatch.setitem(METRICS, "vowels", Vowels)
    metric = get_metric("vowels", tokenize="zh", lowercase=True)
    assert metric == Vowels(lowercase=True)
    experiment, cache = make_experiment(), StatisticsCache(tmp_path)
    statistics = compute_statistics(experiment, "t", metric, cache=cache)
    text = "".join(experiment.system("s1").replicas[0].outputs["t"])
    expected = 100 * sum(c in "aeiouAEIOU" for c in text) / len(text)
    assert statistics.scores_of("s1")[0] == pytest.approx(expected)
    assert statistics.signature == "vowels|nrefs:1"
    np.testing.assert_allclose(statistics.pseudo_values("s1").mean(axis=1), statistics.scores_of("s1"))
    again = compute_statistics(experiment, "t", metric, cache=cache)
    np.testing.assert_array_equal(again.values, statistics.values)


def test_an_unknown_metric_is_answered_with_those_there_are():
    with pytest.raises(ValueError, match="No metric 'comet'; there are: bleu, chrf"):
        get_metric("comet")


@pytest.mark.parametrize("name", metric_names())
def test_every_metric_explains_itself_and_travels_between_processes(name):
    metric = get_metric(name)
    assert metric.name == name
    assert len(metric.explanation) > 150
    assert "20" in metric.explanation.split("(")[-1]
    assert len(metric.weakness) > 40
    assert pickle.loads(pickle.dumps(metric)) == metric
    assert hash(get_metric(name)) == hash(metric)
