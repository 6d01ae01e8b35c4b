"""What a person corrects of what was recognised: roles of files, names, the baseline, pairing, roles of test sets.

A correction is data: the roles of all files as they should be. Applying it is the common assembly once
more, over lines that are in memory already, so it takes a moment and nothing of it is lost when it fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import cast

import pandas as pd

from mtsig_core.experiment import Experiment, Role
from mtsig_core.formatting import count
from mtsig_core.loading.assembly import assemble
from mtsig_core.loading.checks import check
from mtsig_core.loading.recognition.contents import unpack
from mtsig_core.loading.recognition.plan import ScoredNames
from mtsig_core.loading.recognition.roles import KINDS, FileRole, Kind, OutputKey
from mtsig_core.loading.recognition.settings import MANIFEST, NamedTables, Settings
from mtsig_core.loading.report import LoadError, LoadReport, Reporter
from mtsig_core.loading.result import Recognition, as_bytes
from mtsig_core.loading.sources.tree import Entry, FileTree
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress

#: What a table calls the kinds of files.
KIND_WORDS: dict[Kind, str] = {
    "output": "output", "reference": "reference", "source": "source", "documents": "documents", "scores": "scores",
    "ignored": "left out",
}  # fmt: skip
#: Columns of the table that can be edited, and the part of a role that each is.
EDITABLE = {"kind": "kind", "test set": "test_set", "system": "system", "replica": "replica", "reference": "stream"}
#: What the columns of a table are taken for, in the tables of columns.
READ_AS = "read as"
_LEFT_OUT = "left out by hand"


class CorrectionError(LoadError):
    """A correction cannot be applied; ``file`` is the row of the table."""


@dataclass(frozen=True)
class Corrections:
    """How things should be.

    Parameters
    ----------
    roles : tuple of FileRole
        One per file, in the order in which files were recognised.
    baseline : str
        "" for the first system.
    paired : bool
    set_roles : mapping of test set to role
    scored : ScoredNames
        Names of systems and test sets that occur only in files of scores.
    directions : mapping of metric to bool
        Whether higher is better, where a person says so.
    named_columns : mapping of path to a tuple of (column, role)
        Of tables of texts: what their columns are.
    """

    roles: tuple[FileRole, ...]
    baseline: str = ""
    paired: bool = False
    set_roles: Mapping[str, Role] = field(default_factory=dict)
    scored: ScoredNames = field(default_factory=ScoredNames)
    directions: Mapping[str, bool] = field(default_factory=dict)
    named_columns: NamedTables = field(default_factory=dict)


def recognised(recognition: Recognition, experiment: Experiment) -> Corrections:
    """Return the correction that changes nothing."""
    roles = tuple(role for role in recognition.plan.roles if role.path != MANIFEST)
    set_roles: dict[str, Role] = {test_set.name: test_set.role for test_set in experiment.test_sets}
    systems = {
        system.name: system.name
        for system in experiment.systems
        if any(replica.scores.keys() - replica.outputs.keys() for replica in system.replicas)
    }
    sets = {test_set.name: test_set.name for test_set in experiment.test_sets if not test_set.references}
    return _complete(Corrections(
        roles, experiment.baseline, experiment.paired, set_roles, ScoredNames(systems, sets),
        named_columns=recognition.settings.named_columns,
    ))  # fmt: skip


def _complete(corrections: Corrections) -> Corrections:
    """Give every test set a role, as its name says, and drop the roles of sets that are no more."""
    used = {role.test_set for role in corrections.roles if role.kind not in ("ignored", "scores") and role.test_set}
    scored = _has_scores(corrections)
    declared = {name: role for name, role in corrections.set_roles.items() if scored or name in used}
    return replace(
        corrections, set_roles={name: Settings().role(name) for name in sorted(used - declared.keys())} | declared
    )


def apply(
    recognition: Recognition, corrections: Corrections, *, progress: Progress = no_progress
) -> tuple[Experiment, LoadReport]:
    """Return the experiment as corrected.

    Raises
    ------
    LoadError
        When two files are the same output, an output has no reference, or files do not fit together; its
        ``file`` is the row to look at.
    """
    _check_rows(recognition, corrections)
    report = Reporter()
    report.layout = recognition.layout
    report.extend(recognition.lines)
    before = {role.path: role for role in recognition.plan.roles}
    changed = [role.path for role in corrections.roles if _is_changed(before[role.path], role)]
    if changed:
        report.add("recognised", "corrected", f"{count(len(changed), 'file')} corrected by hand.", changed)
    renames = {
        _key(old): _key(role)
        for role in corrections.roles
        if role.kind == (old := before[role.path]).kind == "output" and _key(old) != _key(role)
    }
    same = {_key(role): _key(role) for role in corrections.roles if role.kind == "output" and before[role.path] == role}
    plan = replace(
        recognition.plan, roles=corrections.roles, renamed=renames | same if renames else {}, scored=corrections.scored
    )
    plan = unpack(recognition.files, plan, report)
    files = _with_scores(recognition, corrections)
    settings = _settings(recognition, corrections)
    loaded = assemble(files, plan, settings, report, progress=subprogress(progress, 0, 0.6))
    report.extend(check(loaded.experiment, loaded.files, progress=subprogress(progress, 0.6, 1)))
    finished = report.report()
    return replace(loaded.experiment, assumptions=finished.guesses), replace(finished, roles=corrections.roles)


def lines_left_out(recognition: Recognition, corrections: Corrections) -> dict[str, tuple[tuple[int, str], ...]]:
    """Return the lines that files had and have no more, by the test set's name as corrected."""
    before = {role.path: role.test_set for role in recognition.plan.roles}
    names = {before[role.path]: role.test_set for role in corrections.roles if role.kind == "reference"}
    return {names.get(name, name): lines for name, lines in recognition.settings.left_out.items()}


