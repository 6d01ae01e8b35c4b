"""Flat names: outputs and references in one folder, system and replica in the file's name.

``SYSTEM.seedK.txt``, ``SYSTEM_runK``, ``hyp.SYSTEM.K``, ``out.K``, or one folder per system (``SYSTEM/K.hyp``), with
one or more ``ref*`` and perhaps ``src*`` / ``source*`` and ``docids*`` / ``documents*``; references may be repeated in
the folder of each run. Where no file is called a reference, ``test.en`` beside ``SYSTEM.en`` is taken for it, and
``test.de`` for the source. A name without a replica is a system with one. Several references with names before the
role word (``ted.ref.en``, ``news.ref.en``) are several test sets, and so are folders that hold outputs under different
names, or references of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from mtsig_core.loading.layouts.common.beside import beside_outputs, differ_by_run, sides_of_runs
from mtsig_core.loading.layouts.common.folder_names import names_in_folder
from mtsig_core.loading.layouts.common.named_sets import named_sets, read_named_sets
from mtsig_core.loading.layouts.common.run_folders import (
    is_structure,
    replicas_in_deep_folders,
    report_sweeps,
    runs_by_place,
    runs_in_folders,
    systems_in_runs,
)
from mtsig_core.loading.layouts.common.set_folders import (
    DEFAULT_SET,
    checkpoints_of,
    find_sets,
    holds_no_output,
    read_sets,
    replicas_of,
)
from mtsig_core.loading.recognition.annotations import annotations_of
from mtsig_core.loading.recognition.annotations import reason as reason_of
from mtsig_core.loading.recognition.checkpoints import read_without_checkpoints
from mtsig_core.loading.recognition.names import (
    REFERENCES,
    base_name,
    is_target,
    language_of_name,
    special,
    special_name,
    split_keys,
    split_marked,
)
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.replicas import report_names, split_names
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.sources.tree import FileTree

NAME = "flat names"
_REMEDY = "To change this, say what each file is: on the Data page, or in experiment.toml ([[files]] path, kind)."


def recognise(files: FileTree) -> int:
    """Return 65 when names tell test sets, 20 when there is a reference and some other text file, else 0."""
    if len(named_sets(files)) > 1:
        return 65
    if differ_by_run(files):
        return 20
    texts = [path for path in files if not holds_no_output(path, files)]
    references = {path for path in texts if _is_reference(path)} | beside_outputs(files).keys()
    return 20 if 0 < len(references) < len(texts) else 0


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is."""
    if sets := named_sets(files):
        roles = {role.path: role for role in read_named_sets(sets, _read_one_set, report)}
        other = [FileRole(path, "ignored", reason="not part of this layout") for path in files if path not in roles]
        texts = {path: files.lines(path.rpartition("@")[0], report) for path in roles if path not in files}
        return Plan((*roles.values(), *other), texts)
    return Plan(tuple(read_without_checkpoints(files, _roles, report)))


def _read_one_set(files: FileTree, report: Reporter) -> Sequence[FileRole]:
    return read_sets(files, report) if find_sets(files) else read_without_checkpoints(files, _roles, report)


def _roles(files: FileTree, report: Reporter) -> list[FileRole]:
    roles: dict[str, FileRole] = {}
    no_text = annotations_of(files, list(files), [path for path in files if _is_reference(path)])
    by_place = beside_outputs(files)
    for path in files:
        kind = special(path) if path.count("/") < 2 else None
        if kind is None and path.count("/") == 1 and special(path.partition("/")[0]) == "source":
            kind = "source"  # sources/newstest.cs
        if holds_no_output(path, files) and kind != "documents":
            roles[path] = FileRole(path, "ignored", reason="not part of this layout")
        elif path in no_text:
            roles[path] = FileRole(path, "ignored", reason=reason_of(no_text[path]))
        elif path in by_place:
            roles[path] = FileRole(path, by_place[path])
        elif _is_reference(path):
            roles[path] = FileRole(path, "reference")
        elif kind is not None:
            roles[path] = FileRole(path, kind)
    roles |= sides_of_runs(files, DEFAULT_SET)
    roles |= {role.path: role for role in _targets(roles)}
    rest = [path for path in files if path not in roles]
    own_sets = _folders_with_sets(roles, rest, files)
    roles = {path: _in_folder(role, own_sets) for path, role in roles.items()}
    for role in _top_level([path for path in rest if "/" not in path], roles, report):
        roles[role.path] = role
    roles |= {role.path: role for role in _folders([path for path in rest if "/" in path], own_sets, files, report)}
    for word in ("reference", "source"):
        shared = [p for p, r in roles.items() if r.kind == word and p.split("/")[0] not in own_sets]
        roles |= {role.path: role for role in _copies(shared, word, files)}
    report_sweeps(files, report)
    return [roles[path] for path in files]


