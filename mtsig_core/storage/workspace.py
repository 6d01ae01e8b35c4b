"""Experiments kept on disk between visits: one file each, so that every change is one rename.

A file is a zip whose member `ABOUT` is what the list of experiments shows; what else the zip holds is the business of
whoever writes it (see `mtsig_core.workbench.saved_experiments`). It is written under a temporary name and then
renamed, so another session, another server and a process that is killed see the old or the new state, never half of
one. File names are ids that cannot be guessed: whoever has the link may open the experiment.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import secrets
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO

from mtsig_core.storage.home import home
from mtsig_core.storage.sizes import MIB

#: Writes an experiment as a zip to a stream, with the given members besides its own.
Write = Callable[[IO[bytes], Mapping[str, bytes]], None]
#: Is given the id and the bytes of a file that is about to be removed or replaced.
OnRemoval = Callable[[str, bytes], None]

ABOUT = ".mtsig/about.json"
#: What reading a damaged file raises.
DAMAGE = (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError)
REMEDY = "Its file is damaged: delete the entry and upload the experiment again."
_ENDING, _TEMPORARY = ".mtsig.zip", ".tmp"
_ID = re.compile(r"[A-Za-z0-9_-]{22,64}")
_LEFTOVER_SECONDS = 24 * 3600.0  # after which what a killed writer left is removed


class WorkspaceError(ValueError):
    """An experiment cannot be saved, opened or deleted; the message says why and what to do."""


@dataclass(frozen=True)
class Entry:
    """What the list of experiments shows of one experiment.

    Parameters
    ----------
    id : str
    name : str
    digest : str
        Of the experiment.
    systems, replicas, test_sets, segments : int
    owner : str
        Hash of whom it belongs to; "" where visitors are not distinguished.
    judgements : str
        Digest of the human judgements that came with it; "" where none did.
    bytes : int
        Size on disk.
    when : float
        Seconds since 1970 when it was last opened or uploaded.
    problem : str
        Why it cannot be opened, and the remedy; "" where it can.
    """

    id: str
    name: str = ""
    digest: str = ""
    systems: int = 0
    replicas: int = 0
    test_sets: int = 0
    segments: int = 0
    owner: str = ""
    judgements: str = ""
    bytes: int = 0
    when: float = 0.0
    problem: str = ""


@dataclass(frozen=True)
class Quota:
    """Largest number of bytes on disk of one experiment, and of all together; None for no limit."""

    each: int | None = None
    total: int | None = None


def is_shared() -> bool:
    """Say whether people share this server who should not see each other's experiments (``MTSIG_SHARED=1``)."""
    return os.environ.get("MTSIG_SHARED", "").strip().casefold() not in ("", "0", "no", "false", "off")


def quota_of_environment() -> Quota:
    """Return the quota of ``MTSIG_QUOTA_MB`` (one experiment) and ``MTSIG_QUOTA_TOTAL_MB`` (all together).

    By default, a shared server keeps 200 MB per experiment and 20 GB in all; one's own computer has no limit.

    Raises
    ------
    WorkspaceError
        When one of them is not a number.
    """
    return Quota(_bytes_of("MTSIG_QUOTA_MB", 200), _bytes_of("MTSIG_QUOTA_TOTAL_MB", 20_000))


def _bytes_of(variable: str, default: int) -> int | None:
    setting = os.environ.get(variable, "").strip()
    if not setting:
        return default * MIB if is_shared() else None
    try:
        return int(float(setting) * MIB)
    except (ValueError, OverflowError) as error:
        raise WorkspaceError(f"{variable} should be a number of megabytes, such as 200; it is {setting!r}.") from error


