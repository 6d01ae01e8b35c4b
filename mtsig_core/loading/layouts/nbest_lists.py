"""n-best lists where outputs should be: recognised, so that the message says what to upload instead."""

from __future__ import annotations

from mtsig_core.loading.recognition.contents import NBEST_ADVICE
from mtsig_core.loading.recognition.names import is_no_output, special
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.sources.tree import FileTree

NAME = "n-best lists"


def recognise(files: FileTree) -> int:
    """Return 25 when all files at the top that could be outputs are n-best lists, else 0."""
    tops = [path for path in files if "/" not in path and not is_no_output(path) and special(path) is None]
    return 25 if tops and all(files.format(path) == "n-best" for path in tops) else 0


def read(files: FileTree, report: Reporter) -> Plan:
    """Refuse with advice.

    Raises
    ------
    LoadError
        Always.
    """
    path = next(path for path in files if "/" not in path and files.format(path) == "n-best")
    raise LoadError(f"{path} {NBEST_ADVICE}.", path)
