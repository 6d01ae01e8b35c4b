"""What every layout offers: recognise a tree of files, and say what each file is."""

from __future__ import annotations

from typing import Protocol

from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.sources.tree import FileTree


class Layout(Protocol):
    """What a layout module offers."""

    NAME: str

    def recognise(self, files: FileTree) -> int:
        """Return how specifically the tree fits, 0 when it does not: the highest wins."""

    def read(self, files: FileTree, report: Reporter) -> Plan:
        """Say what each file is; whatever is assumed goes to the report."""
