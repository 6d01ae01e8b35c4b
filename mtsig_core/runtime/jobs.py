"""A cancellable background job that reports how far it is. Knows nothing of any user interface."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
POLL_SECONDS = 0.1  # between two reports of something that cannot be interrupted


class Cancelled(Exception):
    """Raised inside a computation, at its next report of progress, once its job was cancelled."""


class Progress(Protocol):
    """What a long computation calls between two chunks; it may raise `Cancelled`."""

    def __call__(self, fraction: float, what: str = "") -> None:
        """Report the fraction done (0 to 1) and, in a few words, what is being done."""


def no_progress(fraction: float, what: str = "") -> None:
    """Ignore progress: the default of every function that reports it."""


def subprogress(progress: Progress, start: float, end: float) -> Progress:
    """Return a progress whose 0..1 is the part start..end of another's."""

    def report(fraction: float, what: str = "") -> None:
        progress(start + (end - start) * min(1.0, max(0.0, fraction)), what)

    return report


class Repeated:
    """A progress that can be reported again while there is no other, so that a job can be cancelled meanwhile."""

    def __init__(self, progress: Progress) -> None:
        self._progress, self._last = progress, (0.0, "")

    def __call__(self, fraction: float, what: str = "") -> None:
        """Report the fraction done and what is being done."""
        self._last = fraction, what
        self._progress(fraction, what)

    def again(self) -> None:
        """Report what was reported last."""
        self._progress(*self._last)


def while_reporting(work: Callable[[], T], report: Callable[[], None]) -> T:
    """Return the result of work done in another thread, reporting meanwhile.

    For what cannot be interrupted, such as a single long segment (TER can take half a minute for one), the start
    of processes, or another machine: when the report raises, the work is left to finish by itself and its result
    is dropped.
    """
    result: list[T] = []
    errors: list[BaseException] = []
    done = threading.Event()

    def run() -> None:
        try:
            result.append(work())
        except BaseException as error:  # raised again by the thread that waits
            errors.append(error)
        finally:
            done.set()

    threading.Thread(target=run, name="mtsig-waiting", daemon=True).start()
    while not done.wait(POLL_SECONDS):
        report()
    if errors:
        raise errors[0]
    return result[0]


@dataclass
class Job:
    """Runs ``work(progress, publish)`` in a thread; its fields may be read from any other thread.

    ``publish`` hands over a preliminary result (a quick answer) while the work goes on; the work's
    return value is the final one.
    """

    work: Callable[[Progress, Callable[[Any], None]], Any]
    result: Any = None
    final: bool = False
    version: int = 0
    fraction: float = 0.0
    doing: str = ""
    error: BaseException | None = None
    started: float = field(default_factory=time.monotonic)
    finished: float | None = None
    _cancel: threading.Event = field(default_factory=threading.Event)
    _published: threading.Event = field(default_factory=threading.Event)
    _done: threading.Event = field(default_factory=threading.Event)

    def start(self) -> Job:
        """Start the thread and return self."""
        threading.Thread(target=self._run, name="mtsig-job", daemon=True).start()
        return self

    def cancel(self) -> None:
        """Ask the work to stop at its next report of progress."""
        self._cancel.set()

    def wait(self, seconds: float) -> bool:
        """Wait until the job has ended, at most so long; say whether it has."""
        return self._done.wait(seconds)

    def wait_for_result(self, seconds: float) -> bool:
        """Wait until there is a first result or the job has ended, at most so long; say whether it is so."""
        return self._published.wait(seconds)

    @property
    def state(self) -> str:
        """One of running, cancelling, done, cancelled, failed."""
        if self.finished is None:
            return "cancelling" if self._cancel.is_set() else "running"
        if isinstance(self.error, Cancelled):
            return "cancelled"
        return "failed" if self.error is not None else "done"

    def _report(self, fraction: float, what: str = "") -> None:
        if self._cancel.is_set():
            raise Cancelled
        self.fraction = max(self.fraction, min(1.0, fraction))
        self.doing = what or self.doing

    def _publish(self, result: Any) -> None:
        self.result = result
        self.version += 1
        self._published.set()

    def _run(self) -> None:
        try:
            result = self.work(self._report, self._publish)
            self.final = True
            self._publish(result)
        except BaseException as error:  # shown to the user by whoever started the job
            self.error = error
        finally:
            self.finished = time.monotonic()
            self._published.set()
            self._done.set()
