"""One folder per training run: system and replica from the names of its folders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from mtsig_core.loading.layouts.common.folder_names import names_in_folder
from mtsig_core.loading.recognition.checkpoints import report_lone
from mtsig_core.loading.recognition.names import (
    base_name,
    is_mark,
    special,
    split_flat,
    split_keys,
    without_ending,
)
from mtsig_core.loading.recognition.replicas import OutputName, report_names, split_checkpoint, split_names
from mtsig_core.loading.report import Reporter, some
from mtsig_core.loading.sources.tree import FileTree

#: Folders of sweeps and of people's own order that say nothing about a run.
_STRUCTURE = re.compile(
    r"multirun|out(?:puts?)?|runs?|results?|experiments?|exps?|wandb|mlruns|sweeps?|checkpoints|files|pred(?:iction)?s?|"
    r"translations?|translated|decod(?:es?|ed|ing)|generat(?:ions?|ed)|hyps?|hypothes[ei]s|systems?|models?|"
    r"\d{4}-\d\d-\d\d|\d\d-\d\d-\d\d|\d{8}[-_]\d{6}",
    re.IGNORECASE,
)
#: Names that say a checkpoint beside files that are named by a step or an epoch.
_LATEST = re.compile(r"best|last|latest|final|avg|averaged?|mean", re.IGNORECASE)
_WANDB = re.compile(r"run-\d{8}_\d{6}-(?P<id>\w+)")


#: Where hydra writes what it was asked for, in the folder of each run.
_OVERRIDES = ".hydra/overrides.yaml"


def folders_of(paths: Iterable[str], files: FileTree) -> dict[str, list[str]]:
    """Return the names of the folders of each file; numbered ones of hydra's sweeps are called by their overrides."""
    return _called({path: path.split("/")[:-1] for path in paths}, files)


def _called(folders: Mapping[str, Sequence[str]], files: FileTree) -> dict[str, list[str]]:
    """Return the folders with those of hydra's sweeps called by what their runs were asked for."""
    called = {}
    for path, given in folders.items():
        parts = list(given)
        for i, part in enumerate(given):
            overrides = "/".join([*given[: i + 1], _OVERRIDES])
            if part.isdecimal() and overrides in files:
                parts[i] = ",".join(_asked_for(overrides, files)) or part
        called[path] = parts
    return called


def report_sweeps(files: FileTree, report: Reporter) -> None:
    """List what the numbered folders of hydra's sweeps were called by."""
    named = {
        folder: ",".join(_asked_for(path, files))
        for path in files
        if (folder := path.removesuffix(f"/{_OVERRIDES}")) != path and folder.rpartition("/")[2].isdecimal()
    }
    if named:
        listed = some([f"{folder.rpartition('/')[2]}: {name}" for folder, name in named.items() if name], 4)
        message = f"Numbered folders were called by what their runs were asked for in {_OVERRIDES} ({listed})."
        remedy = "To change this, give system and replica of a file in experiment.toml ([[files]] path, kind, "
        report.assume("sweep", message, f"{remedy}system, replica).", [f"{folder}/{_OVERRIDES}" for folder in named])


def _asked_for(overrides: str, files: FileTree) -> list[str]:
    lines = (line.strip() for line in files.head(overrides).splitlines())
    return [line.removeprefix("- ").strip("'\"") for line in lines if line.startswith("- ")]


def runs_in_folders(folders: Mapping[str, Sequence[str]]) -> dict[str, OutputName]:
    """Return what the folders say of their only files, where names of folders tell runs of one system apart.

    ``base_1/out.txt, base_2/out.txt, big_1/out.txt, big_2/out.txt`` are two systems. Files whose own names differ and
    hold numbers may be replicas themselves: they are not looked at.

    Parameters
    ----------
    folders : mapping of a folder's name to the files that lie in it
    """
    alone = {folder: own[0] for folder, own in folders.items() if len(own) == 1}
    stems = {without_ending(base_name(path)) for path in alone.values()}
    if len(stems) > 1 and any(is_mark(stem) or any(map(str.isdigit, stem)) for stem in stems):
        return {}
    if len(stems) == 1 and (is_mark(min(stems)) or split_flat(min(stems))):
        return {}
    names = split_names({path: folder for folder, path in alone.items()}, endings=False)
    return {path: name for path, name in names.items() if name.why != "none"}