def _settings(recognition: Recognition, corrections: Corrections) -> Settings:
    """Return the settings of an experiment as corrected."""
    settings = recognition.settings
    assumed = tuple(name for name in settings.assumed_directions if name not in corrections.directions)
    return replace(
        settings, baseline=_baseline(corrections), paired=corrections.paired, paired_systems=(),
        roles=corrections.set_roles, directions={**settings.directions, **corrections.directions},
        assumed_directions=assumed, left_out=lines_left_out(recognition, corrections),
    )  # fmt: skip


def _with_scores(recognition: Recognition, corrections: Corrections) -> FileTree:
    """Return the files, with those that are scores now and were read as lines of text before."""
    texts = recognition.plan.texts
    entries = {
        role.path: Entry(role.path, partial(as_bytes, texts[role.path]))
        for role in corrections.roles
        if role.kind == "scores" and role.path in texts
    }
    return recognition.files.joined(entries) if entries else recognition.files


def _baseline(corrections: Corrections) -> str:
    """Return the baseline; "" (the first system) where its outputs were renamed or left out one by one.

    So it is where it was the first and columns of a table were taken for something else: systems are others then.
    """
    systems = names_of_systems(corrections)
    if corrections.baseline in systems[:1] and any(role.columns for role in corrections.roles):
        return ""
    return corrections.baseline if corrections.baseline in systems or not systems else ""


def _key(role: FileRole) -> OutputKey:
    return role.system, role.replica, role.test_set


def _is_changed(old: FileRole, new: FileRole) -> bool:
    return replace(old, reason="") != replace(new, reason="")


def _check_rows(recognition: Recognition, corrections: Corrections) -> None:
    roles = corrections.roles
    for role in roles:
        where = f"{role.path}: "
        if role.kind in ("output", "reference", "source", "documents") and not role.test_set:
            raise CorrectionError(f"{where}needs the name of a test set.", role.path)
        if role.kind == "output" and not (role.system and role.replica):
            raise CorrectionError(f"{where}an output needs a system and a replica.", role.path)
    if corrections.scored.systems and not names_of_systems(corrections):
        message = f"{roles[0].path}: no system is left. Undo the change that leaves the last one out."
        raise CorrectionError(message, roles[0].path)
    before = {role.path: role for role in recognition.plan.roles}
    with_reference = {role.test_set for role in roles if role.kind == "reference"}
    had_reference = {role.test_set for role in recognition.plan.roles if role.kind == "reference"}
    for role in roles:
        if role.kind != "output" or role.test_set in with_reference:
            continue
        if role.test_set in had_reference or _is_changed(before[role.path], role):
            raise CorrectionError(
                f"{role.path}: its test set {role.test_set!r} has no reference. Take one of the files for its "
                "reference, or leave this one out.",
                role.path,
            )


# The table


def table(corrections: Corrections) -> pd.DataFrame:
    """Return one row per file: what it was taken for.

    Returns
    -------
    DataFrame
        Index: path. Columns: kind, test set, role of the set, system, replica, reference (name of a
        stream), why (a file is left out); "" where a column says nothing about a kind.
    """
    rows = []
    for role in corrections.roles:
        used, output = role.kind not in ("ignored", "scores"), role.kind == "output"
        set_role = corrections.set_roles.get(role.test_set, "")
        rows.append((
            KIND_WORDS[role.kind], role.test_set if used else "", set_role if used else "",
            role.system if output else "", role.replica if output else "",
            role.stream if role.kind == "reference" else "", role.reason,
        ))  # fmt: skip
    columns = ["kind", "test set", "role of the set", "system", "replica", "reference", "why left out"]
    return pd.DataFrame(rows, index=[role.path for role in corrections.roles], columns=columns, dtype=str)


def matching(corrections: Corrections, *, test_sets: Sequence[str] = (), systems: Sequence[str] = ()) -> list[str]:
    """Return the paths of the files of some test sets and systems (none: of all)."""
    return [
        role.path
        for role in corrections.roles
        if (not test_sets or (role.kind not in ("ignored", "scores") and role.test_set in test_sets))
        and (not systems or (role.kind == "output" and role.system in systems))
    ]


