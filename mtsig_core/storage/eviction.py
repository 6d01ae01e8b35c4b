"""Eviction: folders of files stay below one size limit together; the least recently used files go first."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

TEMPORARY = ".tmp"  # how the name of a file ends that is being written
LEFTOVER_SECONDS = 3600.0  # a file written for so long was given up: its writer was killed
_SHARE_UNSEEN = 1 / 16  # of the limit: most that is written between two scans of the folders
_SHARE_LEFT = 0.9  # of the limit: what is left after an eviction, so that not every write causes one


@dataclass
class EvictionPolicy:
    """Counts what this process writes, and scans the folders when the limit may have been passed.

    Nothing is locked between processes. Each removes whole files, the same oldest ones, and passes over those that
    another has removed already; a reader of a removed file finds nothing, or has it open and reads it to its end.
    Processes do not see what others write between two scans, so each may pass the limit by a sixteenth.

    Parameters
    ----------
    folders : tuple of Path
        The files lie in folders directly below them.
    limit : int
        Bytes of all together.
    """

    folders: tuple[Path, ...]
    limit: int
    _size: int | None = None
    _unseen: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note_use(self, path: Path) -> None:
        """Note that a file was used just now."""
        with suppress(OSError):  # gone, or another's
            os.utime(path)

    def note_write(self, size: int) -> None:
        """Note that a file of so many bytes was written; evict files where that was too much."""
        with self._lock:
            self._unseen += size
            is_recent = self._size is not None and self._unseen <= self.limit * _SHARE_UNSEEN
            if not is_recent or (self._size or 0) + self._unseen > self.limit:
                self._size, self._unseen = self.evict(), 0

    def evict(self) -> int:
        """Remove what killed writers left, and files until the rest fits; return the bytes of the rest."""
        files, total, now = [], 0, time.time()
        for entry in self._files():
            with suppress(OSError):
                seen = entry.stat()
                if not entry.name.endswith(TEMPORARY):
                    files.append((seen.st_mtime_ns, entry.path, seen.st_size))
                    total += seen.st_size
                elif now - seen.st_mtime > LEFTOVER_SECONDS:
                    os.unlink(entry.path)
        if total <= self.limit:
            return total
        for _, path, size in sorted(files):
            if total <= _SHARE_LEFT * self.limit:
                break
            with suppress(PermissionError):  # another's, or open where open files cannot be removed
                Path(path).unlink(missing_ok=True)
                total -= size
        return total

    def _files(self) -> Iterator[os.DirEntry[str]]:
        for folder in (entry for root in self.folders for entry in _entries(root)):
            if folder.is_dir(follow_symlinks=False):
                yield from (entry for entry in _entries(folder.path) if entry.is_file(follow_symlinks=False))


def _entries(folder: str | Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:  # not there (any more)
        return []


@cache
def eviction_policy(folders: tuple[Path, ...], limit: int) -> EvictionPolicy:
    """Return the one policy that all caches of this process in some folders share."""
    return EvictionPolicy(folders, limit)
