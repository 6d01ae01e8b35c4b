"""Work on other machines, through a Dask scheduler: the same chunks and the same numbers, further away.

Nothing here knows what is computed. Work is a callable that holds its data and is sent to every worker once; a
chunk says what of it is to be done. Whatever goes wrong is reported once and raised as `Lost`, after which the caller
does the rest on this machine; so no result ever depends on a cluster.
"""

from __future__ import annotations

import hashlib
import logging
import os
import platform
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from itertools import islice, takewhile
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import mtsig_core
from mtsig_core.runtime.jobs import while_reporting
from mtsig_core.runtime.optional import optional_hint

T = TypeVar("T")
U = TypeVar("U")

SETTING = "MTSIG_SCHEDULER"
CONNECT_SECONDS = 3.0
EMPTY_SECONDS = 6.0  # without any worker, after which the rest is done here; one that restarts takes 2 or 3
SILENCE_SECONDS = 30.0  # without an answer of the scheduler
RETRY_SECONDS = 60.0  # until a scheduler that failed is asked again
SENDINGS = 3  # sendings of the same data to workers that go with it
IN_FLIGHT = 3  # chunks per thread that the scheduler has at a time: one done, one next, one on its way
_LOOK_SECONDS = 1.0


def _failures() -> tuple[type[BaseException], ...]:
    from asyncio import CancelledError  # many modules, and dask alone raises it

    return Exception, CancelledError


class Lost(Exception):
    """The cluster cannot go on: what is left must be done here."""


class DataGone(Lost):
    """Workers went with data that no other one had."""


class OtherVersion(Exception):
    """A worker's programs are not those of this machine."""


class Cluster:
    """A scheduler that answered, with workers.

    Parameters
    ----------
    address : str
    client : distributed.Client
    """

    def __init__(self, address: str, client: Any) -> None:
        self.address, self.client = address, client

    @property
    def threads(self) -> int:
        """How many chunks all workers do at a time; asks the scheduler."""
        return sum(self.client.nthreads().values())

    def over(
        self, work: Callable[[T], U], chunks: Iterable[T], waiting: Callable[[], None] = lambda: None
    ) -> Iterator[U]:
        """Yield the work on each chunk, in their order; chunks are taken from the iterable as workers get free.

        Parameters
        ----------
        work : callable
            With all data that the chunks have in common: it is sent once.
        chunks : iterable
            Small.
        waiting : callable
            Called several times a second; what it raises ends the iteration, and calls off what has not begun.

        Raises
        ------
        Lost
            When the cluster, or the work on it, failed. All that was yielded is right.
        """
        chunks = iter(chunks)
        flight = _Flight(self.client, work)
        try:
            with _Watch(self) as watch:
                watch.answer(flight.send, waiting)
                while True:
                    for chunk in islice(chunks, max(0, IN_FLIGHT * watch.threads - len(flight.tasks))):
                        flight.add(chunk)
                    if not flight.tasks:
                        return
                    yield from self._landed(flight, watch, waiting)
        except Lost as lost:
            _connection.fail(f"The cluster of {self.address} failed: {lost}. This machine computes what was left.")
            raise
        finally:
            flight.cancel()

    def _landed(self, flight: _Flight, watch: _Watch, waiting: Callable[[], None]) -> list[Any]:
        """Return the next results; none where the data had to be sent again."""
        try:
            results = watch.answer(flight.results, waiting)
        except DataGone:
            if flight.sendings == SENDINGS:
                raise
            watch.answer(flight.send, waiting)
            return []
        flight.forget(len(results))
        return results

    def close(self) -> None:
        """End the connection."""
        with suppress(*_failures()):
            self.client.close(timeout=CONNECT_SECONDS)


