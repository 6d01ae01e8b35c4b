"""Flat names: outputs and references in one folder, system and replica in the file's name.

``SYSTEM.seedK.txt``, ``SYSTEM_runK``, ``SYSTEM.K``, ``hyp.SYSTEM.K``, ``out.K``, or one folder per system
(``SYSTEM/K.hyp``, ``SYSTEM/NAME.txt``), with one or more ``ref*`` and perhaps ``src*`` / ``source*`` and
``docids*`` / ``documents*``. A name without a replica is a system with one.
"""

from __future__ import annotations

from collections.abc import Iterator

from mtsig_core.loading.layouts.common.set_folders import REFERENCES, holds_no_output, replicas_of
from mtsig_core.loading.recognition.names import base_name, special, split_flat, stems
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.sources.tree import FileTree

NAME = "flat names"


def recognise(files: FileTree) -> int:
    """Return 20 when there is a reference and some other text file, else 0."""
    texts = [path for path in files if not holds_no_output(path, files)]
    n_references = sum(_is_reference(path) for path in texts)
    return 20 if 0 < n_references < len(texts) else 0


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is."""
    roles: dict[str, FileRole] = {}
    for path in files:
        kind = special(path) if "/" not in path else None
        if holds_no_output(path, files) and kind != "documents":
            roles[path] = FileRole(path, "ignored", reason="not part of this layout")
        elif _is_reference(path):
            roles[path] = FileRole(path, "reference")
        elif kind is not None:
            roles[path] = FileRole(path, kind)
    rest = [path for path in files if path not in roles]
    roles |= {role.path: role for role in _top_level([path for path in rest if "/" not in path], report)}
    roles |= {role.path: role for role in _folders([path for path in rest if "/" in path])}
    roles |= {role.path: role for role in _copies([p for p, r in roles.items() if r.kind == "reference"], files)}
    return Plan(tuple(roles[path] for path in files))


def _is_reference(path: str) -> bool:
    parts = path.split("/")
    if len(parts) == 2 and parts[0].casefold() in REFERENCES:
        return True
    return len(parts) <= 2 and special(path) == "reference"


def _top_level(paths: list[str], report: Reporter) -> Iterator[FileRole]:
    pairs = {path: split_flat(path) for path in paths}
    alone = [path for path, pair in pairs.items() if pair is None]
    taken = [pair for pair in pairs.values() if pair is not None]
    for path, pair in pairs.items():
        if pair is not None:
            # x.1.txt beside x.1.hyp: their endings distinguish them.
            system, replica = pair
            yield FileRole(path, "output", system=system, replica=base_name(path) if taken.count(pair) > 1 else replica)
    for path, system in stems(alone).items():
        report.gather("assumed", "no-replica-in-name", "The name names no replica: taken for a system of its own", path)
        yield FileRole(path, "output", system=system, replica="1")


def _folders(paths: list[str]) -> Iterator[FileRole]:
    folders: dict[str, list[str]] = {}
    for path in paths:
        folders.setdefault(path.split("/", 1)[0], []).append(path)
    for system, own in folders.items():
        yield from replicas_of(own, 0, "test", system)


def _copies(references: list[str], files: FileTree) -> Iterator[FileRole]:
    """Ignore copies of one reference that lie in several systems' folders."""
    first: dict[tuple[str, bytes], str] = {}
    for path in (p for p in references if "/" in p and p.split("/")[0].casefold() not in REFERENCES):
        key = (base_name(path), files[path])
        if key in first:
            yield FileRole(path, "ignored", reason=f"a copy of the reference {first[key]}")
        first.setdefault(key, path)
