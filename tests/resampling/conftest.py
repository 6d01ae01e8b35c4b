"""Toy metrics and experiments for the engine's tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from mtsig_core.metrics.base import Metric, SegmentStatistics


class Mean(Metric):
    """Mean of a per-segment number: sum / count."""

    name = label = "mean"
    n_statistics = 2
    key = "mean"

    def signature(self, references):
        return "mean"

    def statistics(self, hypotheses, references):
        raise NotImplementedError

    def score(self, sums):
        return sums[..., 0] / sums[..., 1]


class Precision(Mean):
    """100 x geometric mean of two ratios: as far from additive as BLEU, and scale-free like it."""

    name = label = key = "precision"
    n_statistics = 3

    def score(self, sums):
        return 100 * np.sqrt(sums[..., 0] * sums[..., 1]) / sums[..., 2]


def build(metric: Metric, systems: Mapping[str, np.ndarray], documents=None) -> SegmentStatistics:
    """Make statistics of arrays of shape (replica, segment, statistic)."""
    return SegmentStatistics(
        metric=metric,
        test_set="test",
        signature=metric.key,
        systems=tuple(systems),
        replicas=tuple(tuple(f"seed{i}" for i in range(len(values))) for values in systems.values()),
        values=np.concatenate(list(systems.values())).astype(float),
        documents=documents,
    )


def of_means(systems: Mapping[str, np.ndarray], documents=None) -> SegmentStatistics:
    """Make statistics of per-segment numbers of shape (replica, segment)."""
    return build(Mean(), {s: np.stack([y, np.ones_like(y)], -1) for s, y in systems.items()}, documents)


def of_counts(seed: int, n: Mapping[str, int], n_segments: int, documents=None) -> SegmentStatistics:
    """Make whole-number statistics of a non-additive metric."""
    rng = np.random.default_rng(seed)
    systems = {}
    for k, (system, replicas) in enumerate(n.items()):
        length = rng.integers(5, 30, (replicas, n_segments))
        hits = rng.binomial(length[..., None], [0.55 + 0.05 * k, 0.3 + 0.05 * k])
        systems[system] = np.concatenate([hits, length[..., None]], -1)
    return build(Precision(), systems, documents)


@pytest.fixture(scope="session")
def means() -> Callable[..., SegmentStatistics]:
    return of_means


@pytest.fixture(scope="session")
def counts() -> Callable[..., SegmentStatistics]:
    return of_counts


@pytest.fixture(scope="session")
def statistics_of() -> Callable[..., SegmentStatistics]:
    return build
