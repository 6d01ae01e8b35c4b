import numpy as np
import pytest
from scipy import stats

from mtsig_core.analysis.calibration.replica_effect import affordable_permutations, replica_effect, replica_effects
from mtsig_core.metrics import compute_statistics, get_metric
from tests.conftest import small_experiment


def outputs(seed, n=4, length=60, replica=0.0):
    rng = np.random.default_rng(seed)
    return 20 + rng.normal(0, 3, length) + rng.normal(0, replica, (n, 1)) + rng.normal(0, 2, (n, length))


def test_the_closed_form_is_a_two_way_analysis_of_variance(statistics_of):
    y = outputs(1, replica=0.4)
    found = replica_effect(statistics_of({"a": y}), "a", n_permutations=0)
    n, length = y.shape
    residual = y - y.mean(1, keepdims=True) - y.mean(0) + y.mean()
    f = length * y.mean(1).var(ddof=1) / ((residual**2).sum() / ((n - 1) * (length - 1)))
    assert found.f == pytest.approx(f)
    assert found.p == pytest.approx(stats.f.sf(f, n - 1, (n - 1) * (length - 1)))
    assert found.n_permutations == 0


def test_dealing_agrees_with_the_closed_form(statistics_of):
    found = replica_effect(statistics_of({"a": outputs(2, n=5, replica=0.4)}), "a")
    assert found.n_permutations == 999
    assert found.f == pytest.approx(found.f_closed, rel=0.15)
    assert found.p == pytest.approx(found.p_closed, abs=0.03)


def test_two_replicas_of_few_segments_against_listing_all_deals(statistics_of):
    y = outputs(3, n=2, length=8)
    found = replica_effect(statistics_of({"a": y}), "a", n_permutations=4000)
    signs = 1 - 2 * ((np.arange(256)[:, None] >> np.arange(8)) & 1)
    spread = ((signs @ (y[0] - y[1])) / 8) ** 2 / 2
    assert found.p == pytest.approx(np.mean(spread >= y.mean(1).var(ddof=1) - 1e-12), abs=0.03)
    assert found.f == pytest.approx(y.mean(1).var(ddof=1) / spread.mean(), rel=0.1)


def test_a_corpus_metric_and_the_same_seed_give_the_same_numbers():
    statistics = compute_statistics(small_experiment(), "test", get_metric("bleu"), n_jobs=1)
    first, second = (replica_effect(statistics, "plain", n_permutations=199) for _ in range(2))
    assert first == second
    assert 0 < first.p <= 1
    assert first.sd_low <= first.sd <= first.sd_high


@pytest.mark.parametrize(("y", "said"), [
    (outputs(4, n=1), "one replica"), (outputs(4, n=3, length=1), "single segment"),
    (np.arange(3)[:, None] + np.zeros((3, 9)), "nothing is left"),
])
def test_reasons(y, said, statistics_of):
    found = replica_effect(statistics_of({"a": y}), "a")
    assert found.p is None
    assert said in found.note


def test_copies_give_p_1(statistics_of):
    found = replica_effect(statistics_of({"a": np.tile(outputs(5)[:1], (4, 1))}), "a")
    assert (found.p, found.sd, found.f) == (1.0, 0.0, 0.0)


def test_few_replicas_acquit_nobody(statistics_of):
    found = replica_effect(statistics_of({"a": outputs(0)}), "a")
    assert found.p > 0.05
    assert "no evidence" in found.note


def test_large_pools_are_dealt_less_often_or_not_at_all(statistics_of):
    statistics = statistics_of({"a": outputs(0, n=4, length=60)})
    assert affordable_permutations(statistics, "a") == 999
    assert affordable_permutations(statistics, "a", 0) == 0
    assert affordable_permutations(statistics_of({"a": np.zeros((300, 2000))}), "a") == 0


def test_a_row_a_metric_and_system(statistics_of):
    made = statistics_of({"a": outputs(1), "b": outputs(2)})
    frame = replica_effects([made, made], n_permutations=0).to_frame()
    assert frame["system"].tolist() == ["a", "b", "a", "b"]
    assert len(replica_effects([made], systems=["b"], n_permutations=0).rows) == 1


@pytest.mark.slow
def test_false_alarms_and_coverage(statistics_of):
    rng = np.random.default_rng(6)
    alarms, covered, trials = 0, 0, 600
    for _ in range(trials):
        y = rng.normal(0, 2, (4, 40))
        alarms += replica_effect(statistics_of({"a": y}), "a", n_permutations=0).p < 0.05
        found = replica_effect(statistics_of({"a": y + rng.normal(0, 0.7, (4, 1))}), "a", n_permutations=0)
        covered += found.sd_low <= 0.7 <= found.sd_high
    assert 0.03 < alarms / trials < 0.075
    assert 0.925 < covered / trials < 0.975


@pytest.mark.slow
def test_multevals_example(multeval):
    found = {name: replica_effect(multeval, name) for name in ("baseline", "sys1")}
    assert found["baseline"].f == pytest.approx(1.18, abs=0.1)
    assert found["baseline"].p == pytest.approx(0.31, abs=0.06)
    assert found["sys1"].f == pytest.approx(19.1, rel=0.1)
    assert found["sys1"].p == 0.001
