"""The cache stays below its limit: the longest unused go first, and neither another process nor a kill matters."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from mtsig_core.metrics import StatisticsCache, compute_statistics, get_metric
from mtsig_core.storage.eviction import LEFTOVER_SECONDS, TEMPORARY, EvictionPolicy

ROOT = Path(__file__).resolve().parents[3]
SHAPE = (50, 10)
# What an address holds can be told from the address, so that a reader knows whether it is right.
PROGRAM = """
import os, sys, time
import numpy as np
from mtsig_core.metrics.scoring.cache import StatisticsCache

def values(k):
    return np.full((50, 10), k, dtype=float)
"""


def values(k: int) -> np.ndarray:
    return np.full(SHAPE, k, dtype=float)


def put(cache: StatisticsCache, *numbers: int, last: float = 1e9) -> None:
    """Keep numbered statistics, each used a second after the one before."""
    for place, k in enumerate(numbers):
        cache.put("m", "r", str(k), values(k))
        os.utime(cache.path("m", "r", str(k)), (last + place, last + place))


def kept(cache: StatisticsCache, most: int = 100) -> list[int]:
    return [k for k in range(most) if cache.path("m", "r", str(k)).exists()]


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def one_file(tmp_path) -> int:
    cache = StatisticsCache(tmp_path / "probe")
    put(cache, 1)
    return size_of(tmp_path / "probe")


def test_the_longest_unused_go_first(tmp_path, one_file):
    cache = StatisticsCache(tmp_path / "c", limit=10 * one_file)
    put(cache, *range(10))
    assert kept(cache) == list(range(10))
    np.testing.assert_array_equal(cache.get("m", "r", "0", SHAPE), values(0))  # used: it stays
    assert cache.get("m", "r", "1", (1, 1)) is None  # looked at, not used
    cache.put("m", "r", "10", values(10))
    assert kept(cache) == [0, 3, 4, 5, 6, 7, 8, 9, 10]  # nine tenths of the limit
    np.testing.assert_array_equal(cache.get("m", "r", "9", SHAPE), values(9))


def test_the_folder_is_looked_at_only_when_the_limit_may_be_passed(tmp_path, one_file, monkeypatch):
    looks = []
    look = EvictionPolicy.evict
    monkeypatch.setattr(EvictionPolicy, "evict", lambda self: looks.append(1) or look(self))
    cache = StatisticsCache(tmp_path / "c", limit=160 * one_file)
    for k in range(100):
        StatisticsCache(tmp_path / "c", limit=160 * one_file).put("m", "r", str(k), values(k))
    assert len(looks) == 1 + 99 // 11  # at first, then after each sixteenth of the limit
    assert len(kept(cache)) == 100
    assert size_of(tmp_path / "c") == 100 * one_file


@pytest.mark.parametrize(("told", "left"), [("0", []), ("2KB", [1]), ("", [0, 1])])
def test_the_limit_of_the_environment(told, left, tmp_path, monkeypatch):
    monkeypatch.setenv("MTSIG_CACHE", told)
    cache = StatisticsCache(tmp_path)
    for k in (0, 1):
        cache.put("m", "r", str(k), values(k))
        os.utime(tmp_path, (0, 0))
        for path in tmp_path.rglob("*.npy"):
            os.utime(path, (k, k))
    assert kept(cache) == left
    assert cache.problem == ""


def test_a_wrong_limit_is_told_before_anything_is_computed(make_experiment, tmp_path, monkeypatch):
    monkeypatch.setenv("MTSIG_CACHE", "plenty")
    with pytest.raises(ValueError, match="MTSIG_CACHE must be a size"):
        compute_statistics(make_experiment(), "t", get_metric("bleu"), cache=StatisticsCache(tmp_path))


def test_numbers_do_not_depend_on_the_limit(make_experiment, tmp_path):
    experiment, metric = make_experiment(3, segments=30, replicas=(4, 4)), get_metric("bleu")
    plain = compute_statistics(experiment, "t", metric)
    for _ in range(2):
        for limit in (0, 2000, 2**30):
            cache = StatisticsCache(tmp_path / str(limit), limit=limit)
            found = compute_statistics(experiment, "t", metric, cache=cache)
            np.testing.assert_array_equal(found.values, plain.values)
            assert size_of(tmp_path / str(limit)) <= limit


def test_only_old_leftovers_are_removed(tmp_path, one_file):
    cache = StatisticsCache(tmp_path / "c", limit=100 * one_file)
    put(cache, 1)
    folder = cache.path("m", "r", "1").parent
    young, old = folder / f".a{TEMPORARY}", folder / f".b{TEMPORARY}"
    for path, age in ((young, 0), (old, 1.1 * LEFTOVER_SECONDS)):
        path.write_bytes(b"half")
        os.utime(path, (time.time() - age,) * 2)
    EvictionPolicy((cache.folder,), cache.limit).evict()
    assert (young.exists(), old.exists(), kept(cache)) == (True, False, [1])


def test_what_another_process_removed_already_is_passed_over(tmp_path, one_file, monkeypatch):
    cache = StatisticsCache(tmp_path / "c", limit=10 * one_file)
    put(cache, *range(10))
    unlink = Path.unlink

    def removed_twice(path, missing_ok=False):
        unlink(path)
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", removed_twice)
    assert EvictionPolicy((cache.folder,), 5 * one_file).evict() == 4 * one_file
    assert kept(cache) == [6, 7, 8, 9]
    assert cache.get("m", "r", "0", SHAPE) is None


def test_a_folder_emptied_meanwhile_is_filled_again(tmp_path, one_file):
    cache = StatisticsCache(tmp_path / "c", limit=100 * one_file)
    put(cache, 1)
    for path in list((tmp_path / "c").rglob("*.npy")):
        path.unlink()
        path.parent.rmdir()
    assert cache.get("m", "r", "1", SHAPE) is None
    put(cache, 1)
    np.testing.assert_array_equal(cache.get("m", "r", "1", SHAPE), values(1))


def start(code: str, *arguments: object) -> subprocess.Popen:
    command = [sys.executable, "-W", "error", "-c", PROGRAM + code, *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_two_processes_write_read_and_evict_at_once(tmp_path, one_file):
    limit = 20 * one_file
    code = """
