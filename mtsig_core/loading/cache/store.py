"""The load cache: results of loading on disk, under a hash of the bytes that were loaded.

The key also covers everything else that loading depends on, so an entry never goes stale. A cached result equals the
one that loading gives: names, report, digests, lines, and what corrections need. Outputs are read from it lazily:
their digests are stored, and statistics are looked up by digest.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial

from mtsig_core.loading.cache.form import parts_of, result_of
from mtsig_core.loading.cache.key import Key, key_of
from mtsig_core.loading.report import LoadError
from mtsig_core.loading.request import Request
from mtsig_core.loading.result import LoadResult
from mtsig_core.loading.sources.tree import Entry, FileTree
from mtsig_core.loading.text.line_reader import LineNumbers
from mtsig_core.runtime.jobs import Progress, no_progress
from mtsig_core.storage.disk_cache import LOADED, DiskCache, default_disk_cache

#: Lines of outputs, and scores, from which a result is cached: fewer are loaded as fast as a cache entry is found.
FEWEST_LINES = 5000
_FILE = 25  # lines that are read while one more file is opened and recognised
_LARGEST_SHARE = 1 / 4  # of the limit: a larger entry would evict too much else
_DAMAGE = (ValueError, KeyError, TypeError, IndexError)


class LoadCache:
    """Results of loading in a folder.

    Parameters
    ----------
    disk : DiskCache
    fewest : int
        Lines of outputs, and scores, from which a result is cached.
    """

    def __init__(self, disk: DiskCache, fewest: int = 0) -> None:
        self.disk = disk
        self.fewest = fewest

    def key(self, request: Request, progress: Progress = no_progress) -> Key | None:
        """Return the key of a request; None where nothing can be cached."""
        try:
            return key_of(request, progress) if self.disk.limit else None
        except ValueError:  # the limit is no size: the statistics cache raises an error that says so
            return None

    def get(self, key: Key, request: Request, reopen: Callable[[], FileTree]) -> LoadResult | None:
        """Return a cached result with lazy outputs; None where there is none, or where it is damaged.

        Parameters
        ----------
        key : Key
        request : Request
        reopen : callable
            Opens the files of the source again, should a correction need some that were not read as text.
        """
        path = self.disk.path(key.digest, ending=".reading")
        data = self.disk.read(path)
        if data is None:
            return None
        try:
            result = result_of(data, partial(_lazy_files, request, reopen))
        except _DAMAGE:
            return None
        self.disk.note_use(path)
        return result

    def put(self, key: Key, request: Request, result: LoadResult, numbers: LineNumbers) -> None:
        """Cache a result, unless it is too small to pay; failing to write is no error."""
        if _size(result) < self.fewest or not key.holds(request):
            return
        path, most = self.disk.path(key.digest, ending=".reading"), int(self.disk.limit * _LARGEST_SHARE)
        self.disk.write(path, parts_of(result, numbers), "Loaded experiments", most)

    def forget(self, request: Request) -> None:
        """Remove the result of a request."""
        key = self.key(request)
        if key:
            self.disk.remove(self.disk.path(key.digest, ending=".reading"))


def default_load_cache() -> LoadCache:
    """Return the load cache in the folder of all caches (``MTSIG_HOME`` or the user's cache folder)."""
    return LoadCache(default_disk_cache(LOADED), FEWEST_LINES)


def _size(result: LoadResult) -> int:
    """Return the number of lines of all outputs, and of scores; that which reading the files takes, if it is more."""
    replicas = [replica for system in result.experiment.systems for replica in system.replicas]
    scores = (values for r in replicas for by_metric in r.scores.values() for values in by_metric.values())
    lines = sum(sum(r.lengths.values()) for r in replicas) + sum(map(len, scores))
    return max(lines, _FILE * len(result.recognition.plan.roles))


class _ReopenedSource:
    """The files of a source, which is opened once when one of them is asked for."""

    def __init__(self, reopen: Callable[[], FileTree]) -> None:
        self._reopen = reopen
        self._lock = threading.Lock()
        self._tree: FileTree | None = None

    def entry(self, path: str) -> Entry:
        with self._lock:
            if self._tree is None:
                self._tree = self._reopen()
        if path not in self._tree:
            raise LoadError(f"{path}: is no longer there. Open the files again.", path)
        return self._tree.entry(path)

    def read(self, path: str) -> bytes:
        return self.entry(path).read()

    def start(self, path: str, size: int) -> bytes:
        entry = self.entry(path)
        return entry.start(size) if entry.start else entry.read()[:size]


def _lazy_files(request: Request, reopen: Callable[[], FileTree], paths: Sequence[str]) -> FileTree:
    source = _ReopenedSource(reopen)
    entries = {path: Entry(path, partial(source.read, path), partial(source.start, path)) for path in paths}
    return FileTree(entries, request.decoder())
