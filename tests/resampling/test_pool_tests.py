import numpy as np
import pytest

from mtsig_core.resampling import ExchangeDesign, Settings, exchange
from mtsig_core.resampling.pool_tests import Comparisons, Pools, all_pairs, pool_tests, sampled_comparisons


def by_exchange(statistics, unit, n_permutations=4000):
    """Return D and p of two systems by the engine for single pairs."""
    made = exchange(statistics, "A", "B", ExchangeDesign(unit, n_permutations, 5, exact=False))
    return made.difference, (np.sum(np.abs(made.values) >= abs(made.observed) - 1e-9) + 1) / (n_permutations + 1)


@pytest.mark.parametrize("unit", ["segment", "hypothesis"])
@pytest.mark.parametrize("n", [1, 3])
def test_whole_pools_agree_with_the_engine(unit, n, counts):
    statistics = counts(3, {"A": n, "B": n}, 40)
    everything = Comparisons(np.arange(n)[None], np.arange(n)[None])
    metric, pools = statistics.metric, (statistics.of("A"), statistics.of("B"))
    (ours,) = pool_tests(Pools(metric, *pools), [everything], 4000, 1, unit=unit)
    difference, p = by_exchange(statistics, unit)
    assert ours.differences[0] == pytest.approx(difference, abs=1e-12)
    assert ours.p[0] == pytest.approx(p, abs=0.03)


def test_all_pairs_agree_one_by_one(counts):
    statistics = counts(4, {"A": 2, "B": 3}, 30)
    (ours,) = pool_tests(Pools(statistics.metric, statistics.of("A"), statistics.of("B")), [all_pairs(2, 3)], 3000, 1)
    for k in range(6):
        single = type(statistics)(
            statistics.metric, "t", "", ("A", "B"), (("0",), ("0",)),
            np.stack([statistics.of("A")[k // 3], statistics.of("B")[k % 3]]),
        )
        difference, p = by_exchange(single, "segment")
        assert ours.differences[k] == pytest.approx(difference, abs=1e-12)
        assert ours.p[k] == pytest.approx(p, abs=0.03)


@pytest.mark.parametrize("unit", ["segment", "hypothesis"])
def test_a_comparison_does_not_depend_on_the_others_of_its_pools(unit, counts):
    statistics = counts(5, {"A": 4, "B": 4}, 25)
    pools = statistics.of("A"), statistics.of("B")
    groups = [sampled_comparisons(4, 4, n, 20, 1) for n in (1, 2, 3)]
    together = pool_tests(Pools(statistics.metric, *pools), groups, 300, 1, unit=unit)
    for group, test in zip(groups, together, strict=True):
        (alone,) = pool_tests(Pools(statistics.metric, *pools), [group], 300, 1, unit=unit)
        np.testing.assert_array_equal(alone.p, test.p)


@pytest.mark.parametrize("unit", ["segment", "hypothesis"])
def test_slices_that_bound_memory_change_nothing(unit, counts, monkeypatch):
    statistics = counts(6, {"A": 5, "B": 5}, 25)
    pools, groups = (statistics.of("A"), statistics.of("B")), [sampled_comparisons(5, 5, 2, 30, 1)]
    (whole,) = pool_tests(Pools(statistics.metric, *pools), groups, 256, 1, unit=unit)
    from mtsig_core.resampling import pool_tests as module

    monkeypatch.setattr(module._Counter, "slices", lambda self, n_draws: (slice(i, i + 7) for i in range(0, 28, 7)))
    (sliced,) = pool_tests(Pools(statistics.metric, *pools), groups, 256, 1, unit=unit)
    np.testing.assert_array_equal(whole.p[:28], sliced.p[:28])


@pytest.mark.parametrize("unit", ["segment", "hypothesis"])
def test_the_same_outputs_give_p_1(unit, counts):
    statistics = counts(7, {"A": 3}, 20)
    same = statistics.of("A")
    with_itself = Comparisons(np.arange(3)[:, None], np.arange(3)[:, None])
    (ours,) = pool_tests(Pools(statistics.metric, same, same), [with_itself], 100, 1, unit=unit)
    np.testing.assert_array_equal(ours.p, 1)


def test_numbers_that_are_not_whole_are_summed_in_double_precision(means):
    rng = np.random.default_rng(8)
    statistics = means({"A": rng.normal(0, 1, (2, 30)), "B": rng.normal(0.3, 1, (2, 30))})
    pools = statistics.of("A"), statistics.of("B")
    for unit in ("segment", "hypothesis"):
        (ours,) = pool_tests(Pools(statistics.metric, *pools), [all_pairs(2, 2)], 2000, 1, unit=unit)
        for k in range(4):
            x, y = pools[0][k // 2, :, 0], pools[1][k % 2, :, 0]
            flips = np.random.default_rng(9).choice([-1, 1], (4000, 30))
            null = np.abs(flips @ (y - x)) / 30
            assert ours.p[k] == pytest.approx(np.mean(null >= abs(np.mean(y - x)) - 1e-12), abs=0.04)


def test_drawn_comparisons_are_without_replacement_and_reproducible():
    drawn = sampled_comparisons(6, 4, 4, 50, 3)
    assert all(len(set(row)) == 4 for row in drawn.a)
    np.testing.assert_array_equal(np.sort(drawn.b, axis=1), np.tile(np.arange(4), (50, 1)))
    np.testing.assert_array_equal(drawn.a, sampled_comparisons(6, 4, 4, 50, 3).a)
    np.testing.assert_array_equal(drawn.a[:10], sampled_comparisons(6, 4, 4, 50, 3).a[:10])


def test_what_cannot_be_drawn_or_shuffled_is_said(counts):
    with pytest.raises(ValueError, match="5 outputs cannot be drawn from pools of 6 and 4"):
        sampled_comparisons(6, 4, 5, 10, 1)
    with pytest.raises(ValueError, match="expected places"):
        Comparisons(np.zeros((2, 1), int), np.zeros((2, 2), int))
    statistics = counts(7, {"A": 1, "B": 1}, 5)
    pools = Pools(statistics.metric, statistics.of("A"), statistics.of("B"))
    with pytest.raises(ValueError, match="n_permutations must be at least 1"):
        pool_tests(pools, [all_pairs(1, 1)], 0, Settings().seed)
