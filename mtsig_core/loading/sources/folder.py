"""A folder on disk as entries that are read when asked for; links out of it are not followed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.sources.limits import Budget, Limits
from mtsig_core.loading.sources.tree import Collector, Entry, left_behind, normalise


def walk_folder(root: Path, limits: Limits, report: Reporter) -> dict[str, Entry]:
    """Return the files of a folder; what is refused or ignored goes to the report."""
    collector = Collector(str(root))
    budget = Budget(Limits(limits.members, limits.unpacked_bytes, float("inf"), 0))
    for file in _files(root, root.resolve(), report):
        relative = file.relative_to(root).as_posix()
        try:
            path = normalise(relative)
        except ValueError as error:
            report.gather("refused", "unsafe-path", f"Not read: {error}", relative.encode("utf-8", "replace").decode())
            continue
        if reason := left_behind(path):
            report.gather("ignored", "junk", reason, path)
            continue
        collector.add(Entry(path, partial(_read_file, file, path, budget), partial(_start_of_file, file)))
        if len(collector.entries) > limits.members:
            message = f"{root}: more than {limits.members:,} files, the limit. Choose the folder of one experiment."
            raise LoadError(message, str(root))
    return collector.entries


def _files(root: Path, real_root: Path, report: Reporter) -> Iterator[Path]:
    """Yield the regular files below root; links out of it and unreadable things are reported."""

    def unreadable(error: OSError) -> None:
        report.gather("refused", "unreadable", "Cannot be read", str(error.filename))

    for folder, folders, files in os.walk(root, onerror=unreadable, followlinks=False):
        for link in [f for f in folders if os.path.islink(os.path.join(folder, f))]:
            report.gather("refused", "link", "A link to a folder is not followed", _relative(Path(folder, link), root))
        folders[:] = sorted(f for f in folders if not os.path.islink(os.path.join(folder, f)))
        for file in (Path(folder, f) for f in sorted(files)):
            if reason := _why_not(file, real_root):
                report.gather("refused", reason[0], reason[1], _relative(file, root))
            else:
                yield file


def _relative(file: Path, root: Path) -> str:
    return file.relative_to(root).as_posix().encode("utf-8", "replace").decode()


def _why_not(file: Path, real_root: Path) -> tuple[str, str] | None:
    try:
        if file.is_symlink() and not file.resolve(strict=True).is_relative_to(real_root):
            return "link", "A link that leaves the folder is not followed"
        if not stat.S_ISREG(file.stat().st_mode):
            return "unreadable", "Not a regular file"
    except (OSError, RuntimeError) as error:
        return "unreadable", f"Cannot be read: {type(error).__name__}"
    return None if os.access(file, os.R_OK) else ("unreadable", "Cannot be read: no permission")


def _read_file(file: Path, path: str, budget: Budget) -> bytes:
    try:
        budget.spend(file.stat().st_size, path)
        return file.read_bytes()
    except OSError as error:
        raise LoadError(f"{path}: cannot be read ({error.strerror}). Check its permissions.", path) from error


def _start_of_file(file: Path, size: int) -> bytes:
    """Return the first bytes, or nothing where it cannot be read: reading it all will say so."""
    try:
        with file.open("rb") as stream:
            return stream.read(size)
    except OSError:
        return b""
