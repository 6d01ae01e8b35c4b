"""What resampling holds at once stays below the setting, whatever the problem."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from mtsig_core.resampling import ExchangeDesign, bootstrap_scores, exchange
from mtsig_core.resampling.memory import DEFAULT, LEAST, SETTING, fitting, memory
from mtsig_core.resampling.pool_tests import Pools, all_pairs, pool_tests, sampled_comparisons
from mtsig_core.resampling.threads import side_by_side
from mtsig_core.runtime.jobs import Cancelled

# Peaks of the resident set, in MB above what the statistics themselves take, of each analysis in a fresh process.
PEAKS = """
import json, sys
import numpy as np
from mtsig_core.analysis.replicas.lottery import lottery
from mtsig_core.analysis.replicas.p_by_n import PByNDesign, p_by_n
from mtsig_core.analysis.systems.pairwise import PairDraws, Reuse, pairwise
from mtsig_core.metrics import get_metric
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import ExchangeDesign, Settings, bootstrap_scores, exchange


def resident(what):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(what + ":")) / 1024


def made(systems, replicas, n_segments):
    rng = np.random.default_rng(0)
    values = rng.integers(0, 30, (systems * replicas, n_segments, 18)).astype(float)
    values[..., 0::3] += values[..., 2::3]
    values[..., 1::3] += values[..., 2::3]
    names = tuple(f"s{i}" for i in range(systems))
    runs = (tuple(f"r{i}" for i in range(replicas)),) * systems
    return SegmentStatistics(get_metric("chrf"), "test", "", names, runs, values)


def peak(work):
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    before = resident("VmRSS")
    work()
    return resident("VmHWM") - before


reuse = Reuse(np.zeros((2, 800)), lambda own: PairDraws())
few = Settings(n_bootstrap=300, n_permutations=256)
small = made(2, 2, 30)
for unit in ("segment", "hypothesis"):
    exchange(small, "s0", "s1", ExchangeDesign(unit, 300, 1))
bootstrap_scores(made(2, 60, 200), 256, 1)  # the library of products takes its own memory at first
pools, many = made(2, 300, 250), made(40, 20, 150)
print(json.dumps({
    "bootstrap": peak(lambda: bootstrap_scores(pools, 256, 1)),
    "bootstrap of many": peak(lambda: bootstrap_scores(many, 256, 1)),
    "segments": peak(lambda: exchange(pools, "s0", "s1", ExchangeDesign("segment", 1100, 1))),
    "hypotheses": peak(lambda: exchange(pools, "s0", "s1", ExchangeDesign("hypothesis", 1100, 1))),
    "lottery": peak(lambda: lottery(pools, "s0", "s1", few)),
    "table 2": peak(lambda: p_by_n(pools, "s0", "s1", few, PByNDesign((1, 10, 50), 20))),
    "all pairs": peak(lambda: pairwise(many, few, preset="ar-segment", reuse=reuse)),
}))
"""


def peaks(setting):
    root = Path(__file__).resolve().parents[2]
    env = {**os.environ, "MTSIG_MEMORY": setting, "PYTHONPATH": str(root), "OPENBLAS_NUM_THREADS": "1",
           "MALLOC_MMAP_THRESHOLD_": "65536"}  # so that arrays given up are given back
    done = subprocess.run([sys.executable, "-c", PEAKS], env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the peak can be read on Linux only")
def test_pools_of_300_and_40_systems_stay_below_the_setting():
    found = peaks("32MB")
    pools = 600 * 250 * 18 * 8 / 2**20
    assert found["bootstrap"] < 32
    assert found["bootstrap of many"] < 32
    assert found["segments"] < 32
    assert found["hypotheses"] < 32 + pools  # beside either side's outputs, paired
    assert found["lottery"] < 32 + pools / 2  # beside the pools in single precision
    assert found["table 2"] < 32 + pools / 2
    assert found["all pairs"] < 32


@pytest.mark.parametrize(("told", "size"), [
    ("", DEFAULT), ("2GB", 2**31), ("1.5 g", 3 * 2**29), ("500MB", 500 * 2**20), ("500", 500 * 2**20),
    ("64 MiB", 2**26), ("1kB", LEAST),
])  # fmt: skip
def test_the_setting_is_a_size(told, size, monkeypatch):
    monkeypatch.setenv(SETTING, told)
    assert memory() == size


@pytest.mark.parametrize("told", ["much", "-1", "1 TBs", "1,5GB"])
def test_says_what_a_size_looks_like(told, monkeypatch):
    monkeypatch.setenv(SETTING, told)
    with pytest.raises(ValueError, match=f"{SETTING} must be a size such as 500MB or 2GB; got '{told}'"):
        memory()


def test_as_many_things_as_fit(monkeypatch):
    monkeypatch.setenv(SETTING, "64MB")
    assert fitting(2**20, most=1000) == 32
    assert fitting(2**20, most=7) == 7
    assert fitting(2**40, most=7) == 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["counts", "means"])
def test_no_result_depends_on_it(kind, counts, means, monkeypatch):
    if kind == "counts":
        statistics = counts(1, {"a": 3, "b": 3}, 40)
    else:
        rng = np.random.default_rng(1)
        statistics = means({"a": rng.normal(size=(3, 40)), "b": rng.normal(size=(3, 40))})
    groups = [all_pairs(3, 3), sampled_comparisons(3, 3, 2, 5, 1)]
    tests = Pools(statistics.metric, statistics.of("a"), statistics.of("b")), groups, 300, 1

    def everything():
        return (
            bootstrap_scores(statistics, 300, 1),
            exchange(statistics, "a", "b", ExchangeDesign("hypothesis", 1100, 1)).values,
            *(test.p for unit in ("segment", "hypothesis") for test in pool_tests(*tests, unit=unit)),
        )

    plenty = everything()
    monkeypatch.setattr("mtsig_core.resampling.memory.LEAST", 1)
    monkeypatch.setenv(SETTING, "1kB")
    for little, much in zip(everything(), plenty, strict=True):
        np.testing.assert_allclose(little, much, atol=0 if kind == "counts" else 1e-9)


def test_who_stops_listening_calls_off_the_rest(monkeypatch):
    begun, gate = [], Event()
    real = ThreadPoolExecutor.shutdown

    def shutdown(pool, wait=True, *, cancel_futures=False):
        real(pool, wait=False, cancel_futures=cancel_futures)
        gate.set()
        real(pool, wait=wait)

    def work(k):
        begun.append(k)
        return k if k == 0 else gate.wait(60)

    monkeypatch.setattr(ThreadPoolExecutor, "shutdown", shutdown)
    parts = side_by_side(work, range(500))
    assert next(parts) == 0
    parts.close()
    assert len(begun) <= 1 + (os.cpu_count() or 1)


def test_an_exchange_can_be_cancelled(counts):
    told = []

    def cancel(fraction, what=""):
        told.append(fraction)
        raise Cancelled

    with pytest.raises(Cancelled):
        exchange(counts(1, {"a": 3, "b": 3}, 400), "a", "b", ExchangeDesign("hypothesis", 10_000, 1), progress=cancel)
    assert len(told) == 1
    assert told[0] < 0.2
