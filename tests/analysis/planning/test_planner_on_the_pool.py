"""The planner against experiments drawn from a pool of replicas and segments whose variances are known."""

import numpy as np
import pytest

from mtsig_core.analysis.planning.components import variance_components
from mtsig_core.analysis.planning.planner import Pilot, plan_cell
from mtsig_core.significance import coherent_test


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
