"""``make bench-cluster``: the same work on one and on two workers of one thread each, on this machine.

The first parts of each job are done here, so two workers cannot be quite twice as fast; on a machine that others use
as well, only the job that waits tells what is lost to sending.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from mtsig_core.resampling import ExchangeDesign, bootstrap_scores, exchange
from mtsig_core.resampling.compiled import SIGNED_SUMS
from mtsig_core.resampling.executor import spread
from mtsig_core.resampling.pool_tests import Pools, pool_tests, sampled_comparisons
from mtsig_core.runtime import cluster
from tests.benchmarks._common import busy, machine
from tests.benchmarks._invented import counts
from tests.runtime.clusters import LocalCluster

SEED = 1
WAITS, WAIT_SECONDS = 300, 0.02


def wait(part: int) -> int:
    """Take a while without a core: what is lost to two workers is lost to sending alone."""
    time.sleep(WAIT_SECONDS)
    return part


def jobs() -> dict[str, Callable[[], np.ndarray]]:
    """Return what is timed, by name; each takes some seconds."""
    made = counts(10, 2000)
    groups = [sampled_comparisons(10, 10, n, 250, SEED) for n in (1, 3, 5)]
    pools = made.of("a"), made.of("b")
    return {
        f"{WAITS} parts that wait for {WAIT_SECONDS} s": lambda: np.array(list(spread(wait, range(WAITS), most=1))),
        "exchange of hypotheses, 10 replicas, 2000 segments, 200,000 shuffles":
            lambda: exchange(made, "a", "b", ExchangeDesign("hypothesis", 200_000, SEED)).values,
        "bootstrap of 20 outputs, 2000 segments, 20,000 draws": lambda: bootstrap_scores(made, 20_000, SEED),
        "Table 2: 750 comparisons from pools of 10, 5,000 shuffles": lambda: np.concatenate(
            [test.p for test in pool_tests(Pools(made.metric, *pools), groups, 5_000, SEED, unit="hypothesis")]
        ),
    }  # fmt: skip


def timed(work: Callable[[], np.ndarray]) -> tuple[float, np.ndarray]:
    """Return seconds and result."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def main() -> None:
    """Print seconds by number of workers, and how many times faster two are."""
    print(f"{machine()}; processes that want a core: {busy():.1f}\n")
    print("| job | here, s | one worker, s | two workers, s | ratio of workers | same numbers |")
    print("|---|---:|---:|---:|---:|---|", flush=True)
    SIGNED_SUMS.wait()
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        clusters = [LocalCluster(Path(one), 1), LocalCluster(Path(two), 2)]
        try:
            for name, work in jobs().items():
                print(row(name, work, [made.address for made in clusters]), flush=True)
        finally:
            cluster.close()
            for made in clusters:
                made.stop()


def row(name: str, work: Callable[[], np.ndarray], addresses: list[str]) -> str:
    """Return a row of the table."""
    cluster.use("")
    work()
    here, result = timed(work)
    seconds, same = [], True
    for address in addresses:
        cluster.use(address)
        work()  # workers import and load what they need
        taken, found = timed(work)
        if cluster.problem():
            raise RuntimeError(cluster.problem())
        seconds.append(taken)
        same &= np.array_equal(found, result)
    one, two = seconds
    return f"| {name} | {here:.1f} | {one:.1f} | {two:.1f} | {one / two:.2f} | {'yes' if same else 'no'} |"


if __name__ == "__main__":
    main()
