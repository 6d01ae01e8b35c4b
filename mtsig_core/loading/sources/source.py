"""Opens whatever a person hands over: a folder, an archive, or loose files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from mtsig_core.formatting import count
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.sources.archives import document_name, looks_like_archive, open_archive, stem
from mtsig_core.loading.sources.folder import walk_folder
from mtsig_core.loading.sources.limits import Budget, Limits
from mtsig_core.loading.sources.tree import Collector, Entry, FileTree, left_behind, normalise
from mtsig_core.loading.text.decoding import Decoder

#: What is opened whole.
Whole = str | os.PathLike[str] | bytes | Iterable[tuple[str, bytes]]


@dataclass(frozen=True)
class Part:
    """One folder of a source that holds several experiments.

    Parameters
    ----------
    whole : path, bytes, or iterable of (relative path, bytes)
    folder : str
        Its path below the folders that merely enclose everything, or the end of that path where it is the only one.
    """

    whole: Whole
    folder: str


Source = Whole | Part


def open_source(source: Source, name: str | None, report: Reporter, decoder: Decoder) -> FileTree:
    """Return the files of a source, without enclosing folders.

    Parameters
    ----------
    source : path, bytes, iterable of (relative path, bytes), or Part
    name : str or None
        What to call the source; of bytes, the file name.
    report : Reporter
        Receives what is refused, ignored and assumed.
    decoder : Decoder
        Also holds the limits of the upload.

    Raises
    ------
    LoadError
        When nothing can be read from it.
    """
    if isinstance(source, Part):
        return _part(open_source(source.whole, name, report, decoder), source.folder, report)
    opener = _Opener(report, decoder)
    if isinstance(source, bytes | bytearray | memoryview):
        tree = opener.from_bytes(bytes(source), name or "upload")
    elif isinstance(source, str | os.PathLike):
        tree = opener.from_path(Path(source), name)
    else:
        tree = opener.from_loose(source, name or "")
    if not tree:
        shown = tree.name or "upload"
        raise LoadError(f"{shown}: holds no files that could be used{report.why_nothing()}.", shown)
    inner = tree.without_enclosing()
    if inner.stripped:
        report.add("recognised", "enclosing-folder", f"Skipped the enclosing folder {inner.stripped}")
    return inner


def _part(files: FileTree, wanted: str, report: Reporter) -> FileTree:
    """Return the files of one folder of an upload."""
    folder = wanted.replace("\\", "/").strip("/")
    folders = dict.fromkeys(path[:i] for path in files for i, sign in enumerate(path) if sign == "/")
    fitting = [folder] if folder in folders else [each for each in folders if f"/{each}".endswith(f"/{folder}")]
    if len(fitting) != 1:
        why = f"holds no folder {wanted!r}" if not fitting else f"{some(fitting)} all end in {wanted!r}"
        raise LoadError(f"{files.name}: {why}. Choose one of its folders: {some(folders, 12) or 'none'}.", files.name)
    rest = some([f"{top}/" for top in files.folders() if top != fitting[0].partition("/")[0]], 12)
    others = f" ({rest})" if rest else ""
    message = f"The folder {fitting[0]}/ was chosen; the rest of the upload is not used{others}."
    report.add("recognised", "chosen-folder", message, [fitting[0]])
    part = files.below(fitting[0]).without_enclosing()
    return part.called(f"{files.name}/{fitting[0]}")


@dataclass(frozen=True)
class _Opener:
    """Opens one source within the limits of its decoder."""

    report: Reporter
    decoder: Decoder

    @property
    def limits(self) -> Limits:
        return self.decoder.limits

    def tree(self, entries: dict[str, Entry], name: str) -> FileTree:
        return FileTree(entries, self.decoder, name)

    def archive(self, data: bytes, file: str) -> dict[str, Entry]:
        self.decoder.packed_in(len(data))
        return open_archive(data, file, self.limits, self.report)

    def from_bytes(self, data: bytes, name: str) -> FileTree:
        if "." in name and data and not looks_like_archive(data, name):
            return self._single_file(data, name.replace("\\", "/").rsplit("/", 1)[-1], None)
        return self.tree(self.archive(data, name), stem(name) or "upload")

    def from_path(self, path: Path, name: str | None) -> FileTree:
        shown = str(path)
        try:
            if path.is_dir():
                tree = self.tree(walk_folder(path, self.limits, self.report), name or path.resolve().name)
                return self._single_archive(tree)
            if not path.is_file():
                raise LoadError(f"{shown}: no such file or folder. Check the path.", shown)
            budget = Budget(Limits(ratio=float("inf"), unpacked_bytes=self.limits.unpacked_bytes))
            budget.check(path.stat().st_size, shown)
            data = path.read_bytes()
        except (OSError, ValueError) as error:
            if isinstance(error, LoadError):
                raise
            message = f"{shown}: cannot be read ({error}). Check the path and its permissions."
            raise LoadError(message, shown) from error
        called = document_name(data, path.name)
        if not looks_like_archive(data, called):
            return self._single_file(data, called, name)
        return self.tree(self.archive(data, path.name), name or stem(path.name))

    def from_loose(self, files: Iterable[tuple[str, bytes]], name: str) -> FileTree:
        collector = Collector("the files chosen")
        budget = Budget(Limits(self.limits.members, self.limits.unpacked_bytes, float("inf"), 0))
        for raw_path, content in files:
            try:
                path = normalise(raw_path)
            except ValueError as error:
                shown = raw_path.encode("utf-8", "replace").decode()
                self.report.gather("refused", "unsafe-path", f"Not read: {error}", shown)
                continue
            if reason := left_behind(path):
                self.report.gather("ignored", "junk", reason, path)
                continue
            budget.spend(len(content), path)
            collector.add(Entry(path, partial(bytes, content)))
            if len(collector.entries) > self.limits.members:
                limit = f"{self.limits.members:,} files, the limit"
                raise LoadError(f"{path}: more than {limit}. Upload one experiment at a time.", path)
        tree = self.tree(collector.entries, name or _name_of_loose(list(collector.entries)))
        return self._single_archive(tree)

    def _single_file(self, data: bytes, file: str, name: str | None) -> FileTree:
        """Return a tree of one file: a table or an XML file may hold a whole experiment."""
        try:
            path = normalise(file)
        except ValueError as error:
            shown = file.encode("utf-8", "replace").decode()
            raise LoadError(f"{shown}: {error} cannot be used. Rename it.", shown) from error
        return self.tree({path: Entry(path, partial(bytes, data))}, name or path.partition(".")[0] or path)

    def _single_archive(self, tree: FileTree) -> FileTree:
        """Open an archive that is the only file."""
        if len(tree) != 1:
            return tree
        (path, data), = tree.items()
        if (called := document_name(data, path)) != path:
            return self._single_file(data, called, tree.name)
        if not looks_like_archive(data, path):
            return tree
        return self.tree(self.archive(data, path), stem(path) or tree.name)


def _name_of_loose(paths: Sequence[str]) -> str:
    """Return what to call files that came without an archive: their folder, or the first of them and how many more."""
    tops = {path.split("/", 1)[0] if "/" in path else "" for path in paths}
    if not paths or (len(tops) == 1 and "" not in tops):
        return "".join(tops) or "experiment"
    first = paths[0].rsplit("/", 1)[-1]
    if len(paths) > 1:
        return f"{first} and {count(len(paths) - 1, 'more file')}"
    return first.partition(".")[0] or first
