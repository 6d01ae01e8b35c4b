"""Many replicas of one optimizer, side by side."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

import numpy as np

from mtsig_core.optimizers.base import Optimizer, Trajectory
from mtsig_core.optimizers.problem import TuningProblem
from mtsig_core.optimizers.results import TuningResult, tuned_replicas
from mtsig_core.resampling.threads import cores
from mtsig_core.runtime.jobs import POLL_SECONDS, Cancelled, Progress, no_progress

DEFAULT_SEED = 12345


def tune_replicas(
    problem: TuningProblem, optimizer: Optimizer, n_replicas: int, *, seed: int = DEFAULT_SEED,
    n_jobs: int | None = None, progress: Progress = no_progress,
) -> TuningResult:  # fmt: skip
    """Run an optimizer several times.

    Replica i has a random generator of its own, the i-th that the seed spawns: it is the same whatever the number of
    replicas and threads.

    Parameters
    ----------
    problem : TuningProblem
    optimizer : Optimizer
    n_replicas : int
    seed : int
    n_jobs : int, optional
        Threads; by default as many as there are cores.
    progress : Progress
        Called several times a second; what it raises ends all threads at their next report.

    Raises
    ------
    ValueError
        When no replica is asked for.
    """
    if n_replicas < 1:
        raise ValueError(f"At least one replica is needed; not {n_replicas}.")
    streams = np.random.SeedSequence(seed).spawn(n_replicas)
    rngs = [np.random.Generator(np.random.PCG64DXSM(stream)) for stream in streams]
    workers = min(n_jobs or cores(), n_replicas)
    size = max(1, min(optimizer.batch, -(-n_replicas // workers)))
    batches = [rngs[start : start + size] for start in range(0, n_replicas, size)]
    doing = f"{optimizer.label}: {n_replicas} replicas"
    trajectories = _Team(problem, optimizer, batches, workers).run(progress, doing)
    progress(1.0, doing)
    return TuningResult(problem, optimizer, seed, tuned_replicas(problem, trajectories))


class _Team:
    """Threads that tune batches of replicas and can be called off."""

    def __init__(
        self, problem: TuningProblem, optimizer: Optimizer, batches: Sequence[list[np.random.Generator]], workers: int
    ) -> None:
        self.problem, self.optimizer, self.batches, self.workers = problem, optimizer, batches, workers
        self.done = np.zeros(len(batches))
        self.called_off = threading.Event()

    def run(self, progress: Progress, doing: str) -> list[Trajectory]:
        """Return the trajectories of all batches in their order."""
        _ = self.problem.start, self.problem.dev.features  # computed once, before the threads ask for them
        with ThreadPoolExecutor(self.workers, thread_name_prefix="mtsig-tuning") as pool:
            futures = [pool.submit(self._tune, number) for number in range(len(self.batches))]
            try:
                self._watch(futures, progress, doing)
            except BaseException:
                self.called_off.set()
                pool.shutdown(cancel_futures=True)
                raise
        return [trajectory for future in futures for trajectory in future.result()]

    def _watch(self, futures: Sequence[Future], progress: Progress, doing: str) -> None:
        open_futures = set(futures)
        while open_futures:
            finished, open_futures = wait(open_futures, POLL_SECONDS, FIRST_COMPLETED)
            for future in finished:
                future.result()
            progress(float(self.done.mean()), doing)

    def _tune(self, number: int) -> list[Trajectory]:
        def report(fraction: float, what: str = "") -> None:
            if self.called_off.is_set():
                raise Cancelled
            self.done[number] = fraction

        trajectories = self.optimizer.tune(self.problem, self.batches[number], report)
        self.done[number] = 1.0
        return trajectories
