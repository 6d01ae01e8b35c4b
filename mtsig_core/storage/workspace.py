"""Experiments kept on disk between visits: one file each, so that every change is one rename.

A file is a zip of the native layout with two members more, which loading ignores: what the list of
experiments shows, and what loading the original upload said. It is written under a temporary name and
then renamed, so another session, another server and a process that is killed see the old or the new
state, never half of one. Names of files are ids that cannot be guessed: who has the link may open.
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
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from mtsig_core.experiment import Experiment, ExperimentError
from mtsig_core.loading import LoadReport, Reading, ReportLine, forget, read
from mtsig_core.loading.limits import MIB, Limits
from mtsig_core.loading.writing import write_native
from mtsig_core.runtime.jobs import Progress, no_progress
from mtsig_core.storage.home import home

#: Environment variable with the id of what the app shows first; `mtsig app PATH` sets it.
OPEN_AT_START = "MTSIG_EXPERIMENT"
_ENDING, _TEMPORARY = ".mtsig.zip", ".tmp"
_ID = re.compile(r"[A-Za-z0-9_-]{22,64}")
_ABOUT, _REPORT = ".mtsig/about.json", ".mtsig/report.json"
_STALE = 24 * 3600.0  # seconds after which what a killed writer left is swept away
_DAMAGE = (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError)
_REMEDY = "Its file is damaged: delete the entry and upload the experiment again."
#: What one reads from a workspace was checked before it was written; alike replicas pack far better than others.
_LIMITS = Limits(ratio=float("inf"))


class WorkspaceError(ValueError):
    """An experiment cannot be kept, opened or deleted; the message says why and what to do."""


@dataclass(frozen=True)
class Entry:
    """What the list of experiments shows of one.

    Parameters
    ----------
    id : str
    name : str
    digest : str
        Of the experiment.
    systems, replicas, test_sets, segments : int
    owner : str
        Hash of whom it belongs to; "" where nobody is told apart.
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
    bytes: int = 0
    when: float = 0.0
    problem: str = ""


@dataclass(frozen=True)
class Quota:
    """Most bytes on disk of one experiment, and of all together; None for no bound."""

    each: int | None = None
    total: int | None = None


def is_shared() -> bool:
    """Say whether people share this server who should not see each other's experiments (``MTSIG_SHARED=1``)."""
    return os.environ.get("MTSIG_SHARED", "").strip().casefold() not in ("", "0", "no", "false", "off")


def quota_of_environment() -> Quota:
    """Return the quota of ``MTSIG_QUOTA_MB`` (one experiment) and ``MTSIG_QUOTA_TOTAL_MB`` (all together).

    Not said, a shared server keeps 200 MB an experiment and 20 GB in all; one's own computer has no bound.

    Raises
    ------
    WorkspaceError
        When one of them is no number.
    """
    return Quota(_bytes_of("MTSIG_QUOTA_MB", 200), _bytes_of("MTSIG_QUOTA_TOTAL_MB", 20_000))


def _bytes_of(variable: str, default: int) -> int | None:
    told = os.environ.get(variable, "").strip()
    if not told:
        return default * MIB if is_shared() else None
    try:
        return int(float(told) * MIB)
    except (ValueError, OverflowError) as error:
        raise WorkspaceError(f"{variable} should be a number of megabytes, such as 200; it is {told!r}.") from error


