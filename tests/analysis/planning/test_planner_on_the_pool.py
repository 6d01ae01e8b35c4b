"""The planner against experiments drawn from a pool of replicas and segments whose variances are known."""

import numpy as np
import pytest

from mtsig_core.analysis.planning.components import variance_components
from mtsig_core.analysis.planning.planner import Pilot, plan_cell
from mtsig_core.significance import coherent_test
from mtsig_core.significance.simulation.mean_squares import of_scores
from tests.headline_rates import demonstration


@pytest.mark.slow
def test_power_is_that_of_experiments_drawn_from_the_pool():
    # a pool of many replicas of two systems: effects of segments, of systems on segments, of runs, and a residual
    made = np.random.default_rng(7)
    text = made.normal(0, 20, 140)
    a, b = (
        30 + text + made.normal(0, 3, 140) + made.normal(0, 0.3, (50, 1)) + made.normal(0, 8, (50, 140))
        for _ in range(2)
    )
    gain = 0.5
    b = b - b.mean() + a.mean() + gain
    found = variance_components(a, b)
    # the pool is the whole world here: what its replicas and segments differ by is true, none of it is chance
    replica = tuple(float(y.mean(axis=1).var()) for y in (a, b))
    pilot = Pilot(replica, found.residual, float((b.mean(axis=0) - a.mean(axis=0)).var()), a.shape[1], a.shape[1])
    rng, trials, length = np.random.default_rng(1), 800, a.shape[1]
    for n in (3, 8):
        hits = 0
        for _ in range(trials):
            text = rng.integers(0, length, length)
            drawn = [y[rng.choice(len(y), n, replace=False)][:, text] for y in (a, b)]
            hits += coherent_test(*drawn).p < 0.05
        assert plan_cell(pilot, gain, n, length).power == pytest.approx(hits / trials, abs=0.08)


@pytest.mark.slow
def test_skewed_text_makes_power_depend_on_which_system_is_better():
    statistics = demonstration("news", "bleu", "test")
    a, b = (statistics.pseudo_values(name) for name in statistics.systems)
    b = b - b.mean() + a.mean()
    replica = tuple(float(y.mean(axis=1).var()) for y in (a, b))
    pilot = Pilot(replica, variance_components(a, b).residual, float((b - a).mean(axis=0).var()), *[a.shape[1]] * 2)
    rng, trials, n = np.random.default_rng(1), 1500, 8
    texts = rng.integers(0, a.shape[1], (trials, a.shape[1]))
    of_a, of_b = (rng.random((trials, len(a))).argsort(axis=1)[:, :n] for _ in range(2))
    drawn = []
    for k in range(0, trials, 100):
        own = texts[k : k + 100, None, :]
        drawn.append(of_scores(a[of_a[k : k + 100, :, None], own], b[of_b[k : k + 100, :, None], own]))
    gain, loss = (float(np.mean([one.coherent_p(-d) < 0.05 for one in drawn])) for d in (0.5, -0.5))
    planned = plan_cell(pilot, 0.5, n, a.shape[1]).power
    assert gain > loss  # the same experiments, shifted up or down
    assert loss == pytest.approx(planned, abs=0.05)
    assert gain == pytest.approx(planned, abs=0.1)
