"""Statistics of each metric of text, as seconds for 100,000 distinct segments on all cores."""

from __future__ import annotations

import random
import sys
import time

from mtsig_core.experiment import Experiment, Replica, System, TestSet
from mtsig_core.metrics import compute_statistics, get_metric, metric_names
from mtsig_core.metrics.compiled import EDITS, NGRAMS

PER = 100_000
# Distinct segments that are scored; the time is scaled up. Enough for the slowest to be measured in a minute.
SEGMENTS, FEW = 20_000, 8_000
SLOW = ("ter", "ribes")


def made(n: int, length: int = 25) -> Experiment:
    """Return one system with one output of n distinct segments of usual length, a fifth of its words changed."""
    rng = random.Random(0)
    letters = "etaoinshrdlucmfwypvbgk"
    words = ["".join(rng.choices(letters, k=max(1, int(rng.gauss(5, 2))))) for _ in range(20_000)] + [",", ".", "1.5"]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    references = [rng.choices(words, weights, k=max(3, int(rng.gauss(length, 10)))) for _ in range(n)]
    output = [[rng.choice(words) if rng.random() < 0.2 else word for word in line] for line in references]
    test_set = TestSet("t", "test", (tuple(map(" ".join, references)),))
    return Experiment("bench", (test_set,), (System("s", (Replica("1", {"t": tuple(map(" ".join, output))}),)),))


def seconds(name: str, experiment: Experiment, n: int) -> float:
    """Return the seconds for 100,000 segments under a metric, with nothing in the cache."""
    metric = get_metric(name)
    metric.prepared([("a",)]).statistics(["a"], [("a",)])  # what is loaded or started once is no part of the time
    start = time.perf_counter()
    compute_statistics(experiment, "t", metric)
    return (time.perf_counter() - start) * PER / n


def times(names: tuple[str, ...] = ()) -> dict[str, float]:
    """Return the seconds of each metric; compiled kernels are loaded before."""
    for kernels in (NGRAMS, EDITS):
        kernels.start()
        kernels.wait()
    experiments = {n: made(n) for n in (SEGMENTS, FEW)}
    found = {}
    for name in names or metric_names():
        n = FEW if name in SLOW else SEGMENTS
        found[name] = seconds(name, experiments[n], n)
    return found


def main() -> None:
    """Print the seconds of the metrics named on the command line, or of all."""
    print(f"| metric | s for {PER:,} distinct segments |\n|---|---:|")
    for name, taken in times(tuple(sys.argv[1:])).items():
        print(f"| {get_metric(name).label} | {taken:.1f} |", flush=True)


if __name__ == "__main__":
    main()
