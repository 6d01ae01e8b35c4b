"""The layouts that can be recognised. A new one is a module with `Layout`'s three names and a line in `LAYOUTS`."""

from __future__ import annotations

from typing import Protocol

from mtsig_core.loading.layouts import (
    fairseq_logs,
    flat,
    hf_trainer,
    mt_metrics_eval,
    multeval,
    native,
    nbest_lists,
    nist,
    plain,
    score_table,
    tsv,
    wmt_text,
    wmt_xml,
)
from mtsig_core.loading.layouts.records import inspect_logs, json_lines, lm_eval, wmt_json
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.sources.tree import FileTree


class Layout(Protocol):
    """What a layout module offers."""

    NAME: str

    def recognise(self, files: FileTree) -> int:
        """Return how specifically the tree fits, 0 when it does not: the highest wins."""

    def read(self, files: FileTree, report: Reporter) -> Plan:
        """Say what each file is; whatever is assumed goes to the report."""


LAYOUTS: tuple[Layout, ...] = (
    native,
    multeval,
    plain,
    flat,
    wmt_text,
    wmt_xml,
    wmt_json,
    mt_metrics_eval,
    fairseq_logs,
    hf_trainer,
    json_lines,
    lm_eval,
    inspect_logs,
    tsv,
    nist,
    nbest_lists,
    score_table,
)


def choose(files: FileTree, report: Reporter) -> tuple[Layout, FileTree]:
    """Return the layout that fits best and the tree it fits to.

    Where the whole tree fits none, but exactly one of its folders does, that folder is taken.

    Raises
    ------
    LoadError
        When nothing fits.
    """
    fitting = _fitting(files)
    if fitting:
        best = fitting[0]
        others = some([layout.NAME for layout in fitting[1:] if layout is not score_table])
        report.add(
            "recognised",
            "layout",
            f"Layout: {best.NAME}." + (f" It also fits {others}; the most specific was taken." if others else ""),
        )
        return best, files
    inner = [(name, files.below(name).without_enclosing()) for name in files.folders()]
    usable = [(name, tree) for name, tree in inner if _fitting(tree)]
    if len(usable) == 1:
        name, tree = usable[0]
        report.add("assumed", "inner-folder", f"Only the folder {name}/ holds an experiment; the rest is not used.")
        return choose(tree, report)
    first = next(iter(files))
    if len(files) == 1:
        raise LoadError(
            f"{first}: is one file, no folder or archive, and no table or XML file of a known layout. Give the folder "
            "that holds outputs and references.",
            first,
        )
    raise LoadError(
        f"{files.name}: no layout was recognised in {some(files, 3)}. Expected outputs and at least one reference, for "
        "example systems/SYSTEM/REPLICA.txt with refs/ref.txt, or SYSTEM.seed1.txt with ref.txt.",
        first,
    )


def _fitting(files: FileTree) -> list[Layout]:
    scores = [(layout.recognise(files), layout) for layout in LAYOUTS]
    return [layout for score, layout in sorted(scores, key=lambda item: -item[0]) if score > 0]
