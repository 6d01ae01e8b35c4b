"""Three spreads: against the table of variances, the bootstraps of the engine, and the coherent test."""

import numpy as np
import pytest
from scipy import stats

from mtsig_core.analysis.replicas.variance import variance_table
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.metrics.outside.outside_metric import OutsideMetric
from mtsig_core.resampling import Settings, bootstrap_means, bootstrap_scores, hypothesis_bootstrap
from mtsig_core.resampling.random_streams import Chunk
from mtsig_core.significance.closed_form.coherent import coherent_test
from mtsig_core.teaching import Run
from mtsig_core.teaching.three_spreads import (
    DrawnRuns,
    InventedRuns,
    ThreeSpreads,
    expected_spreads,
    holds,
    intervals,
    spread_summary,
    standard_errors,
)

DRAWS = 4000  # sd of a bootstrap sd: 1.1%
INVENTED = InventedRuns(replica_sd=1.0, segment_sd=15.0)


def run(n=5, steps=640, source=INVENTED, **options):
    return Run(ThreeSpreads(source, n, **options)).step(steps)


def statistics_of(a, b):
    scores = np.concatenate([a, b])
    names = tuple(str(i + 1) for i in range(len(a)))
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    return SegmentStatistics(OutsideMetric("Score"), "test", "", ("A", "B"), (names, names), values)


@pytest.fixture(scope="module")
def one():
    """The first experiment of a run, as statistics, and what the lesson makes of it."""
    simulation = ThreeSpreads(INVENTED, n=4, segments=60)
    made = INVENTED.experiments(Chunk(0, 0, 32), 4, 60, seed=1)
    return statistics_of(made.a[0], made.b[0]), {name: x[0] for name, x in simulation.draw(Chunk(0, 0, 32)).items()}


def test_the_spreads_are_those_of_the_table(one):
    statistics, drawn = one
    row = variance_table([statistics], Settings(n_bootstrap=DRAWS, seed=1)).rows[1]
    assert drawn["s_test"] == pytest.approx(row.s_test)
    assert drawn["s_sel"] == pytest.approx(row.s_sel_closed)
    assert drawn["s_sel"] == pytest.approx(row.s_sel, rel=0.04)


def test_the_intervals_are_what_the_bootstraps_come_to(one):
    statistics, drawn = one
    segments = bootstrap_scores(statistics, DRAWS, seed=1)
    pooled = hypothesis_bootstrap(statistics, DRAWS, seed=1)
    replicas = [bootstrap_means(statistics.scores_of(x), DRAWS, 1, system=k) for k, x in enumerate("AB")]
    z = 2 * stats.norm.ppf(0.975)
    width = {name: float(np.diff(drawn[name])[0]) for name in ("single", "pooled", "replica")}
    assert width["single"] == pytest.approx(z * (segments[:, 4] - segments[:, 0]).std(), rel=0.05)
    assert width["pooled"] == pytest.approx(z * (pooled[:, 1] - pooled[:, 0]).std(), rel=0.05)
    assert width["replica"] == pytest.approx(z * (replicas[1] - replicas[0]).std(), rel=0.05)
    result = coherent_test(statistics.pseudo_values("A"), statistics.pseudo_values("B"))
    assert drawn["coherent"] == pytest.approx((result.low, result.high), rel=1e-6)


def test_sixty_pooled_replicas_collapse_the_interval_by_the_root_of_sixty():
    """Fu et al., Table 7: what is drawn as 60 times as many outputs is narrower by the square root of 60."""
    rng = np.random.default_rng(1)
    a, b = np.repeat(rng.standard_normal((2, 3, 1, 200)), 60, axis=2)  # 60 runs with the same output
    made = intervals(a, b)
    assert np.diff(made["single"]) / np.diff(made["pooled"]) == pytest.approx(60**0.5)


@pytest.mark.slow
@pytest.mark.parametrize(("changed", "moved"), [
    ({"replica_sd": 2.0}, {"s_dev", "s_test"}), ({"segment_sd": 30.0}, {"s_sel"}), ({"segments": 800}, {"s_sel"}),
    ({"n": 10}, set()),
])  # fmt: skip
def test_each_lever_moves_the_spreads_that_it_should(changed, moved):
    def spreads(replica_sd=1.0, segment_sd=15.0, **options):
        made = run(source=InventedRuns(replica_sd, segment_sd), **options)
        expected = expected_spreads(made.simulation)
        found = spread_summary(made).spreads
        assert found == pytest.approx(expected, rel=0.08)  # 640 experiments with 4 degrees of freedom
        return expected

    before, after = spreads(), spreads(**changed)
    # outputs of one segment vary too, so s_dev and s_test are not quite free of the test set
    assert {name for name in before if not 0.75 < after[name] / before[name] < 1.25} == moved


def test_half_of_the_time_the_test_set_seems_to_generalise_badly():
    larger = spread_summary(run()).larger
    assert stats.binomtest(round(larger * 640), 640, 0.5).pvalue > 0.001


@pytest.mark.slow
def test_only_the_coherent_interval_holds_as_often_as_it_says():
    made = run(n=20, steps=960, segments=100)
    covered = spread_summary(made).covered
    assert stats.binomtest(int(holds(made, "coherent").sum()), made.n, 0.95).pvalue > 0.001
    assert covered["pooled"] < 0.7
    assert covered["replica"] < 0.9
    assert covered["single"] < 0.9


@pytest.mark.slow
def test_the_true_standard_error_is_that_of_the_experiments():
    made = run(n=5, steps=1280)
    centre = made["coherent"].mean(axis=1)
    assert centre.std() == pytest.approx(standard_errors(INVENTED.variation, np.array([5]), 200)["true"][0], rel=0.07)


def test_runs_of_open_data_are_drawn_with_replacement():
    rng = np.random.default_rng(1)
    a, b = (50 + rng.standard_normal((2, 8, 1)) + 5 * rng.standard_normal((2, 8, 120)))
    source = DrawnRuns(statistics_of(a, b), "A", "B")
    made = run(n=5, steps=960, source=source, segments=80)
    assert "s_dev" not in made.computed
    now = spread_summary(made)
    assert now.larger is None
    assert source.truth == pytest.approx(b.mean() - a.mean())
    expected = expected_spreads(made.simulation)
    assert now.spreads == pytest.approx({name: expected[name] for name in now.spreads}, rel=0.08)
    centre, error = made["coherent"].mean(axis=1), standard_errors(source.variation, np.array([5]), 80)["true"][0]
    assert centre.mean() == pytest.approx(source.truth, abs=4 * error / made.n**0.5)
    assert centre.std() == pytest.approx(error, rel=0.08)


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="expected 2 to 60 replicas"):
        ThreeSpreads(INVENTED, 1)
    with pytest.raises(ValueError, match="at least 2 replicas of each system"):
        DrawnRuns(statistics_of(np.ones((1, 9)), np.ones((1, 9))), "A", "B")
