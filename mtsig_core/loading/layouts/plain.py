"""The plain layout: ``systems/SYSTEM/REPLICA[.ext]`` with ``refs/*``, for one test set or in one folder per test set.

Optional beside them: ``src.*`` (or ``source*``) and ``docids.tsv`` (or ``documents.*``), whose first
column is the document id. A file directly in ``systems/`` is a system with one replica. Other files and
folders are listed and ignored.
"""

from __future__ import annotations

from mtsig_core.loading.layouts.common.set_folders import find_sets, read_sets
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.sources.tree import FileTree

NAME = "plain"


def recognise(files: FileTree) -> int:
    """Return 60 when there is a folder ``systems``, at the top or one level down, else 0."""
    return 60 if find_sets(files) else 0


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is."""
    return Plan(read_sets(files, report))
