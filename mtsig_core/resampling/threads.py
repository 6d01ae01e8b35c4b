"""Work on several chunks at a time: products and compiled kernels leave the interpreter free."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
U = TypeVar("U")


def side_by_side(work: Callable[[T], U], parts: Sequence[T]) -> Iterator[U]:
    """Yield the work on each part in their order; whoever stops listening calls off what has not begun."""
    if len(parts) < 2:
        yield from map(work, parts)
        return
    pool = ThreadPoolExecutor(min(len(parts), os.cpu_count() or 1), thread_name_prefix="mtsig-chunks")
    try:
        yield from pool.map(work, parts)
    finally:
        pool.shutdown(cancel_futures=True)