class Workspace:
    """A folder of experiments.

    Parameters
    ----------
    folder : Path
        Created at the first write.
    quota : Quota
    """

    def __init__(self, folder: Path, quota: Quota | None = None) -> None:
        self.folder = Path(folder)
        self.quota = quota or Quota()

    def save(
        self,
        experiment: Experiment,
        report: LoadReport,
        *,
        owner: str = "",
        replaces: str | None = None,
        progress: Progress = no_progress,
    ) -> Entry:
        """Keep an experiment and what loading it said.

        The same experiment of the same owner keeps its id; `replaces` names an entry of the owner that gives
        its id to this experiment, as after a correction.

        Raises
        ------
        WorkspaceError
            When the folder cannot be written to, the disk is full, a quota is reached, or the experiment
            holds what no file can hold.
        """
        known = self._known(experiment, owner, replaces)
        if known is not None and known.digest == experiment.digest and known.name == experiment.name:
            self._touch(known.id)
            return replace(known, when=time.time())
        made = _entry_of(experiment, known.id if known else secrets.token_urlsafe(16), owner)
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._sweep()
            return self._write(made, experiment, report, progress)
        except OSError as error:
            raise WorkspaceError(
                f"The experiment is not kept for later visits: {self.folder} cannot be written to "
                f"({error.strerror or error}). It stays open in this tab."
            ) from error
        except ExperimentError as error:
            raise WorkspaceError(f"The experiment is not kept for later visits: {error}") from error

    def open(self, id: str, *, progress: Progress = no_progress) -> tuple[Entry, Reading]:
        """Return an experiment that is kept, with what loading the original said.

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
            entry = _entry_in(path, data)
            reading = read(data, progress=progress, **_as_read(id))
            layout, lines = _report_in(data)
        except _DAMAGE as error:
            raise WorkspaceError(f"The experiment {id} cannot be opened. {_REMEDY}") from error
        if reading.experiment.digest != entry.digest:
            raise WorkspaceError(f"The experiment {id} is not what was kept. {_REMEDY}")
        self._touch(id)
        return entry, replace(reading, report=replace(reading.report, layout=layout, lines=lines))

    def entry(self, id: str) -> Entry:
        """Return what the list shows of one experiment; WorkspaceError when it is not there."""
        path = self._path(id)
        try:
            return _entry_in(path, path)
        except FileNotFoundError as error:
            raise _no_such(id) from error
        except _DAMAGE:
            return _damaged(path)

    def entries(self, owner: str | None = None) -> list[Entry]:
        """Return the experiments of an owner (None: of all), the latest first; damaged ones are among them."""
        found = []
        for path in self._files():
            try:
                entry = self.entry(path.name.removesuffix(_ENDING))
            except WorkspaceError:
                continue  # deleted by another session just now
            if owner is None or entry.owner == owner:
                found.append(entry)
        return sorted(found, key=lambda entry: -entry.when)

    def delete(self, id: str) -> None:
        """Remove an experiment, and its text from the cache; one that is gone already is no error."""
        try:
            self._forget(id)
            self._path(id).unlink(missing_ok=True)
        except OSError as error:
            raise WorkspaceError(f"The experiment {id} cannot be deleted ({error.strerror or error}).") from error

    def _path(self, id: str) -> Path:
        if not _ID.fullmatch(id):
            raise _no_such(id)
        return self.folder / f"{id}{_ENDING}"

    def _forget(self, id: str) -> None:
        """Remove what the cache holds of an experiment's file."""
        with contextlib.suppress(FileNotFoundError):
            forget(self._path(id).read_bytes(), **_as_read(id))

    def _files(self) -> list[Path]:
        try:
            return [p for p in self.folder.iterdir() if p.name.endswith(_ENDING) and not p.name.startswith(_TEMPORARY)]
        except OSError:
            return []

    def _known(self, experiment: Experiment, owner: str, replaces: str | None) -> Entry | None:
        own = [entry for entry in self.entries(owner) if not entry.problem]
        same = next((entry for entry in own if entry.digest == experiment.digest), None)
        return same or next((entry for entry in own if entry.id == replaces), None)

    def _touch(self, id: str) -> None:
        with contextlib.suppress(OSError):
            os.utime(self._path(id))

    def _write(self, made: Entry, experiment: Experiment, report: LoadReport, progress: Progress) -> Entry:
        handle, temporary = tempfile.mkstemp(dir=self.folder, prefix=_TEMPORARY)
        try:
            with os.fdopen(handle, "wb") as file:
                more = {_ABOUT: _json(asdict(made)), _REPORT: _json(_plain(report))}
                write_native(experiment, file, more=more, level=1, progress=progress)
                file.flush()
                os.fsync(file.fileno())
            size = Path(temporary).stat().st_size
            with self._alone():
                self._check_quota(made.id, size)
                self._forget(made.id)
                os.replace(temporary, self._path(made.id))
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        return replace(made, bytes=size, when=time.time())

    def _check_quota(self, id: str, size: int) -> None:
        if self.quota.each is not None and size > self.quota.each:
            raise WorkspaceError(
                f"The experiment is not kept for later visits: it takes {_mb(size)} of disk, packed, and the limit for "
                f"one is {_mb(self.quota.each)}. It stays open in this tab; open fewer systems or test sets to keep it."
            )
        others = sum(_size(path) for path in self._files() if path != self._path(id))
        if self.quota.total is not None and others + size > self.quota.total:
            raise WorkspaceError(
                f"The experiment is not kept for later visits: the space for all experiments ({_mb(self.quota.total)}) "
                "is used up. It stays open in this tab; delete experiments that are not needed, or ask for more space."
            )

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Let one writer at a time count what is there, on systems that can lock files."""
        try:
            import fcntl
        except ImportError:
            yield
            return
        with (self.folder / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _sweep(self) -> None:
        """Remove what writers that were killed long ago have left."""
        for path in self.folder.glob(f"{_TEMPORARY}*"):
            with contextlib.suppress(OSError):
                if time.time() - path.stat().st_mtime > _STALE:
                    path.unlink()


def default_workspace(quota: Quota | None = None) -> Workspace:
    """Return the workspace in the folder of mtsig (``MTSIG_HOME`` or the user's own)."""
    return Workspace(home() / "workspace", quota)


def _as_read(id: str) -> dict[str, Any]:
    """Return how a file is read, apart from its bytes."""
    return {"name": f"{id}.zip", "limits": _LIMITS, "checked": True}


def _entry_of(experiment: Experiment, id: str, owner: str) -> Entry:
    return Entry(
        id=id,
        name=experiment.name,
        digest=experiment.digest,
        systems=len(experiment.systems),
        replicas=sum(len(system.replicas) for system in experiment.systems),
        test_sets=len(experiment.test_sets),
        segments=sum(test_set.n_segments for test_set in experiment.test_sets),
        owner=owner,
    )


def _entry_in(path: Path, content: Path | bytes) -> Entry:
    """Return the entry of a file, given once more or as its bytes; raises what is in `_DAMAGE`."""
    with zipfile.ZipFile(io.BytesIO(content) if isinstance(content, bytes) else content) as archive:
        told = json.loads(archive.read(_ABOUT))
    known = {key: type(default) for key, default in asdict(Entry("")).items()}
    entry = Entry(**{key: kind(told[key]) for key, kind in known.items()})
    if f"{entry.id}{_ENDING}" != path.name:
        raise ValueError("another entry's file")
    state = path.stat()
    return replace(entry, bytes=state.st_size, when=state.st_mtime, problem="")


def _report_in(content: bytes) -> tuple[str, tuple[ReportLine, ...]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        told = json.loads(archive.read(_REPORT))
    lines = tuple(
        ReportLine(line["kind"], line["message"], tuple(line["files"]), line["code"]) for line in told["lines"]
    )
    return str(told["layout"]), lines


def _plain(report: LoadReport) -> dict[str, Any]:
    return {"layout": report.layout, "lines": [asdict(line) for line in report.lines]}


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


def _damaged(path: Path) -> Entry:
    try:
        state = path.stat()
    except OSError as error:
        raise _no_such(path.name.removesuffix(_ENDING)) from error
    return Entry(path.name.removesuffix(_ENDING), bytes=state.st_size, when=state.st_mtime, problem=_REMEDY)


def _no_such(id: str) -> WorkspaceError:
    return WorkspaceError(
        f"There is no experiment {id[:70]!r} here: it was deleted, or the link is of another server. Upload it again."
    )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _mb(n_bytes: int) -> str:
    return f"{n_bytes / MIB:,.1f} MB"


