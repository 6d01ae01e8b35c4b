"""An Experiment -> the native layout, which loads back to the same digest.

Whatever names and segments hold: a name that cannot be the name of a file gets another one, and the
manifest's list ``files`` says what the file is (see `mtsig_core.loading.recognition.declared`); segments that plain
lines would change (they hold line ends, or look like something else than text) are written as JSON texts.
"""

from __future__ import annotations

import io
import itertools
import json
import re
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import IO

from mtsig_core.experiment import Experiment, ExperimentError, Replica, Scores, TestSet
from mtsig_core.loading.layouts import choose
from mtsig_core.loading.recognition.declared import keys_of, left_out_keys, toml_text
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.recognition.settings import MANIFEST, DeclaredFile
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.scores.find import mark_scores
from mtsig_core.loading.scores.lines import read_native
from mtsig_core.loading.sources.formats import format_of, head_of
from mtsig_core.loading.sources.tree import Entry, FileTree, left_behind
from mtsig_core.loading.text.decoding import Decoder, read_text
from mtsig_core.runtime.jobs import Progress, no_progress

_LONGEST = 48  # characters of a part of a path: at most 192 bytes
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)
#: Zip members carry no time of their own, so that equal experiments give equal archives.
_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class _File:
    """A file to be written: what it is, and its lines (a missing one is None)."""

    role: FileRole
    lines: Sequence[str | None]


@dataclass
class _Names:
    """Names of files for names of any kind: distinct even where upper and lower case are one."""

    _paths: dict[tuple[str, ...], str] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)

    def path(self, *parts: str, ending: str = "") -> str:
        """Return the path for names: the same folders for the same names, another for every other."""
        folder = ""
        for i in range(1, len(parts) + 1):
            key, end = (*parts[:i], ending if i == len(parts) else "/"), ending if i == len(parts) else ""
            if key not in self._paths:
                self._paths[key] = self._free(folder, file_name(parts[i - 1]), end)
            folder = self._paths[key] + "/"
        return folder.removesuffix("/")

    def _free(self, folder: str, name: str, ending: str) -> str:
        path, n = f"{folder}{name}{ending}", 1
        while path.casefold() in self._taken:
            n += 1
            path = f"{folder}{name}-{n}{ending}"
        self._taken.add(path.casefold())
        return path


def file_name(name: str) -> str:
    """Return a name for a file or folder that resembles a name: safe on every system, not always distinct."""
    safe = "".join(c if c.isalnum() or c in "._-" else "_" for c in unicodedata.normalize("NFC", name)[:_LONGEST])
    safe = unicodedata.normalize("NFC", safe).strip(".") or "_"
    return "_" + safe if _DEVICES.match(safe) or left_behind(safe) else safe