class _Flight:
    """The chunks that the scheduler has, in their order, and the data that they need."""

    def __init__(self, client: Any, work: Any) -> None:
        self.client, self.work = client, work
        self.tasks: deque[tuple[Any, Any]] = deque()  # a chunk, and the future of its result
        self.sendings = 0

    def send(self) -> None:
        """Send the data, and with them the chunks that waited for those sent before."""
        self.sendings += 1
        self._sent = self.client.scatter(self.work, broadcast=True, hash=False)
        for _ in range(len(self.tasks)):
            self.add(self.tasks.popleft()[0])

    def add(self, chunk: Any) -> None:
        try:
            future = self.client.submit(_task, self._sent, chunk, versions(), pure=False)
        except _failures() as error:
            raise Lost(_one_line(error)) from error
        self.tasks.append((chunk, future))

    def results(self) -> list[Any]:
        """Wait for the first chunk; return its result and, fetched in one go, those of the next ones that are done."""
        first, *others = (future for _, future in self.tasks)
        first.exception()  # returns once there is a result, or none is to come
        return self.client.gather([first, *takewhile(lambda future: future.done(), others)])

    def forget(self, count: int) -> None:
        for _ in range(count):
            self.tasks.popleft()

    def cancel(self) -> None:
        if self.tasks:
            _aside(lambda: self.client.cancel([future for _, future in self.tasks]))