def systems_in_runs(folders: Mapping[str, Sequence[str]]) -> dict[str, OutputName]:
    """Return what folders of runs say of the files in them, where each holds a file per system: ``seed1/base.txt``.

    Parameters
    ----------
    folders : mapping of a folder's name to the files that lie in it
    """
    runs = {folder: own for folder, own in folders.items() if is_mark(folder)}
    stems = {folder: [without_ending(base_name(path)) for path in own] for folder, own in runs.items()}
    names = [name for own in stems.values() for name in own]
    shared = set.intersection(*map(set, stems.values())) if len(runs) > 1 else set()
    if not shared or len(set(names)) < 2 or any(is_mark(name) or split_flat(name) for name in names):
        return {}
    if any(len(set(own)) < len(own) for own in stems.values()):
        return {}
    return {path: OutputName(without_ending(base_name(path)), folder, why="in-runs")
            for folder, own in runs.items() for path in own}  # fmt: skip


def systems_below_runs(folders: Mapping[str, Sequence[str]]) -> dict[str, OutputName]:
    """Return what folders of runs say that hold a folder for each system: ``seed1/base/hyp.txt``.

    Parameters
    ----------
    folders : mapping of path to the names of its folders
    """
    are_alone = len(set(map(tuple, folders.values()))) == len(folders) > 1
    stems = {without_ending(base_name(path)) for path in folders}
    if not are_alone or len(stems) > 1 or is_mark(min(stems)):
        return {}
    if not all(len(own) > 1 and is_mark(own[0]) and not is_mark(own[-1]) for own in folders.values()):
        return {}
    return outputs_of_runs(folders)


def runs_of_checkpoints(paths: Sequence[str], skip: int = 0) -> dict[str, OutputName | None]:
    """Return what folders and names say of files that are checkpoints by their own names: ``base/seed1/step_1000.txt``.

    Only folders with several checkpoints are looked at; files in them whose names say none have None.

    Parameters
    ----------
    paths : sequence of str
    skip : int
        Characters of each path before the folders of systems.
    """
    split = {path: split_checkpoint(without_ending(base_name(path))) for path in paths}
    places: dict[str, set[str]] = {}
    for path, (_, checkpoint) in split.items():
        places.setdefault(path.rpartition("/")[0], set()).update({checkpoint} - {""})
    own = [path for path in paths if len(places[path.rpartition("/")[0]]) > 1]
    for path in own:
        if not split[path][1] and _LATEST.fullmatch(split[path][0]):
            split[path] = "system", split[path][0]
    named = [path for path in own if split[path][1]]
    rests = {(path.rpartition("/")[0], split[path][0]) for path in named} - {(place, "system") for place in places}
    with_rest = len({place for place, _ in rests}) < len(rests)
    folders = {}
    for path in named:
        parts, (rest, checkpoint) = path[skip:].split("/")[:-1], split[path]
        own_name = [rest] if rest != "system" and (with_rest or not parts) else []
        folders[path] = [*parts, *own_name]
    return dict.fromkeys(own, None) | outputs_of_runs(folders, {path: split[path][1] for path in named})


def runs_by_place(paths: Sequence[str], files: FileTree) -> dict[str, OutputName]:
    """Return what the folders say of outputs of one name that lie alone in them; empty where outputs lie otherwise.

    Folders are more than one deep, or hydra's numbered ones: else names of files may say more.
    """
    names = {without_ending(base_name(path)) for path in paths}
    folders = folders_of(paths, files)
    is_deep = all(len(parts) > 1 for parts in folders.values())
    is_sweep = any(parts != path.split("/")[:-1] for path, parts in folders.items())
    are_alone = len({path.rpartition("/")[0] for path in paths}) == len(paths) > 1
    if len(names) != 1 or is_mark(min(names)) or not are_alone or not (is_deep or is_sweep):
        return {}
    return outputs_of_runs(folders)


def replicas_in_deep_folders(paths: Sequence[str]) -> dict[str, OutputName]:
    """Return what folders in folders say of the replicas in them: ``preds/base/seed1.txt``, ``A/beam5/s1.txt``.

    Empty where a folder holds anything but the replicas of one system, as an experiment of its own does.

    Parameters
    ----------
    paths : sequence of str
    """
    if any(special(path) for path in paths):
        return {}
    places: dict[str, list[str]] = {}
    for path in paths:
        places.setdefault(path.rpartition("/")[0], []).append(path)
    inside = [names_in_folder(own) for own in places.values()]
    are_deep = all("/" in place for place in places) and any(len(own) > 1 for own in places.values())
    if not are_deep or any(own.kind != "replicas" or own.odd for own in inside):
        return {}
    folders = [place.split("/") for place in places]
    shared = _shared(folders)
    if any(len(parts) == shared for parts in folders):  # one system: the folder that all share may name it
        shared = 0
    names: dict[str, OutputName] = {}
    for parts, own in zip(folders, inside, strict=True):
        system = "-".join(part for part in parts[shared:] if shared or not is_structure(part)) or "system"
        for path, (_, replica) in own.names.items():
            names[path] = OutputName(system, replica, why="marked" if is_mark(replica) else "in-folders")
    return names


