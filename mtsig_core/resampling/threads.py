"""Work on several chunks at a time: products and compiled kernels leave the interpreter free."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")
U = TypeVar("U")


_alone = threading.local()


def cores() -> int:
    """Return how many chunks can be worked on at a time."""
    return 1 if getattr(_alone, "here", False) else os.cpu_count() or 1


@contextmanager
def on_one_core() -> Iterator[None]:
    """Keep this thread, and the products it asks for, to one core within a ``with`` block."""
    _alone.here = True
    try:
        with single_threaded_products():
            yield
    finally:
        _alone.here = False


def side_by_side(work: Callable[[T], U], chunks: Sequence[T], most: int | None = None) -> Iterator[U]:
    """Yield the work on each chunk in their order; closing the iterator cancels what has not begun.

    At most `most` are worked on at a time, by default as many as there are cores.
    """
    workers = min(len(chunks), cores() if most is None else min(most, cores()))
    if workers < 2:
        yield from map(work, chunks)
        return
    pool = ThreadPoolExecutor(workers, thread_name_prefix="mtsig-chunks")
    try:
        with single_threaded_products():
            yield from pool.map(work, chunks)
    finally:
        pool.shutdown(cancel_futures=True)


class _SingleThreaded:
    """Keeps numpy's products to one thread each while they are computed side by side.

    Threads of its own would wait for one another at every product: half of the speed on an idle machine, and
    far less on a busy one. The setting is the whole process's, so the last one out restores it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._limit: Any = None

    @contextmanager
    def products(self) -> Iterator[None]:
        """Hold products to one thread within a ``with`` block."""
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                self._limit = _libraries().limit(limits=1, user_api="blas")
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if not self._inside:
                    self._limit.restore_original_limits()


single_threaded_products = _SingleThreaded().products


@cache
def _libraries() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
