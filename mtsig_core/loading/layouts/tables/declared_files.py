"""Files of which nothing but ``experiment.toml`` says what they are, in its list ``files``."""

from __future__ import annotations

from mtsig_core.loading.layouts.common.set_folders import find_sets
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.recognition.settings import DECLARES, MANIFEST
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.sources.tree import FileTree

NAME = "declared files"


def recognise(files: FileTree) -> int:
    """Return 1, which gives way to all other layouts, where a manifest says what files are, else 0."""
    return 1 if MANIFEST in files and not find_sets(files) and DECLARES.search(files.head(MANIFEST)) else 0


def read(files: FileTree, report: Reporter) -> Plan:
    """Say that files are nothing: what the manifest says takes the place of it."""
    return Plan(tuple(FileRole(path, "ignored", reason="not part of this layout") for path in files))
