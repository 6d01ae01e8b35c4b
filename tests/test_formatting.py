import pytest

from mtsig_core.formatting import (
    better_by,
    count,
    format_interval,
    format_p,
    format_percent,
    format_score,
    p_phrase,
    rare_share,
    score_decimals,
    separating_decimals,
)


@pytest.mark.parametrize(
    ("p", "smallest", "exact", "text"),
    [
        (1 / 10001, 1 / 10001, False, "0.0001"),
        (1 / 1001, 1 / 1001, False, "0.001"),
        (1 / 101, 1 / 101, False, "0.010"),
        (0.125, 0.125, False, "0.125"),
        (1 / 8, 1 / 8, True, "0.125"),
        (1 / 462, 1 / 462, True, "0.0022"),
        (2 / 2704156, None, True, "< 0.001"),
        (1 / 700, 1 / 700, False, "0.00143"),
        (0.0098, 1 / 10001, False, "0.0098"),
        (0.31234, 1 / 10001, False, "0.312"),
        (0.3, 0.1, True, "0.300"),
        (1 / 35, 1 / 35, True, "0.029"),
        (0.228, None, False, "0.228"),
        (0.0496, None, False, "0.0496"),  # significant at .05, so it must not read 0.050
        (50 / 1001, 1 / 1001, False, "0.04995"),
        (0.0504, None, False, "0.050"),
        (2e-7, None, False, "< 0.001"),
        (0.0, None, False, "< 0.001"),
        (1.0, 0.1, True, "1"),
        (None, None, False, "—"),
    ],
)
def test_p_has_the_digits_its_draws_support(p, smallest, exact, text):
    assert format_p(p, smallest, exact=exact) == text


def test_no_p_is_ever_printed_as_zero():
    for k in range(1, 60):
        text = format_p(2.0**-k, 1 / 1001)
        assert text.startswith("<") or float(text) > 0


def test_p_in_a_sentence():
    assert p_phrase(0.05) == "p = 0.050"
    assert p_phrase(1e-9) == "p < 0.001"


@pytest.mark.parametrize(("scores", "decimals"), [((18.5, 27.1), 2), ((8.9,), 2), ((0.85, -0.2), 4), ((), 4)])
def test_decimals_follow_the_scale(scores, decimals):
    assert score_decimals(scores) == decimals


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.2866, "0.29"), (-0.2866, "−0.29"), (0.0, "0.00"), (0.00123, "0.0012"), (None, "—"), (float("nan"), "—")],
)
def test_a_score_is_not_rounded_to_nothing(value, text):
    assert format_score(value) == text


def test_intervals_shares_and_counts():
    assert format_interval((-0.336, 0.912)) == "−0.34 to 0.91"
    assert format_interval((0.00123, 0.912)) == "0.001 to 0.91"
    assert format_interval(None) == "—"
    assert [format_percent(x) for x in (0.05, 0.025, 0.256, None)] == ["5%", "2.5%", "26%", "—"]
    # an interval at 1 - 0.005 is no certainty, nor is a share of 2499 in 2500
    assert [format_percent(x) for x in (1 - 0.005, 1 - 0.001, 0.9996, 0.99, 1.0)] == [
        "99.5%", "99.9%", "99.9%", "99%", "100%",
    ]  # fmt: skip
    assert (count(1, "replica"), count(3, "replica")) == ("1 replica", "3 replicas")


@pytest.mark.parametrize(
    ("difference", "higher", "text"),
    [
        (0.29, True, "B is better than A by 0.29 X"),
        (-0.29, True, "B is worse than A by 0.29 X"),
        (-0.8, False, "B is better than A: 0.80 X lower"),
        (0.8, False, "B is worse than A: 0.80 X higher"),
        (0.0, True, "B and A have the same X"),
    ],
)
def test_better_respects_the_direction(difference, higher, text):
    assert better_by("B", "A", difference, "X", higher) == text


def test_a_share_of_no_draw_is_below_what_the_draws_resolve():
    assert rare_share(0.0, 1000) == "< 0.1%"
    assert rare_share(0.0, 0) == "< 0.01%"
    assert rare_share(0.0006, 10000) == "0.06%"
    assert rare_share(0.2, 10000) == "20%"


def test_scores_have_as_many_decimals_as_tell_them_apart():
    assert separating_decimals([0.1884, 0.2451, -0.0850]) == 2
    assert separating_decimals([0.1884, 0.1869]) == 3
    assert separating_decimals([0.18841, 0.18842]) == 2  # equal in every decimal that is ever printed
    assert separating_decimals([]) == 2
