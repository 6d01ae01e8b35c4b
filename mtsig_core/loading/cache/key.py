"""The key of a load result: one hash of the source's bytes, the options of loading, and the program itself."""

from __future__ import annotations

import hashlib
import os
import sys
import time
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path

import defusedxml
import numpy as np
import pandas as pd

import mtsig_core
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.request import Request
from mtsig_core.loading.sources.folder import walk_folder
from mtsig_core.runtime.jobs import Progress, no_progress

#: Part of every key; the hash of the program makes a change of it unnecessary when the format of files changes.
FORMAT = "mtsig reading 2"
_TICK = 2.0  # seconds: resolution of the clocks of disks and file servers



@dataclass(frozen=True)
class Key:
    """The key under which a load result is cached.

    Parameters
    ----------
    digest : str
        Sha256 of everything that the result depends on.
    files : tuple of (path, size, time of the last change in ns, number on the disk)
        State of the files of a path before they were read for the digest.
    when : float
        Time of that state, in seconds since 1970.
    """

    digest: str
    files: tuple[tuple[str, int, int, int], ...] = ()
    when: float = 0.0

    def holds(self, request: Request) -> bool:
        """Say whether the files are as they were when the digest was taken, so that it describes what was read."""
        if _states(request) != self.files:
            return False
        # a change within a tick of the clock leaves the time of the one before
        newest = max((changed for _, _, changed, _ in self.files), default=0)
        return newest / 1e9 < self.when - _TICK or digest_of(request, no_progress) == self.digest


def key_of(request: Request, progress: Progress) -> Key | None:
    """Return the key of a request; None where the source cannot be read whole."""
    try:
        when, files = time.time(), _states(request)
        digest = digest_of(request, progress) if _PROGRAM else None
    except OSError:
        return None
    return None if digest is None else Key(digest, files, when)


def _states(request: Request) -> tuple[tuple[str, int, int, int], ...]:
    """Return path, size, time of change and inode of the files of a path, without reading them."""
    whole = request.whole
    if not isinstance(whole, str | os.PathLike):
        return ()
    paths = [os.fspath(whole)]
    for folder, _, files in os.walk(whole):
        paths += [os.path.join(folder, name) for name in files]
    states = []
    for path in paths:
        with suppress(OSError):  # a link to nowhere, say: refused whenever it is read
            seen = os.stat(path)
            states.append((path, seen.st_size, seen.st_mtime_ns, seen.st_ino))
    return tuple(sorted(states))


def digest_of(request: Request, progress: Progress) -> str | None:
    """Return the sha256 of everything that loading a source depends on; None where not all of it can be read.

    Parameters
    ----------
    request : Request
    progress : Progress
        Called between the files of a folder.
    """
    sha = hashlib.sha256()
    options = (request.folder, request.name, request.encoding, request.limits, request.checked)
    try:
        for part in chain((FORMAT, _PROGRAM, repr(options)), _source(request, progress)):
            data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
            sha.update(len(data).to_bytes(8, "big"))
            sha.update(data)
    except (LoadError, OSError, ValueError):  # reading it says what is wrong
        return None
    return sha.hexdigest()


def _source(request: Request, progress: Progress) -> Iterator[str | bytes]:
    source = request.whole
    if isinstance(source, bytes):
        yield from ("bytes", source)
    elif isinstance(source, list):
        yield "loose files"
        for path, data in source:
            yield from (path, data)
    elif Path(source).is_dir():
        yield from _folder(Path(source), request, progress)
    elif Path(source).is_file() and os.path.getsize(source) <= request.limits.unpacked_bytes:
        yield from ("file", Path(source).name, Path(source).read_bytes())
    else:
        raise ValueError("no file, or one too large to be read")


def _folder(folder: Path, request: Request, progress: Progress) -> Iterator[str | bytes]:
    """Yield what loading sees of a folder: its name, what it refuses and ignores in it, and the other files."""
    report = Reporter()
    entries = walk_folder(folder, request.limits, report)
    yield from ("folder", folder.resolve().name, repr(report.report().lines))
    for path, entry in entries.items():
        progress(0.0, "reading files")
        yield from (path, entry.read())


def _program() -> str:
    """Return a hash of the code of loading, with the versions of what it relies on; "" where there is no code to see.

    So no number need be raised when loading changes.
    """
    sha = hashlib.sha256()
    loading, package = Path(__file__).parents[1], Path(mtsig_core.__file__).parent
    try:
        for path in (*sorted(loading.rglob("*.py")), *sorted((package / "experiment").rglob("*.py"))):
            sha.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    except OSError:
        return ""
    libraries = [library.__version__ for library in (mtsig_core, np, pd, defusedxml)]
    with suppress(PackageNotFoundError):
        libraries.append(version("pyarrow"))  # which need not be installed
    return " ".join([sha.hexdigest(), sys.version, unicodedata.unidata_version, *libraries])


_PROGRAM = _program()  # now, since the code may be changed while it runs