def _targets(roles: Mapping[str, FileRole]) -> Iterator[FileRole]:
    """Ignore what the weaker words call a reference (``tgt``, ``target``) where another file is called one."""
    references = [path for path, role in roles.items() if role.kind == "reference"]
    surer = [path for path in references if not is_target(path)]
    for path in references if surer else []:
        if is_target(path):
            yield FileRole(path, "ignored", reason=f"the reference is {surer[0]}; add it by hand to use both")


def _is_reference(path: str) -> bool:
    parts = path.split("/")
    if len(parts) == 2 and parts[0].casefold() in REFERENCES:
        return True
    return len(parts) <= 2 and special(path) == "reference"


# Test sets in folders, and by names


def _folders_with_sets(roles: Mapping[str, FileRole], outputs: Sequence[str], files: FileTree) -> set[str]:
    """Return the folders that are test sets: with references that differ, or beside outputs of several systems."""
    texts: dict[str, set[tuple[str, bytes]]] = {}
    for path, role in roles.items():
        folder = path.split("/")[0]
        if role.kind in ("reference", "source") and "/" in path and folder.casefold() not in REFERENCES:
            texts.setdefault(folder, set()).add((role.kind, files[path]))
    references = {folder for folder, own in texts.items() if any(kind == "reference" for kind, _ in own)}
    if not references:
        return set()
    inside = {folder: [p for p in outputs if p.startswith(folder + "/") and p.count("/") == 1] for folder in references}
    kinds = [names_in_folder(own).kind for own in inside.values() if own]
    differ = len({frozenset(texts[folder]) for folder in references}) > 1
    return references if differ or "systems" in kinds or "unclear" in kinds else set()


def _in_folder(role: FileRole, own_sets: set[str]) -> FileRole:
    folder = role.path.split("/")[0]
    if "/" not in role.path or folder not in own_sets or role.kind == "ignored":
        return role
    return FileRole(role.path, role.kind, folder)


def _sets_by_prefix(roles: Mapping[str, FileRole], outputs: Sequence[str]) -> dict[str, str]:
    """Return the test set of each file at the top: what stands before the role word of several references."""
    before = {p: split[1] for p, r in roles.items() if r.kind != "ignored" and "/" not in p
              and (split := special_name(p))}  # fmt: skip
    prefixes = {before[path] for path, role in roles.items() if role.kind == "reference" and before.get(path)}
    if len(prefixes) < 2 or any(not before.get(p) for p, r in roles.items() if r.kind == "reference" and "/" not in p):
        return {}
    sets = {path: prefix for path, prefix in before.items() if prefix in prefixes}
    for path in outputs:
        fitting = [p for p in prefixes if re.match(re.escape(p) + r"[._-]", base_name(path))]
        if fitting:
            sets[path] = max(fitting, key=len)
    return sets if len({sets[path] for path in outputs if path in sets}) > 1 else {}


def _top_level(paths: list[str], roles: dict[str, FileRole], report: Reporter) -> Iterator[FileRole]:
    sets = _sets_by_prefix(roles, paths)
    for path, role in list(roles.items()):
        if path in sets:
            roles[path] = FileRole(path, role.kind, sets[path])
    foreign = _foreign(paths, roles)
    yield from _foreign_roles(foreign, roles, report)
    paths = [path for path in paths if path not in foreign]
    numbers = {n for p, r in roles.items() if r.kind == "reference" for n in re.findall(r"\d+", base_name(p))[-1:]}
    for test_set in dict.fromkeys(sets.get(path, "" if sets else DEFAULT_SET) for path in paths):
        own = [path for path in paths if sets.get(path, "" if sets else DEFAULT_SET) == test_set]
        if not test_set:
            for path in own:
                yield FileRole(path, "ignored", reason="its name does not say which of several test sets it belongs to")
            continue
        cut = len(test_set) + 1 if sets else 0
        named = split_names({path: base_name(path)[cut:] for path in own}, numbers)
        report_names(named, report)
        pairs = [(name.system, name.replica, name.checkpoint) for name in named.values()]
        for path, name in named.items():
            # x.1.txt beside x.1.hyp: their endings distinguish them.
            twice = pairs.count((name.system, name.replica, name.checkpoint)) > 1
            replica = base_name(path) if twice else name.replica
            yield FileRole(path, "output", test_set, name.system, replica, checkpoint=name.checkpoint)


def _foreign(paths: Sequence[str], roles: Mapping[str, FileRole]) -> dict[str, str]:
    """Return the files whose endings say another language than the references'."""
    targets = {language_of_name(base_name(p)) for p, r in roles.items() if r.kind == "reference"}
    languages = {path: language_of_name(base_name(path)) for path in paths}
    if "" in targets or not any(language in targets for language in languages.values()):
        return {}
    return {path: language for path, language in languages.items() if language and language not in targets}


