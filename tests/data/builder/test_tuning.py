import numpy as np
import pytest

from data.builder.candidates import UNIT, Lists
from data.builder.tuning import START, Optimizer, choose, dev_scores, tune


@pytest.fixture
def lists() -> Lists:
    """Thirty segments of six candidates whose matches follow one feature, blurred."""
    rng = np.random.default_rng(1)
    features = np.round(UNIT * rng.standard_normal((30, 6, len(START))))
    quality = features[..., 5] / UNIT + 0.5 * rng.standard_normal((30, 6))
    matches = np.clip(np.round(6 + 2 * quality), 1, 10)
    statistics = np.stack([*[matches] * 4, *[np.full_like(matches, 10.0)] * 6], axis=-1)
    return Lists(tuple(("",) * 6 for _ in range(30)), features, statistics)


def test_best_candidate_is_chosen_and_the_first_of_equals(lists: Lists) -> None:
    weights = np.zeros((2, len(START)))
    weights[1, 3] = UNIT
    chosen = choose(lists, weights)
    np.testing.assert_array_equal(chosen[0], 0)
    np.testing.assert_array_equal(chosen[1], lists.features[..., 3].argmax(axis=1))


def test_climbing_raises_dev_and_squeezes_it_together(lists: Lists) -> None:
    scattered, climbed = (
        dev_scores(lists, tune(lists, Optimizer(40, 0, 1, 0.5, 0.5, 0.1, steps), np.random.default_rng(2)))
        for steps in (1, 60)
    )
    assert climbed.mean() > scattered.mean()
    assert climbed.std() < scattered.std()


def test_seed_decides(lists: Lists) -> None:
    first, again, other = (
        tune(lists, Optimizer(5, 1, 2, 0.5, 0.5, 0.1, 5), np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, again)
    assert first.shape == (6, len(START))
    assert (first != other).any()


def test_weights_are_whole_numbers(lists: Lists) -> None:
    weights = tune(lists, Optimizer(5, 0, 2, 0.5, 0.5, 0.1, 5), np.random.default_rng(1))
    np.testing.assert_array_equal(weights, np.round(weights))
