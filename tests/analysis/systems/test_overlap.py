import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from mtsig_core.analysis.systems.overlap import from_bounds, interval_overlap, normal_interval, overlap_ratio

SAME_EXAMPLES = settings(deadline=None, derandomize=True, max_examples=60)

# Fu et al., Table 7, BLEU bounds, and the overlap ratios that follow from them
BOUNDS = {
    "Riezler": {"TOTAL": (27.44, 28.82), "R1": (26.86, 28.22), "R2": (26.89, 28.25), "BOT": (27.37, 28.74),
                "ODD": (26.94, 28.30), "EVEN": (27.32, 28.67)},
    "Clark": {"TOTAL": (28.11, 28.28), "R1": (27.51, 27.69), "R2": (27.49, 27.66), "BOT": (27.81, 27.99),
              "ODD": (27.52, 27.70), "EVEN": (27.74, 27.91)},
    "test set": {"TOTAL": (28.17, 28.22), "R1": (27.55, 27.64), "R2": (27.53, 27.61), "BOT": (27.86, 27.93),
                 "ODD": (27.57, 27.65), "EVEN": (27.79, 27.86)},
}  # fmt: skip
PAIRS = ("R1-R2", "R1-ODD", "R2-ODD", "BOT-EVEN", "ODD-EVEN", "TOTAL-BOT")
RATIOS = {
    "Riezler": (0.93, 0.82, 0.89, 0.86, 0.39, 0.84),
    "Clark": (0.62, 0.83, 0.51, 0.23, 0, 0),
    "test set": (0.37, 0.55, 0.17, 0, 0, 0),
}
CASES = [(method, pair, r) for method in RATIOS for pair, r in zip(PAIRS, RATIOS[method], strict=True)]


@pytest.mark.parametrize(("method", "pair", "expected"), CASES)
def test_published_intervals_give_the_published_ratios(method, pair, expected):
    a, b = (BOUNDS[method][name] for name in pair.split("-"))
    assert from_bounds(a, b).ratio == pytest.approx(expected, abs=0.005)
    assert from_bounds(b, a).ratio == pytest.approx(from_bounds(a, b).ratio, abs=1e-12)


means = st.floats(-5, 5)
sds = st.floats(0.01, 5)


@pytest.mark.slow
@SAME_EXAMPLES
@given(means, sds, means, sds)
def test_closed_form_equals_numerical_integral(mu_a, sd_a, mu_b, sd_b):
    a, b = normal_interval(mu_a, sd_a), normal_interval(mu_b, sd_b)
    low, high = max(a.low, b.low), min(a.high, b.high)
    x = np.linspace(low, max(low, high), 20001)
    shared = np.trapezoid(np.minimum(norm.pdf(x, mu_a, sd_a), norm.pdf(x, mu_b, sd_b)), x)
    ratio = overlap_ratio(mu_a, sd_a, mu_b, sd_b)
    assert ratio == pytest.approx(shared / (1.9 - shared), abs=1e-3)
    assert 0 <= ratio <= 1 + 1e-12


@pytest.mark.slow
@SAME_EXAMPLES
@given(means, sds, means, sds, st.floats(-100, 100), st.floats(0.1, 50))
def test_ratio_does_not_depend_on_unit_origin_or_order(mu_a, sd_a, mu_b, sd_b, shift, unit):
    ratio = overlap_ratio(mu_a, sd_a, mu_b, sd_b)
    moved = overlap_ratio(mu_b * unit + shift, sd_b * unit, mu_a * unit + shift, sd_a * unit)
    assert moved == pytest.approx(ratio, abs=1e-6)


@pytest.mark.slow
def test_equal_means_and_unequal_sigmas():
    shared = quad(lambda x: min(norm.pdf(x, 0, 1), norm.pdf(x, 0, 3)), -1.959964, 1.959964, limit=200)[0]
    assert overlap_ratio(0, 1, 0, 3) == pytest.approx(shared / (1.9 - shared), abs=1e-6)


@pytest.mark.parametrize(
    ("fits", "expected"),
    [((1, 0, 1, 0), 1), ((1, 0, 2, 0), 0), ((1, 0, 1, 2), 0), ((1, 2, 1, 2), 1), ((0, 1, 9, 1), 0)],
)
def test_points_and_extremes(fits, expected):
    assert overlap_ratio(*fits) == pytest.approx(expected, abs=1e-12)


def test_draws_are_fitted_by_mean_and_sd():
    rng = np.random.default_rng(1)
    a, b = rng.normal(20, 0.3, 1000), rng.normal(20.4, 0.2, 800)
    result = interval_overlap(a, b, 0.9)
    assert (result.a.mean, result.a.sd) == pytest.approx((a.mean(), a.std(ddof=1)))
    assert (result.b.low, result.b.high) == pytest.approx(norm.interval(0.9, b.mean(), b.std(ddof=1)))
    assert result.ratio == overlap_ratio(result.a.mean, result.a.sd, result.b.mean, result.b.sd, 0.9)
    frame = result.to_frame()
    assert list(frame["system"]) == ["A", "B"]
    assert frame["overlap ratio"].tolist() == [result.ratio] * 2


def test_equal_draws_are_a_point_and_never_nan():
    same = np.full(100, 0.1 + 0.2)
    result = interval_overlap(same, same)
    assert (result.a.sd, result.ratio, result.range_overlap) == (0, 1, 1)
    curves = result.curves()
    assert np.isfinite([curves.x, curves.density_a, curves.shared]).all()
    apart = interval_overlap(same, same + 1)
    assert (apart.ratio, apart.range_overlap) == (0, 0)


def test_rounding_is_no_spread():
    # means of resampled equal scores: 33.1 but for the last digits
    counts = np.random.default_rng(2).multinomial(20, np.full(20, 1 / 20), 300)
    noisy = (counts * 33.1).sum(axis=1) / 20
    other = (counts[::-1] * 33.1).sum(axis=1) / 20 + 1e-14
    assert 0 < np.ptp(noisy) < 1e-12
    result = interval_overlap(noisy, other)
    assert (result.a.sd, result.b.sd, result.ratio) == (0, 0, 1)


def test_range_overlap_is_shared_length_of_covered_length():
    assert from_bounds((0, 2), (1, 4)).range_overlap == pytest.approx(1 / 4)
    assert from_bounds((0, 1), (2, 3)).range_overlap == 0


def test_shaded_area_is_the_overlap():
    result = from_bounds((0, 4), (1, 6))
    curves = result.curves(20001)
    shared = np.trapezoid(curves.shared, curves.x)
    assert shared / (1.9 - shared) == pytest.approx(result.ratio, abs=1e-3)
    assert np.trapezoid(curves.density_b, curves.x) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("draws", [[], [1.0, float("nan")], [[1.0, 2.0]]])
def test_refuses_what_is_not_a_row_of_scores(draws):
    with pytest.raises(ValueError, match="draws of B"):
        interval_overlap(np.ones(3), np.array(draws))


def test_refuses_a_level_outside_0_1_and_a_negative_sd():
    with pytest.raises(ValueError, match="level"):
        overlap_ratio(0, 1, 0, 1, 1.0)
    with pytest.raises(ValueError, match="0 or more"):
        overlap_ratio(0, -1, 0, 1)
