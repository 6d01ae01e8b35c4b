"""Statistics on disk: exact, atomic, and never an obstacle."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest

from mtsig_core.metrics.scoring.cache import StatisticsCache, compact, default_cache

ADDRESS = ("bleu", "references", "output")


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([[0, 65535]], np.uint16),
        ([[0, 65536]], np.int32),
        ([[-1, 5]], np.int32),
        ([[2.0**31, 5]], np.float64),
        ([[4.5, 5]], np.float64),
        ([[np.nan, 5]], np.float64),
    ],
)
def test_values_come_back_exactly_in_the_smallest_dtype(values, dtype, tmp_path):
    values = np.array(values, dtype=float)
    assert compact(values).dtype == dtype
    cache = StatisticsCache(tmp_path)
    assert cache.get(*ADDRESS, values.shape) is None
    cache.put(*ADDRESS, values)
    np.testing.assert_array_equal(cache.get(*ADDRESS, values.shape), values)
    assert cache.problem == ""


def test_each_part_of_the_address_counts(tmp_path):
    cache = StatisticsCache(tmp_path)
    cache.put("a", "b", "c", np.ones((1, 1)))
    for other in (("x", "b", "c"), ("a", "x", "c"), ("a", "b", "x"), ("ab", "", "c")):
        assert cache.get(*other, (1, 1)) is None
    assert cache.get("a", "b", "c", (1, 2)) is None


def test_a_file_is_plain_numpy_without_pickle(tmp_path):
    cache = StatisticsCache(tmp_path)
    cache.put(*ADDRESS, np.arange(6.0).reshape(2, 3))
    path = cache.path(*ADDRESS)
    assert path.parent.parent == tmp_path
    np.testing.assert_array_equal(np.load(path, allow_pickle=False), np.arange(6).reshape(2, 3))
    np.save(path, np.array([object()]), allow_pickle=True)
    assert cache.get(*ADDRESS, (1,)) is None


def test_every_damage_is_a_miss_and_is_repaired(tmp_path):
    cache, values = StatisticsCache(tmp_path), np.arange(20.0).reshape(4, 5)
    cache.put(*ADDRESS, values)
    path = cache.path(*ADDRESS)
    whole = path.read_bytes()
    cut = [whole[:n] for n in range(len(whole))]
    flipped = [whole[:n] + bytes([whole[n] ^ 1]) + whole[n + 1 :] for n in range(0, len(whole), 7)]
    for damaged in [*cut, *flipped, b"\0" * len(whole), whole + b"x"]:
        path.write_bytes(damaged)
        assert cache.get(*ADDRESS, values.shape) is None
    cache.put(*ADDRESS, values)
    np.testing.assert_array_equal(cache.get(*ADDRESS, values.shape), values)


def test_a_killed_write_leaves_no_half_file(tmp_path, monkeypatch):
    cache, values = StatisticsCache(tmp_path), np.ones((2, 2))

    def killed(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        cache.put(*ADDRESS, values)
    monkeypatch.undo()
    assert cache.get(*ADDRESS, (2, 2)) is None
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == []


@pytest.mark.slow
def test_writers_and_readers_at_once_never_see_half_a_file(tmp_path):
    values = np.random.default_rng(0).integers(0, 9, (300, 10)).astype(float)
    wrong, stop = [], threading.Event()

    def write():
        for _ in range(60):
            StatisticsCache(tmp_path).put(*ADDRESS, values)

    def read():
        while not stop.is_set():
            found = StatisticsCache(tmp_path).get(*ADDRESS, values.shape)
            if found is not None and not np.array_equal(found, values):
                wrong.append(found)

    StatisticsCache(tmp_path).put(*ADDRESS, values)
    reader = threading.Thread(target=read)
    writers = [threading.Thread(target=write) for _ in range(2)]
    for thread in (reader, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    stop.set()
    reader.join()
    assert not wrong
    assert len([p for p in tmp_path.rglob("*") if p.is_file()]) == 1


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    cache = StatisticsCache(blocked / "statistics")
    cache.put(*ADDRESS, np.ones((1, 1)))
    assert cache.get(*ADDRESS, (1, 1)) is None
    assert str(blocked) in cache.problem


def test_the_default_cache_is_in_the_folder_of_all_caches(monkeypatch, tmp_path):
    monkeypatch.setenv("MTSIG_HOME", str(tmp_path))
    assert default_cache().folder == Path(tmp_path) / "statistics"
