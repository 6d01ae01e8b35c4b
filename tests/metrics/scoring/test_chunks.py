"""Chunks stay short, threads and processes give the same, and all can be cancelled at once."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

import numpy as np
import pytest

from mtsig_core.metrics import StatisticsCache, compute_statistics, get_metric
from mtsig_core.metrics.compiled import KERNELS_OF, Kernels
from mtsig_core.metrics.scoring import chunks
from mtsig_core.metrics.scoring.chunks import scored_in_chunks
from mtsig_core.metrics.ter import TER
from mtsig_core.runtime.jobs import Cancelled, Job, no_progress


@dataclass(frozen=True)
class Slow(TER):
    """Takes a while for each segment; statistics are [number in the text, 1]."""

    seconds: float = 0.0
    faster: str = "never"

    def make_faster(self):
        return self.faster

    def statistics(self, hypotheses, references):
        time.sleep(self.seconds * len(hypotheses))
        return np.array([[float(h), 1.0] for h in hypotheses])


def texts(n):
    return [str(i) for i in range(n)], [("x",)] * n


@pytest.mark.parametrize("n", [0, 1, 3, 4, 5, 1000])
def test_all_segments_come_once_and_in_order(n):
    parts = list(scored_in_chunks(Slow(), *texts(n), no_progress, "", 1))
    np.testing.assert_array_equal(np.concatenate([np.empty((0, 2)), *parts])[:, 0], np.arange(n))


@pytest.mark.slow
def test_chunks_adapt_to_the_speed_of_the_metric():
    slow = [len(part) for part in scored_in_chunks(Slow(seconds=0.03), *texts(30), no_progress, "", 1)]
    assert max(slow) <= chunks.CHUNK_SECONDS / 0.03
    pace, sizes = chunks._Pace(), []
    for _ in range(7):
        sizes.append(pace.size)
        pace.learn(pace.size, pace.size / 8192)
    assert sizes == [1, 4, 16, 64, 256, 1024, int(8192 * chunks.CHUNK_SECONDS)]
    pace.learn(1500, 1500)
    assert pace.size == 1


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.02, 3.0])
def test_a_job_in_this_process_stops_within_a_second_even_inside_a_long_segment(seconds):
    def work(progress, publish):
        return list(scored_in_chunks(Slow(seconds=seconds), *texts(2000), progress, "", 1))

    job = Job(work).start()
    assert not job.wait(0.5)
    job.cancel()
    assert job.wait(1.0)
    assert job.state == "cancelled"


def test_waiting_for_processes_is_interrupted_and_errors_come_through():
    release = threading.Event()

    def cancel():
        raise Cancelled

    start = time.monotonic()
    with pytest.raises(Cancelled):
        chunks.while_reporting(lambda: release.wait(5), cancel)
    assert time.monotonic() - start < 1
    release.set()

    def fail():
        raise OSError("a worker died")

    with pytest.raises(OSError, match="a worker died"):
        chunks.while_reporting(fail, lambda: None)
    assert chunks.while_reporting(lambda: 7, lambda: None) == 7


def test_processes_start_only_when_the_rest_is_long(monkeypatch):
    asked = []

    def timed(metric, hypotheses, references):
        return metric.statistics(hypotheses, references), 0.01 * len(hypotheses)

    def over_processes(tasks, workers):
        asked.append((len(tasks), workers))
        return [timed(*task) for task in tasks]

    monkeypatch.setattr(chunks, "_timed", timed)
    monkeypatch.setattr(chunks, "_over_processes", over_processes)
    list(scored_in_chunks(Slow(), *texts(400), no_progress, "", 3))
    assert not asked
    list(scored_in_chunks(Slow(), *texts(1000), no_progress, "", 1))
    assert not asked
    parts = list(scored_in_chunks(Slow(), *texts(1000), no_progress, "", 3))
    assert asked
    assert all(tasks <= 3 * chunks.CHUNKS_PER_WORKER and workers == 3 for tasks, workers in asked)
    np.testing.assert_array_equal(np.concatenate(parts)[:, 0], np.arange(1000))


@pytest.mark.parametrize(("faster", "ways"), [("soon", {1}), ("now", {1, 3})])
def test_threads_share_the_work_once_the_metric_is_fast(faster, ways, monkeypatch):
    workers = []

    def timed(metric, hypotheses, references):
        return metric.statistics(hypotheses, references), 0.01 * len(hypotheses)

    def spy(tasks, n):
        workers.append(n)
        return over_threads(tasks, n)

    over_threads = chunks._over_threads
    monkeypatch.setattr(chunks, "_timed", timed)
    monkeypatch.setattr(chunks, "_over_threads", spy)
    monkeypatch.setattr(chunks, "_over_processes", None)
    parts = list(scored_in_chunks(Slow(faster=faster), *texts(1000), no_progress, "", 3))
    np.testing.assert_array_equal(np.concatenate(parts)[:, 0], np.arange(1000))
    assert {1, *workers} == ways
    workers.clear()
    list(scored_in_chunks(Slow(faster=faster), *texts(40), no_progress, "", 3))
    list(scored_in_chunks(Slow(faster=faster), *texts(1000), no_progress, "", 1))
    assert not workers


@pytest.mark.slow
def test_processes_give_the_same_and_stop_within_a_second(monkeypatch, make_experiment, tmp_path):
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "2")  # tests do without processes that help, but for this one
    started = threading.Event()
    over_processes = chunks._over_processes

    def spy(tasks, workers):
        started.set()
        return over_processes(tasks, workers)

    monkeypatch.setattr(chunks, "_over_processes", spy)
    monkeypatch.setattr(TER, "make_faster", lambda self: "never")
    monkeypatch.setitem(KERNELS_OF, "TER", Kernels("never asked for"))
    experiment, metric = make_experiment(1, segments=30, replicas=(2,), longest=40), get_metric("ter")
    alone = compute_statistics(experiment, "t", metric, n_jobs=1)
    assert not started.is_set()
    # however fast the machine is
    for name, seconds in (("SERIAL_SECONDS", 0.0), ("SHORT_SECONDS", 0.0), ("CHUNK_SECONDS", 0.005)):
        monkeypatch.setattr(chunks, name, seconds)
    np.testing.assert_array_equal(compute_statistics(experiment, "t", metric, n_jobs=2).values, alone.values)
    assert started.is_set()

    started.clear()
    longer, cache = make_experiment(2, segments=400, replicas=(2,), longest=40), StatisticsCache(tmp_path)
    job = Job(lambda progress, publish: compute_statistics(longer, "t", metric, cache=cache, progress=progress)).start()
    assert started.wait(20)
    assert not job.wait(0.3)
    job.cancel()
    assert job.wait(1.0)
    assert job.state == "cancelled"


def test_without_joblib_slow_metrics_are_scored_in_this_process(monkeypatch):
    monkeypatch.setattr(chunks, "is_installed", lambda package: False)
    monkeypatch.setattr(chunks, "_over_processes", None)
    monkeypatch.setattr(chunks, "SERIAL_SECONDS", 0.0)
    monkeypatch.setattr(chunks, "SHORT_SECONDS", 0.0)
    assert chunks._n_workers(None) >= 1
    parts = list(scored_in_chunks(Slow(), *texts(300), no_progress, ""))
    np.testing.assert_array_equal(np.concatenate(parts)[:, 0], np.arange(300))