folder, limit, first = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
hits = misses = 0
print("ready", flush=True)
while not os.path.exists(folder + "/go"):
    time.sleep(0.005)
for turn in range(800):
    k = (first + 7 * turn) % 40
    cache = StatisticsCache(folder, limit)
    found = cache.get("m", "r", str(k), (50, 10))
    if found is None:
        misses += 1
        cache.put("m", "r", str(k), values(k))
    else:
        hits += 1
        assert (found == values(k)).all()
    assert not cache.problem, cache.problem
print(hits, misses)
"""
    both = [start(code, tmp_path, limit, first) for first in (0, 20)]
    for process in both:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    (tmp_path / "go").touch()
    for process in both:
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        hits, misses = map(int, out.split())
        assert hits + misses == 800
        assert min(hits, misses) > 0
    assert size_of(tmp_path) <= limit * (1 + 2 / 16)
    assert not list(tmp_path.rglob(f"*{TEMPORARY}"))
    cache = StatisticsCache(tmp_path, limit)
    assert kept(cache)
    for k in kept(cache):
        np.testing.assert_array_equal(cache.get("m", "r", str(k), SHAPE), values(k))


@pytest.mark.slow
def test_a_process_killed_in_the_middle_of_a_write(tmp_path):
    code = """
cache = StatisticsCache(sys.argv[1])
cache.put("m", "r", "1", values(1))
class Stuck:
    def __init__(self, handle): self.handle = handle
    def __enter__(self): return self
    def __exit__(self, *what): os.close(self.handle)
    def write(self, data):
        os.write(self.handle, data[: len(data) // 2])
        print("half", flush=True)
        time.sleep(60)
os.fdopen = lambda handle, mode: Stuck(handle)
cache.put("m", "r", sys.argv[2], values(int(sys.argv[2])))
"""
    for k in (1, 2):  # written over, and new
        process = start(code, tmp_path, k)
        assert process.stdout is not None
        assert process.stdout.readline() == "half\n"
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=10)
    left = list(tmp_path.rglob(f"*{TEMPORARY}"))
    assert len(left) == 2
    cache = StatisticsCache(tmp_path)
    np.testing.assert_array_equal(cache.get("m", "r", "1", SHAPE), values(1))
    assert cache.get("m", "r", "2", SHAPE) is None
    cache.put("m", "r", "2", values(2))
    np.testing.assert_array_equal(cache.get("m", "r", "2", SHAPE), values(2))
    for path in left:
        os.utime(path, (1, 1))
    EvictionPolicy((tmp_path,), 2**30).evict()
    assert not list(tmp_path.rglob(f"*{TEMPORARY}"))
