"""The text side of mt-metrics-eval: a folder a test set, several language pairs in it.

::

    sources/LP.txt
    references/LP.NAME.txt
    system-outputs/LP/SYSTEM.txt
    documents/LP.docs                 domain and document on each line
    human-scores/, metric-scores/     not text: see `judgement_files` and `scores`

Each language pair becomes a test set. A reference that lies among the outputs under its own name, as it
does where people scored it, is no system and left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from mtsig_core.loading.layouts.wmt_text import documents_of
from mtsig_core.loading.recognition.names import base_name, split_marked
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.sources.tree import FileTree

NAME = "mt-metrics-eval"
_REFERENCE = re.compile(r"references/(?P<pair>[^./]+)\.(?P<name>[^./]+)\.txt(?:\.gz)?")
_OUTPUT = re.compile(r"system-outputs/(?P<pair>[^./]+)/(?P<name>[^/]+)\.txt(?:\.gz)?")
#: References that are not pooled with those of people unless they are declared.
_EXTRA = re.compile(r"synthetic|pseudo|paraphras", re.IGNORECASE)
_OTHER = re.compile(r"(?:sources/(?P<source>[^./]+)\.txt|documents/(?P<documents>[^./]+)\.docs)(?:\.gz)?")


def recognise(files: FileTree) -> int:
    """Return 92 when references and outputs of these names lie at the top, else 0."""
    return 92 if any(map(_REFERENCE.fullmatch, files)) and any(map(_OUTPUT.fullmatch, files)) else 0


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is."""
    references = {(m["pair"], m["name"].casefold()) for m in map(_REFERENCE.fullmatch, files) if m}
    texts = {p: documents_of(files.lines(p, report)) for p in files if (m := _OTHER.fullmatch(p)) and m["documents"]}
    return Plan(tuple(_roles(files, references)), texts)


def _roles(files: FileTree, references: Set[tuple[str, str]]) -> Iterator[FileRole]:
    for path in files:
        if match := _REFERENCE.fullmatch(path):
            if _EXTRA.search(match["name"]):
                reason = "a synthetic reference: to pool it, declare it in experiment.toml ([[files]])"
                yield FileRole(path, "ignored", match["pair"], reason=reason)
                continue
            yield FileRole(path, "reference", match["pair"], stream=match["name"])
        elif match := _OUTPUT.fullmatch(path):
            if (match["pair"], match["name"].casefold()) in references:
                yield FileRole(path, "ignored", match["pair"], reason="a reference among the outputs")
                continue
            system, replica = split_marked(match["name"]) or (match["name"], "1")
            yield FileRole(path, "output", match["pair"], system, replica)
        elif match := _OTHER.fullmatch(path):
            kind, pair = ("source", match["source"]) if match["source"] else ("documents", match["documents"])
            yield FileRole(path, "source" if kind == "source" else "documents", pair)
        else:
            scores = base_name(path).endswith(".score")
            yield FileRole(path, "ignored", reason="scores, not text" if scores else "not part of this layout")