def edited(corrections: Corrections, edits: Mapping[str, Mapping[str, object]]) -> Corrections:
    """Return corrections with cells of the table changed.

    Parameters
    ----------
    corrections : Corrections
    edits : mapping of path to (mapping of column to its new value)
        Columns as in `table`; None counts as "".

    Raises
    ------
    CorrectionError
        For a kind that there is not.
    """
    roles = tuple(_edited(role, edits.get(role.path, {})) for role in corrections.roles)
    return _complete(replace(corrections, roles=roles))


def _edited(role: FileRole, cells: Mapping[str, object]) -> FileRole:
    new = {EDITABLE[column]: str(value or "").strip() for column, value in cells.items() if column in EDITABLE}
    if "kind" in new:
        words = {word: kind for kind, word in KIND_WORDS.items()}
        if new["kind"] not in words:
            raise CorrectionError(f"{role.path}: the kind should be one of {', '.join(words)}.", role.path)
        new["kind"] = words[new["kind"]]
        new["reason"] = _LEFT_OUT if new["kind"] == "ignored" else ""
    if not new:
        return role
    new_role = replace(role, **cast(dict, new))
    if new_role.kind == "output" and new_role.system and not new_role.replica:
        new_role = replace(new_role, replica="1")
    return new_role


def names_of_sets(corrections: Corrections) -> list[str]:
    """Return the test sets of files, and those that occur only in files of scores."""
    used = (role.test_set for role in corrections.roles if role.kind not in ("ignored", "scores"))
    return list(dict.fromkeys([*used, *corrections.set_roles]))


def names_of_systems(corrections: Corrections) -> list[str]:
    """Return the systems of outputs, and those that occur only in files of scores."""
    scored = corrections.scored.systems.values() if _has_scores(corrections) else ()
    return list(dict.fromkeys([*systems_with_files(corrections), *filter(None, scored)]))


def systems_with_files(corrections: Corrections) -> list[str]:
    """Return the systems that outputs are of."""
    return list(dict.fromkeys(role.system for role in corrections.roles if role.kind == "output"))


def _has_scores(corrections: Corrections) -> bool:
    return any(role.kind == "scores" for role in corrections.roles)


def rename_systems(corrections: Corrections, names: Mapping[str, str]) -> Corrections:
    """Return corrections with whole systems renamed; two of one name become one system."""
    names = {old: new.strip() for old, new in names.items() if new.strip()}
    roles = tuple(
        replace(role, system=names.get(role.system, role.system)) if role.kind == "output" else role
        for role in corrections.roles
    )
    scored = replace(corrections.scored, systems=_following(corrections.scored.systems, names))
    baseline = names.get(corrections.baseline, corrections.baseline)
    return replace(corrections, roles=roles, baseline=baseline, scored=scored)


def change_sets(corrections: Corrections, names: Mapping[str, str], roles: Mapping[str, Role]) -> Corrections:
    """Return corrections with whole test sets renamed, and given roles (by their old names)."""
    names = {old: new.strip() for old, new in names.items() if new.strip()}
    renamed = tuple(
        role if role.kind in ("ignored", "scores") else replace(role, test_set=names.get(role.test_set, role.test_set))
        for role in corrections.roles
    )
    set_roles = {names.get(name, name): role for name, role in {**corrections.set_roles, **roles}.items()}
    scored = replace(corrections.scored, sets=_following(corrections.scored.sets, names))
    return _complete(replace(corrections, roles=renamed, set_roles=set_roles, scored=scored))


def _following(current: Mapping[str, str], names: Mapping[str, str]) -> dict[str, str]:
    """Return what each is to be called after a change of names."""
    return {own: names.get(name, name) for own, name in current.items()}


def kinds() -> list[str]:
    """Return what the kinds are called in the table."""
    return [KIND_WORDS[kind] for kind in KINDS]


def left_out(corrections: Corrections, paths: Iterable[str]) -> Corrections:
    """Return corrections without some files."""
    return edited(corrections, {path: {"kind": KIND_WORDS["ignored"]} for path in paths})


def without_system(corrections: Corrections, name: str) -> Corrections:
    """Return corrections without a system: its outputs, and scores of it that have no output."""
    remaining = left_out(corrections, matching(corrections, systems=[name]))
    systems = _following(corrections.scored.systems, {name: ""})
    baseline = "" if corrections.baseline == name else corrections.baseline
    return replace(remaining, scored=replace(remaining.scored, systems=systems), baseline=baseline)


def without_set(corrections: Corrections, name: str) -> Corrections:
    """Return corrections without a test set: its files, and scores on it where it has no text."""
    remaining = left_out(corrections, matching(corrections, test_sets=[name]))
    roles = {own: role for own, role in remaining.set_roles.items() if own != name}
    return replace(
        remaining, scored=replace(remaining.scored, sets=_following(remaining.scored.sets, {name: ""})), set_roles=roles
    )
