"""Logs of fairseq-generate without any other order: by content, whatever they are called.

``RUN/generate-SUBSET.txt``, as fairseq names them with ``--results-path``, gives the test set SUBSET and
system and replica from the folder; other logs are named like flat files. References beside them are used;
without any, `mtsig_core.loading.recognition.contents` takes those that the logs hold.
"""

from __future__ import annotations

import re

from mtsig_core.loading.layouts.common.run_folders import folders_of, outputs_of_runs, report_sweeps
from mtsig_core.loading.layouts.common.set_folders import DEFAULT_SET, find_sets
from mtsig_core.loading.recognition.names import base_name, special
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.replicas import report_names, split_names
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.sources.tree import FileTree

NAME = "fairseq"
_GENERATED = re.compile(r"generate-(?P<subset>.+)\.txt")


def recognise(files: FileTree) -> int:
    """Return 55 when logs lie in folders under fairseq's own names, 15 for any other logs, else 0."""
    if find_sets(files):
        return 0
    logs = files.of_format("fairseq")
    if logs and all("/" in path and _GENERATED.fullmatch(base_name(path)) for path in logs):
        return 55
    return 15 if logs else 0


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is."""
    logs = files.of_format("fairseq")
    subsets = {path: m["subset"] for path in logs if "/" in path and (m := _GENERATED.fullmatch(base_name(path)))}
    sets = dict.fromkeys(subsets.values())
    runs = outputs_of_runs(folders_of(subsets, files))
    others = [path for path in logs if path not in subsets]
    named = split_names(others)
    report_names(runs | named, report)
    report_sweeps(files, report)
    roles = []
    for path in files:
        kind = special(path)
        if path in runs:
            run = runs[path]
            roles.append(
                FileRole(path, "output", subsets[path], run.system, run.replica, checkpoint=run.checkpoint)
            )
        elif path in named:
            own = named[path]
            roles.append(FileRole(path, "output", DEFAULT_SET, own.system, own.replica, checkpoint=own.checkpoint))
        elif kind is not None and len(sets) < 2:
            roles.append(FileRole(path, kind, next(iter(sets), DEFAULT_SET)))
        else:
            roles.append(FileRole(path, "ignored", reason="not part of this layout"))
    return Plan(tuple(roles))