def native_files(experiment: Experiment, *, progress: Progress = no_progress) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of all files of the native layout, ``experiment.toml`` last.

    Raises
    ------
    ExperimentError
        For what no files could hold: outputs of a test set without references; a test set that nothing is of;
        half of a surrogate pair in a name.
    """
    _check(experiment)
    files = list(_files(experiment))
    heads: dict[str, bytes] = {}
    declared: list[DeclaredFile] = []
    for i, file in enumerate(files):
        progress(0.95 * i / len(files), "writing files")
        path, data, is_json = _encoded(file)
        heads[path] = data[:4096]
        declared.append(DeclaredFile(file.role, "json" if is_json else "text"))
        yield path, data
    manifest = _manifest(experiment, declared)
    listed = _to_declare(declared, heads | {MANIFEST: manifest.encode()}, experiment)
    yield MANIFEST, (manifest if listed == declared else _manifest(experiment, listed)).encode()


def write_native(
    experiment: Experiment, stream: IO[bytes], *, more: Mapping[str, bytes] | None = None, level: int = 6,
    progress: Progress = no_progress,
) -> None:  # fmt: skip
    """Write a zip of the native layout, and perhaps more members before it, to a binary stream."""
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for path, data in itertools.chain((more or {}).items(), native_files(experiment, progress=progress)):
            _add_member(archive, path, data)


def _add_member(archive: zipfile.ZipFile, path: str, data: bytes) -> None:
    """Add a member that depends on nothing but its path and content."""
    info = zipfile.ZipInfo(path, _DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    archive.writestr(info, data)


def zip_of(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a zip of (path, content) that depends on nothing else."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files:
            _add_member(archive, path, data)
    return stream.getvalue()


def native_zip(experiment: Experiment, *, progress: Progress = no_progress) -> bytes:
    """Return a zip of the native layout that `load` reads back to the same digest."""
    stream = io.BytesIO()
    write_native(experiment, stream, progress=progress)
    return stream.getvalue()


def _check(experiment: Experiment) -> None:
    replicas = [replica for system in experiment.systems for replica in system.replicas]
    for test_set in experiment.test_sets:
        own = [replica for replica in replicas if replica.is_on(test_set.name)]
        if not own:
            raise ExperimentError(f"test set {test_set.name!r}: no output and no score, so it cannot be written.")
        if not test_set.references and (test_set.source or any(test_set.name in r.outputs for r in own)):
            message = f"test set {test_set.name!r}: text without references cannot be written; add a reference."
            raise ExperimentError(message)
    systems = (name for s in experiment.systems for name in (s.name, *(r.name for r in s.replicas)))
    sets = (name for t in experiment.test_sets for name in (t.name, *t.reference_names))
    for name in (experiment.name, *sets, *systems, *experiment.outside_metrics):
        try:
            name.encode()
        except UnicodeEncodeError as error:
            message = f"The name {name!r} is not valid Unicode and cannot be written; rename it."
            raise ExperimentError(message) from error


# What is written where


def _files(experiment: Experiment) -> Iterator[_File]:
    names = _Names()
    for test_set in experiment.test_sets:
        yield from _of_set(test_set, names)
        for system in experiment.systems:
            for replica in system.present_on(test_set.name):
                yield from _of_replica(test_set.name, system.name, replica, names)


def _of_set(test_set: TestSet, names: _Names) -> Iterator[_File]:
    name = test_set.name
    for k, (stream, lines) in enumerate(zip(test_set.reference_names, test_set.references, strict=True)):
        number = "" if len(test_set.references) == 1 else f".{k}"
        path = names.path(name, f"reference{number}", ending=".txt")
        yield _File(FileRole(path, "reference", name, stream=stream), lines)
    if test_set.source is not None:
        yield _File(FileRole(names.path(name, "source", ending=".txt"), "source", name), test_set.source)
    if test_set.documents is not None:
        yield _File(FileRole(names.path(name, "documents", ending=".txt"), "documents", name), test_set.documents)


def _of_replica(test_set: str, system: str, replica: Replica, names: _Names) -> Iterator[_File]:
    if test_set in replica.outputs:
        path = names.path(test_set, "systems", system, replica.name, ending=".txt")
        yield _File(FileRole(path, "output", test_set, system, replica.name), replica.outputs[test_set])
    for metric, scores in replica.scores.get(test_set, {}).items():
        path = names.path(test_set, "scores", metric, system, replica.name, ending=".txt")
        yield _File(FileRole(path, "scores", test_set, system, replica.name, metric), _numbers(scores))


def _numbers(scores: Scores) -> list[str]:
    return ["NA" if score is None else repr(score) for score in scores]


def _encoded(file: _File) -> tuple[str, bytes, bool]:
    """Return path and content, and whether the content is JSON because plain lines would not read back the same."""
    path = file.role.path
    plain = [line or "" for line in file.lines]
    try:
        data = ("\n".join(plain) + "\n").encode()
        if not format_of(head_of(data)) and read_text(data, path).lines == plain and not _has_tabs(file, plain):
            return path, data, False
    except (UnicodeEncodeError, LoadError):
        pass
    return path, ("\n".join(map(json.dumps, file.lines)) + "\n").encode(), True


def _has_tabs(file: _File, lines: Sequence[str]) -> bool:
    """Say whether ids of documents hold tabs, after which plain lines have something else."""
    return file.role.kind == "documents" and any("\t" in line for line in lines)


# The manifest


def _to_declare(
    files: Sequence[DeclaredFile], contents: Mapping[str, bytes], experiment: Experiment
) -> list[DeclaredFile]:
    """Return those files that would be taken for something else unless the manifest declares them."""
    entries = {path: Entry(path, partial(bytes, data)) for path, data in contents.items()}
    try:
        layout, tree = choose(FileTree(entries, Decoder(), experiment.name), Reporter())
        guessed = {role.path: role for role in mark_scores(tree, layout.read(tree, Reporter())).roles}
    except LoadError:
        return list(files)
    return [entry for entry in files if not _is_clear(entry, guessed.get(entry.role.path), experiment)]


def _is_clear(entry: DeclaredFile, guess: FileRole | None, experiment: Experiment) -> bool:
    role = entry.role
    if entry.form == "json" or guess is None or guess.kind != role.kind:
        return False
    if role.kind == "scores":
        has_text = any(role.replica == r.name for r in experiment.system(role.system).on(role.test_set))
        (block,) = read_native(role.path, [], Reporter())
        guessed_names = (block.metric, block.system, block.replica, block.test_set)
        return has_text and guessed_names == (role.stream, role.system, role.replica, role.test_set)
    if role.kind == "reference":
        is_only = len(experiment.test_set(role.test_set).references) == 1
        default = "reference" if is_only else role.path.rsplit("/", 1)[-1].removesuffix(".txt")
        return guess.test_set == role.test_set and role.stream == default
    return (guess.test_set, guess.system, guess.replica) == (role.test_set, role.system, role.replica)


def _manifest(experiment: Experiment, files: Sequence[DeclaredFile]) -> str:
    lines = [f"name = {toml_text(experiment.name)}", f"baseline = {toml_text(experiment.baseline)}"]
    for key in ("target_language", "tokenizer"):
        value = getattr(experiment, key)
        lines += [f"{key} = {toml_text(value)}"] if value else []
    lines += [f"paired = {str(experiment.paired).lower()}", f"replicas_are = {toml_text(experiment.replicas_are)}"]
    for test_set in experiment.test_sets:
        lines += ["", f"[test_sets.{toml_text(test_set.name)}]", f"role = {toml_text(test_set.role)}"]
        lines += [] if test_set.has_segments else ["whole_runs = true"]
        lines += left_out_keys(test_set.left_out)
    for metric, higher in experiment.outside_metrics.items():
        lines += ["", f"[metrics.{toml_text(metric)}]", f"higher_is_better = {str(higher).lower()}"]
        lines += ["assumed = true"] if metric in experiment.assumed_directions else []
    for entry in files:
        lines += ["", "[[files]]", *(f"{key} = {toml_text(value)}" for key, value in keys_of(entry) if value)]
    return "\n".join(lines) + "\n"
