"""What native and plain have in common: folders that hold ``systems/`` and references."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from mtsig_core.loading.layouts.common.beside import sides_of_runs, weaker_references
from mtsig_core.loading.layouts.common.folder_names import ODD, names_in_folder
from mtsig_core.loading.layouts.common.run_folders import (
    runs_in_folders,
    runs_of_checkpoints,
    systems_below_runs,
    systems_in_runs,
)
from mtsig_core.loading.recognition.checkpoints import read_without_checkpoints
from mtsig_core.loading.recognition.names import (
    REFERENCES,
    is_mark,
    is_no_output,
    special,
    split_flat,
    split_keys,
    split_marked,
    stems,
    without_ending,
)
from mtsig_core.loading.recognition.replicas import report_names, split_names
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.scores.lines import one_score
from mtsig_core.loading.sources.tree import FileTree

SYSTEMS = frozenset(("systems", "system", "outputs", "hyps", "hypotheses"))
DEFAULT_SET = "test"
# names of whole folders that say what a lone set is for; other names are rather those of experiments
_TUNING = re.compile(r"(dev|tune|tuning|valid|validation)(set)?[-_.]?\d*", re.IGNORECASE)


def find_sets(files: FileTree) -> dict[str, str]:
    """Return the folders that hold a ``systems`` folder: prefix (with slash, or "") to test set name."""
    tops = [folder for folder in files.folders() if folder.casefold() in SYSTEMS]
    sets = {"": _lone_set(files)} if tops else {}
    for path in files:
        parts = path.split("/")
        if len(parts) > 2 and parts[1].casefold() in SYSTEMS and parts[0].casefold() not in SYSTEMS:
            sets[parts[0] + "/"] = parts[0]
    while "" in sets and sets[""] + "/" in sets:
        sets[""] += "-top"
    return sets


def _lone_set(files: FileTree) -> str:
    """Return the name of the set at the top: that of its folder where that names a tuning set, which is no test set."""
    folder = files.stripped.rstrip("/").rsplit("/", 1)[-1] or files.name
    return folder if _TUNING.fullmatch(folder) else DEFAULT_SET


def set_files(files: FileTree, prefix: str) -> list[str]:
    """Return the paths below one set folder."""
    return [path for path in files if path.startswith(prefix)]


def is_reference(relative: str) -> bool:
    """Say whether a path relative to its set folder is a reference."""
    parts = relative.split("/")
    if len(parts) == 2:
        return parts[0].casefold() in REFERENCES and not is_no_output(relative)
    return len(parts) == 1 and special(relative) == "reference" and not is_no_output(relative)


def read_sets(files: FileTree, report: Reporter) -> tuple[FileRole, ...]:
    """Return the roles of all files of a tree of set folders."""
    return tuple(read_without_checkpoints(files, _read_sets, report))


def _read_sets(files: FileTree, report: Reporter) -> list[FileRole]:
    sets = find_sets(files)
    roles: list[FileRole] = []
    placed: set[str] = set()
    for prefix, name in sorted(sets.items(), key=lambda item: -len(item[0])):
        own = [path for path in set_files(files, prefix) if path not in placed]
        set_roles = list(_roles_of_set(files, own, prefix, name, report))
        roles += set_roles
        placed.update(own if prefix else [role.path for role in set_roles])
    roles += [FileRole(path, "ignored", reason="not part of this layout") for path in files if path not in placed]
    return roles


def holds_no_output(path: str, files: FileTree) -> bool:
    """Say whether a file holds no segments: by its name, where it is no log of fairseq, or as one score of a run."""
    return (is_no_output(path) and files.format(path) != "fairseq") or one_score(path, files.head(path)) is not None


def _roles_of_set(
    files: FileTree, paths: Sequence[str], prefix: str, name: str, report: Reporter
) -> Iterator[FileRole]:
    outputs: list[str] = []
    own = sides_of_runs(files.only(paths), name) or _weaker(paths, prefix, name)
    for path in paths:
        relative = path.removeprefix(prefix)
        if path in own:
            yield own[path]
            continue
        parts = relative.split("/")
        kind = special(relative) if len(parts) == 1 else None
        if len(parts) > 1 and parts[0].casefold() in SYSTEMS and not holds_no_output(path, files):
            outputs.append(path)
        elif is_reference(relative):
            yield FileRole(path, "reference", name)
        elif kind in ("source", "documents"):
            yield FileRole(path, kind, name)
        else:
            yield FileRole(path, "ignored", name, reason="not part of this layout")
    yield from _outputs(outputs, len(prefix), name, report)


def _weaker(paths: Sequence[str], prefix: str, name: str) -> dict[str, FileRole]:
    """Return what weaker words call a reference (``human.txt``), where no file beside the outputs is called one."""
    beside = {path.removeprefix(prefix): path for path in paths}
    beside = {own: path for own, path in beside.items() if own.split("/")[0].casefold() not in SYSTEMS}
    if any(map(is_reference, beside)):
        return {}
    texts = [own for own in beside if not is_no_output(own) and special(own) is None]
    return {beside[own]: FileRole(beside[own], "reference", name) for own in weaker_references(texts)}


def _outputs(paths: Sequence[str], skip: int, name: str, report: Reporter) -> Iterator[FileRole]:
    """Yield the outputs ``systems/SYSTEM.txt``, ``systems/SYSTEM/REPLICA.txt``, ``systems/SYSTEM/REPLICA/FILE``."""
    folders: dict[str, list[str]] = {}
    alone: list[str] = []
    inner = [path for path in paths if path[skip:].count("/") > 1]
    start = skip + len(inner[0][skip:].split("/")[0]) + 1 if inner else skip
    of_checkpoints = {role.path: role for role in checkpoints_of(inner, start, name, report)}
    yield from of_checkpoints.values()
    for path in (path for path in paths if path not in of_checkpoints):
        parts = path[skip:].split("/")
        if len(parts) == 2:
            alone.append(path)
        else:
            folders.setdefault(parts[1], []).append(path)
    direct = {folder: [p for p in own if p[skip:].count("/") == 2] for folder, own in folders.items()}
    direct_only = {folder: own for folder, own in direct.items() if own == folders[folder]}
    runs = (
        systems_in_runs(direct_only)
        or runs_in_folders(direct_only)
        or systems_below_runs({path: path[skip:].split("/")[1:-1] for own in folders.values() for path in own})
    )
    report_names(runs, report)
    for path, own_name in (split_names(alone) | runs).items():
        yield FileRole(
            path, "output", name, own_name.system, own_name.replica, checkpoint=own_name.checkpoint
        )
    for system, own in folders.items():
        if own[0] not in runs:
            yield from replicas_of(own, skip + len(own[0][skip:].split("/")[0]) + 1, name, system, report)


def checkpoints_of(paths: Sequence[str], skip: int, name: str, report: Reporter) -> Iterator[FileRole]:
    """Yield the files that lie in folders of several checkpoints; see `runs_of_checkpoints`.

    Parameters
    ----------
    paths : sequence of str
    skip : int
        Characters of each path before the folders of systems.
    name : str
        Test set.
    report : Reporter
    """
    runs = runs_of_checkpoints(paths, skip)
    report_names({path: run for path, run in runs.items() if run}, report)
    for path, run in runs.items():
        if run:
            yield FileRole(path, "output", name, run.system, run.replica, checkpoint=run.checkpoint)
        else:
            yield FileRole(path, "ignored", name, reason="its name says no checkpoint, as those beside it do")


def replicas_of(
    paths: Sequence[str], skip: int, name: str, system: str, report: Reporter
) -> Iterator[FileRole]:
    """Yield the replicas of a system's folder: one per file, or one per folder that holds one file.

    Parameters
    ----------
    paths : sequence of str
    skip : int
        Characters of each path before the system's folder.
    name, system : str
        Test set and system.
    report : Reporter
    """
    direct = [path for path in paths if path[skip:].count("/") == 1]
    inside = names_in_folder(direct)
    if inside.kind == "systems":
        # good.run0 and bad.run0 in one folder: it is a condition, and never are different systems pooled
        for path, (stem, replica) in inside.names.items():
            yield FileRole(path, "output", name, f"{system}-{stem}", replica)
        for path in (*inside.odd, *(path for path in paths if path not in direct)):
            yield FileRole(path, "ignored", name, reason=ODD)
        return
    for path in inside.odd:
        yield FileRole(path, "ignored", name, reason=ODD)
    direct = [path for path in direct if path not in inside.odd]
    paths = [path for path in paths if path not in inside.odd]
    names = stems(direct)
    marked = split_keys(system) or split_marked(system)
    if marked and len(direct) > 1 and not any(is_mark(without_ending(n)) or split_flat(n) for n in names.values()):
        yield from _files_of_a_run(names, name, marked, report)
        direct, names = [], {}
    if marked and len(paths) == len(direct) == 1 and not any(map(str.isdigit, names[direct[0]])):
        # model-seed1/hyp.txt: the folder names the replica, the file says nothing.
        yield FileRole(direct[0], "output", name, marked[0] or "system", marked[1] or "1")
        return
    for path, replica in names.items():
        yield FileRole(path, "output", name, system, replica)
    yield from _folders_of_replicas([p for p in paths if p[skip:].count("/") != 1], skip, name, system, names)


def _files_of_a_run(
    stems_of: Mapping[str, str], name: str, run: tuple[str, str], report: Reporter
) -> Iterator[FileRole]:
    """Yield a system for each file of one run's folder: ``model-seed1/hyp.txt`` and ``model-seed1/hyp.tok.txt``."""
    message = "Folders of single runs hold several files: each file name is read as a system"
    remedy = "To use one of them only, remove the others."
    report.gather_guess("files-of-a-run", message, remedy, next(iter(stems_of)).rpartition("/")[0])
    for path, stem in stems_of.items():
        yield FileRole(path, "output", name, f"{run[0] or 'system'}-{stem}", run[1] or "1")


def _folders_of_replicas(
    paths: Sequence[str], skip: int, name: str, system: str, names: Mapping[str, str]
) -> Iterator[FileRole]:
    """Yield the replicas that are folders of one file each."""
    taken = set(names.values())
    folders: dict[str, list[str]] = {}
    for path in paths:
        if path not in names:
            folders.setdefault(path[skip:].split("/")[1], []).append(path)
    for replica, own in folders.items():
        if len(own) == 1 and own[0][skip:].count("/") == 2 and replica not in taken:
            yield FileRole(own[0], "output", name, system, replica)
            continue
        for path in own:
            yield FileRole(path, "ignored", name, reason="a replica's folder should hold exactly one file")
