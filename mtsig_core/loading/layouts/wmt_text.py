"""The text files of the WMT general (news) task.

::

    txt/sources/TESTSET.SRC-TGT.src.SRC
    txt/references/TESTSET.SRC-TGT.ref.NAME.TGT
    txt/system-outputs/TESTSET.SRC-TGT.hyp.SYSTEM.TGT

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


def recognise(files: FileTree) -> int:
    """Return 89 when there are references and outputs with these names, else 0."""
    kinds = {match["kind2"] for match in _matches(files).values()}
    return 89 if {"ref", "hyp"} <= kinds else 0


def _matches(files: FileTree) -> dict[str, re.Match[str]]:
    candidates = ((path, _NAME.fullmatch(base_name(path))) for path in files if not is_no_output(path))
    return {path: match for path, match in candidates if match}


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is."""
    roles: list[FileRole] = []
    texts: dict[str, list[str]] = {}
    matches = _matches(files)
    for path in files:
        match = matches.get(path)
        if match is None:
            roles.append(FileRole(path, "ignored", reason="not part of this layout"))
        elif match["docs"]:
            texts[path] = documents_of(files.lines(path, report))
            roles.append(FileRole(path, "documents", match["set"]))
        else:
            roles.append(_role(path, match.groupdict()))
    return Plan(tuple(roles), texts)


def documents_of(lines: list[str]) -> list[str]:
    """Return the document of each line ``DOMAIN DOCUMENT``; the whole line where there is one column."""
    columns = (line.split(maxsplit=1) for line in lines)
    return [words[-1] if words else "" for words in columns]


def _role(path: str, fields: Mapping[str, str | None]) -> FileRole:
    test_set, name = fields["set"] or "", fields["name"] or ""
    if fields["kind"]:
        return FileRole(path, "source", test_set)
    if fields["kind2"] == "ref":
        return FileRole(path, "reference", test_set, stream=name)
    system, replica = split_marked(name) or (name, "1")
    return FileRole(path, "output", test_set, system, replica)
