"""Opens whatever a person hands over: a folder, an archive, or loose files."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.sources.archives import looks_like_archive, open_archive, stem
from mtsig_core.loading.sources.limits import Budget, Limits
from mtsig_core.loading.sources.tree import Collector, Entry, FileTree, is_junk, normalise
from mtsig_core.loading.text.decoding import Decoder

Source = str | os.PathLike[str] | bytes | Iterable[tuple[str, bytes]]


def open_source(
    source: Source, name: str | None, limits: Limits, report: Reporter, decoder: Decoder | None = None
) -> FileTree:
    """Return the files of a source, without enclosing folders.

    Raises
    ------
    LoadError
        When nothing can be read from it.
    """
    if isinstance(source, bytes | bytearray | memoryview):
        tree = _from_bytes(bytes(source), name or "upload", limits, report)
    elif isinstance(source, str | os.PathLike):
        tree = _from_path(Path(source), name, limits, report)
    else:
        tree = _from_loose(source, name or "", limits, report)
    if not tree:
        shown = tree.name or "upload"
        raise LoadError(f"{shown}: holds no files that could be used{report.why_nothing()}.", shown)
    tree.decoder = decoder or tree.decoder
    inner = tree.without_enclosing()
    if inner.stripped:
        report.add("assumed", "enclosing-folder", f"Skipped the enclosing folder {inner.stripped}")
    return inner


def _from_bytes(data: bytes, name: str, limits: Limits, report: Reporter) -> FileTree:
    if "." in name and data and not looks_like_archive(data, name):
        return _single_file(data, name.replace("\\", "/").rsplit("/", 1)[-1], None)
    return FileTree(open_archive(data, name, limits, report), stem(name) or "upload")


def _single_file(data: bytes, file: str, name: str | None) -> FileTree:
    """Return a tree of one file: a table or an XML file may hold a whole experiment."""
    try:
        path = normalise(file)
    except ValueError as error:
        shown = file.encode("utf-8", "replace").decode()
        raise LoadError(f"{shown}: {error} cannot be used. Rename it.", shown) from error
    return FileTree({path: Entry(path, partial(bytes, data))}, name or path.partition(".")[0] or path)


def _from_path(path: Path, name: str | None, limits: Limits, report: Reporter) -> FileTree:
    shown = str(path)
    try:
        if path.is_dir():
            tree = FileTree(walk_folder(path, limits, report), name or path.resolve().name)
            return _single_archive(tree, limits, report)
        if not path.is_file():
            raise LoadError(f"{shown}: no such file or folder. Check the path.", shown)
        Budget(Limits(ratio=float("inf"), unpacked_bytes=limits.unpacked_bytes)).check(path.stat().st_size, shown)
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        if isinstance(error, LoadError):
            raise
        raise LoadError(f"{shown}: cannot be read ({error}). Check the path and its permissions.", shown) from error
    if not looks_like_archive(data, path.name):
        return _single_file(data, path.name, name)
    return FileTree(open_archive(data, path.name, limits, report), name or stem(path.name))


def walk_folder(root: Path, limits: Limits, report: Reporter) -> dict[str, Entry]:
    """Return the files of a folder; the report is told what is refused and ignored."""
    collector = Collector(str(root))
    budget = Budget(Limits(limits.members, limits.unpacked_bytes, float("inf"), 0))
    for file in _files(root, root.resolve(), report):
        relative = file.relative_to(root).as_posix()
        try:
            path = normalise(relative)
        except ValueError as error:
            report.gather("refused", "unsafe-path", f"Not read: {error}", relative.encode("utf-8", "replace").decode())
            continue
        if is_junk(path):
            report.gather("ignored", "junk", "Left by the desktop or an editor", path)
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
            return "unreadable", "No regular file"
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


def _from_loose(files: Iterable[tuple[str, bytes]], name: str, limits: Limits, report: Reporter) -> FileTree:
    collector = Collector("the files chosen")
    budget = Budget(Limits(limits.members, limits.unpacked_bytes, float("inf"), 0))
    for raw_path, content in files:
        try:
            path = normalise(raw_path)
        except ValueError as error:
            shown = raw_path.encode("utf-8", "replace").decode()
            report.gather("refused", "unsafe-path", f"Not read: {error}", shown)
            continue
        if is_junk(path):
            report.gather("ignored", "junk", "Left by the desktop or an editor", path)
            continue
        budget.spend(len(content), path)
        collector.add(Entry(path, partial(bytes, content)))
        if len(collector.entries) > limits.members:
            message = f"{path}: more than {limits.members:,} files, the limit. Upload one experiment at a time."
            raise LoadError(message, path)
    tree = FileTree(collector.entries, name or _common_folder(collector.entries) or "experiment")
    return _single_archive(tree, limits, report)


def _single_archive(tree: FileTree, limits: Limits, report: Reporter) -> FileTree:
    """Open an archive that is the only file."""
    if len(tree) != 1:
        return tree
    (path, data), = tree.items()
    if not looks_like_archive(data, path):
        return tree
    return FileTree(open_archive(data, path, limits, report), stem(path) or tree.name)


def _common_folder(paths: Iterable[str]) -> str:
    tops = {path.split("/", 1)[0] if "/" in path else "" for path in paths}
    return tops.pop() if len(tops) == 1 else ""
