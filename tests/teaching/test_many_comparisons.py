"""Many comparisons: against the range of normal variables, powers of .95, and rules that are counted out here."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from mtsig_core.significance import benjamini_hochberg, holm
from mtsig_core.teaching import Run
from mtsig_core.teaching.many_comparisons import ALPHA, RULES, ManyComparisons, errors, limits, wrong_so_far


def run(n=300, **options):
    return Run(ManyComparisons(**options)).step(n)


def agrees(share, expected, n):
    return stats.binomtest(round(share * n), n, expected).pvalue > 0.001


@pytest.mark.slow
@pytest.mark.parametrize("systems", [2, 7])
def test_equal_systems_seem_to_differ_as_often_as_their_range_says(systems):
    made = run(number=systems, seed=3)
    expected = stats.studentized_range.sf(stats.norm.ppf(1 - ALPHA / 2) * 2**0.5, systems, 1e6)
    assert agrees(errors(made, "none").wrong, expected, made.n)
    for rule in ("holm", "bh"):
        low, _ = errors(made, rule).wrong_interval
        assert low < ALPHA


@pytest.mark.parametrize(("likeness", "expected"), [(0.0, 1 - 0.95**6), (1.0, 0.05)])
def test_metrics_err_as_independent_tests_or_as_one(likeness, expected):
    made = run(question="metrics", number=6, likeness=likeness)
    assert agrees(errors(made, "none").wrong, expected, made.n)


def test_scores_under_metrics_correlate_as_asked():
    simulation = ManyComparisons("metrics", 4, likeness=0.6)
    a, _ = simulation._metrics(np.random.default_rng(1))
    table = np.corrcoef(a.transpose(1, 0, 2).reshape(4, -1))
    assert table[np.triu_indices(4, 1)] == pytest.approx(0.6, abs=0.06)


@pytest.mark.slow
def test_corrections_keep_their_promises_where_some_systems_are_better():
    made = run(better=3, gain=0.4)
    none, holm, bh = (errors(made, rule) for rule in RULES)
    assert holm.wrong_interval[0] < ALPHA
    assert bh.false_discoveries < ALPHA
    assert holm.found < bh.found < none.found
    power = stats.norm.sf(stats.norm.ppf(0.975) - 0.4 * (100 / 2) ** 0.5)
    assert none.found == pytest.approx(power, abs=0.03)


@pytest.mark.slow
@given(st.lists(st.floats(0.0001, 1), min_size=1, max_size=30))
def test_limits_are_those_of_the_corrected_p_values(p):
    limit, values = limits(len(p)), np.sort(p)
    passed = {"holm": np.logical_and.accumulate(values <= limit["holm"]).sum(),
              "bh": max(np.flatnonzero(values <= limit["bh"]) + 1, default=0)}  # fmt: skip
    assert passed["holm"] == (holm(p) <= ALPHA + 1e-12).sum()
    assert passed["bh"] == (benjamini_hochberg(p) <= ALPHA + 1e-12).sum()


def test_a_wrong_finding_is_one_between_equal_systems():
    made = run(40, number=4, better=2)
    assert made.simulation.equal.tolist() == [True, False, False, False, False, True]
    wrong = (made["none"][:, [0, 5]] < ALPHA).any(axis=1)
    assert wrong_so_far(made, "none")[-1] == errors(made, "none").wrong == wrong.mean()


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(ValueError, match="question must be one of"):
        ManyComparisons("papers")
    with pytest.raises(ValueError, match="expected 2 to 10 pairs"):
        ManyComparisons(number=11)
    with pytest.raises(ValueError, match="between 0 and 1"):
        ManyComparisons("metrics", likeness=2)
