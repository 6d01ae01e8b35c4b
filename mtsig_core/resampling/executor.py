"""Where the chunks of a long resampling are worked on: threads of this machine, or a cluster when one is set."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, TypeVar

from mtsig_core.resampling.compiled import SIGNED_SUMS
from mtsig_core.resampling.threads import on_one_core, side_by_side
from mtsig_core.runtime.cluster import Lost, address, cluster

T = TypeVar("T")
U = TypeVar("U")

WORTH_SENDING = 1.0  # seconds that the rest must take here for it to be sent away
_TRIED = 2  # chunks done here first
_LEAST_TASKS = 16  # enough to share evenly
_KERNEL_SECONDS = 5.0
TASK_SECONDS = 0.2  # that the chunks of one task on a cluster should take


@dataclass(frozen=True)
class _Several(Generic[T, U]):
    """Does several chunks in turn on a worker, which may share its machine with others: it keeps to one core."""

    work: Callable[[T], U]

    def __call__(self, chunks: Sequence[T]) -> list[U]:
        SIGNED_SUMS.wait_while_loading(_KERNEL_SECONDS)
        with on_one_core():
            return [self.work(chunk) for chunk in chunks]


def spread(
    work: Callable[[T], U], chunks: Sequence[T], waiting: Callable[[], None] = lambda: None, most: int | None = None
) -> Generator[U]:
    """Yield the work on each chunk in their order, wherever it is done; closing the generator cancels the rest.

    With a cluster, the first chunks are done here, which shows whether it pays to send the others. Should the cluster
    fail, what it has not done is done here. Where chunks are done does not change what comes out, as long as
    ``work`` gives the same for the same chunk.

    Parameters
    ----------
    work : callable
        Holds its data and can be pickled; it changes nothing outside itself.
    chunks : sequence
        Small.
    waiting : callable
        Called several times a second while other machines work; it may raise.
    most : int, optional
        Parts worked on at a time on this machine; by default as many as there are cores.
    """
    if not address() or len(chunks) <= _TRIED:
        yield from side_by_side(work, chunks, most)
        return
    seconds = math.inf
    for chunk in chunks[:_TRIED]:
        start = time.perf_counter()
        result = work(chunk)
        seconds = min(seconds, time.perf_counter() - start)  # of the quicker: the first one has to prepare more
        yield result
    rest = chunks[_TRIED:]
    done = yield from _over_cluster(work, rest, seconds, waiting)
    yield from side_by_side(work, rest[done:], most)


def _over_cluster(
    work: Callable[[T], U], chunks: Sequence[T], seconds: float, waiting: Callable[[], None]
) -> Generator[U, None, int]:
    """Yield the work on chunks that take so many seconds each, done on the cluster; return how many it did."""
    remote = cluster(waiting) if seconds * len(chunks) >= WORTH_SENDING else None
    if remote is None:
        return 0
    step = max(1, min(int(TASK_SECONDS / max(seconds, 1e-6)), (len(chunks) + _TRIED) // _LEAST_TASKS))
    tasks = [chunks[i : i + step] for i in range(0, len(chunks), step)]
    done = 0
    with suppress(Lost):  # mtsig_core.runtime.cluster.problem says why
        for results in remote.over(_Several(work), tasks, waiting):
            yield from results
            done += len(results)
    return done