class _Watch:
    """Looks at the workers now and then, since a future of a cluster without any would keep one waiting for ever."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster, self.threads = cluster, 1
        self._answered = self._staffed = time.monotonic()
        self._over = threading.Event()

    def __enter__(self) -> _Watch:
        threading.Thread(target=self._look, name="mtsig-cluster", daemon=True).start()
        return self

    def __exit__(self, *what: object) -> None:
        self._over.set()

    def _look(self) -> None:
        while not self._over.is_set():
            with suppress(*_failures()):
                threads = self.cluster.threads
                self._answered = time.monotonic()
                if threads:
                    self.threads, self._staffed = threads, self._answered
            self._over.wait(_LOOK_SECONDS)

    def answer(self, what: Callable[[], U], waiting: Callable[[], None]) -> U:
        """Return what the cluster answers, as long as there is one."""

        def call() -> U:
            try:
                return what()
            except _failures() as error:
                raise (DataGone if _is_cancelled(error) else Lost)(_one_line(error)) from error

        def check() -> None:
            waiting()
            if self.cluster.client.status != "running":
                raise Lost("the scheduler is gone")
            if self._answered - self._staffed > EMPTY_SECONDS:
                raise Lost("no worker is left")
            if time.monotonic() - self._answered > SILENCE_SECONDS:
                raise Lost("the scheduler does not answer any more")

        return while_reporting(call, check)


class _Connection:
    """The one connection of this process: to the scheduler set, opened when it is needed."""

    def __init__(self) -> None:
        self.problem = ""
        self._chosen: str | None = None
        self._cluster: Cluster | None = None
        self._connected = ""
        self._retry = 0.0
        self._lock = threading.Lock()

    def use(self, address: str | None) -> None:
        """Take this scheduler instead of the environment's; None: the environment's again."""
        self._chosen = address

    @property
    def address(self) -> str:
        """The scheduler set; empty: none."""
        return (os.environ.get(SETTING, "") if self._chosen is None else self._chosen).strip()

    def cluster(self) -> Cluster | None:
        with self._lock:
            if self.address != self._connected:
                self._forget()
                self._connected, self._retry, self.problem = self.address, 0.0, ""
            if self._cluster is None and self._connected and time.monotonic() >= self._retry:
                try:
                    self._cluster, self.problem = _connect(self._connected), ""
                except Lost as lost:
                    self._set_aside(f"{lost}; everything is computed on this machine.")
            return self._cluster

    def fail(self, problem: str) -> None:
        """Do without the cluster for a while, and say why."""
        with self._lock:
            self._set_aside(problem)

    def close(self) -> None:
        with self._lock:
            self._forget()
            self._connected, self.problem = "", ""

    def _set_aside(self, problem: str) -> None:
        self.problem, self._retry = problem, time.monotonic() + RETRY_SECONDS
        self._forget()

    def _forget(self) -> None:
        if self._cluster is not None:
            _aside(self._cluster.close)
            self._cluster = None


_connection = _Connection()
use, close = _connection.use, _connection.close


def address() -> str:
    """Return the scheduler set (``use``, else ``MTSIG_SCHEDULER``); empty: none."""
    return _connection.address


def problem() -> str:
    """Return why the scheduler set is not used, for people; empty as long as nothing is wrong."""
    return _connection.problem if _connection.address else ""


def cluster(waiting: Callable[[], None] = lambda: None) -> Cluster | None:
    """Return the cluster to use, connecting to it if need be; None: do it here (see `problem` for why).

    Parameters
    ----------
    waiting : callable
        Called several times a second while connecting; it may raise.
    """
    return while_reporting(_connection.cluster, waiting) if _connection.address else None


def _connect(setting: str) -> Cluster:
    """Return a cluster that answers and has workers; raise `Lost` with what to do otherwise."""
    url = urlsplit(setting if "://" in setting else f"tcp://{setting}")
    where = url.geturl()
    if not url.hostname or _port(url) is None:
        raise Lost(f"{SETTING} or --scheduler must be an address such as tcp://host:8786; got {setting!r}")
    if hint := optional_hint("distributed"):
        raise Lost(f"the scheduler {where} cannot be used: {hint.rstrip('.')}")
    try:
        socket.create_connection((url.hostname, _port(url)), timeout=CONNECT_SECONDS).close()
    except OSError as error:
        why = error.strerror or error
        raise Lost(f"no scheduler answers at {where} ({why}): start one with dask scheduler") from error
    from distributed import Client

    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong is reported in one sentence
    try:
        client = Client(where, timeout=CONNECT_SECONDS, set_as_default=False, name="mtsig")
    except _failures() as error:
        raise Lost(f"what answers at {where} is no scheduler that this version of dask understands") from error
    connected = Cluster(where, client)
    if not connected.threads:
        _aside(connected.close)
        raise Lost(f"the scheduler at {where} has no workers: start some with dask worker {where} --nthreads 1")
    return connected


def _port(url: Any) -> int | None:
    try:
        return url.port
    except ValueError:
        return None


@cache
def versions() -> str:
    """Return what must be the same on all machines for the same numbers."""
    digest = hashlib.sha256()
    for folder in ("metrics", "resampling"):
        for path in sorted(Path(mtsig_core.__file__).parent.joinpath(folder).rglob("*.py")):
            digest.update(path.read_bytes())
    libraries = [f"{name} {version(name)}" for name in ("numpy", "sacrebleu")]
    return ", ".join([f"mtsig {mtsig_core.__version__} ({digest.hexdigest()[:8]})", *libraries])


def _task(work: Callable[[T], U], chunk: T, wanted: str) -> U:
    """Do one chunk, on a worker."""
    if versions() != wanted:
        raise OtherVersion(f"the worker on {platform.node()} has {versions()}, but here is {wanted}")
    return work(chunk)


def _is_cancelled(error: BaseException) -> bool:
    """Return whether the scheduler gave a task up, as it does when the data that the task needs are gone."""
    from asyncio import CancelledError as AsyncCancelled
    from concurrent.futures import CancelledError

    return isinstance(error, AsyncCancelled | CancelledError)


def _one_line(error: BaseException) -> str:
    if _is_cancelled(error):
        return "the workers that had the data are gone"
    kind = "" if isinstance(error, OtherVersion) else f"{type(error).__name__}: "
    return " ".join(f"{kind}{error}".split())[:300]


def _aside(what: Callable[[], object]) -> None:
    """Do something that may have to wait for a scheduler in another thread; nobody asks how it went."""

    def run() -> None:
        with suppress(*_failures()):
            what()

    threading.Thread(target=run, name="mtsig-cluster", daemon=True).start()
