"""The cache of statistics on disk, addressed by what they were computed from."""

from __future__ import annotations

import io
from functools import lru_cache
from pathlib import Path

import numpy as np

from mtsig_core.storage.disk_cache import STATISTICS, DiskCache, default_disk_cache

# Part of every address: raise it when what a file holds changes.
FORMAT = "mtsig statistics 1"
_LENGTH_ENDS = 10  # bytes of numpy's format before its header, the last two its length


class StatisticsCache:
    """A folder with one small file for each (metric, references, output).

    A file is an array in numpy's own format (no pickle) and a checksum. Its name is a hash of the metric's
    key (which holds options and versions), the digest of the references and the digest of the output, so
    it never goes stale: other text or options have another name. One file per output is fast enough to need no
    packing: 600 files load in a tenth of a second.

    Parameters
    ----------
    folder, limit
        As of `DiskCache`.
    disk : DiskCache, optional
        Takes the place of both.
    """

    def __init__(self, folder: Path, limit: int | None = None, *, disk: DiskCache | None = None) -> None:
        self._disk = disk or DiskCache(folder, limit)
        self.folder = self._disk.folder

    @property
    def limit(self) -> int:
        """Bytes of all files; ValueError when ``MTSIG_CACHE`` is no size."""
        return self._disk.limit

    @property
    def problem(self) -> str:
        """Why statistics are not cached; "" where they are."""
        return self._disk.problem

    def path(self, metric_key: str, references_digest: str, output_digest: str) -> Path:
        """Return the file of the statistics of an output."""
        return self._disk.path(FORMAT, metric_key, references_digest, output_digest, ending=".npy")

    def get(
        self, metric_key: str, references_digest: str, output_digest: str, shape: tuple[int, int]
    ) -> np.ndarray | None:
        """Return the cached statistics, shape (segment, statistic), in a compact dtype; None if not there.

        What is damaged or of another shape counts as not there.
        """
        path = self.path(metric_key, references_digest, output_digest)
        data = self._disk.read(path)
        try:
            array = None if data is None else _decode(data)
        except ValueError:
            return None
        if array is None or array.shape != shape:
            return None
        self._disk.note_use(path)
        return array

    def put(self, metric_key: str, references_digest: str, output_digest: str, values: np.ndarray) -> None:
        """Store statistics, shape (segment, statistic); failing to write is no error (see `problem`)."""
        path = self.path(metric_key, references_digest, output_digest)
        self._disk.write(path, [_encode(compact(values))], "Statistics")


def default_cache() -> StatisticsCache:
    """Return the cache in the folder of all caches (``MTSIG_HOME`` or the user's cache folder)."""
    disk = default_disk_cache(STATISTICS)
    return StatisticsCache(disk.folder, disk=disk)


def compact(values: np.ndarray) -> np.ndarray:
    """Return equal values in the smallest of uint16, int32 and float64 that holds them exactly."""
    values = np.asarray(values, dtype=float)
    if values.size and np.isfinite(values).all() and (values == np.rint(values)).all():
        low, high = values.min(), values.max()
        for dtype in (np.uint16, np.int32):
            limits = np.iinfo(dtype)
            if limits.min <= low and high <= limits.max:
                return values.astype(dtype)
    return values


def _encode(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def _decode(data: memoryview) -> np.ndarray:
    """Return the array of a file; ValueError where it is none, or one of objects."""
    start = _LENGTH_ENDS + int.from_bytes(data[_LENGTH_ENDS - 2 : _LENGTH_ENDS], "little")
    shape, dtype = _described(bytes(data[:start]))
    return np.frombuffer(data[start:], dtype).reshape(shape)


@lru_cache(maxsize=64)
def _described(header: bytes) -> tuple[tuple[int, ...], np.dtype]:
    """Return the shape and type that a header says; all files of a metric and a test set have the same one."""
    stream = io.BytesIO(header)
    if np.lib.format.read_magic(stream) != (1, 0):
        raise ValueError("not the version of numpy's format that is written here")
    shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(stream)
    if is_fortran or dtype.hasobject:
        raise ValueError("not an array as it is written here")
    return shape, dtype
