"""A toy metric and real experiments for the tests of significance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

from mtsig_core.loading import load
from mtsig_core.metrics import compute_statistics, get_metric
from mtsig_core.metrics.base import Metric, SegmentStatistics

REAL = Path(__file__).resolve().parents[3] / "shared/realdata"


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

    def gradient(self, sums):
        return np.stack([1 / sums[..., 1], -sums[..., 0] / sums[..., 1] ** 2], -1)


def of_means(systems: Mapping[str, np.ndarray], documents=None) -> SegmentStatistics:
    """Make statistics of per-segment numbers of shape (replica, segment)."""
    return SegmentStatistics(
        metric=Mean(),
        test_set="test",
        signature="mean",
        systems=tuple(systems),
        replicas=tuple(tuple(f"seed{i}" for i in range(len(y))) for y in systems.values()),
        values=np.concatenate([np.stack([y, np.ones_like(y)], -1) for y in systems.values()]).astype(float),
        documents=documents,
    )


@pytest.fixture(scope="session")
def means() -> Callable[..., SegmentStatistics]:
    return of_means


@pytest.fixture(scope="session")
def pair() -> Callable[..., SegmentStatistics]:
    """Make systems A and B with effects of replicas, of segments by system, and of both together."""

    def make(rng, n_a, n_b, n_segments, *, replica=0.0, segment=0.0, residual=10.0, gain=0.0) -> SegmentStatistics:
        def system(n: int) -> np.ndarray:
            effects = rng.normal(0, replica, (n, 1)) + rng.normal(0, segment, n_segments)
            return effects + rng.normal(0, residual, (n, n_segments))

        return of_means({"A": system(n_a), "B": system(n_b) + gain})

    return make


def real_statistics(folder: str, metric: Metric) -> SegmentStatistics:
    """Return the statistics of a real experiment; skip where it is absent."""
    if not (REAL / folder).is_dir():
        pytest.skip(f"no {folder} here")
    experiment, _ = load(REAL / folder)
    return compute_statistics(experiment, experiment.test_sets[0].name, metric, n_jobs=1)


def _real(folder: str, **options: object) -> SegmentStatistics:
    return real_statistics(folder, get_metric("bleu", **options))


@pytest.fixture(scope="session")
def multeval() -> SegmentStatistics:
    """MultEval's example: three systems of three replicas, sys2 a copy of baseline."""
    return _real("multeval-example", tokenize="none")


@pytest.fixture(scope="session")
def e2e() -> SegmentStatistics:
    """E2E data: four systems of five replicas; tgen-std and tgen-plus share seeds."""
    return _real("e2e-cleaning-train-orig_test-orig", tokenize="13a", lowercase=True)
