"""What loading found, kept on disk by content, so that the same bytes are not read twice.

The key is a hash of the bytes that are given and of all else that reading them depends on, so what is kept never is
stale. What comes back is equal to what was found: names, report, digests, lines, and what corrections take. Outputs
are read when asked for: their digests are kept, and statistics are looked up by those.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import partial

from mtsig_core.experiment import Experiment
from mtsig_core.loading.cache.form import parts_of, reading_of
from mtsig_core.loading.cache.key import Key, key_of
from mtsig_core.loading.loader import Reading, Request
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.sources.tree import Entry, FileTree
from mtsig_core.loading.text.decoding import Decoder
from mtsig_core.loading.text.line_reader import LineNumbers
from mtsig_core.runtime.jobs import Progress, no_progress
from mtsig_core.storage.disk_cache import READINGS, DiskCache, default_disk_cache

__all__ = ["FEWEST_LINES", "Readings", "default_readings"]

#: Lines of outputs, and scores, from which a reading is kept: fewer are read as soon as a file is found.
FEWEST_LINES = 5000
_SHARE_OF_ONE = 1 / 4  # of the limit: a larger reading would drive too much else out
_DAMAGE = (ValueError, KeyError, TypeError, IndexError)


class Readings:
    """Readings that are kept in a folder.

    Parameters
    ----------
    disk : DiskCache
    fewest : int
        Lines of outputs, and scores, from which a reading is kept.
    """

    def __init__(self, disk: DiskCache, fewest: int = 0) -> None:
        self.disk = disk
        self.fewest = fewest

    def key(self, request: Request, progress: Progress = no_progress) -> Key | None:
        """Return what a reading is kept under; None where nothing can be kept."""
        try:
            return key_of(request, progress) if self.disk.limit else None
        except ValueError:  # the limit is no size, which is told where statistics are made
            return None

    def get(self, key: Key, request: Request) -> Reading | None:
        """Return the reading that is kept under a key, its outputs unread; None where there is none or it is damaged.

        The request is asked for files that were not read as text, should a correction want them.
        """
        path = self.disk.path(key.digest, ending=".reading")
        data = self.disk.read(path)
        if data is None:
            return None
        try:
            reading = reading_of(data, partial(_files, request))
        except _DAMAGE:
            return None
        self.disk.used(path)
        return reading

    def put(self, key: Key, request: Request, reading: Reading, numbers: LineNumbers) -> None:
        """Keep a reading, unless that is not worth it; failing to write is no error."""
        if _n_lines(reading.experiment) < self.fewest or not key.holds(request):
            return
        path, most = self.disk.path(key.digest, ending=".reading"), int(self.disk.limit * _SHARE_OF_ONE)
        self.disk.write(path, parts_of(reading, numbers), "Readings", most)

    def forget(self, request: Request) -> None:
        """Remove the reading of a source."""
        key = self.key(request)
        if key:
            self.disk.remove(self.disk.path(key.digest, ending=".reading"))


def default_readings() -> Readings:
    """Return the readings in the folder of all caches (``MTSIG_HOME`` or the user's cache folder)."""
    return Readings(default_disk_cache(READINGS), FEWEST_LINES)


def _n_lines(experiment: Experiment) -> int:
    """Return the number of lines of all outputs, and of scores."""
    replicas = [replica for system in experiment.systems for replica in system.replicas]
    scores = (values for r in replicas for of_set in r.scores.values() for values in of_set.values())
    return sum(sum(r.lengths.values()) for r in replicas) + sum(map(len, scores))


class _Again:
    """The files of a source, which is opened once when one of them is asked for."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._lock = threading.Lock()
        self._tree: FileTree | None = None

    def entry(self, path: str) -> Entry:
        with self._lock:
            if self._tree is None:
                self._tree = self._request.files(Reporter())[1]
        if path not in self._tree:
            raise LoadError(f"{path}: is no longer there. Open the files again.", path)
        return self._tree.entry(path)

    def read(self, path: str) -> bytes:
        return self.entry(path).read()

    def start(self, path: str, size: int) -> bytes:
        entry = self.entry(path)
        return entry.start(size) if entry.start else entry.read()[:size]


def _files(request: Request, paths: Sequence[str]) -> FileTree:
    again = _Again(request)
    entries = {path: Entry(path, partial(again.read, path), partial(again.start, path)) for path in paths}
    return FileTree(entries, decoder=Decoder(request.encoding, request.limits))