class Workspace:
    """A folder of experiments.

    Parameters
    ----------
    folder : Path
        Created at the first write.
    quota : Quota
    on_removal : callable, optional
        Called before the file of an experiment is removed or replaced.
    """

    def __init__(self, folder: Path, quota: Quota | None = None, on_removal: OnRemoval | None = None) -> None:
        self.folder = Path(folder)
        self.quota = quota or Quota()
        self._on_removal = on_removal

    def save(self, about: Entry, write: Write, *, replaces: str | None = None) -> Entry:
        """Write the file of an experiment, unless the same one is there already.

        Parameters
        ----------
        about : Entry
            What the list shows; its `id`, `bytes` and `when` are filled in here. The same digest of the same owner
            keeps its id.
        write : callable
            Writes the zip.
        replaces : str, optional
            Entry of the owner that gives its id to this experiment, as after a correction.

        Raises
        ------
        WorkspaceError
            When the folder cannot be written to, the disk is full, or a quota is reached. What `write` raises
            otherwise passes through.
        """
        previous = self._previous(about, replaces)
        if previous is not None and _is_same(previous, about):
            self.touch(previous.id)
            return replace(previous, when=time.time())
        entry = replace(about, id=previous.id if previous else secrets.token_urlsafe(16))
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._remove_leftovers()
            return self._write(entry, write)
        except OSError as error:
            raise WorkspaceError(
                f"The experiment was not saved for later visits: {self.folder} cannot be written to "
                f"({error.strerror or error}). It stays open in this tab."
            ) from error

    def read(self, id: str) -> tuple[Entry, bytes]:
        """Return the entry and the file of an experiment.

        Raises
        ------
        WorkspaceError
            When there is none of this id, or its file is damaged.
        """
        path = self._path(id)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise _no_such(id) from error
        try:
            return _entry_in(path, data), data
        except DAMAGE as error:
            raise damaged(id) from error

    def touch(self, id: str) -> None:
        """Note that an experiment was opened just now."""
        with contextlib.suppress(OSError):
            os.utime(self._path(id))

    def entry(self, id: str) -> Entry:
        """Return what the list shows of one experiment; WorkspaceError when it is not there."""
        path = self._path(id)
        try:
            return _entry_in(path, path)
        except FileNotFoundError as error:
            raise _no_such(id) from error
        except DAMAGE:
            return _damaged_entry(path)

    def entries(self, owner: str | None = None) -> list[Entry]:
        """Return the experiments of an owner (None: of all), the latest first; damaged ones are among them."""
        entries = []
        for path in self._files():
            try:
                entry = self.entry(path.name.removesuffix(_ENDING))
            except WorkspaceError:
                continue  # deleted by another session just now
            if owner is None or entry.owner == owner:
                entries.append(entry)
        return sorted(entries, key=lambda entry: -entry.when)

    def delete(self, id: str) -> None:
        """Remove an experiment; one that is gone already is no error.

        Raises
        ------
        WorkspaceError
            When its file cannot be removed.
        """
        try:
            self._announce_removal(id)
            self._path(id).unlink(missing_ok=True)
        except OSError as error:
            raise WorkspaceError(f"The experiment {id} cannot be deleted ({error.strerror or error}).") from error

    def _announce_removal(self, id: str) -> None:
        if self._on_removal is not None:
            with contextlib.suppress(FileNotFoundError):
                self._on_removal(id, self._path(id).read_bytes())

    def _path(self, id: str) -> Path:
        if not _ID.fullmatch(id):
            raise _no_such(id)
        return self.folder / f"{id}{_ENDING}"

    def _files(self) -> list[Path]:
        try:
            return [p for p in self.folder.iterdir() if p.name.endswith(_ENDING) and not p.name.startswith(_TEMPORARY)]
        except OSError:
            return []

    def _previous(self, about: Entry, replaces: str | None) -> Entry | None:
        own = [entry for entry in self.entries(about.owner) if not entry.problem]
        same = next((entry for entry in own if entry.digest == about.digest), None)
        return same or next((entry for entry in own if entry.id == replaces), None)

    def _write(self, entry: Entry, write: Write) -> Entry:
        handle, temporary = tempfile.mkstemp(dir=self.folder, prefix=_TEMPORARY)
        try:
            with os.fdopen(handle, "wb") as file:
                write(file, {ABOUT: json.dumps(asdict(entry)).encode()})
                file.flush()
                os.fsync(file.fileno())
            size = Path(temporary).stat().st_size
            with self._locked():
                self._check_quota(entry.id, size)
                self._announce_removal(entry.id)
                os.replace(temporary, self._path(entry.id))
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        return replace(entry, bytes=size, when=time.time())

    def _check_quota(self, id: str, size: int) -> None:
        if self.quota.each is not None and size > self.quota.each:
            raise WorkspaceError(
                f"The experiment was not saved for later visits: it takes {_mb(size)} of disk, packed, and the limit "
                f"for one is {_mb(self.quota.each)}. It stays open in this tab; open fewer systems or test sets to "
                "keep it."
            )
        others = sum(_size(path) for path in self._files() if path != self._path(id))
        if self.quota.total is not None and others + size > self.quota.total:
            raise WorkspaceError(
                f"The experiment was not saved for later visits: the space for experiments ({_mb(self.quota.total)}) "
                "is used up. It stays open in this tab; delete experiments that are not needed, or ask for more space."
            )

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Let one writer at a time count what is there, on systems that can lock files."""
        try:
            import fcntl
        except ImportError:
            yield
            return
        with (self.folder / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _remove_leftovers(self) -> None:
        """Remove what writers that were killed long ago have left."""
        for path in self.folder.glob(f"{_TEMPORARY}*"):
            with contextlib.suppress(OSError):
                if time.time() - path.stat().st_mtime > _LEFTOVER_SECONDS:
                    path.unlink()


def default_folder() -> Path:
    """Return the folder of the workspace (in ``MTSIG_HOME`` or the user's own cache folder)."""
    return home() / "workspace"


def damaged(id: str) -> WorkspaceError:
    """Return the error that says that the file of an experiment is damaged."""
    return WorkspaceError(f"The experiment {id} cannot be opened. {REMEDY}")


def _is_same(one: Entry, other: Entry) -> bool:
    return (one.digest, one.name, one.judgements) == (other.digest, other.name, other.judgements)


def _entry_in(path: Path, content: Path | bytes) -> Entry:
    """Return the entry of a file, given once more or as its bytes; raises what is in `DAMAGE`."""
    with zipfile.ZipFile(io.BytesIO(content) if isinstance(content, bytes) else content) as archive:
        about = json.loads(archive.read(ABOUT))
    types = {key: type(default) for key, default in asdict(Entry("")).items()}
    entry = Entry(**{key: kind(about[key]) for key, kind in types.items() if key in about or key != "judgements"})
    if f"{entry.id}{_ENDING}" != path.name:
        raise ValueError("another entry's file")
    state = path.stat()
    return replace(entry, bytes=state.st_size, when=state.st_mtime, problem="")


def _damaged_entry(path: Path) -> Entry:
    try:
        state = path.stat()
    except OSError as error:
        raise _no_such(path.name.removesuffix(_ENDING)) from error
    return Entry(path.name.removesuffix(_ENDING), bytes=state.st_size, when=state.st_mtime, problem=REMEDY)


def _no_such(id: str) -> WorkspaceError:
    return WorkspaceError(
        f"There is no experiment {id[:70]!r} here: it was deleted, or the link is from another server. Upload it again."
    )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _mb(n_bytes: int) -> str:
    return f"{n_bytes / MIB:,.1f} MB"