def outputs_of_runs(
    folders: Mapping[str, Sequence[str]], checkpoints: Mapping[str, str] | None = None
) -> dict[str, OutputName]:
    """Return system, replica and checkpoint of each file.

    ``model-seed1`` and ``model/seed1`` are replica *seed1* of *model*; of ``KEY=VALUE`` names, keys that say seed, run,
    fold or trial are the replica and the others the system; any other name is a system with one replica. A
    folder or a part of a name that says a step or an epoch is a checkpoint of the run.

    Parameters
    ----------
    folders : mapping of path to the names of its folders
    checkpoints : mapping of path to str, optional
        Checkpoints that names of files say; else those that folders say.
    """
    shared = _shared(list(folders.values()))
    names: dict[str, OutputName] = {}
    joined: dict[str, str] = {}
    for path, parts in folders.items():
        own = [p for i, p in enumerate(parts) if i >= shared or not is_structure(p)]
        own, checkpoint = (own, checkpoints[path]) if checkpoints else _without_checkpoint(own)
        if not own:
            names[path] = OutputName("system", "1", checkpoint, why="none")
        elif any("=" in part for part in own):
            system, replica = split_keys(",".join(own)) or ("", "")
            names[path] = OutputName(system or "system", replica or "1", checkpoint, why="keys")
        elif match := _WANDB.fullmatch(own[-1]):
            names[path] = OutputName("-".join(own[:-1]) or "system", match["id"], checkpoint, why="wandb")
        elif is_mark(own[-1]):
            why = "numbers" if own[-1].isdecimal() else "marked"
            names[path] = OutputName("-".join(own[:-1]) or "system", own[-1], checkpoint, why=why)
        else:
            names[path] = OutputName("", "", checkpoint)
            joined[path] = "-".join(own)
    known = {path: names[path].checkpoint for path in joined}
    return names | split_names(joined, endings=False, checkpoints=known)


def names_of_runs(
    folders: Mapping[str, Sequence[str]], files: FileTree, report: Reporter
) -> dict[str, tuple[str, str]]:
    """Return system and replica of each file as `outputs_of_runs` does, where checkpoints cannot be chosen.

    Where a run has several checkpoints, each is a system of its own, for two checkpoints of one training are no
    replicas. What was guessed is listed.
    """
    names = outputs_of_runs(_called(folders, files))
    report_names({path: name for path, name in names.items() if name.why != "none"}, report)
    report_sweeps(files, report)
    checkpoints: dict[tuple[str, str], set[str]] = {}
    for name in names.values():
        checkpoints.setdefault((name.system, name.replica), set()).add(name.checkpoint)
    several = any(len(own) > 1 for own in checkpoints.values())
    lone = {} if several else {path: (name.system, name.checkpoint) for path, name in names.items() if name.checkpoint}
    report_lone(lone, report)
    return {
        path: (f"{name.system}-{name.checkpoint}" if several and name.checkpoint else name.system, name.replica)
        for path, name in names.items()
    }


def _shared(folders: Sequence[Sequence[str]]) -> int:
    """Return how many folders at the top all paths share."""
    first = folders[0] if folders else ()
    n = 0
    while n < len(first) and all(len(parts) > n and parts[n] == first[n] for parts in folders):
        n += 1
    return n


def is_structure(part: str) -> bool:
    """Say whether the name of a folder says nothing about a run."""
    return _STRUCTURE.fullmatch(part) is not None


def _without_checkpoint(parts: Sequence[str]) -> tuple[list[str], str]:
    """Take a step or an epoch out of the names of folders, from the innermost on."""
    own = [part for part in parts if part != "files"]
    for i in range(len(own) - 1, -1, -1):
        rest, checkpoint = split_checkpoint(own[i])
        if checkpoint:
            return [*own[:i], *([rest] if rest != "system" else []), *own[i + 1 :]], checkpoint
    return own, ""
