"""1000 segments, outputs identical except in one, where B is better; X = how often it is drawn."""

import numpy as np
import pytest
from scipy.stats import binom

from mtsig_core.resampling import Settings, bootstrap_scores
from mtsig_core.significance import Convention, Pair, run_on, run_preset
from mtsig_core.significance.run import tail_count

SETTINGS = Settings(n_bootstrap=10000)
X = binom(1000, 1 / 1000)


@pytest.fixture(scope="module")
def gold(means):
    y = np.random.default_rng(0).integers(0, 9, (1, 1000)).astype(float)
    better = y.copy()
    better[0, 321] += 1000
    return means({"A": y, "B": better})


@pytest.fixture(scope="module")
def drawn(gold):
    """X in each draw."""
    scores = bootstrap_scores(gold, SETTINGS.n_bootstrap, SETTINGS.seed)
    return np.rint(scores[:, 1] - scores[:, 0])


@pytest.mark.parametrize("name", ["ar-segment", "ar-hypothesis"])
def test_approximate_randomization_has_two_exchanges_and_p_1(name, gold):
    result = run_preset(name, gold, "A", "B", SETTINGS)
    assert (result.p, result.smallest_p, result.exact, result.draws) == (1, 1, True, 2)
    assert result.difference == pytest.approx(1)


def test_a_strict_rule_gives_the_smallest_p():
    drawn = np.array([1.0, -1.0] * 500)
    assert tail_count(drawn, 1.0, Convention(strict=True), 1e-12) == 0
    assert tail_count(drawn, 1.0, Convention(), 1e-12) == 1000


@pytest.mark.slow
def test_draws_are_binomial(drawn):
    for x in range(4):
        assert np.mean(drawn == x) == pytest.approx(X.pmf(x), abs=0.015)


@pytest.mark.slow
def test_centred_bootstrap(gold, drawn):
    result = run_preset("bootstrap-centred", gold, "A", "B", SETTINGS)
    # The draws' own mean is a little off 1, which decides on which side the ties X = 0 and X = 2 fall.
    expected = X.cdf(0) + X.sf(2) if drawn.mean() > 1 else X.sf(1)
    assert result.p == pytest.approx(expected, abs=0.015)


def test_centred_bootstrap_with_the_exact_centre(means):
    better = np.zeros((1, 1000))
    better[0, 321] = 1000
    x = np.repeat([0.0, 1, 2, 3, 4], [368, 368, 184, 62, 18])
    assert x.mean() < 1  # made 1 exactly by one more draw
    x = np.append(x, 1001 - x.sum())
    statistics = means({"A": np.zeros((1, 1000)), "B": better})
    drawn = np.stack([np.zeros(1001), x], axis=1)
    result = run_on(Pair(statistics, "A", "B", SETTINGS, drawn), "bootstrap-centred")
    assert result.p == pytest.approx(X.cdf(0) + X.sf(1), abs=0.005)


@pytest.mark.slow
def test_paired_bootstrap(gold):
    result = run_preset("bootstrap-paired", gold, "A", "B", SETTINGS)
    assert result.p == pytest.approx(2 * X.cdf(0), abs=0.02)
    assert result.interval[0] == pytest.approx(0, abs=1e-9)
    assert result.shares == pytest.approx((0, X.sf(0), X.cdf(0)), abs=0.015)
    assert sum(result.shares) == pytest.approx(1)


@pytest.mark.parametrize(("strict", "expected"), [(False, 0.264), (True, 0.080)])
def test_the_lectures_rule_is_only_another_convention(strict, expected, drawn):
    convention = Convention(centre="mean", sides="given", strict=strict, add_one=False)
    assert tail_count(drawn - 1, 1.0, convention, 0) / len(drawn) == pytest.approx(expected, abs=0.015)


def test_one_side_follows_the_winner_or_not():
    values = np.array([-3.0, -2, 0, 1])
    assert tail_count(values, -2.0, Convention(sides="winner"), 0) == 2
    assert tail_count(values, -2.0, Convention(sides="given"), 0) == 3


@pytest.mark.parametrize("name", ["crossed", "welch-replicas", "ar-replica"])
def test_replica_tests_are_not_defined_for_one_replica_each(name, gold):
    result = run_preset(name, gold, "A", "B", SETTINGS)
    assert result.p is None
    assert result.note.startswith("Not defined: needs at least 2 replicas")
