"""The pooled second line: the textbook t-test, and its error rate where its assumption holds."""

import numpy as np
import pytest
from scipy import stats

from mtsig_core.significance.coherent import coherent_test
from mtsig_core.significance.pooled import pooled_test


def draw(rng, n_a, n_b, sds=(1.0, 1.0), length=60):
    strength = rng.normal(0, 3, (2, length))
    return (
        rng.normal(0, sd, (n, 1)) + own + rng.normal(0, 4, (n, length))
        for n, sd, own in zip((n_a, n_b), sds, strength, strict=True)
    )


def test_replica_part_is_students_t_test():
    a, b = draw(np.random.default_rng(1), 2, 8)
    result = pooled_test(a, b)
    expected = stats.ttest_ind(b.mean(axis=1), a.mean(axis=1)).pvalue
    assert result.p_of("replica") == pytest.approx(expected)
    assert result.p >= expected * (1 - 1e-12)
    assert "vary alike" in result.note


def test_is_not_defined_with_one_replica_or_without_variation():
    a, b = draw(np.random.default_rng(2), 1, 5)
    assert pooled_test(a, b) is None
    same = np.zeros((2, 10))
    assert pooled_test(same, same) is None


@pytest.mark.slow
def test_holds_where_both_vary_alike_and_finds_more_than_the_coherent_test():
    rng = np.random.default_rng(3)
    pairs = [tuple(draw(rng, 2, 10)) for _ in range(3000)]
    rejected = np.mean([pooled_test(a, b).p < 0.05 for a, b in pairs])
    assert rejected < 0.065
    moved = [(a, b + 2.5) for a, b in pairs[:600]]
    assert np.mean([pooled_test(a, b).p < 0.05 for a, b in moved]) > 1.3 * np.mean(
        [coherent_test(a, b).p < 0.05 for a, b in moved]
    )
