"""Pairwise and soft accuracy, and the segment level, against enumeration and scipy."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from mtsig_core.analysis.people.meta_evaluation.pair_accuracy import (
    compare_soft_accuracy,
    equally_ordered_pairs,
    pair_accuracies,
    pair_p_values,
    soft_accuracy,
)
from mtsig_core.analysis.people.meta_evaluation.segment_level import segment_level, tie_calibration
from mtsig_core.resampling import Settings


def world(n_segments=80, n_systems=5, seed=1, ties=True):
    rng = np.random.default_rng(seed)
    human = rng.normal(size=(n_segments, n_systems)) + np.arange(n_systems) / 4
    metric = 0.5 * human + rng.normal(size=human.shape)
    return (np.round(human) if ties else human), metric


def test_pairwise_accuracy_counts_pairs_that_people_order():
    human, metric = np.array([1.0, 2, 2, 5]), np.array([0.1, 0.3, 0.2, 0.25])
    pairs = [(i, j) for i, j in combinations(range(4), 2) if human[i] != human[j]]
    right = sum(np.sign(human[i] - human[j]) == np.sign(metric[i] - metric[j]) for i, j in pairs)
    assert equally_ordered_pairs(human, metric) == (right, len(pairs))
    assert equally_ordered_pairs(np.array([1.0, np.nan]), np.array([1.0, 2])) == (0, 0)


def test_p_of_pairs_is_the_share_of_all_exchanges():
    values = np.array([[1.0, 0.5], [2, 2.4], [0.3, 0.1], [1, 0.2], [0.7, 0.8]])
    d = values[:, 0] - values[:, 1]
    sums = np.array([np.dot(signs, d) for signs in product((1, -1), repeat=5)])
    exact = (sums > d.sum() + 1e-9).mean() + 0.5 * (np.abs(sums - d.sum()) <= 1e-9).mean()
    drawn = pair_p_values(values, Settings(n_permutations=20000))
    assert drawn[0] == pytest.approx(exact, abs=0.012)
    turned = pair_p_values(values[:, ::-1], Settings(n_permutations=20000))
    assert drawn[0] + turned[0] == pytest.approx(1)


def test_missing_scores_leave_a_segment_out_of_its_pairs_alone():
    human, _ = world(30, 3)
    holes = human.copy()
    holes[:10, 2] = np.nan
    p, full = pair_p_values(holes, Settings()), pair_p_values(human, Settings())
    assert p[0] == full[0]
    assert p[1] == pytest.approx(pair_p_values(human[10:], Settings())[1], abs=0.02)
    apart = np.array([[1.0, np.nan], [np.nan, 2.0]])
    assert np.isnan(pair_p_values(apart, Settings())).all()


def test_soft_accuracy_of_people_with_themselves_is_1_and_of_their_opposite_small():
    human, _ = world()
    p = pair_p_values(human, Settings())
    assert soft_accuracy(p, p) == 1
    against = soft_accuracy(p, pair_p_values(-human, Settings()))
    assert against == pytest.approx(1 - np.abs(2 * p - 1).mean())
    assert soft_accuracy(np.array([np.nan]), np.array([0.5])) is None


def test_accuracies_of_metrics_have_intervals_that_contain_them():
    human, metric = world()
    noise = np.random.default_rng(9).normal(size=human.shape)
    result = pair_accuracies(human, ["good", "noise"], np.stack([metric, noise]), list("abcde"), Settings())
    good, bad = result.metrics
    assert good.accuracy > 0.8 > bad.accuracy
    assert good.soft > bad.soft
    for each in result.metrics:
        assert each.exact[0] <= each.accuracy <= each.exact[1]
        assert each.bootstrap[0] <= each.accuracy <= each.bootstrap[1]
    assert len(result.to_frame()) == 2


def test_difference_of_soft_accuracies_sees_a_bad_metric_and_not_a_copy():
    human, metric = world(80, 7)
    noise = np.random.default_rng(9).normal(size=human.shape)
    settings = Settings(n_permutations=400)
    clear = compare_soft_accuracy(human, ("good", metric), ("noise", noise), settings, n_exchanges=60)
    assert clear.difference > 0.1
    assert clear.p < 0.1
    copy = compare_soft_accuracy(human, ("good", metric), ("scaled", 3 * metric + 1), settings, n_exchanges=20)
    assert copy.difference == pytest.approx(0, abs=1e-3)


def published_p(values, n_permutations, rng):
    """Thompson et al. 2024, section 3: the share of exchanges whose difference is at least the observed one."""
    p = []
    for i, j in combinations(range(values.shape[1]), 2):
        a, b = values[:, i], values[:, j]
        reached = 0
        for _ in range(n_permutations):
            mask = rng.random(len(values)) < 0.5
            drawn = np.where(mask, a, b).sum() - np.where(mask, b, a).sum()
            reached += drawn >= a.sum() - b.sum()
        p.append(reached / n_permutations)
    return np.array(p)


@pytest.mark.slow
def test_soft_accuracy_is_the_published_formula():
    human, metric = world(60, 4, ties=False)
    settings, rng = Settings(n_permutations=5000), np.random.default_rng(2)
    by_people, by_metric = (published_p(values, 1000, rng) for values in (human, metric))
    soft = soft_accuracy(pair_p_values(human, settings), pair_p_values(metric, settings))
    assert soft == pytest.approx(1 - np.abs(by_people - by_metric).mean(), abs=0.02)


@pytest.mark.slow
def test_difference_of_soft_accuracies_is_tested_as_published():
    """PERM-BOTH of Deutsch et al. 2021: standardise both, exchange output by output, count the differences reached."""
    human, metric = world(60, 5, ties=False)
    weak = 0.15 * human + np.random.default_rng(9).normal(size=human.shape)
    settings, rng = Settings(n_permutations=200), np.random.default_rng(3)
    human_p = pair_p_values(human, settings)

    def soft(values):
        return 1 - np.abs(human_p - pair_p_values(values, settings)).mean()

    one, other = (stats.zscore(values, axis=None) for values in (metric, weak))
    observed, reached = soft(one) - soft(other), 0
    for _ in range(400):
        exchanged = rng.binomial(1, 0.5, human.shape)
        first = exchanged * other + (1 - exchanged) * one
        second = exchanged * one + (1 - exchanged) * other
        reached += soft(first) - soft(second) >= observed
    test = compare_soft_accuracy(human, ("metric", metric), ("weak", weak), settings, n_exchanges=400)
    assert test.difference == pytest.approx(observed)
    assert 0.02 < test.p < 0.9
    assert test.p == pytest.approx(reached / 400, abs=0.08)


def test_soft_accuracy_uses_the_outputs_that_people_judged():
    human, metric = world(60, 4, ties=False)
    holes = human.copy()
    holes[20:] = np.nan
    settings = Settings(n_permutations=500)
    (whole,) = pair_accuracies(holes, ["m"], metric[None], list("abcd"), settings).metrics
    elsewhere = metric.copy()
    elsewhere[20:] = 100.0 * np.random.default_rng(1).normal(size=elsewhere[20:].shape)
    (other,) = pair_accuracies(holes, ["m"], elsewhere[None], list("abcd"), settings).metrics
    assert whole.soft == pytest.approx(other.soft)


def brute_force_acc_eq(human, metric, epsilon):
    """Deutsch et al. 2023, equation 5, per segment and averaged."""
    by_segment = []
    for h, m in zip(human, metric, strict=True):
        right = []
        for i, j in combinations(range(len(h)), 2):
            tied = round(abs(m[i] - m[j]), 12) <= epsilon
            if h[i] == h[j]:
                right.append(tied)
            else:
                right.append(not tied and np.sign(h[i] - h[j]) == np.sign(m[i] - m[j]))
        by_segment.append(np.mean(right))
    return float(np.mean(by_segment))


def test_tie_calibration_finds_the_best_of_all_thresholds():
    human, metric = world(15, 4)
    metric = np.round(metric, 2)
    result = tie_calibration(human, metric)
    candidates = {0.0} | {round(abs(a - b), 12) for row in metric for a, b in combinations(row, 2)}
    best = max(brute_force_acc_eq(human, metric, epsilon) for epsilon in candidates)
    assert result.accuracy == pytest.approx(best)
    assert result.accuracy == pytest.approx(brute_force_acc_eq(human, metric, result.epsilon))
    assert result.accuracy_without == pytest.approx(brute_force_acc_eq(human, metric, 0))
    assert result.n_pairs == 15 * 6


def test_without_ties_of_people_no_threshold_is_needed():
    human, metric = world(ties=False)
    result = tie_calibration(human, metric)
    assert result.epsilon == 0
    assert result.accuracy == result.accuracy_without
    assert result.n_human_ties == 0


def test_grouped_and_ungrouped_are_scipy_s():
    human, metric = world()
    result = segment_level("m", human, metric, Settings(n_bootstrap=300))
    values = {(c.name, c.grouping): c for c in result.coefficients}
    rows = [k for k in range(len(human)) if np.ptp(human[k]) > 0]
    pearson = np.mean([stats.pearsonr(human[k], metric[k]).statistic for k in rows])
    kendall = np.mean([stats.kendalltau(human[k], metric[k]).statistic for k in rows])
    assert values["Pearson's r", "grouped by segment"].value == pytest.approx(pearson)
    assert values["Kendall's tau-b", "grouped by segment"].value == pytest.approx(kendall)
    assert values["Pearson's r", "ungrouped"].value == pytest.approx(
        stats.pearsonr(human.ravel(), metric.ravel()).statistic
    )
    low, high = values["Pearson's r", "grouped by segment"].interval
    assert low < pearson < high


def test_segments_that_differ_in_difficulty_help_ungrouped_only():
    rng = np.random.default_rng(4)
    difficulty = 5 * rng.normal(size=(60, 1))
    human, metric = difficulty + rng.normal(size=(60, 5)), difficulty + rng.normal(size=(60, 5))
    values = {(c.name, c.grouping): c.value for c in segment_level("m", human, metric, Settings()).coefficients}
    assert values["Pearson's r", "ungrouped"] > 0.9
    assert abs(values["Pearson's r", "grouped by segment"]) < 0.2


def test_nothing_that_varies_is_said():
    flat = np.full((6, 3), 70.0)
    result = segment_level("m", flat, world(6, 3)[1], Settings())
    assert all(c.value is None and c.note for c in result.coefficients)
    empty = segment_level("m", np.full((2, 2), np.nan), np.ones((2, 2)), Settings())
    assert empty.ties.accuracy is None
