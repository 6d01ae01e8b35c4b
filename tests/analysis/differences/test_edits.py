"""Edits by kind: rates over all words of reference, replicas as the units."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from mtsig_core.analysis.differences.edits import edit_table
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.metrics.edit_kinds import EditKinds
from mtsig_core.resampling import Settings


def statistics(values, replicas):
    names = tuple(tuple(f"r{i}" for i in range(n)) for n in replicas)
    return SegmentStatistics(EditKinds(), "t", "", ("A", "B"), names, np.asarray(values, float))


def test_rates_and_intervals():
    values = np.random.default_rng(1).integers(0, 5, (5, 6, 5)).astype(float)
    values[..., 4] = np.arange(4, 10)
    found = edit_table(statistics(values, (2, 3)), "A", "B", Settings(alpha=0.1))
    rates = 100 * values[..., :4].sum(axis=1) / values[..., 4].sum(axis=1)[:, None]
    for k, row in enumerate(found.rows[:4]):
        wanted = stats.ttest_ind(rates[2:, k], rates[:2, k], equal_var=False).confidence_interval(0.9)
        assert row.rate.a == pytest.approx(rates[:2, k].mean())
        assert row.rate.interval == pytest.approx(tuple(wanted))
    assert [row.kind for row in found.rows] == ["insertions", "deletions", "substitutions", "shifts", "all edits"]
    assert found.rows[4].rate.b == pytest.approx(sum(row.rate.b for row in found.rows[:4]))
    assert found.to_frame()["difference"].tolist() == [row.rate.difference for row in found.rows]


def test_without_a_word_of_reference_no_rate_is_defined():
    found = edit_table(statistics(np.zeros((2, 1, 5)), (1, 1)), "A", "B", Settings())
    assert all(row.rate.a is None and row.rate.note for row in found.rows)
