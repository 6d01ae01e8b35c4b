import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import mannwhitneyu, norm

from mtsig_core.analysis.comparison import effect as module
from mtsig_core.analysis.comparison.effect import effect, human_terms, improvement


def test_the_probability_is_that_of_mann_and_whitney():
    rng = np.random.default_rng(1)
    a, b = np.round(rng.normal(0, 1, 9), 1), np.round(rng.normal(0.5, 1, 6), 1)
    found = improvement(a, b)
    assert found.probability == pytest.approx(mannwhitneyu(b, a).statistic / 54)
    assert found.low < found.probability < found.high
    mirrored = improvement(a, b, higher_is_better=False)
    assert mirrored.probability == pytest.approx(1 - found.probability)
    assert (mirrored.low, mirrored.high) == pytest.approx((1 - found.high, 1 - found.low))


def test_complete_separation_keeps_an_interval():
    found = improvement(np.arange(3.0), np.arange(3.0) + 10)
    assert (found.probability, found.high) == (1, 1)
    assert 0.4 < found.low < 0.8
    assert improvement(np.ones(3), np.ones(3)).probability == 0.5
    single = improvement(np.ones(1), np.zeros(1))
    assert (single.probability, single.low) == (0, 0)
    assert single.high > 0.5


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_the_ends_solve_newcombes_equation(level):
    a, b = np.array([1.0, 4, 6, 6, 9]), np.array([3.0, 5, 6, 8, 10, 11, 2])
    found, z, extra = improvement(a, b, level=level), norm.ppf((1 + level) / 2), (5 + 7) / 2 - 1

    def gap(theta: float) -> float:
        variance = theta * (1 - theta) * (1 + extra * ((1 - theta) / (2 - theta) + theta / (1 + theta))) / 35
        return (theta - found.probability) ** 2 - z**2 * variance

    ends = brentq(gap, 0, found.probability, xtol=1e-15), brentq(gap, found.probability, 1, xtol=1e-15)
    assert (found.low, found.high) == pytest.approx(ends, abs=1e-12)


@pytest.mark.slow
def test_the_interval_covers():
    rng = np.random.default_rng(2)
    truth, covered, trials = 0.7602499389, 0, 800  # Phi(1 / sqrt 2)
    for _ in range(trials):
        found = improvement(rng.normal(0, 1, 6), rng.normal(1, 1, 6))
        covered += found.low <= truth <= found.high
    assert 0.92 < covered / trials < 0.99


@pytest.mark.parametrize(("metric", "size", "share"), [("bleu", 1, 0.640), ("chrf", 1, 0.700), ("bleu", -2.34, 0.800)])
def test_what_people_agree_with(metric, size, share):
    assert human_terms(metric, size).share == pytest.approx(share, abs=0.0005)


def test_the_curve_of_bleu():
    small = human_terms("bleu", 0.2)
    assert small.coin
    assert small.share == 0.5
    assert small.needed == pytest.approx(2.34, abs=0.005)
    assert small.ceiling == pytest.approx(0.88, abs=0.005)
    assert not human_terms("bleu", 0.28).coin


def test_comet_counts_a_hundredfold():
    from_one = human_terms("COMET", 0.01, scale=0.85)
    assert from_one.size == pytest.approx(1.0)
    assert from_one.share == pytest.approx(human_terms("wmt22-comet-da", 1.0, scale=85).share)
    assert "COMET-22" in from_one.note


@pytest.mark.parametrize("metric", ["ter", "chrf++", "accuracy"])
def test_metrics_without_a_curve_say_so(metric):
    assert "is not known" in human_terms(metric, 1.0)


def test_without_the_package_the_remedy_is_told(monkeypatch):
    monkeypatch.setattr(module, "import_module", lambda name: (_ for _ in ()).throw(ImportError(name)))
    assert "pip install mt-thresholds" in human_terms("bleu", 1.0)


def test_of_two_systems(statistics_of):
    rng = np.random.default_rng(3)
    found = effect(statistics_of({"a": rng.normal(0, 1, (3, 20)), "b": rng.normal(3, 1, (4, 20))}, higher=False),
                   "a", "b")
    assert found.improvement.probability == 0
    assert found.human is None
    assert "errors" in found.reason


def test_of_a_measure_that_is_no_quality(statistics_of, monkeypatch):
    statistics = statistics_of({"a": np.zeros((2, 5)), "b": np.ones((2, 5))})
    monkeypatch.setattr(statistics.metric, "is_quality", False)
    found = effect(statistics, "a", "b")
    assert found.improvement is None
    assert "no measure of quality" in found.reason


def test_one_replica_each_gives_no_share(statistics_of):
    found = effect(statistics_of({"a": np.zeros((1, 5)), "b": np.ones((1, 5))}), "a", "b")
    assert found.improvement is None
    assert found.difference == 1
    one_against_two = effect(statistics_of({"a": np.zeros((1, 5)), "b": np.ones((2, 5))}), "a", "b")
    assert one_against_two.improvement.probability == 1
