"""Result objects for the tests of reports: small, and made by the analyses themselves where that is quick."""

import numpy as np
import pytest

from mtsig_core.analysis.comparison import compare
from mtsig_core.analysis.replicas.variance import Ratio, VarianceRow, VarianceTable
from mtsig_core.experiment import Experiment, Replica, System, TestSet
from mtsig_core.metrics.base import Metric, SegmentStatistics
from mtsig_core.resampling import Settings
from mtsig_core.significance import Scope


class Mean(Metric):
    """A metric that is a mean of numbers given: sum and count."""

    name, label, n_statistics, key = "mean", "Mean", 2, "mean"

    def signature(self, references):
        return "mean|v1"

    def statistics(self, hypotheses, references):
        raise NotImplementedError

    def score(self, sums):
        return sums[..., 0] / sums[..., 1]


@pytest.fixture
def settings():
    return Settings(n_bootstrap=50, n_permutations=99)


@pytest.fixture
def experiment():
    refs = (("a b c", "d e f", "g h i"),)
    outputs = {"test": ("a b", "d e", "g h")}
    systems = [System(name, tuple(Replica(f"s{i}", outputs) for i in (1, 2))) for name in ("A", "B")]
    return Experiment("demo", (TestSet("test", "test", refs),), tuple(systems))


@pytest.fixture
def comparison(settings):
    values = np.random.default_rng(0).normal(0.5, 0.1, (5, 20))
    return compare(_statistics(values, ("s1", "s2"), ("s1", "s2", "s3")), "A", "B", settings)


@pytest.fixture
def one_replica_each(settings):
    values = np.random.default_rng(1).normal(0.5, 0.1, (2, 20))
    return compare(_statistics(values, ("s1",), ("s1",)), "A", "B", settings)


def _statistics(values, names_a, names_b):
    stacked = np.stack([values, np.ones_like(values)], axis=-1)
    return SegmentStatistics(
        metric=Mean(), test_set="test", signature="mean|v1", systems=("A", "B"), replicas=(names_a, names_b),
        values=stacked,
    )


def _row(system, avg, *, metric="BLEU", higher=True, test_set="test", s_dev=None, s_test=0.35, ratio=None):
    return VarianceRow(
        scope=Scope(test_set, metric.lower(), metric, higher, systems=(system,)), signature="sig",
        n=3, avg=avg, s_sel=1.234, s_sel_closed=1.2, s_dev=s_dev, s_test=s_test, mean_over_draws=avg, dev_ratio=ratio,
        scores={"s1": avg - 0.1, "s2": avg + 0.1}, reasons={} if s_dev is not None else {"s_dev": "no tuning set"},
    )


@pytest.fixture
def table(settings):
    rows = (
        _row("A", 48.44, s_dev=0.2, ratio=Ratio(1.75, 0.3, 10.0)), _row("B", 49.91),
        _row("A", 60.0, metric="TER", higher=False), _row("B", 58.7, metric="TER", higher=False, s_test=None),
    )
    return VarianceTable(rows, settings)


@pytest.fixture
def paired_statistics():
    values = np.random.default_rng(2).normal(0.5, 0.1, (9, 20))
    names = tuple(f"s{i}" for i in range(5))
    return _statistics(values, names[:4], names)
