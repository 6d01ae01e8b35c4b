"""The difference that is found 4 times in 5: closed form where there is one, and simulated raw scores."""

import numpy as np
import pytest
from scipy import optimize, stats

from mtsig_core.significance.simulation.designs import Design, Variation
from mtsig_core.significance.simulation.mean_squares import of_scores
from mtsig_core.significance.simulation.sensitivity import detectable_difference


def test_many_replicas_without_text_noise_are_a_t_test():
    n = 12
    size = detectable_difference(Design((n, n), 100_000), Variation((4.0, 4.0), (1e-6, 1e-6)))

    def power(difference):
        shift, reach = difference / np.sqrt(8 / n), stats.t.ppf(0.975, 2 * n - 2)
        return stats.nct.sf(reach, 2 * n - 2, shift) - 0.8

    assert size == pytest.approx(optimize.brentq(power, 0.1, 10), rel=0.03)


@pytest.mark.slow
@pytest.mark.parametrize("numbers", [(3, 3), (2, 5), (4,)])
def test_raw_scores_with_that_difference_are_found_4_times_in_5(numbers):
    variation = Variation((1.0,) * len(numbers), (16.0,) * len(numbers), 9.0)
    size, rng, trials, length = (
        detectable_difference(Design(numbers, 80), variation),
        np.random.default_rng(5),
        3000,
        80,
    )

    def system(n):
        return rng.normal(0, 1, (trials, n, 1)) + rng.normal(0, 4, (trials, n, length))

    if len(numbers) == 1:
        a, b = np.zeros((trials, 4, length)), system(4)
    else:
        a, b = map(system, numbers)
    found = of_scores(a, b + 3 * rng.normal(size=(trials, 1, length)) + size, paired=len(numbers) == 1)
    assert np.mean(found.coherent_p() < 0.05) == pytest.approx(0.8, abs=0.035)


def test_depends_on_the_seed_alone():
    one, other = (detectable_difference(Design((3, 3), 50), Variation((1.0, 1.0), (4.0, 4.0)), seed=s) for s in (1, 1))
    assert one == other
