"""Results in memory by key: each is computed once, whoever asks, also when two threads ask at the same time."""

from __future__ import annotations

import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from mtsig_core.runtime.jobs import Progress, no_progress

T = TypeVar("T")
WAIT_SECONDS = 0.05  # between two looks whether a waiting question was cancelled
_OBJECT_BYTES = 64


class Memo:
    """Results by key, the least recently used evicted first; safe between threads.

    Parameters
    ----------
    limit : int
        Bytes of all results together; a single larger one stays alone.

    Examples
    --------
    >>> from mtsig_core.workbench.memo import Memo
    >>> memo = Memo()
    >>> memo.get(("answer",), lambda: 6 * 7)
    42
    >>> memo.get(("answer",), lambda: 1 / 0)  # not computed again
    42
    """

    def __init__(self, limit: int = 2**30) -> None:
        self.limit = limit
        self._results: OrderedDict[tuple, tuple[Any, int]] = OrderedDict()
        self._asked: dict[tuple, float] = {}  # when each was asked for last
        self._running: dict[tuple, threading.Event] = {}
        self._lock = threading.Lock()

    def get(
        self, key: tuple, compute: Callable[[], T], *, size: int | None = None, progress: Progress = no_progress
    ) -> T:
        """Return the result of a key, computed when it is not there.

        Parameters
        ----------
        key : tuple
            Everything that the result depends on.
        compute : callable
            Runs without any lock. When it raises, nothing is stored, and one of those who wait computes.
        size : int, optional
            Bytes that the result takes; by default as measured.
        progress : Progress
            Called while another thread computes the result, so that waiting can be cancelled.
        """
        return self.extend(key, lambda _: compute(), lambda _: True, size=size, progress=progress)

    def extend(
        self, key: tuple, compute: Callable[[T | None], T], suffices: Callable[[T], bool], *, size: int | None = None,
        progress: Progress = no_progress,
    ) -> T:  # fmt: skip
        """Return the result of a key if it suffices, else compute a larger one from it.

        Parameters
        ----------
        key : tuple
        compute, suffices : callable
            Both take the stored result; without one, `compute` takes None.
        size, progress
            As in `get`.
        """
        while True:
            with self._lock:
                stored = self._results.get(key)
                if stored is not None and suffices(stored[0]):
                    self._touch(key)
                    return stored[0]
                other = self._running.get(key)
                if other is None:
                    self._running[key] = own = threading.Event()
                    break
            while not other.wait(WAIT_SECONDS):
                progress(0.0, "waiting for the same result")
        try:
            value = compute(None if stored is None else stored[0])
            self._store(key, value, size_of(value) if size is None else size)
            return value
        finally:
            with self._lock:
                del self._running[key]
            own.set()

    def _store(self, key: tuple, value: Any, size: int) -> None:
        with self._lock:
            self._results[key] = (value, size)
            self._touch(key)
            while len(self._results) > 1 and sum(s for _, s in self._results.values()) > self.limit:
                self._drop_oldest()

    def _touch(self, key: tuple) -> None:
        self._results.move_to_end(key)
        self._asked[key] = time.monotonic()

    def _drop_oldest(self) -> None:
        key, _ = self._results.popitem(last=False)
        del self._asked[key]

    def drop_unused(self, seconds: float) -> int:
        """Forget the results that nobody has asked for in so many seconds; return how many they were.

        Examples
        --------
        >>> from mtsig_core.workbench.memo import Memo
        >>> memo = Memo()
        >>> memo.get(("answer",), lambda: 6 * 7)
        42
        >>> memo.drop_unused(3600)
        0
        >>> memo.get(("answer",), lambda: 0)  # asked for less than an hour ago
        42
        >>> memo.drop_unused(0)
        1
        >>> memo.get(("answer",), lambda: 0)  # computed again
        0
        """
        before, dropped = time.monotonic() - seconds, 0
        with self._lock:
            while self._results and self._asked[next(iter(self._results))] <= before:
                self._drop_oldest()
                dropped += 1
        return dropped


def size_of(value: Any) -> int:
    """Return about how many bytes a result takes in memory: arrays, tables and texts, through all its fields."""
    if isinstance(value, np.ndarray):
        return _OBJECT_BYTES + value.nbytes
    if isinstance(value, pd.DataFrame):
        return int(value.memory_usage(deep=True).sum())
    if isinstance(value, str | bytes):
        return sys.getsizeof(value)
    if isinstance(value, Mapping):
        return _OBJECT_BYTES + sum(size_of(x) for item in value.items() for x in item)
    if isinstance(value, list | tuple):
        return _OBJECT_BYTES + sum(map(size_of, value))
    if is_dataclass(value):
        return _OBJECT_BYTES + sum(size_of(getattr(value, field.name)) for field in fields(value))
    return _OBJECT_BYTES
