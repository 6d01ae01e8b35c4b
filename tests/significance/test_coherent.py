"""The coherent test: known results on real experiments, its two tests, and what it can never contradict."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from mtsig_core.metrics import get_metric
from mtsig_core.significance import crossed_test
from mtsig_core.significance.closed_form.coherent import capped_df, coherent_test
from tests.significance.conftest import real_statistics


def draw(seed, n_a, n_b, length=40, replica=2.0, segment=3.0, gain=0.0):
    rng = np.random.default_rng(seed)

    def system(n):
        return rng.normal(0, replica, (n, 1)) + rng.normal(0, segment, length) + rng.normal(0, 5, (n, length))

    return system(n_a), system(n_b) + gain


def of(statistics, a, b, **options):
    return coherent_test(statistics.pseudo_values(a), statistics.pseudo_values(b), **options)


def test_multeval_example(multeval):
    result = of(multeval, "baseline", "sys1")
    assert (result.p, *result.interval) == pytest.approx((0.2304, -0.4094, 0.9827), abs=5e-5)
    assert result.decided_by == "replica"


@pytest.mark.slow
def test_multeval_example_in_ter():
    result = of(real_statistics("multeval-example", get_metric("ter")), "baseline", "sys1")
    assert (result.p, *result.interval) == pytest.approx((0.1188, -2.1411, 0.4515), abs=5e-5)
    assert result.decided_by == "replica"


@pytest.mark.slow
def test_e2e_unpaired_and_paired():
    e2e = real_statistics("e2e-cleaning-train-orig_test-orig", get_metric("bleu"))
    unpaired, paired = (of(e2e, "tgen-std", "tgen-plus", paired=x) for x in (False, True))
    assert (unpaired.p, *unpaired.interval) == pytest.approx((0.2025, -0.3637, 1.4547), abs=5e-5)
    assert (paired.p, *paired.interval) == pytest.approx((0.0323, 0.0750, 1.0161), abs=5e-5)


@pytest.mark.parametrize(("n_a", "n_b"), [(2, 2), (3, 3), (6, 9)])
def test_replica_test_is_welchs_where_numbers_are_equal_or_many(n_a, n_b):
    a, b = draw(1, n_a, n_b)
    expected = stats.ttest_ind(b.mean(axis=1), a.mean(axis=1), equal_var=False).pvalue
    assert coherent_test(a, b).p_of("replica") == pytest.approx(expected)


@pytest.mark.parametrize(("n_a", "n_b", "cap"), [(2, 3, 1.5), (10, 2, 1.5), (3, 5, 3.0), (4, 8, 4.5)])
def test_few_unequal_replicas_have_capped_degrees_of_freedom(n_a, n_b, cap):
    assert capped_df(100.0, n_a, n_b) == cap
    assert capped_df(1.2, n_a, n_b) == 1.2
    a, b = draw(2, n_a, n_b, replica=1e-3)
    result = coherent_test(a, b)
    replica = next(test for test in result.tests if test.name == "replica")
    assert replica.df <= cap
    assert "limited to" in result.warning
    assert (".07" in result.warning) == (min(n_a, n_b) == 2)


def test_paired_replica_test_is_the_paired_t_test():
    a, b = draw(3, 4, 4)
    expected = stats.ttest_rel(b.mean(axis=1), a.mean(axis=1)).pvalue
    assert coherent_test(a, b, paired=True).p_of("replica") == pytest.approx(expected)


def test_one_replica_on_one_side_is_a_one_sample_t_test():
    a, b = draw(4, 1, 6)
    result = coherent_test(a, b)
    expected = stats.ttest_1samp(b.mean(axis=1), a.mean()).pvalue
    assert result.p_of("replica") == pytest.approx(expected)
    assert result.kind == "one replica"
    assert "very output of A" in result.note
    assumed = coherent_test(a, b, assume_equal_variation=True)
    t = (b.mean() - a.mean()) / (b.mean(axis=1).std(ddof=1) * np.sqrt(1 + 1 / 6))
    assert assumed.p_of("replica") == pytest.approx(2 * stats.t.sf(abs(t), 5))
    assert assumed.p >= result.p_of("replica")


def test_one_replica_each_is_not_defined():
    result = coherent_test(*draw(5, 1, 1))
    assert (result.p, result.interval, result.decided_by, result.p_above(0.0)) == (None, None, "", None)
    assert "one replica of each" in result.note


def test_identical_outputs_have_p_of_one():
    a, _ = draw(6, 2, 2)
    same = np.repeat(a[:1], 3, axis=0)
    result = coherent_test(same, same)
    assert (result.p, result.interval, result.smallest_significant) == (1.0, (0.0, 0.0), None)
    assert result.p_above(-0.1) < 1e-6 < result.p_above(0.0)


def test_without_a_replica_test_the_crossed_test_decides():
    a, b = draw(7, 3, 3)
    a, b = a - a.mean(axis=1, keepdims=True), b - b.mean(axis=1, keepdims=True) + 1.0
    result = coherent_test(a, b)
    assert result.p == crossed_test(a, b).p
    assert "crossed test decides alone" in result.note


@pytest.mark.slow
@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(2, 6), st.booleans(), st.floats(0.001, 0.5))
@settings(max_examples=80, deadline=None)
def test_is_never_below_its_parts_and_its_interval_agrees_with_p(seed, n_a, n_b, grouped, alpha):
    a, b = draw(seed, n_a, n_b, gain=2.0)
    documents = np.repeat(np.arange(8), 5) if grouped else None
    result, crossed = (f(a, b, alpha=alpha, documents=documents) for f in (coherent_test, crossed_test))
    assert result.p >= crossed.p
    assert result.low <= crossed.low
    assert result.high >= crossed.high
    assert (result.p < alpha) == (not result.low <= 0 <= result.high)
    # never below the parametric test of these outputs on new text, for the variance is never below MSd/L
    assert all(test.se >= 0 for test in result.tests)
    assert result.crossed.variance >= crossed.components["MSd"] / 40 * (1 - 1e-12)


@pytest.mark.slow
@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(2, 6), st.booleans())
@settings(max_examples=60, deadline=None)
def test_swapping_the_systems_changes_signs_and_nothing_else(seed, n_a, n_b, assumed):
    a, b = draw(seed, n_a, n_b)
    there, back = (coherent_test(x, y, assume_equal_variation=assumed) for x, y in ((a, b), (b, a)))
    assert (there.p, there.low, there.high, there.difference) == (back.p, -back.high, -back.low, -back.difference)


@given(st.integers(0, 10**6), st.floats(-3, 3))
@settings(max_examples=40, deadline=None)
def test_one_sided_p_values_are_those_of_the_interval(seed, hypothesis):
    a, b = draw(seed, 3, 4)
    result = coherent_test(a, b, alpha=0.1)
    above, below = result.p_above(hypothesis), result.p_below(hypothesis)
    assert (above < 0.05) == (result.low > hypothesis)
    assert (below < 0.05) == (result.high < hypothesis)
    assert above + below >= 1 - 1e-12
