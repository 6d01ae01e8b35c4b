"""Runs of simulations: they grow, they stop, and the steps in which they grew leave no trace."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_core.teaching import Run
from mtsig_core.teaching.populations import MOST_BARS, Population, of_bars, shaped
from mtsig_core.teaching.sampling import RepeatedSamples


class Numbers:
    """Counts on, in chunks of ten."""

    chunk_size, most = 10, 95

    def draw(self, chunk):
        return {"number": np.arange(chunk.start, chunk.stop), "pair": np.zeros((chunk.size, 2))}


@pytest.mark.slow
@given(st.lists(st.integers(0, 40), max_size=12))
def test_steps_of_any_size_give_the_same_draws_up_to_the_cap(steps):
    run = Run(Numbers())
    for n in steps:
        run = run.step(n)
    assert run.n == min(sum(steps), 95)
    assert run.is_full == (sum(steps) >= 95)
    if run.n:
        assert run["number"].tolist() == list(range(run.n))
        assert run["pair"].shape == (run.n, 2)


def test_a_run_of_no_draws_says_so():
    with pytest.raises(KeyError, match="nothing is drawn yet"):
        Run(Numbers())["number"]


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(st.integers(1, 50), st.sampled_from(["mean", "median", "sd", "range"]), st.integers(1, 150))
def test_the_seed_decides_the_samples(seed, statistic, n):
    def run(size):
        made = Run(RepeatedSamples(shaped("skewed"), statistic, 5, seed=seed))
        while made.n < n:
            made = made.step(min(size, n - made.n))
        return made

    assert np.array_equal(run(7)["low"], run(1000)["low"])


@pytest.mark.parametrize("shape", ["normal", "skewed", "humps"])
def test_invented_populations_have_the_mean_and_spread_they_claim(shape):
    population = shaped(shape, sd=12)
    assert population.mean == pytest.approx(50)
    assert population.sd == pytest.approx(12)


@pytest.mark.slow
@given(st.lists(st.integers(0, 20), min_size=2, max_size=MOST_BARS).filter(any))
def test_bars_hold_what_they_say(heights):
    population = of_bars(heights)
    counts = np.histogram(population.values, np.linspace(0, 100, len(heights) + 1))[0]
    expected = len(population.values) * np.array(heights) / sum(heights)
    assert np.abs(counts - expected).max() <= 1


@pytest.mark.parametrize("heights", [[1], [0, 0], [1, -1], [1] * 21])
def test_bars_that_describe_nothing_are_refused(heights):
    with pytest.raises(ValueError, match="expected 2 to 20 heights"):
        of_bars(heights)


def test_a_population_has_numbers_only():
    with pytest.raises(ValueError, match="at least two values"):
        Population(np.array([1.0, np.nan]))
    with pytest.raises(ValueError, match="shape must be one of"):
        shaped("square")
