"""Block by block is the same as all at once, for every shape."""

from __future__ import annotations

import numpy as np
import pytest

from mtsig_core.metrics import get_metric, metric_names
from mtsig_core.metrics.scoring.blocks import ROWS, in_blocks


@pytest.mark.parametrize("shape", [(3,), (0, 3), (5, 3), (ROWS, 3), (ROWS + 1, 3), (3, ROWS, 3), (0, 4, 3)])
def test_rows_keep_their_places(shape):
    sums = np.random.default_rng(0).random(shape)
    np.testing.assert_array_equal(in_blocks(lambda rows: rows.sum(axis=1), sums), sums.sum(axis=-1))
    np.testing.assert_array_equal(in_blocks(lambda rows: 2 * rows, sums), 2 * sums)


@pytest.mark.parametrize("name", metric_names())
def test_one_row_gives_a_number_and_input_is_left_alone(name):
    metric = get_metric(name)
    sums = np.random.default_rng(0).integers(1, 50, (2, 3, metric.n_statistics))
    before = sums.copy()
    assert np.ndim(metric.score(sums[0, 0])) == 0
    assert metric.gradient(sums).shape == sums.shape
    assert metric.segment_score(sums).shape == (2, 3)
    np.testing.assert_array_equal(sums, before)
    np.testing.assert_allclose(metric.score(sums.astype(np.float32))[1, 2], metric.score(sums[1, 2]))
