"""Scoring many hypotheses in chunks short enough to cancel, over threads, processes or a cluster when that pays."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np

from mtsig_core.metrics.base import Metric
from mtsig_core.runtime.cluster import Cluster, Lost, cluster
from mtsig_core.runtime.jobs import Progress, while_reporting
from mtsig_core.runtime.optional import is_installed

Row = tuple[str | None, ...]
Task = tuple[Metric, Sequence[str], Sequence[Row]]
Timed = tuple[np.ndarray, float]  # statistics, and the seconds that they took
Work = Callable[[Sequence[Task], int], list[Timed]]
Segments = tuple[Sequence[str], Sequence[Row]]

# Seconds that a chunk should take, from the speed of those before it; the first one has one segment.
CHUNK_SECONDS = 0.15
FIRST_CHUNK = 1
GROWTH = 4
# Below this much serial work, starting processes (about 2 s) gains nothing.
SERIAL_SECONDS = 4.0
# Below this much, threads gain nothing, and neither does it pay to make the metric faster first.
SHORT_SECONDS = 0.5
# Chunks handed to each worker at a time: few enough to report progress, enough to even out their lengths.
CHUNKS_PER_WORKER = 4
# Below this much, sending it to other machines gains nothing.
WORTH_SENDING = 1.0
_KERNEL_SECONDS = 0.05


class _Pace:
    """How many segments make a chunk of the wanted time."""

    def __init__(self) -> None:
        self.size = FIRST_CHUNK
        self.seconds_per_segment = 0.0

    def learn(self, n: int, seconds: float) -> None:
        """Take the time of n segments into account; sizes grow by steps, since first ones may be short."""
        self.seconds_per_segment = max(seconds, 1e-6) / n
        self.size = max(1, min(int(CHUNK_SECONDS / self.seconds_per_segment), GROWTH * self.size))


def scored_in_chunks(
    metric: Metric, hypotheses: Sequence[str], references: Sequence[Row], progress: Progress,
    doing: str, n_jobs: int | None = None,
) -> Iterator[np.ndarray]:  # fmt: skip
    """Yield the statistics of consecutive hypotheses, shape (n, S), until all N are done.

    The first chunks are scored one by one, which measures their speed. If the rest takes long, the metric is asked to
    compile: until it has, this process goes on; then threads share the work. A metric that cannot compile is scored
    by processes if the rest takes longer than they need to start. A cluster takes the rest as long as it works.

    Parameters
    ----------
    metric : Metric
    hypotheses, references : sequences of N str, and of N rows of references
    progress : Progress
        Called between chunks and several times a second; what it raises ends the iteration at once.
    doing : str
        What progress says is being done.
    n_jobs : int, optional
        Most workers on this machine; by default all cores, or the cluster.
    """
    pace, done, total = _Pace(), 0, len(hypotheses)

    def report() -> None:
        progress(done / max(total, 1), f"{doing}: {done:,} of {total:,} segments")

    while done < total:
        report()
        if n_jobs is None and (remote := _worthwhile_cluster(pace, total - done, report)):
            for values in _over_cluster(remote, metric, pace, (hypotheses[done:], references[done:]), report):
                done += len(values)
                yield values
                report()
            continue
        results = _next_chunks(metric, pace, (hypotheses, references), done, n_jobs, report)
        done += sum(len(values) for values, _ in results)
        yield from (values for values, _ in results)


def _next_chunks(
    metric: Metric, pace: _Pace, texts: Segments, done: int, n_jobs: int | None, report: Callable[[], None]
) -> list[Timed]:
    """Return the statistics of the chunks after those done, scored on this machine, and the seconds of each."""
    hypotheses, references = texts
    total = len(hypotheses)
    work, workers = _choose_work(metric, pace, total - done, n_jobs)
    chunks = _slices(done, total, pace.size, 1 if workers == 1 else CHUNKS_PER_WORKER * workers)
    tasks = [(metric, hypotheses[chunk], references[chunk]) for chunk in chunks]
    results = while_reporting(partial(work, tasks, workers), report)
    pace.learn(sum(len(values) for values, _ in results), sum(seconds for _, seconds in results))
    return results


def _choose_work(metric: Metric, pace: _Pace, n_left: int, n_jobs: int | None) -> tuple[Work, int]:
    """Return what scores the next chunks, and with how many workers."""
    left = pace.seconds_per_segment * n_left
    if left < SHORT_SECONDS or not _settled(pace):
        return _here, 1
    faster = metric.make_faster()
    if faster == "soon" or (faster == "never" and left < SERIAL_SECONDS):
        return _here, 1
    workers = _n_workers(n_jobs)
    if workers == 1:
        return _here, 1
    if faster == "now":
        return _over_threads, workers
    return (_over_processes, workers) if is_installed("joblib") else (_here, 1)


def _worthwhile_cluster(pace: _Pace, n_left: int, report: Callable[[], None]) -> Cluster | None:
    """Return the cluster, where there is one and it pays to send the rest to it."""
    if not _settled(pace) or pace.seconds_per_segment * n_left < WORTH_SENDING:
        return None
    return cluster(report)


@dataclass(frozen=True)
class _Scorer:
    """Scores segments on another machine, as fast as it can: other segments wait for it only there."""

    metric: Metric

    def __call__(self, segments: Segments) -> Timed:
        while self.metric.make_faster() == "soon":
            time.sleep(_KERNEL_SECONDS)
        return _timed(self.metric, *segments)


def _over_cluster(
    remote: Cluster, metric: Metric, pace: _Pace, texts: Segments, report: Callable[[], None]
) -> Iterator[np.ndarray]:
    """Yield the statistics of consecutive segments until all are done, or the cluster fails."""
    hypotheses, references = texts

    def chunks() -> Iterator[Segments]:
        start = 0
        while start < len(hypotheses):
            stop = start + pace.size  # as learned meanwhile
            yield hypotheses[start:stop], references[start:stop]
            start = stop

    try:
        for values, seconds in remote.over(_Scorer(metric), chunks(), report):
            pace.learn(len(values), seconds)
            yield values
    except Lost:
        return


def _settled(pace: _Pace) -> bool:
    """Say whether chunks are long enough for their speed to be believed."""
    return pace.size * pace.seconds_per_segment > CHUNK_SECONDS / 2


def _slices(start: int, total: int, size: int, most: int) -> list[slice]:
    """Return the next slices of a size, at most so many."""
    return [slice(first, min(first + size, total)) for first in range(start, total, size)[:most]]


def _timed(metric: Metric, hypotheses: Sequence[str], references: Sequence[Row]) -> Timed:
    """Return statistics and the seconds that they took."""
    start = time.perf_counter()
    values = metric.statistics(hypotheses, references)
    return values, time.perf_counter() - start


def _n_workers(n_jobs: int | None) -> int:
    if n_jobs is not None and n_jobs > 0:
        return n_jobs
    if is_installed("joblib"):
        import joblib

        return max(1, joblib.cpu_count())
    return os.cpu_count() or 1


def _here(tasks: Sequence[Task], workers: int) -> list[Timed]:
    return [_timed(*task) for task in tasks]


def _over_threads(tasks: Sequence[Task], workers: int) -> list[Timed]:
    with ThreadPoolExecutor(workers, thread_name_prefix="mtsig-scoring") as pool:
        return list(pool.map(lambda task: _timed(*task), tasks))


def _over_processes(tasks: Sequence[Task], workers: int) -> list[Timed]:
    import joblib

    return joblib.Parallel(n_jobs=workers, batch_size=1)(joblib.delayed(_timed)(*task) for task in tasks)
