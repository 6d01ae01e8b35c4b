"""Many experiments at once: the numbers of single experiments, and a normal model with the moments it claims."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t as student

from mtsig_core.significance import crossed_test
from mtsig_core.significance.closed_form.coherent import coherent_test
from mtsig_core.significance.closed_form.welch import welch_test
from mtsig_core.significance.simulation.designs import Design, Variation, difference_of_power, power_at, simulate
from mtsig_core.significance.simulation.mean_squares import MeanSquares, Pool, of_scores, of_subsets, two_sided

DOCUMENTS = np.arange(24) // 4


def draw(seed, trials, n, length=24):
    rng = np.random.default_rng(seed)
    effects = rng.normal(0, 2, (trials, n, 1)) + rng.normal(0, 2, (trials, 1, length))
    return effects + rng.normal(0, 4, (trials, n, length))


@pytest.mark.slow
@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(2, 6), st.booleans(), st.booleans())
@settings(max_examples=40, deadline=None)
def test_p_values_are_those_of_single_experiments(seed, n_a, n_b, paired, grouped):
    n_b = n_a if paired else n_b
    documents = DOCUMENTS if grouped else None
    a, b = draw(seed, 3, n_a), draw(seed + 1, 3, n_b)
    squares = of_scores(a, b, paired=paired, documents=documents)
    alone = [coherent_test(x, y, paired=paired, documents=documents, alpha=0.1) for x, y in zip(a, b, strict=True)]
    assert squares.coherent_p() == pytest.approx([r.p for r in alone])
    assert squares.half_widths(0.1) == pytest.approx([r.smallest_significant for r in alone])
    crossed = [crossed_test(x, y, paired=paired, documents=documents).p for x, y in zip(a, b, strict=True)]
    assert squares.crossed_p() == pytest.approx(crossed)
    welch = [welch_test(x.mean(axis=1), y.mean(axis=1), paired=paired).p for x, y in zip(a, b, strict=True)]
    assert two_sided(squares.difference, *squares.replicas_alone(capped=False)) == pytest.approx(welch)


@given(st.integers(0, 10**6), st.booleans(), st.booleans())
@settings(max_examples=30, deadline=None)
def test_subsets_of_a_pool_are_experiments(seed, paired, grouped):
    rng = np.random.default_rng(seed)
    y, documents = draw(seed, 1, 12)[0], DOCUMENTS if grouped else None
    order = rng.permuted(np.tile(np.arange(12), (4, 1)), axis=1)
    of_a, of_b = order[:, :4], order[:, 4:8] if paired else order[:, 4:7]
    got = of_subsets(Pool.of(y, documents), of_a, of_b, paired=paired)
    expected = of_scores(y[of_a], y[of_b], paired=paired, documents=documents)
    for name in ("difference", "text"):
        assert getattr(got, name) == pytest.approx(getattr(expected, name))
    for name in ("replica", "residual"):
        assert np.array(getattr(got, name)) == pytest.approx(np.array(getattr(expected, name)))
    assert (got.numbers, got.text_df) == (expected.numbers, expected.text_df)


@pytest.mark.slow
@pytest.mark.parametrize("shape", [None, lambda rng, size: rng.standard_normal(size)])
def test_simulated_mean_squares_have_the_moments_of_scores(shape):
    rng, length, trials = np.random.default_rng(1), 30, 20_000
    design, variation = Design((2, 5), length), Variation((4.0, 1.0), (25.0, 9.0), 6.0)
    got = simulate(design, variation, trials, rng, difference=1.0, shape=shape)
    a, b = (
        np.sqrt(s) * rng.standard_normal((trials, n, 1)) + np.sqrt(3) * rng.standard_normal((trials, 1, length))
        + np.sqrt(e) * rng.standard_normal((trials, n, length))
        for s, e, n in zip(variation.replica, variation.residual, design.numbers, strict=True)
    )  # fmt: skip
    expected = of_scores(a, b)
    assert got.difference.mean() == pytest.approx(1.0, abs=0.04)
    assert got.difference.std() == pytest.approx(expected.difference.std(), rel=0.02)
    for k in range(2):
        assert got.replica[k].mean() == pytest.approx(expected.replica[k].mean(), rel=0.04)
        assert got.replica[k].std() == pytest.approx(expected.replica[k].std(), rel=0.06)
        assert got.residual[k].mean() == pytest.approx(expected.residual[k].mean(), rel=0.02)
    assert got.text.mean() == pytest.approx(expected.text.mean(), rel=0.02)
    assert got.text.std() == pytest.approx(expected.text.std(), rel=0.05)


def test_power_and_the_difference_that_is_found():
    rng = np.random.default_rng(2)
    squares = simulate(Design((5, 5), 100), Variation((1.0, 1.0), (9.0, 9.0), 4.0), 20_000, rng)
    half = squares.half_widths(0.05)
    size = difference_of_power(half, squares.difference, 0.8)
    assert power_at(half, squares.difference, size) == pytest.approx(0.8, abs=1e-3)
    moved = simulate(Design((5, 5), 100), Variation((1.0, 1.0), (9.0, 9.0), 4.0), 20_000, rng, difference=size)
    assert np.mean(moved.coherent_p() < 0.05) == pytest.approx(0.8, abs=0.02)


def test_unsuitable_numbers_are_refused():
    with pytest.raises(ValueError, match="two or more replicas"):
        Design((1, 3), 10)
    with pytest.raises(ValueError, match="as many replica as residual"):
        Variation((1.0,), ())
    with pytest.raises(ValueError, match="0 or more"):
        Variation((1.0,), (-1.0,))
    with pytest.raises(ValueError, match="two or more replicas"):
        MeanSquares(np.zeros(1), (np.zeros(1),), (np.zeros(1),), np.zeros(1), (1,), 10, 9.0)


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.1, 0.05, 0.01])
def test_half_widths_of_many_experiments_are_those_of_single_ones(alpha):
    squares = simulate(Design((2, 3), 60), Variation((4.0, 0.0), (9.0, 9.0), 2.0), 5000, np.random.default_rng(3))
    tests = squares.crossed(), squares.replicas_alone()
    direct = np.maximum(*(se * student.ppf(1 - alpha / 2, df) for se, df in tests))
    assert squares.half_widths(alpha) == pytest.approx(direct, rel=3e-5)