def _foreign_roles(
    foreign: Mapping[str, str], roles: Mapping[str, FileRole], report: Reporter
) -> Iterator[FileRole]:
    has_source = any(role.kind == "source" for role in roles.values())
    for path, language in foreign.items():
        if len(foreign) == 1 and not has_source:
            message = f"{path}: its name says another language ({language}) than the references': read as the source."
            report.assume("other-language", message, _REMEDY, [path])
            yield FileRole(path, "source")
            continue
        message = f"{path}: its name says another language ({language}) than the references': left out."
        report.assume("other-language", message, _REMEDY, [path])
        yield FileRole(path, "ignored", reason="another language than the references'")


def _folders(paths: list[str], own_sets: set[str], files: FileTree, report: Reporter) -> Iterator[FileRole]:
    of_checkpoints = list(_of_checkpoints(paths, own_sets, report))
    yield from of_checkpoints
    paths = [path for path in paths if path not in {role.path for role in of_checkpoints}]
    folders: dict[str, list[str]] = {}
    for path in paths:
        folders.setdefault(path.split("/", 1)[0], []).append(path)
    of_no_set = [path for path in paths if path.split("/")[0] not in own_sets]
    by_place = runs_by_place(of_no_set, files) or replicas_in_deep_folders(of_no_set)
    direct_only = {f: own for f, own in folders.items() if all(p.count("/") == 1 for p in own) and f not in own_sets}
    runs = by_place or systems_in_runs(direct_only) or runs_in_folders(direct_only)
    report_names(runs, report)
    for path, name in runs.items():
        yield FileRole(path, "output", DEFAULT_SET, name.system, name.replica, checkpoint=name.checkpoint)
    for folder, own in folders.items():
        if own[0] in runs:
            continue
        direct = [path for path in own if path.count("/") == 1]
        inside = names_in_folder(direct)
        test_set = folder if folder in own_sets else DEFAULT_SET
        is_run = inside.kind == "unclear" and (split_keys(folder) or split_marked(folder)) is not None
        if not direct or (folder not in own_sets and (inside.kind == "replicas" or is_run)):
            yield from replicas_of(own, 0, DEFAULT_SET, folder, report)
            continue
        what = "a test set" if folder in own_sets else "a condition"
        message = f"The folder {folder}/ holds outputs under different names: read as {what} with several systems."
        if inside.kind != "replicas":
            report.assume("folder-of-systems", message, _REMEDY, own)
        before = "" if folder in own_sets or (len(folders) == 1 and is_structure(folder)) else f"{folder}-"
        yield from _systems_in_folder(own, test_set, before, report)


def _systems_in_folder(own: Sequence[str], test_set: str, before: str, report: Reporter) -> Iterator[FileRole]:
    """Yield the outputs of a folder that holds several systems, whose names begin with `before`."""
    direct = [path for path in own if path.count("/") == 1]
    inside = names_in_folder(direct)
    names = {path: (system or "system", replica) for path, (system, replica) in inside.names.items()}
    if inside.kind == "unclear":
        told = split_names(direct)
        if any(name.why != "none" for name in told.values()):
            report_names(told, report)
            names = {path: (name.system, name.replica) for path, name in told.items()}
        else:
            names = {path: (name, "1") for path, (_, name) in inside.names.items()}
    for path in own:
        if path in names:
            yield FileRole(path, "output", test_set, before + names[path][0], names[path][1])
        else:
            yield FileRole(path, "ignored", test_set, reason="not part of this layout")


def _of_checkpoints(paths: Sequence[str], own_sets: set[str], report: Reporter) -> Iterator[FileRole]:
    """Yield what lies in folders of several checkpoints, of each test set by itself."""
    yield from checkpoints_of([path for path in paths if path.split("/")[0] not in own_sets], 0, DEFAULT_SET, report)
    for folder in sorted(own_sets):
        own = [path for path in paths if path.startswith(f"{folder}/")]
        yield from checkpoints_of(own, len(folder) + 1, folder, report)


def _copies(paths: list[str], kind: str, files: FileTree) -> Iterator[FileRole]:
    """Ignore copies of one reference or source that lie in several systems' folders."""
    first: dict[tuple[str, bytes], str] = {}
    for path in (p for p in paths if "/" in p and p.split("/")[0].casefold() not in REFERENCES):
        key = (base_name(path), files[path])
        if key in first:
            yield FileRole(path, "ignored", reason=f"a copy of the {kind} {first[key]}")
        first.setdefault(key, path)
