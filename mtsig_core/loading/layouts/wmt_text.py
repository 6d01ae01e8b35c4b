"""The text files of the WMT general (news) task.

::

    txt/sources/TESTSET.SRC-TGT.src.SRC
    txt/references/TESTSET.SRC-TGT.ref.NAME.TGT
    txt/system-outputs/TESTSET.SRC-TGT.hyp.SYSTEM.TGT

or, until 2020,

    references/TESTSET-SRCTGT-ref.TGT.txt, sources/TESTSET-SRCTGT-src.SRC.txt
    system-outputs/TESTSET/SRC-TGT/TESTSET.SRC-TGT.SYSTEM.txt, or TESTSET.SYSTEM.SRC-TGT

The folder ``txt`` and those below it may be missing or called otherwise: the names of the files decide. A
test set is called TESTSET.SRC-TGT; ``documents/TESTSET.SRC-TGT.docs`` (domain and document) is used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from mtsig_core.loading.recognition.names import base_name, is_no_output, split_marked
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.sources.tree import FileTree

NAME = "WMT text"
_PAIR = r"[a-z]{2,3}(?:_[A-Za-z]+)?-[a-z]{2,3}(?:_[A-Za-z]+)?"
_NAME = re.compile(
    rf"(?P<set>.+\.{_PAIR})\.(?:(?P<kind>src)(?:\.[^.]+)?|(?P<kind2>ref|hyp)\.(?P<name>.+)\.[^.]+|(?P<docs>docs))"
)
_SIDE = re.compile(r"(?P<set>[^./]+)-(?P<from>[a-z]{2})(?P<to>[a-z]{2})-(?P<kind>ref|src)\.[a-z]{2}(?:\.txt)?")
_OUTPUT = (
    re.compile(r"(?P<set>[^./]+)\.(?P<pair>[a-z]{2}-[a-z]{2})\.(?P<name>.+?)(?:\.txt)?"),
    re.compile(r"(?P<set>[^./]+)\.(?P<name>.+)\.(?P<pair>[a-z]{2}-[a-z]{2})(?:\.txt)?"),
)


def recognise(files: FileTree) -> int:
    """Return 89 when there are references and outputs with these names, else 0."""
    kinds = {_kind(fields) for fields in _matches(files).values()}
    return 89 if {"ref", "hyp"} <= kinds else 0


def _kind(fields: Mapping[str, str | None]) -> str:
    return fields.get("kind") or fields.get("kind2") or ""


def _matches(files: FileTree) -> dict[str, dict[str, str | None]]:
    candidates = ((path, _NAME.fullmatch(base_name(path))) for path in files if not is_no_output(path))
    return {path: match.groupdict() for path, match in candidates if match} or _earlier(files)


def _earlier(files: FileTree) -> dict[str, dict[str, str | None]]:
    """Return what names of the years until 2020 say; outputs count where a reference of their set and pair is there."""
    fields: dict[str, dict[str, str | None]] = {}
    for path in files:
        if side := _SIDE.fullmatch(base_name(path)):
            kind = {"kind2" if side["kind"] == "ref" else "kind": side["kind"]}
            fields[path] = {"set": f"{side['set']}.{side['from']}-{side['to']}", "name": side["kind"], **kind}
    sets = {own["set"] for own in fields.values()}
    for path in files:
        for pattern in _OUTPUT:
            match = pattern.fullmatch(base_name(path))
            if match and path not in fields and f"{match['set']}.{match['pair']}" in sets:
                fields[path] = {"set": f"{match['set']}.{match['pair']}", "name": match["name"], "kind2": "hyp"}
    return fields


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is."""
    roles: list[FileRole] = []
    texts: dict[str, list[str]] = {}
    matches = _matches(files)
    for path in files:
        fields = matches.get(path)
        if fields is None:
            roles.append(FileRole(path, "ignored", reason="not part of this layout"))
        elif fields.get("docs"):
            texts[path] = documents_of(files.lines(path, report))
            roles.append(FileRole(path, "documents", fields["set"] or ""))
        else:
            roles.append(_role(path, fields))
    return Plan(tuple(roles), texts)


def documents_of(lines: list[str]) -> list[str]:
    """Return the document of each line ``DOMAIN DOCUMENT``; the whole line where there is one column."""
    columns = (line.split(maxsplit=1) for line in lines)
    return [words[-1] if words else "" for words in columns]


def _role(path: str, fields: Mapping[str, str | None]) -> FileRole:
    test_set, name = fields["set"] or "", fields["name"] or ""
    if fields.get("kind"):
        return FileRole(path, "source", test_set)
    if fields["kind2"] == "ref":
        return FileRole(path, "reference", test_set, stream=name)
    system, replica = split_marked(name) or (name, "1")
    return FileRole(path, "output", test_set, system, replica)
