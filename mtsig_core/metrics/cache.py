"""Statistics kept on disk, addressed by what they were computed from."""

from __future__ import annotations

import hashlib
import io
import os
import tempfile
import zlib
from pathlib import Path

import numpy as np

from mtsig_core.home import home
from mtsig_core.metrics.room import TEMPORARY, Room, room
from mtsig_core.sizes import size_setting

SETTING = "MTSIG_CACHE"
DEFAULT_LIMIT = 2**32
# Part of every address: raise it when what a file holds changes.
FORMAT = "mtsig statistics 1"
_CHECKSUM_BYTES = 4


class StatisticsCache:
    """A folder with one small file for each (metric, references, output).

    A file is an array in numpy's own format (no pickle) and a checksum. Its name is a hash of the metric's
    key (which holds options and versions), the digest of the references and the digest of the output, so
    it never goes stale: other text or options have another name. A file is written under a temporary name
    and then renamed, so another process sees all of it or nothing; one that is damaged counts as absent
    and is replaced. One file an output is fast enough to need no packing: 600 files load in a tenth of a
    second.

    Parameters
    ----------
    folder : Path
        Created at the first write. When it cannot be written to, nothing is kept, `problem` says why,
        and everything else works.
    limit : int, optional
        Bytes of all files; the longest unused give way to new ones. By default what ``MTSIG_CACHE`` says, else
        4 GB. With 0 nothing is kept.
    """

    def __init__(self, folder: Path, limit: int | None = None) -> None:
        self.folder = Path(folder)
        self.problem = ""
        self._limit = limit

    @property
    def limit(self) -> int:
        """Bytes of all files.

        Raises
        ------
        ValueError
            When ``MTSIG_CACHE`` is no size.
        """
        return size_setting(SETTING, DEFAULT_LIMIT) if self._limit is None else self._limit

    @property
    def _room(self) -> Room:
        return room(self.folder, self.limit)

    def path(self, metric_key: str, references_digest: str, output_digest: str) -> Path:
        """Return where the statistics of an output are kept; spread over 256 folders."""
        parts = "\0".join([FORMAT, metric_key, references_digest, output_digest])
        name = hashlib.sha256(parts.encode()).hexdigest()
        return self.folder / name[:2] / f"{name[2:]}.npy"

    def get(
        self, metric_key: str, references_digest: str, output_digest: str, shape: tuple[int, int]
    ) -> np.ndarray | None:
        """Return the statistics kept, shape (segment, statistic), in a compact dtype; None if not there.

        A file that cannot be read, is damaged or has another shape counts as not there.
        """
        path, kept_in = self.path(metric_key, references_digest, output_digest), self._room
        try:
            array = _decode(path.read_bytes())
        except (OSError, ValueError, EOFError):
            return None
        if array.shape != shape:
            return None
        kept_in.used(path)
        return array

    def put(self, metric_key: str, references_digest: str, output_digest: str, values: np.ndarray) -> None:
        """Keep statistics, shape (segment, statistic); failing to write is no error (see `problem`)."""
        if not self.limit:
            return
        path, data = self.path(metric_key, references_digest, output_digest), _encode(compact(values))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write_atomically(path, data)
            self._room.took(len(data))
        except OSError as error:
            self.problem = f"Statistics are not kept in {self.folder}: {error.strerror or error}."


def default_cache() -> StatisticsCache:
    """Return the cache in the folder of all caches (``MTSIG_HOME`` or the user's cache folder)."""
    return StatisticsCache(home() / "statistics")


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
    data = buffer.getvalue()
    return data + zlib.crc32(data).to_bytes(_CHECKSUM_BYTES, "big")


def _decode(data: bytes) -> np.ndarray:
    body, checksum = data[:-_CHECKSUM_BYTES], data[-_CHECKSUM_BYTES:]
    if zlib.crc32(body).to_bytes(_CHECKSUM_BYTES, "big") != checksum:
        raise ValueError("checksum differs")
    return np.load(io.BytesIO(body), allow_pickle=False)


def _write_atomically(path: Path, data: bytes) -> None:
    """Write beside the target and rename: the rename is atomic within one folder."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=TEMPORARY)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
