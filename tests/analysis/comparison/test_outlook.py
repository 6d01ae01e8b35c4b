"""Would more replicas settle it: what the variance components say."""


import numpy as np
import pytest
from scipy import stats

from mtsig_core.analysis.comparison.outlook import Components, components_of, detectable, outlook
from mtsig_core.analysis.planning.planner import Pilot, PlanDesign, plan_cell
from mtsig_core.significance import coherent_test
from tests.analysis.comparison.conftest import numbers, of


@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize("documents", [None, np.repeat(np.arange(30), 5)])
def test_outlook_at_the_present_number_is_the_present_test(statistics_of, paired, documents):
    statistics = statistics_of(numbers(4, 4, replica_sd=0.8), documents=documents)
    y_a, y_b = statistics.pseudo_values("A"), statistics.pseudo_values("B")
    coherent = coherent_test(y_a, y_b, paired=paired, documents=documents)
    components = components_of(coherent.crossed, 4, 4, 150, 150 if documents is None else 30)
    assert components.segment > 0
    assert components.replica.min() > 0
    assert detectable(components, np.array([4]), 0.05)[0] == pytest.approx(coherent.smallest_significant, rel=1e-9)


def test_outlook_falls_to_the_floor_of_the_text():
    components = Components(np.array([0.04, 0.01]), np.array([80.0, 90.0]), 30.0, 1000, 1000)
    sizes = detectable(components, np.array([2, 5, 50, 10**7]), 0.05)
    assert (np.diff(sizes) < 0).all()
    floor = stats.t.ppf(0.975, 999) * np.sqrt(30.0 / 1000)
    assert sizes[-1] == pytest.approx(floor, rel=1e-3)
    hopeless = outlook(components, 0.9 * floor, 0.05)
    assert (hopeless.needed, hopeless.floor) == (None, pytest.approx(floor))
    view = outlook(components, -1.5 * floor, 0.05)
    assert view.detectable[view.needed - 2] <= 1.5 * floor < view.detectable[view.needed - 3]


@pytest.mark.parametrize("paired", [False, True])
def test_at_the_number_needed_about_half_of_the_experiments_find_the_difference(paired):
    n_terms = 1 if paired else 2
    components = Components(np.full(n_terms, 1.0), np.full(n_terms, 64.0), 20.0, 200, 200)
    view = outlook(components, 1.0, 0.05)
    pilot = Pilot((1.0,) * n_terms, (64.0,) * n_terms, 20.0, 200, 200)
    assert 0.45 < plan_cell(pilot, 1.0, view.needed, 200, PlanDesign(simulations=4000)).power < 0.6


def test_words_for_what_more_replicas_would_do(statistics_of):
    few = of(statistics_of, numbers(3, 3, shift=1.0, replica_sd=1.0, seed=3))
    assert few.verdict.outcome == "undecided"
    assert any("half of such experiments would find" in d and "more)" in d for d in few.verdict.details)
    # strengths differ by segment, replicas do not: only more text can help
    rng = np.random.default_rng(4)
    base = np.tile(rng.normal(20, 5, 50), (3, 1)) + rng.normal(0, 0.01, (3, 50))
    swing = rng.normal(0, 5, 50)
    text = of(statistics_of, {"A": base, "B": base + swing - swing.mean() + 0.3})
    assert any("No number of replicas suffices" in d and "larger test set" in d for d in text.verdict.details)
