"""The native layout: what mtsig documents and writes itself.

::

    experiment.toml                 optional, see `mtsig_core.loading.recognition.manifest`
    test/                           a folder a test set
      source.txt                    optional
      reference.txt                 or reference.0.txt, reference.1.txt, ...
      documents.txt                 optional: one document id per line
      systems/SYSTEM/REPLICA.txt    one segment per line
      scores/METRIC/SYSTEM/REPLICA.txt   optional: one number per line, of a metric computed elsewhere
    dev/ ...

Every file may be packed with gzip (``.gz``). An experiment with one test set may leave its folder out;
the set is then called ``test``. ``scores/`` is read by `mtsig_core.loading.scores`, as beside any
layout, and ``judgements/`` by `mtsig_core.loading.judgements.files`.
"""

from __future__ import annotations

import re

from mtsig_core.loading.layouts.common.set_folders import find_sets, read_sets, set_files
from mtsig_core.loading.recognition.names import base_name
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.settings import MANIFEST
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.sources.tree import FileTree

NAME = "native"
_DOCUMENTED = re.compile(r"(?:reference(?:\.\d+)?|source|documents)\.txt(?:\.gz)?")


def recognise(files: FileTree) -> int:
    """Return how surely this is the native layout.

    Returns
    -------
    int
        100 with ``reference*.txt`` beside ``systems/`` and a manifest, 80 without one, else 0.
    """
    sets = find_sets(files)
    if not any(_has_reference(files, prefix) for prefix in sets):
        return 0
    return 100 if MANIFEST in files else 80


def _has_reference(files: FileTree, prefix: str) -> bool:
    relative = (path.removeprefix(prefix) for path in set_files(files, prefix))
    return any("/" not in path and base_name(path).startswith("reference") for path in relative)


def is_documented(path: str) -> bool:
    """Say whether a file is called as documented above: what it is, is then no guess."""
    return _DOCUMENTED.fullmatch(base_name(path)) is not None


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is."""
    return Plan(read_sets(files, report))
