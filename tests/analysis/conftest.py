"""Small metrics, experiments and statistics that the analysis tests share."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from mtsig_core.experiment import Experiment, Replica, System
from mtsig_core.experiment import TestSet as Texts
from mtsig_core.metrics import Metric, SegmentStatistics, compute_statistics, get_metric

REAL_DATA = Path(__file__).resolve().parents[2] / ".." / "shared" / "realdata"


class MeanMetric(Metric):
    """A per-segment number: (sum, count), score sum / count."""

    n_statistics = 2

    def __init__(self, higher_is_better: bool = True) -> None:
        self.name, self.label = ("accuracy", "points") if higher_is_better else ("errors", "errors")
        self.higher_is_better = higher_is_better

    @property
    def key(self):
        return f"{self.name}|test"

    def signature(self, references):
        return self.key

    def statistics(self, hypotheses, references):
        lengths = np.array([len(h.split()) for h in hypotheses], dtype=float)
        return np.stack([lengths, np.ones_like(lengths)], axis=1)

    def score(self, sums):
        return sums[..., 0] / sums[..., 1]


@pytest.fixture
def mean_metric():
    return MeanMetric


@pytest.fixture
def statistics_of() -> Callable[..., SegmentStatistics]:
    """Make statistics of a mean metric from per-segment numbers, shape (n, segment) a system."""

    def make(
        numbers: Mapping[str, Sequence], *, higher: bool = True, test_set: str = "news", documents=None
    ) -> SegmentStatistics:
        arrays = {name: np.atleast_2d(np.asarray(x, dtype=float)) for name, x in numbers.items()}
        stacked = np.concatenate(list(arrays.values()))
        values = np.stack([stacked, np.ones_like(stacked)], axis=2)
        names = tuple(tuple(f"seed{i + 1}" for i in range(len(x))) for x in arrays.values())
        metric = MeanMetric(higher)
        return SegmentStatistics(metric, test_set, metric.key, tuple(arrays), names, values, documents)

    return make


def read_run_folder(folder: Path, *names: str) -> Experiment:
    """Read systems/SYSTEM/REPLICA.txt and refs/* of a folder of real data; all systems, or those named."""
    if not folder.is_dir():
        pytest.skip(f"{folder.name} is not here")

    def lines(path: Path) -> tuple[str, ...]:
        return tuple(path.read_text(encoding="utf-8").removesuffix("\n").split("\n"))

    references = [lines(p) for p in sorted((folder / "refs").iterdir())]
    several = len(references) > 1
    streams = tuple(tuple(x if x or not several else None for x in stream) for stream in references)
    systems = tuple(
        System(d.name, tuple(Replica(p.stem, {"test": lines(p)}) for p in sorted(d.glob("*.txt"))))
        for d in sorted((folder / "systems").iterdir())
        if not names or d.name in names
    )
    return Experiment(folder.name, (Texts("test", "test", streams),), systems)


@pytest.fixture(scope="session")
def multeval() -> SegmentStatistics:
    """BLEU statistics of MultEval's example: baseline, sys1 and sys2 (a copy), 3 replicas each."""
    experiment = read_run_folder(REAL_DATA / "multeval-example")
    return compute_statistics(experiment, "test", get_metric("bleu", tokenize="none"))


@pytest.fixture(scope="session")
def e2e_shared_seeds() -> SegmentStatistics:
    """Lowercased BLEU statistics of the two E2E systems that share seeds, 5 random initialisations each."""
    experiment = read_run_folder(REAL_DATA / "e2e-cleaning-train-orig_test-orig", "tgen-plus", "tgen-std")
    return compute_statistics(experiment, "test", get_metric("bleu", lowercase=True))


@pytest.fixture(scope="session")
def e2e_wide_spread() -> SegmentStatistics:
    """BLEU statistics of the E2E system whose 5 random initialisations spread most."""
    experiment = read_run_folder(REAL_DATA / "e2e-cleaning-train-orig_test-orig", "sclstm")
    return compute_statistics(experiment, "test", get_metric("bleu"))
