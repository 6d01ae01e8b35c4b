"""Folders of Sockeye: what a training writes, with the translations that were made from it.

::

    RUN/decode.output.00012      the development set as each checkpoint translates it
    RUN/out.00012.en             the same, under a name of one's own
    RUN/params.00012, metrics, args.yaml, log, ...    no text

A folder is a run; numbers behind outputs are checkpoints of its training. References are ``ref*`` files, at the top or
in the runs' folders.
"""

from __future__ import annotations

import re

from mtsig_core.loading.layouts.common.run_folders import folders_of, outputs_of_runs, report_sweeps
from mtsig_core.loading.layouts.common.set_folders import find_sets
from mtsig_core.loading.recognition.names import base_name, is_no_output, special
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.replicas import report_names
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.sources.tree import FileTree

NAME = "Sockeye"
_OUTPUT = re.compile(r"(?:decode\.output|out|output|hyps?|trans|translations?)\.(?P<checkpoint>\d{4,6})(?:\.\w{2,5})?")
#: Files that a training of Sockeye leaves in its folder.
_SIGNS = frozenset(("args.yaml", "metrics", "symbol.json", "params.best", "vocab.src.0.json", "training_state"))


def recognise(files: FileTree) -> int:
    """Return 50 when outputs of checkpoints lie in folders of Sockeye's trainings, else 0."""
    return 50 if not find_sets(files) and _outputs(files) else 0


def _outputs(files: FileTree) -> dict[str, str]:
    """Return the checkpoint of each output."""
    folders = {path.rpartition("/")[0] for path in files if base_name(path) in _SIGNS and "/" in path}
    inside = (path for path in files if path.rpartition("/")[0] in folders)
    return {path: match["checkpoint"] for path in inside if (match := _OUTPUT.fullmatch(base_name(path)))}


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is."""
    checkpoints = _outputs(files)
    runs = outputs_of_runs(folders_of(checkpoints, files))
    report_names(runs, report)
    report_sweeps(files, report)
    roles = []
    texts: dict[tuple[str, bytes], str] = {}
    for path in files:
        kind = special(path)
        if path in runs:
            run = runs[path]
            checkpoint = f"checkpoint-{checkpoints[path]}"
            roles.append(FileRole(path, "output", system=run.system, replica=run.replica, checkpoint=checkpoint))
        elif kind is None or is_no_output(path):
            roles.append(FileRole(path, "ignored", reason="not part of this layout"))
        elif texts.setdefault((kind, files[path]), path) != path:
            roles.append(FileRole(path, "ignored", reason=f"a copy of {texts[kind, files[path]]}"))
        else:
            roles.append(FileRole(path, kind))
    return Plan(tuple(roles))
