"""Significant or noticeable: against the normal model, the margin test, and the curves of mt-thresholds."""

import mt_thresholds
import numpy as np
import pytest
from scipy import stats

import mtsig_core
from mtsig_core.significance import coherent_test
from mtsig_core.significance.closed_form.equivalence import margin_test
from mtsig_core.significance.simulation.designs import Design
from mtsig_core.teaching import Run
from mtsig_core.teaching.noticeable import (
    VERDICTS,
    Experiments,
    Scale,
    invented,
    noticed,
    of_components,
    scale_of,
)


def run(difference=0.3, margin=1.0, n=3000, numbers=(20, 20), segments=10_000, spread=0.1, **options):
    design = Design(numbers, segments)
    return Run(Experiments(difference, margin, design, invented(spread), **options)).step(n)


def agrees(share, expected, n):
    return stats.binomtest(round(share * n), n, expected).pvalue > 0.001


def standard_error(numbers=20, segments=10_000, spread=0.1):
    return (2 * spread**2 / numbers + (12**2 + 2 * 10**2 / numbers) / segments) ** 0.5


def test_differences_vary_as_the_formula_says():
    made = run()
    assert made["difference"].std() == pytest.approx(standard_error(), rel=0.05)
    assert noticed(made).mean == pytest.approx(0.3, abs=4 * standard_error() / made.n**0.5)


def test_power_and_equivalence_are_about_those_of_a_normal_test():
    made = run(margin=0.5)
    now, se = noticed(made), standard_error()
    power = stats.norm.sf(stats.norm.ppf(0.975) - 0.3 / se) + stats.norm.cdf(stats.norm.ppf(0.025) - 0.3 / se)
    cut = 0.5 - stats.norm.ppf(0.95) * se  # |D| below this lies within the margin with its 90% interval
    equivalent = stats.norm.cdf((cut - 0.3) / se) - stats.norm.cdf((-cut - 0.3) / se)
    assert now.significant == pytest.approx(power, abs=0.05)
    assert now.smaller == pytest.approx(equivalent, abs=0.05)
    assert sum(now.verdicts) == pytest.approx(1)


def test_systems_at_the_margin_are_called_equivalent_in_at_most_5_percent():
    now = noticed(run(difference=1.0, margin=1.0, numbers=(5, 5)))
    assert now.intervals[2][0] + now.intervals[3][0] < 0.05
    assert now.larger < 0.065


def test_without_a_difference_p_errs_at_most_at_its_level():
    made = run(difference=0.0, spread=0.0)
    assert not agrees(0.07, np.mean(made["p"] < 0.05), made.n)
    assert np.mean(made["p"] < 0.05) < 0.06


def test_the_verdict_is_that_of_the_margin_test():
    statistics = mtsig_core.Workbench(mtsig_core.load_example()).pair().statistics()
    a, b = statistics.systems
    coherent = coherent_test(statistics.pseudo_values(a), statistics.pseudo_values(b))
    for margin in (0.5, 100.0):
        tested = margin_test(coherent, margin)
        smaller = abs(coherent.difference) + coherent.half_width(0.1) < margin
        larger = abs(coherent.difference) - coherent.half_width(0.1) > margin
        assert (smaller, larger) == (bool(tested.equivalent), tested.size == "at least the margin")


def test_the_typical_p_is_that_of_the_true_variances():
    experiments = Experiments(0.3, 1.0, Design((20, 20), 10_000), invented(0.0))
    expected = 2 * stats.norm.sf(0.3 / standard_error(spread=0.0))
    assert experiments.typical_p(10_000) == pytest.approx(expected, rel=0.02)
    for curve in experiments.p_by_segments.values():
        assert (np.diff(curve) < 0).all()
    spread = Experiments(0.3, 1.0, Design((2, 2), 10_000), invented(0.5))
    assert spread.typical_p(100_000) > 0.5  # more text doesn't help against the spread of runs


@pytest.mark.parametrize(("name", "size"), [("bleu", 100.0), ("chrf", 100.0), ("comet", 1.0)])
def test_the_curve_is_that_of_mt_thresholds(name, size):
    differences, shares = Experiments(scale=Scale(name, name, size)).agreement
    theirs = [max(50, mt_thresholds.accuracy(x, {"comet": "comet22"}.get(name, name))) for x in differences]
    assert shares == pytest.approx(np.array(theirs) / 100)


def test_what_the_lesson_says_of_bleu_is_so():
    human = Scale().human(0.3)
    assert 0.5 <= human.share < 0.52
    assert human.needed == pytest.approx(2.3, abs=0.05)
    assert Experiments().typical_p(30_000) < 0.01
    assert "not known" in Experiments(scale=Scale("ter", "TER")).agreement


def test_an_open_pair_keeps_its_variances():
    pair = mtsig_core.Workbench(mtsig_core.load_example()).pair()
    components = pair.components()
    variation = of_components(components)
    assert (variation.replica, variation.interaction) == (components.replica, components.interaction)
    scale = scale_of(pair.statistics(), pair.a, pair.b)
    assert (scale.name, scale.unit) == ("score", 0.01)
    assert Scale("comet", "COMET", 0.8).unit == 0.01


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="margin above 0"):
        Experiments(margin=0.0)
    assert len(VERDICTS) == len(noticed(run(n=1)).verdicts)
