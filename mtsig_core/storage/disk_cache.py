"""A cache on disk: results under a hash of what they were computed from.

Sufficient statistics and load results are cached this way, side by side and within one limit.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from mtsig_core.storage.eviction import TEMPORARY, EvictionPolicy, eviction_policy
from mtsig_core.storage.home import home
from mtsig_core.storage.sizes import size_setting

SETTING = "MTSIG_CACHE"
DEFAULT_LIMIT = 2**32
#: Folders in the folder of mtsig that share the limit.
STATISTICS, LOADED = "statistics", "readings"
_CHECKSUM_BYTES = 4


class DiskCache:
    """A folder of files that end in their name and a checksum, each under a hash of all that its content depends on.

    So a file never goes stale: what is computed from something else has another name. It is written under a
    temporary name and then renamed, so another process sees all of it or nothing; one that is damaged counts as
    absent and is replaced.

    Parameters
    ----------
    folder : Path
        Created at the first write. When it cannot be written to, nothing is cached, `problem` says why,
        and everything else works.
    limit : int, optional
        Bytes of all files; the least recently used are evicted. By default what ``MTSIG_CACHE`` says, else
        4 GB. With 0 nothing is cached.
    beside : tuple of Path
        Folders of other caches that share the limit.
    """

    def __init__(self, folder: Path, limit: int | None = None, beside: tuple[Path, ...] = ()) -> None:
        self.folder = Path(folder)
        self.problem = ""
        self._limit = limit
        self._folders = tuple(sorted({self.folder, *beside}))

    @property
    def limit(self) -> int:
        """Bytes of all files.

        Raises
        ------
        ValueError
            When ``MTSIG_CACHE`` is not a size.
        """
        return size_setting(SETTING, DEFAULT_LIMIT) if self._limit is None else self._limit

    @property
    def _policy(self) -> EvictionPolicy:
        return eviction_policy(self._folders, self.limit)

    def path(self, *address: str, ending: str) -> Path:
        """Return the path of an entry; entries are spread over 256 folders."""
        name = hashlib.sha256("\0".join(address).encode()).hexdigest()
        return self.folder / name[:2] / f"{name[2:]}{ending}"

    def read(self, path: Path) -> memoryview | None:
        """Return what a file holds; None where it is not there, or damaged.

        Raises
        ------
        ValueError
            When ``MTSIG_CACHE`` is not a size: before anything is computed in vain.
        """
        if not self.limit:
            return None
        try:
            data = memoryview(path.read_bytes())
        except OSError:
            return None
        key = _key_of(path)
        body, end = data[: -len(key) - _CHECKSUM_BYTES], data[-len(key) - _CHECKSUM_BYTES :]
        return body if end == key + zlib.crc32(body).to_bytes(_CHECKSUM_BYTES, "big") else None

    def note_use(self, path: Path) -> None:
        """Note that a file was used just now, so that it is evicted later."""
        self._policy.note_use(path)

    def write(self, path: Path, parts: Iterable[bytes], what: str, most: int | None = None) -> None:
        """Write a file from its parts; failing to write is no error (see `problem`).

        Parameters
        ----------
        path : Path
        parts : iterable of bytes
        what : str
            What is written, for `problem`, in the plural.
        most : int, optional
            Bytes; a longer file is not written.
        """
        if not self.limit:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            size = _write_atomically(path, parts, most)
            self._policy.note_write(size)
        except OSError as error:
            self.problem = f"{what} are not cached in {self.folder}: {error.strerror or error}."

    def remove(self, path: Path) -> None:
        """Remove a file, if it is there."""
        with suppress(OSError):
            path.unlink(missing_ok=True)


def default_disk_cache(name: str) -> DiskCache:
    """Return a cache in the folder of all caches (``MTSIG_HOME`` or the user's cache folder)."""
    folders = tuple(home() / each for each in (STATISTICS, LOADED))
    return DiskCache(home() / name, beside=folders)


class _TooLongError(Exception):
    """A file grows beyond the length that is wanted."""


def _write_atomically(path: Path, parts: Iterable[bytes], most: int | None) -> int:
    """Write beside the target and rename, which is atomic within one folder; return the bytes written."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=TEMPORARY)
    try:
        checksum = size = 0
        with os.fdopen(handle, "wb") as file:
            for part in parts:
                checksum, size = zlib.crc32(part, checksum), size + len(part)
                if most is not None and size > most:
                    raise _TooLongError
                file.write(part)
            file.write(_key_of(path))
            file.write(checksum.to_bytes(_CHECKSUM_BYTES, "big"))
        os.replace(temporary, path)
    except BaseException as error:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, _TooLongError):
            return 0
        raise
    return size + len(_key_of(path)) + _CHECKSUM_BYTES


def _key_of(path: Path) -> bytes:
    """Return the hash that names an entry, which it also holds: one under another's name counts as absent."""
    return f"{path.parent.name}{path.name}".encode()
