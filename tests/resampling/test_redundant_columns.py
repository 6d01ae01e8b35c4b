"""Redundant columns are not summed, and the sums of all columns follow from the others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtsig_core.metrics import get_metric
from mtsig_core.resampling.redundant_columns import find_redundant_columns


def moved(outputs, found, bits):
    """What each output moves by the columns that are summed, shape (output, statistic, draw)."""
    sums = np.zeros((len(outputs), outputs[0].shape[1], bits.shape[1]))
    for place, output in zip(sums, outputs, strict=True):
        found.add(place, found.of_all(output) @ bits, found.of_few(output) @ bits[found.few])
    return sums


@pytest.mark.slow
@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 5), st.floats(0, 0.4))
def test_differences_of_sums_are_those_of_all_columns(seed, n_segments, n_outputs, odd):
    rng = np.random.default_rng(seed)
    free = rng.integers(0, 9, (n_outputs, n_segments, 2)).astype(float)
    still = np.broadcast_to(rng.integers(0, 9, (n_segments, 1)), (n_outputs, n_segments, 1))
    shifted = free[..., :1] - still + (rng.random((n_outputs, n_segments, 1)) < odd)
    outputs = list(np.concatenate([still, free, shifted, free[..., 1:]], axis=2))
    bits = rng.integers(0, 2, (n_segments, 3)).astype(float)
    found = moved(outputs, find_redundant_columns(outputs, True), bits)
    everything = np.array([output.T @ bits for output in outputs])
    np.testing.assert_array_equal(found - found[0], everything - everything[0])


def test_bleu_is_five_columns_and_a_few_short_segments():
    rng = np.random.default_rng(1)
    words = ["w1", "w2"]  # so few that all orders match often
    references = [(" ".join(rng.choice(words, 12)),) for _ in range(60)]
    outputs = [
        get_metric("bleu").statistics([" ".join(rng.choice(words, 2 if k == 7 else rng.integers(8, 15))) for k in
                                       range(60)], references)
        for _ in range(4)
    ]  # fmt: skip
    outputs[0][7] = get_metric("bleu").statistics(["w1 w2 w1"], references[7:8])[0]
    found = find_redundant_columns(outputs, True)
    assert found.summed == (0, 2, 3, 4, 5)
    assert found.base == (0, -1, 1, 2, 3, 4, 0, 0, 0, 0)
    assert list(found.few) == [7]
    assert found.corrected == (9,)


def test_numbers_that_are_not_whole_are_each_summed_on_their_own():
    output = np.ones((5, 3))
    assert find_redundant_columns([output, output], False).summed == (0, 1, 2)
    assert find_redundant_columns([output, output], True).summed == ()


@pytest.mark.parametrize("n", [1, 3])
def test_one_output_moves_nothing(n):
    found = find_redundant_columns([np.arange(6.0).reshape(2, 3)] * n, True)
    assert (found.summed, found.base, found.corrected) == ((), (-1, -1, -1), ())
