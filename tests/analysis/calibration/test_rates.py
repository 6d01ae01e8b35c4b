"""Error rates of the headline in known worlds: simulated mean squares against simulated scores, and what they show."""

import numpy as np
import pytest

from mtsig_core.analysis.calibration.rates import (
    SHAPES,
    NullWorld,
    family_rates,
    headline_limits,
    lognormal,
    null_experiments,
    rarely_failing,
    rate_of,
    worst_rates,
)
from mtsig_core.significance.simulation.mean_squares import of_scores


@pytest.mark.parametrize("shape", [*filter(None, SHAPES.values()), lognormal, rarely_failing])
def test_shapes_have_mean_0_and_about_standard_deviation_1(shape):
    effects = shape(np.random.default_rng(1), (400_000,))
    assert effects.mean() == pytest.approx(0, abs=0.01)
    assert effects.std() == pytest.approx(1, abs=0.45)


@pytest.mark.slow
def test_mean_squares_reject_as_scores_do():
    world, trials, length = NullWorld((1.0, 2.0), 10.0), 4000, 50
    rng = np.random.default_rng(2)
    a, b = (
        sd * rng.standard_normal((trials, n, 1)) + 10 * rng.standard_normal((trials, 1, length))
        + 10 * rng.standard_normal((trials, n, length))
        for sd, n in zip(world.replica_sds, (2, 4), strict=True)
    )  # fmt: skip
    expected = rate_of(of_scores(a, b).coherent_p())
    got = rate_of(null_experiments((2, 4), world, None, 20_000, segments=length).coherent_p())
    assert got.at_5 == pytest.approx(expected.at_5, abs=4 * expected.errors[0])


@pytest.mark.parametrize("numbers", [(2, 2), (3, 5), (3,)])
def test_the_coherent_test_holds_where_the_crossed_one_alone_does_not(numbers):
    crossed, coherent = worst_rates(numbers, None, 4000)
    assert coherent.at_5 < 0.075 < crossed.at_5 + 0.005
    assert coherent.at_1 < 0.027 < crossed.at_1


@pytest.mark.slow
def test_families_of_pairs_hold():
    worlds = [NullWorld(sds, strength) for sds in ((1.0, 1.0), (3.0, 0.0)) for strength in (0.0, 10.0)]
    rates = [family_rates(5, 2, world, 4000) for world in worlds]
    assert max(coherent for _, coherent in rates) < 0.05 < 0.1 < max(crossed for crossed, _ in rates)


@pytest.mark.slow
def test_limits_exceed_the_level_and_say_by_how_much():
    frame = headline_limits(4000).to_frame()
    skewed = frame[frame["world"].str.contains("skewed")]
    assert skewed["p < 0.05"].between(0.07, 0.2).all()
    assert frame["p < 0.05"].head(3).between(0.05, 0.085).all()
    assert (frame["error of it"] < 0.01).all()


def test_one_seed_one_answer():
    world = NullWorld((1.0, 1.0), 0.0)
    one, other = (null_experiments((2, 3), world, None, 50).difference for _ in range(2))
    np.testing.assert_array_equal(one, other)
