"""Hugging Face's trainer: ``RUN/generated_predictions.txt``, one folder per replica, with a reference beside.

The system is the folder's name without its seed (``model-seed1``, ``model/seed1``). The trainer writes no
references: they are ``ref*`` or ``labels.txt`` at the top, in ``refs/``, or copies in the runs' folders.
"""

from __future__ import annotations

import re

from mtsig_core.loading.layouts.common.run_folders import folders_of, outputs_of_runs, report_sweeps
from mtsig_core.loading.layouts.common.set_folders import find_sets
from mtsig_core.loading.recognition.names import REFERENCES, base_name, is_no_output, special
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.replicas import report_names
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.sources.tree import FileTree

NAME = "HF trainer"
_PREDICTIONS = re.compile(r"(?:generated_predictions|test_generations|test_preds_seq2seq)\.txt")
_LABELS = re.compile(r"(?:labels?|targets?|test_targets?)\.txt")


def recognise(files: FileTree) -> int:
    """Return 50 when some folder holds predictions, else 0."""
    return 50 if not find_sets(files) and any(map(_is_prediction, files)) else 0


def _is_prediction(path: str) -> bool:
    return "/" in path and _PREDICTIONS.fullmatch(base_name(path)) is not None


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is."""
    runs = outputs_of_runs(folders_of(filter(_is_prediction, files), files))
    texts: dict[tuple[str, bytes], str] = {}
    roles = []
    for path in files:
        kind = _kind(path)
        if path in runs:
            run = runs[path]
            roles.append(FileRole(path, "output", system=run.system, replica=run.replica, checkpoint=run.checkpoint))
        elif kind == "":
            roles.append(FileRole(path, "ignored", reason="not part of this layout"))
        else:
            first = texts.setdefault((kind, files[path]), path)
            same = first != path and base_name(first) == base_name(path)
            roles.append(_copy(path, first) if same else _side(path, kind))
    report_names(runs, report)
    report_sweeps(files, report)
    return Plan(tuple(roles))


def _kind(path: str) -> str:
    if is_no_output(path) and special(path) != "documents":
        return ""
    top = path.split("/")[0].casefold() if path.count("/") == 1 else ""
    return "reference" if top in REFERENCES or _LABELS.fullmatch(base_name(path)) else special(path) or ""


def _copy(path: str, first: str) -> FileRole:
    return FileRole(path, "ignored", reason=f"a copy of {first}")


def _side(path: str, kind: str) -> FileRole:
    if kind == "reference":
        return FileRole(path, "reference")
    return FileRole(path, "source" if kind == "source" else "documents")
