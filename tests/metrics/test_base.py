"""Segment statistics: shapes, rows and pseudo-values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_core.metrics import SegmentStatistics, get_metric, metric_names
from mtsig_core.metrics.mean import MeanMetric


def statistics(name, seed, n=3, segments=8, zeros=0.0):
    metric, rng = get_metric(name), np.random.default_rng(seed)
    values = rng.integers(1, 20, (n, segments, metric.n_statistics)).astype(float)
    values[rng.random(values.shape) < zeros] = 0
    if name == "bleu":
        values[..., 2:6] = np.minimum(values[..., 2:6], values[..., 6:10])
    elif name.startswith("chrf"):
        values[..., 2::3] = np.minimum(values[..., 2::3], np.minimum(values[..., 0::3], values[..., 1::3]))
    elif name == "meteor":  # matches, chunks, lengths
        values[..., 0] = np.minimum(values[..., 0], np.minimum(values[..., 2], values[..., 3]))
        values[..., 1] = np.minimum(values[..., 0], values[..., 1])
    elif name == "meteor-1.5":  # matches, lengths, chunks, matched words of both
        values[..., :2] = np.minimum(values[..., :2], values[..., 2:4])
        values[..., 5] = values[..., 0] + values[..., 1]
        values[..., 4] = np.minimum(values[..., 4], values[..., 5] / 2)
    elif isinstance(metric, MeanMetric) or name == "length":
        values[..., 1] = 1  # count; length of the reference
    return SegmentStatistics(metric, "t", "", ("A", "B"), (("1",), tuple(map(str, range(n - 1)))), values)


@pytest.mark.slow
@pytest.mark.parametrize("name", metric_names())
@settings(max_examples=20, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), zeros=st.sampled_from([0, 0.3, 0.9]))
def test_the_mean_of_pseudo_values_is_the_replicas_score(name, seed, zeros):
    s = statistics(name, seed, zeros=zeros)
    for system in s.systems:
        y = s.pseudo_values(system)
        assert np.isfinite(y).all()
        np.testing.assert_allclose(y.mean(axis=1), s.scores_of(system), rtol=1e-9, atol=1e-9)


def test_pseudo_values_follow_a_segment_left_out():
    s = statistics("chrf", 5, segments=400)
    values = s.of("A")[0]
    y = s.pseudo_values("A")[0]
    left_out = s.metric.score(values.sum(axis=0) - values)
    jackknife = s.scores[0] + 399 * (s.scores[0] - left_out)
    assert np.corrcoef(jackknife, y)[0, 1] > 0.9999


def test_rows_and_names_of_a_system():
    s = statistics("ter", 0, n=4)
    assert (s.rows("A"), s.rows("B")) == (slice(0, 1), slice(1, 4))
    assert s.names("B") == ("0", "1", "2")
    assert s.n_segments == 8
    np.testing.assert_array_equal(s.of("B"), s.values[1:])
    for ask in (s.rows, s.names, s.of, s.scores_of, s.pseudo_values):
        with pytest.raises(ValueError, match="No system 'C' .*there are: 'A', 'B'"):
            ask("C")


@pytest.mark.parametrize("shape", [(2, 8, 2), (3, 8, 3), (3, 16)])
def test_values_of_another_shape_are_refused(shape):
    with pytest.raises(ValueError, match=r"expected \(3, L, 2\)"):
        SegmentStatistics(get_metric("ter"), "t", "", ("A",), (("1", "2", "3"),), np.zeros(shape))
