"""The file of the figure of all test sets holds every interval that the figure shows."""

import numpy as np
import pytest

import mtsig_core
from mtsig_core.figures.combined import forest
from mtsig_core.reports.pairs.tables import combined_intervals


def test_every_interval_of_the_figure_is_in_its_file():
    values = np.random.default_rng(1).normal(size=(2, 2, 3, 50))
    bench = mtsig_core.Workbench(mtsig_core.load_scores(values, axes=("test_set", "system", "replica", "segment")))
    result = bench.combined(n_bootstrap=100)
    frame = combined_intervals(result)
    drawn = [list(trace.x) for trace in forest(result).data if len(trace.x) == 2]
    assert frame[["low", "high"]].to_numpy().tolist() == pytest.approx(np.array(drawn))
    assert list(frame["interval for"])[-3:] == ["new text", "new replicas", "new replicas, new text"]
