"""Published and known results on real experiments, where these are at hand."""

import numpy as np
import pytest

from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import ExchangeDesign, Settings, exchange
from mtsig_core.significance import PRESETS, crossed_test, run_preset

SETTINGS = Settings(n_permutations=10000, n_bootstrap=2000)


def run(name, statistics, a="baseline", b="sys1", chosen=SETTINGS):
    return run_preset(name, statistics, a, b, chosen)


def test_scores_are_the_known_ones(multeval):
    np.testing.assert_allclose(multeval.scores_of("baseline"), [18.5389, 18.4645, 18.5771], atol=5e-5)
    np.testing.assert_allclose(multeval.scores_of("sys1"), [18.9869, 18.4740, 18.9795], atol=5e-5)


@pytest.mark.slow
def test_segments(multeval):
    result = run("ar-segment", multeval)
    assert result.null.std() == pytest.approx(0.112, abs=0.003)
    assert result.difference == pytest.approx(0.28652, abs=5e-6)
    assert 0.006 < result.p < 0.015
    assert run("bootstrap-centred", multeval).null.std() == pytest.approx(0.112, abs=0.004)


def test_hypotheses_find_far_too_much(multeval):
    result = run("ar-hypothesis", multeval)
    assert result.p <= 8 / 10001
    # Pairs (i, pi(i)) of a segment: the mean over pairings of (y_B - y_A)^2 is var_A + var_B + (difference of means)^2.
    a, b = multeval.pseudo_values("baseline"), multeval.pseudo_values("sys1")
    square = a.var(axis=0) + b.var(axis=0) + (b.mean(axis=0) - a.mean(axis=0)) ** 2
    assert result.null.std() == pytest.approx(np.sqrt(square.sum() / 3) / 2489, rel=0.03)


def test_replicas(multeval):
    result = run("ar-replica", multeval)
    assert (result.p, result.draws, result.smallest_p) == (0.3, 20, 0.1)
    assert result.difference == pytest.approx(0.28666, abs=5e-6)
    assert run("welch-replicas", multeval).p == pytest.approx(0.230, abs=0.001)


def test_crossed(multeval):
    result = crossed_test(multeval.pseudo_values("baseline"), multeval.pseudo_values("sys1"))
    assert (result.p, result.se, result.df) == pytest.approx((0.228, 0.200, 3.848), abs=0.001)
    assert run("crossed", multeval).p == result.p


@pytest.mark.parametrize(("replica", "low", "high"), [(0, 0.0001, 0.003), (1, 0.92, 0.96), (2, 0.001, 0.006)])
def test_one_replica_is_a_lottery(replica, low, high, multeval):
    values = np.stack([multeval.of("baseline")[replica], multeval.of("sys1")[replica]])
    single = SegmentStatistics(multeval.metric, "test", "", ("A", "B"), (("0",), ("0",)), values)
    assert low < run("ar-segment", single, "A", "B").p < high


@pytest.mark.parametrize("name", [n for n, preset in PRESETS.items() if preset.unit not in ("hypothesis", "document")])
def test_a_copy_does_not_differ(name, multeval):
    assert run(name, multeval, "baseline", "sys2", Settings(paired=True, n_bootstrap=200)).p == 1


def test_a_copy_has_nothing_to_exchange_by_segment(multeval):
    assert exchange(multeval, "baseline", "sys2", ExchangeDesign("segment", 100, 1)).n_distinct == 1


@pytest.mark.slow
def test_shared_seeds(e2e):
    chosen = Settings(paired=True)
    p = {name: run(name, e2e, "tgen-std", "tgen-plus", chosen).p for name in ("crossed", "crossed-paired")}
    assert p == pytest.approx({"crossed": 0.143, "crossed-paired": 0.0070}, abs=0.0005)
    flips = run("ar-replica-paired", e2e, "tgen-std", "tgen-plus", chosen)
    assert (flips.p, flips.smallest_p) == (0.0625, 0.0625)
