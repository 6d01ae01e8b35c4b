"""A folder, a file or an upload -> the n-best lists of every system with their references."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mtsig_core.experiment import natural_key
from mtsig_core.formatting import count
from mtsig_core.loading.nbest.lists import NbestList
from mtsig_core.loading.nbest.merge import merge_lists
from mtsig_core.loading.nbest.names import ONLY_SET, ListName, name_of, test_set_of
from mtsig_core.loading.nbest.read import read_nbest
from mtsig_core.loading.nbest.streams import NbestFile
from mtsig_core.loading.recognition.names import special
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.sources.archives import is_archive_name
from mtsig_core.loading.sources.formats import format_of
from mtsig_core.loading.sources.source import Part, open_source
from mtsig_core.loading.text.decoding import Decoder, check_encoding
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress

NbestSource = str | os.PathLike[str] | Iterable[tuple[str, bytes]] | Part


@dataclass(frozen=True)
class NbestData:
    """What an upload holds for tuning.

    Parameters
    ----------
    name : str
    lists : mapping of system to (mapping of test set to NbestList)
        In natural order; the set that weights are tuned on is named ``dev``. Where no path names a set there is one,
        named ``all``.
    references : mapping of test set to tuple of streams, each a tuple of L segments
    notes : tuple of str
        What was assumed and left out, one sentence each.
    is_tokenized : bool
        Whether the lists come from decoders, whose text is tokenized, and not from JSON lines.
    """

    name: str
    lists: Mapping[str, Mapping[str, NbestList]]
    references: Mapping[str, tuple[tuple[str, ...], ...]]
    notes: tuple[str, ...] = ()
    is_tokenized: bool = True

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return tuple(self.lists)


def load_nbest(
    source: NbestSource, *, references: Sequence[str] = (), encoding: str | None = None,
    progress: Progress = no_progress,
) -> NbestData:  # fmt: skip
    """Read all n-best lists of a folder, an archive, a single file or an upload, with their references.

    Files are recognised by content (``|||``, or JSON objects with ``segment`` and ``text``), plain, gzip or zstd.
    Their paths name the test set (``dev``, ``tune``, ``valid``, ``test``, ``newstest2014``), the system (a folder or
    the rest of the name) and the iteration (``run3``, ``iter3``); iterations of one system are merged. Lists that
    stand directly in a folder win over those in folders below. References are the files named so (``ref``,
    ``reference``), beside a single file too.

    Parameters
    ----------
    source : path or sequence of (path, bytes)
    references : sequence of str, optional
        Paths of the files to take as references, whatever their names.
    encoding : str, optional
        Of lines that are not valid UTF-8.
    progress : Progress

    Raises
    ------
    LoadError
        When there is no n-best list or no reference for one, or a file is damaged; with file, line and remedy.
    """
    check_encoding(encoding)
    name, files = _files(source)
    files = [replace(file, encoding=encoding) for file in files]
    lists, streams, notes = _sort(files, name, references)
    merged, chosen, remarks = _merged(lists, streams, name, progress)
    ordered = {system: merged[system] for system in sorted(merged, key=natural_key)}
    remarks += [f"{one.name}: {note}" for sets in merged.values() for one in sets.values() for note in one.notes]
    is_tokenized = not any(_is_json(file.head()) for _, file in lists)
    return NbestData(name, ordered, chosen, tuple(dict.fromkeys([*notes, *remarks])), is_tokenized)


def _merged(
    lists: Sequence[tuple[ListName, NbestFile]], streams: Mapping[str, tuple[str, ...]], name: str, progress: Progress
) -> tuple[dict[str, dict[str, NbestList]], dict[str, tuple[tuple[str, ...], ...]], list[str]]:
    """Return the list of each system on each test set, the references of each test set, and notes."""
    merged: dict[str, dict[str, NbestList]] = {}
    chosen: dict[str, tuple[tuple[str, ...], ...]] = {}
    notes: list[str] = []
    done, total = 0, sum(file.size for _, file in lists) or 1
    for test_set, own in _by_test_set(lists):
        share = sum(file.size for _, file in own)
        step = subprogress(progress, done / total, (done + share) / total)
        candidates = _references_of(test_set, streams, name)
        read = _read_set(own, sorted({len(lines) for lines in candidates.values()}), step)
        size = max(one.n_segments for one in read.values())
        chosen[test_set], remarks = _fitting(test_set, candidates, size)
        notes += remarks
        done += share
        for system, one in read.items():
            merged.setdefault(system, {})[test_set] = one.padded(size)
    return merged, chosen, notes


def _by_test_set(
    lists: Sequence[tuple[ListName, NbestFile]]
) -> list[tuple[str, list[tuple[ListName, NbestFile]]]]:
    """Return the lists of each test set, in natural order."""
    names = sorted({role.test_set for role, _ in lists}, key=natural_key)
    return [(name, [(role, file) for role, file in lists if role.test_set == name]) for name in names]


def holds_nbest(source: NbestSource) -> bool:
    """Say whether any file of a folder, an archive, a file or an upload is an n-best list.

    Raises
    ------
    LoadError
        When the source cannot be opened.
    """
    return any(_is_nbest(file) for file in _files(source)[1])


def _read_set(
    lists: Sequence[tuple[ListName, NbestFile]], lengths: Sequence[int], progress: Progress
) -> dict[str, NbestList]:
    """Return the list of each system on one set, its iterations merged."""
    done, total = 0, sum(file.size for _, file in lists) or 1
    read: dict[str, list[NbestList]] = {}
    for role, file in sorted(lists, key=lambda item: item[0].iteration):
        step = subprogress(progress, done / total, (done + file.size) / total)
        read.setdefault(role.system, []).append(read_nbest(file.lines(), file.path, lengths=lengths, progress=step))
        done += file.size
    size = max(one.n_segments for own in read.values() for one in own)
    return {system: merge_lists([one.padded(size) for one in own]) for system, own in read.items()}


def _files(source: NbestSource) -> tuple[str, list[NbestFile]]:
    """Return a name and all files; those of a folder and of one file are read from disk, line by line."""
    if isinstance(source, Part):
        tree = open_source(source, None, Reporter(), Decoder())
        return tree.name, [NbestFile.of_bytes(inner, tree[inner]) for inner in tree]
    if not isinstance(source, str | os.PathLike):
        given = list(source)
        if len(given) == 1 and is_archive_name(given[0][0]):
            tree = open_source(given, None, Reporter(), Decoder())
            return given[0][0], [NbestFile.of_bytes(inner, tree[inner]) for inner in tree]
        return "upload", [NbestFile.of_bytes(path, data) for path, data in given]
    path = Path(source)
    if path.is_dir():
        files = sorted(p for p in path.rglob("*") if p.is_file() and not p.name.startswith("."))
        return path.resolve().name, [NbestFile.of_path(p, path) for p in files]
    if not path.is_file():
        raise LoadError(f"{path}: no such file or folder. Check the path.", str(path))
    alone = NbestFile.of_path(path, path.parent)
    if _is_nbest(alone):
        beside = [p for p in path.parent.iterdir() if p.is_file() and special(p.name) == "reference"]
        return path.stem, [alone, *(NbestFile.of_path(p, path.parent) for p in sorted(beside))]
    tree = open_source(path, None, Reporter(), Decoder())
    return tree.name, [NbestFile.of_bytes(inner, tree[inner]) for inner in tree]


def _is_nbest(file: NbestFile) -> bool:
    head = file.head()
    return _is_json(head) or format_of(head) == "n-best"


def _is_json(head: str) -> bool:
    first = head.lstrip().partition("\n")[0]
    return first.startswith("{") and '"segment"' in first and '"text"' in first


def _sort(
    files: Sequence[NbestFile], name: str, references: Sequence[str]
) -> tuple[list[tuple[ListName, NbestFile]], dict[str, tuple[str, ...]], list[str]]:
    """Return the lists with their roles, the lines of every reference, and notes."""
    stated = {Path(path).as_posix() for path in references}
    streams, lists = {}, []
    for file in files:
        if file.path in stated or (not stated and special(file.path) == "reference" and not _is_nbest(file)):
            streams[file.path] = tuple(line for _, line in file.lines())
        elif _is_nbest(file):
            lists.append(file)
    for path in sorted(stated - set(streams)):
        if not Path(path).is_file():
            raise LoadError(f"{path}: no such reference. Check the path.", path)
        outside = NbestFile.of_path(Path(path), Path(path).parent)
        streams[path] = tuple(line for _, line in outside.lines())
    if not lists:
        for file in files:
            file.check_packing()
        raise LoadError(
            f"{name}: holds no n-best list. Give lists of Moses, cdec or Marian ('id ||| hypothesis ||| features ||| "
            "score') or JSON lines with segment, text and one number per feature.",
            name,
        )
    depth = min(file.path.count("/") for file in lists)
    direct = [file for file in lists if file.path.count("/") == depth] if depth == 0 else lists
    notes = [f"{file.path}: left out, since lists stand directly in {name}." for file in lists if file not in direct]
    if len(direct) < len(lists):
        streams = {path: lines for path, lines in streams.items() if "/" not in path or path in stated}
    return [(name_of(file.path), file) for file in direct], streams, notes


def _references_of(
    test_set: str, streams: Mapping[str, tuple[str, ...]], name: str
) -> dict[str, tuple[str, ...]]:
    """Return the references that a test set may have: those named like it, else those that name no set."""
    own = {path: lines for path, lines in streams.items() if test_set_of(path) == test_set}
    own = own or {path: lines for path, lines in streams.items() if ONLY_SET in (test_set, test_set_of(path))}
    if not own:
        of_set, like = ("", "") if test_set == ONLY_SET else (f" of {test_set!r}", f".{test_set}")
        raise LoadError(
            f"{name}: no reference for the lists{of_set}. Add a file named like reference{like}.txt, one segment per "
            "line.",
            name,
        )
    return own


def _fitting(
    test_set: str, streams: Mapping[str, tuple[str, ...]], size: int
) -> tuple[tuple[tuple[str, ...], ...], list[str]]:
    """Return the references whose length is that of the list, else the shortest longer ones, cut."""
    longer = sorted({len(lines) for lines in streams.values() if len(lines) >= size})
    if not longer:
        path, lines = max(streams.items(), key=lambda item: len(item[1]))
        message = f"{path}: {count(len(lines), 'segment')}, but the ids of the lists need {size:,}."
        raise LoadError(f"{message} Give the reference of these lists.", path)
    chosen = {path: lines for path, lines in streams.items() if len(lines) == longer[0]}
    notes = [
        f"{path}: {count(len(lines), 'segment')}, not the {size:,} of the lists; not used as a reference of {test_set}."
        for path, lines in streams.items() if path not in chosen
    ]  # fmt: skip
    if longer[0] > size:
        notes.append(f"{', '.join(chosen)}: the lists cover the first {size} of {longer[0]} segments.")
    return tuple(lines[:size] for lines in chosen.values()), notes
