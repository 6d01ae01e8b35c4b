"""Agreement of tests with people: seed tables from counts, kinds of disagreement, verdict matrices."""

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.proportion import proportion_confint

from mtsig_core.analysis.people.meta_evaluation.automatic_tests import (
    clopper_pearson,
    compare_tests_with_people,
    kind_of,
    verdict_matrix,
)
from mtsig_core.analysis.people.meta_evaluation.worth import point_worth
from mtsig_core.reports.meta_evaluation import worth_table

# Graham 2016, "Accuracy (%) for ES-EN": 66 pairs of 12 systems
SEED = {53: (80.3, 68.7, 89.1), 54: (81.8, 70.4, 90.2), 52: (78.8, 67.0, 87.9), 51: (77.3, 65.3, 86.7),
        50: (75.8, 63.6, 85.5), 48: (72.7, 60.4, 83.0)}  # fmt: skip
SYSTEMS = [f"s{k:02d}" for k in range(12)]
PAIRS = [(a, b) for i, a in enumerate(SYSTEMS) for b in SYSTEMS[i + 1 :]]


@pytest.mark.parametrize("right", SEED)
def test_the_lecture_s_table_from_counts(right):
    people = {pair: pair[0] for pair in PAIRS}
    p = [0.01] * right + [0.5] * (66 - right)
    tests = pd.DataFrame({"preset": "koehn", "metric": "BLEU", "a": [a for a, _ in PAIRS], "b": [b for _, b in PAIRS],
                          "p": p, "better": [a for a, _ in PAIRS]})  # fmt: skip
    (row,) = compare_tests_with_people({0.05: people}, tests, SYSTEMS).rows
    accuracy, low, high = SEED[right]
    assert (row.n, row.right, row.missed, row.false, row.wrong_side) == (66, right, 66 - right, 0, 0)
    assert [round(100 * x, 1) for x in (row.accuracy, *row.interval)] == [accuracy, low, high]


@pytest.mark.parametrize(("k", "n"), [(0, 5), (5, 5), (3, 17), (53, 66)])
def test_clopper_pearson_is_statsmodels_beta(k, n):
    np.testing.assert_allclose(clopper_pearson(k, n), proportion_confint(k, n, method="beta"), atol=1e-9)


@pytest.mark.parametrize(
    ("people", "test", "kind"),
    [("a", "a", "right"), ("", "", "right"), ("a", "", "missed"), ("", "b", "false"), ("a", "b", "wrong side")],
)
def test_kinds_of_disagreement(people, test, kind):
    assert kind_of(people, test) == kind


def three():
    people = {("a", "b"): "a", ("a", "c"): "", ("b", "c"): "c"}
    tests = pd.DataFrame(
        {"preset": ["p"] * 4, "metric": ["m"] * 4, "a": ["b", "a", "b", "x"], "b": ["a", "c", "c", "y"],
         "p": [0.03, 0.003, 0.04, 0.01], "better": ["a", "a", "b", "x"]}
    )  # fmt: skip
    return people, tests


def test_pairs_match_in_either_order_and_levels_are_apart():
    people, tests = three()
    result = compare_tests_with_people({0.05: people, 0.01: people}, tests, "abc")
    at = {row.alpha: row for row in result.rows}
    assert (at[0.05].right, at[0.05].false, at[0.05].wrong_side, at[0.05].n) == (1, 1, 1, 3)
    assert (at[0.01].right, at[0.01].missed, at[0.01].false) == (0, 2, 1)
    frame = result.pair_frame("p", "m", 0.05).set_index(["A", "B"])["agreement"]
    assert frame["b", "c"] == "wrong side"
    assert result.to_frame()["accuracy"].tolist() == [1 / 3, 0]


def test_verdict_matrices_are_antisymmetric():
    people, tests = three()
    result = compare_tests_with_people({0.05: people}, tests, "abc")
    for matrix in (result.people_matrix(0.05), result.test_matrix("p", "m", 0.05)):
        values = matrix.to_numpy()
        assert np.isnan(np.diag(values)).all()
        off = ~np.eye(3, dtype=bool)
        np.testing.assert_array_equal(values[off], -values.T[off])
    assert result.people_matrix(0.05).loc["c", "b"] == 1
    assert np.isnan(verdict_matrix({("a", "b"): "a"}, "abc").loc["a", "c"])


def test_nothing_in_common_is_said():
    people, tests = three()
    with pytest.raises(ValueError, match="names of the systems"):
        compare_tests_with_people({0.05: {("q", "r"): "q"}}, tests, "qr")
    with pytest.raises(ValueError, match="no 'better'"):
        compare_tests_with_people({0.05: people}, tests.drop(columns="better"), "abc")
    undefined = tests.assign(p=np.nan)
    with pytest.raises(ValueError, match="No pair"):
        compare_tests_with_people({0.05: people}, undefined, "abc")


def test_what_a_point_is_worth():
    pairs = pd.DataFrame({
        "a": list("abcdef"), "b": list("ghijkl"), "difference": [0.1, -0.2, 0.3, 2.0, -3.0, 4.0],
        "p": [0.9, 0.8, np.nan, 0.01, 0.2, 0.001], "human_difference": [-1, 2, 0, 3, -1, 2], "human_p": [0.5] * 6,
    })  # fmt: skip
    result = point_worth("BLEU", pairs, n_bins=2, published=lambda size: min(0.9, 0.5 + size / 10))
    small, large = result.bins
    assert (small.low, small.high, small.n, small.agree) == (0.1, 0.3, 3, pytest.approx(0.5 / 3))
    assert (large.agree, large.significant) == (1, pytest.approx(2 / 3))
    assert small.published == pytest.approx(0.52)
    assert result.pairs["size"].is_monotonic_increasing
    shown = worth_table(result)
    assert shown["people agree"].tolist() == ["17%", "100%"]
    assert shown["interval"].iloc[1].endswith(" to 100%")
    turned = point_worth("TER", pairs.assign(difference=-pairs["difference"]), higher_is_better=False, n_bins=2)
    assert [b.agree for b in turned.bins] == [b.agree for b in result.bins]
    with pytest.raises(ValueError, match="No pair"):
        point_worth("BLEU", pairs.assign(difference=np.nan))
