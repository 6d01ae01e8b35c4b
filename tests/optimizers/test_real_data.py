"""Moses' own list: the numbers that are known of it, and what tuning gains on one half and keeps on the other."""

import numpy as np
import pytest

from mtsig_core.loading.nbest import load_nbest
from mtsig_core.metrics import get_metric
from mtsig_core.optimizers import OPTIMIZERS, baselines, get_optimizer, tune_replicas, tuning_problem

HALVES = [(range(50), range(50, 100)), (range(50, 100), range(50))]


@pytest.fixture(scope="module")
def moses():
    from tests.conftest import REAL_DATA

    if not REAL_DATA.is_dir():
        pytest.skip("the real lists are not here")
    return load_nbest(REAL_DATA / "moses-nbest-100x100")


@pytest.fixture(scope="module")
def bleu():
    return get_metric("bleu", tokenize="none", lowercase=True)


@pytest.mark.slow
def test_one_best_and_oracle_are_the_published_ones(moses, bleu):
    problem = tuning_problem(moses, bleu)
    result = baselines(problem.dev, problem.test)
    assert result.n_segments == 100
    assert result.one_best == pytest.approx(11.10, abs=0.005)
    assert result.oracle == pytest.approx(16.51, abs=0.005)


@pytest.mark.slow
def test_the_decoders_weights_are_recovered(moses, bleu):
    problem = tuning_problem(moses, bleu, dev_segments=range(100), test_segments=[])
    ratio = problem.plain(problem.start) / problem.plain(problem.start)[0]
    expected = [1] * 9 + [0.3, 0.2, 0.3, 0.2, 0, 0]
    assert ratio == pytest.approx(expected, abs=2e-3)
    assert problem.dev.scores(problem.start[None])[0] == pytest.approx(11.10, abs=0.005)


@pytest.mark.slow
@pytest.mark.parametrize("halves", HALVES)
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_tuning_gains_on_dev_and_keeps_some_of_it(moses, bleu, halves, name):
    problem = tuning_problem(moses, bleu, dev_segments=halves[0], test_segments=halves[1])
    options = {"pro": {"iterations": 10}}.get(name, {})
    result = tune_replicas(problem, get_optimizer(name, **options), 4)
    dev, test = baselines(problem.dev), baselines(problem.test)
    assert (result.dev_scores > dev.one_best + 1.5).all()
    assert (result.dev_scores < dev.oracle).all()
    gain_dev = result.dev_scores.mean() - dev.one_best
    gain_test = result.test_scores.mean() - test.one_best
    assert 0.5 < gain_test < gain_dev + 1.5
    assert np.ptp(result.test_scores) > 0 or name == "pro"
