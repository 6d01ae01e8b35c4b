"""Several checkpoints of one training: no replicas of each other, so one of them is taken, or all under protest."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from mtsig_core.experiment import natural_key
from mtsig_core.loading.recognition.names import base_name, without_ending
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.replicas import is_checkpoint, split_checkpoint
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import LoadError, Reporter, ReportLine, some
from mtsig_core.loading.sources.tree import FileTree

#: What ``checkpoints`` in experiment.toml may be, besides the name of one checkpoint.
CHOICES = ("last", "best", "all")
_LAST = re.compile(r"last|final|avg", re.IGNORECASE)
_BEST = re.compile(r"best", re.IGNORECASE)
_FINAL = "final"  # an output without a step beside others of its run that have one


# Checkpoints in the names of folders


def read_without_checkpoints(
    files: FileTree, read: Callable[[FileTree, Reporter], Iterable[FileRole]], report: Reporter
) -> list[FileRole]:
    """Return what files are by a layout that sees no step or epoch in the names of folders.

    ``step_1000/base_seed1.txt`` is read as ``base_seed1.txt``, an output of the checkpoint *step_1000*.

    Parameters
    ----------
    files : FileTree
    read : callable
        What the layout makes of a tree.
    report : Reporter
    """
    places = {path: _without_checkpoint(path) for path in files}
    if not any(checkpoint for _, checkpoint in places.values()):
        return list(read(files, report))
    by_place: dict[str, list[str]] = {}
    for path, (place, _) in places.items():
        by_place.setdefault(place, []).append(path)
    own = Reporter()
    try:
        seen = files.renamed({place: paths[0] for place, paths in by_place.items()})
        by_seen = {role.path: role for role in read(seen, own)}
    except LoadError:  # to be raised with the path that the file has
        return list(read(files, report))
    if _are_several(by_place, by_seen, places, files):
        return list(read(files, report))
    report.extend(_with_paths(line, by_place) for line in own.report().lines)
    roles = {path: _at(path, by_seen[place], paths[0], places) for place, paths in by_place.items() for path in paths}
    return [roles[path] for path in files]


def _with_paths(line: ReportLine, by_place: Mapping[str, Sequence[str]]) -> ReportLine:
    """Return a line of a report with the paths that files have."""
    message = line.message
    for place in line.files:
        message = message.replace(place, by_place.get(place, [place])[0])
    files = [path for place in line.files for path in by_place.get(place, [place])]
    return replace(line, message=message, files=tuple(files))


def _without_checkpoint(path: str) -> tuple[str, str]:
    """Return a path without the steps or epochs that its folders say, and these."""
    *folders, name = path.split("/")
    split = [split_checkpoint(folder) for folder in folders]
    rest = [own for folder, (own, step) in zip(folders, split, strict=True) if not step or own != "system"]
    return "/".join([*rest, name]), "-".join(step for _, step in split if step)


def _are_several(
    by_place: Mapping[str, Sequence[str]], by_seen: Mapping[str, FileRole], places: Mapping[str, tuple[str, str]],
    files: FileTree,
) -> bool:
    """Say whether files that would be one differ by more than their checkpoint: two outputs, or unequal references."""
    for place, paths in by_place.items():
        if len({places[path][1] for path in paths}) < len(paths):
            return True
        has_text = by_seen[place].kind in ("reference", "source", "documents")
        if has_text and len({files[path] for path in paths}) > 1:
            return True
    return False


def _at(path: str, role: FileRole, first: str, places: Mapping[str, tuple[str, str]]) -> FileRole:
    """Return the role of a file that was read under a place without checkpoint."""
    if role.kind in ("reference", "source", "documents") and path != first:
        return FileRole(path, "ignored", role.test_set, reason=f"a copy of {first}")
    steps = filter(None, (places[path][1], role.checkpoint))
    return replace(role, path=path, checkpoint="-".join(steps) if role.kind == "output" else "")


# Which of several is used


def choose_checkpoints(plan: Plan, choice: str, report: Reporter) -> Plan:
    """Return the plan with one output of each replica and test set, or with all as replicas that depend on each other.

    Parameters
    ----------
    plan : Plan
    choice : str
        ``last`` (also for ""), ``best`` (the one whose name says so), ``all``, or the name of a checkpoint.
    report : Reporter

    Raises
    ------
    LoadError
        When some run has no checkpoint of that name.
    """
    plan = replace(plan, roles=tuple(map(_with_step_of_file, plan.roles)))
    runs: dict[tuple[str, str, str], list[FileRole]] = {}
    for role in plan.roles:
        if role.kind == "output":
            runs.setdefault((role.system, role.replica, role.test_set), []).append(role)
    runs = {key: _with_final(own) for key, own in runs.items() if any(role.checkpoint for role in own)}
    several = {key: own for key, own in runs.items() if len({role.checkpoint for role in own}) > 1}
    report_lone({r.path: (r.system, r.checkpoint) for key in runs.keys() - several.keys() for r in runs[key]}, report)
    if not several:
        return plan
    _report(several, choice, report)
    changed: dict[str, FileRole] = {}
    shared = _on_all_sets(runs)
    for (system, replica, _), own in several.items():
        if choice == "all":
            changed |= {role.path: replace(role, replica=_joined(role)) for role in own}
            continue
        everywhere = [role for role in own if role.checkpoint in shared[system, replica]]
        chosen = _chosen(everywhere if choice in ("", "last", "best") and everywhere else own, choice or "last")
        reason = f"another checkpoint of this run is taken, {chosen}"
        changed |= {r.path: replace(r, kind="ignored", reason=reason) for r in own if r.checkpoint != chosen}
    return replace(plan, roles=tuple(changed.get(role.path, role) for role in plan.roles))


def _with_final(own: list[FileRole]) -> list[FileRole]:
    """Return the outputs of a run, of which the only one without a step or epoch is the end of the training."""
    without = [role for role in own if not role.checkpoint]
    return [role if role.checkpoint or len(without) > 1 else replace(role, checkpoint=_FINAL) for role in own]


def report_lone(checkpoints: Mapping[str, tuple[str, str]], report: Reporter) -> None:
    """List the steps and epochs that were taken out of names, where a run has one alone.

    Parameters
    ----------
    checkpoints : mapping of path to (system, checkpoint)
    report : Reporter
    """
    if not checkpoints:
        return
    named = some(sorted({f"{system}: {step}" for system, step in checkpoints.values()}, key=natural_key), 6)
    report.assume(
        "lone-checkpoint",
        f"Steps or epochs in names were read as checkpoints, not as parts of the names of systems ({named}).",
        "To make a step part of a name, give the system of the file in experiment.toml ([[files]] path, kind, system).",
        sorted(checkpoints),
    )


def _with_step_of_file(role: FileRole) -> FileRole:
    """Return the role of an output with the step or epoch that the name of its file says, if nothing took it yet."""
    stem = without_ending(base_name(role.path))
    if role.kind != "output" or role.checkpoint or stem in (role.system, role.replica) or not is_checkpoint(stem):
        return role
    return replace(role, checkpoint=stem)


def _on_all_sets(runs: Mapping[tuple[str, str, str], Sequence[FileRole]]) -> dict[tuple[str, str], set[str]]:
    """Return the checkpoints of each run that have outputs on all its test sets: one of them is taken on all."""
    shared: dict[tuple[str, str], set[str]] = {}
    for (system, replica, _), own in runs.items():
        checkpoints = {role.checkpoint for role in own}
        shared[system, replica] = shared.get((system, replica), checkpoints) & checkpoints
    return shared


def _joined(role: FileRole) -> str:
    return role.checkpoint if role.replica == "1" else f"{role.replica}-{role.checkpoint}"


def _chosen(own: Sequence[FileRole], choice: str) -> str:
    names = sorted({role.checkpoint for role in own}, key=natural_key)
    if choice == "last":
        numbered = [name for name in names if not _BEST.search(name)] or names
        return next((name for name in numbered if _LAST.search(name)), numbered[-1])
    fitting = [name for name in names if _BEST.search(name)] if choice == "best" else [n for n in names if n == choice]
    if fitting:
        return fitting[0]
    raise LoadError(
        f"{own[0].path}: checkpoints = {choice!r}, but its run has {some(names)} alone. Name one of these, or take "
        "'last' or 'all'.",
        own[0].path,
    )


def _report(several: dict[tuple[str, str, str], list[FileRole]], choice: str, report: Reporter) -> None:
    files = [role.path for own in several.values() for role in own]
    names = some(sorted({role.checkpoint for own in several.values() for role in own}, key=natural_key))
    if choice == "all":
        report.add(
            "warning",
            "dependent-checkpoints",
            f"Checkpoints of one training ({names}) are used as replicas: they depend on each other, so tests over "
            "replicas claim too much.",
            files,
        )
        return
    message = f"Steps or epochs in names ({names}) were read as checkpoints of one training run."
    taken = f"The {'last' if choice in ('', 'last') else choice} one of each run is used."
    remedy = f'To take others: checkpoints = "best", "all" or a name such as "{_example(several)}" in experiment.toml.'
    report.assume("checkpoints", f"{message} {taken}", remedy, files)


def _example(several: dict[tuple[str, str, str], list[FileRole]]) -> str:
    """Return the name of some checkpoint, as an example."""
    return next(iter(several.values()))[0].checkpoint
