"""The layouts that can be recognised. A new one is a module with `Layout`'s three names and a line in `LAYOUTS`."""

from __future__ import annotations

from typing import Protocol

from mtsig_core.loading.layouts import (
    fairseq_logs,
    flat,
    hf_trainer,
    judgements,
    mt_metrics_eval,
    multeval,
    native,
    nbest_lists,
    nist,
    plain,
    sockeye,
    tsv,
    wmt_text,
    wmt_xml,
)
from mtsig_core.loading.layouts.common.nearest import no_layout
from mtsig_core.loading.layouts.records import inspect_logs, json_lines, lm_eval, wmt_json
from mtsig_core.loading.layouts.tables import run_table, score_table
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.report import Reporter, some
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
    sockeye,
    json_lines,
    lm_eval,
    inspect_logs,
    tsv,
    nist,
    nbest_lists,
    score_table,
    run_table,
    judgements,
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
    inner = [(name, files.below(name).without_enclosing()) for name in files.folders()]
    if fitting and fitting[0] is score_table:
        # a table of scores beside a folder of text never hides the text
        with_text = [
            (name, tree) for name, tree in inner if any(one not in (score_table, judgements) for one in _fitting(tree))
        ]
        if len(with_text) == 1:
            return _inner(*with_text[0], report)
    if fitting:
        best = fitting[0]
        others = some([layout.NAME for layout in fitting[1:] if layout not in (score_table, judgements)])
        report.add(
            "recognised",
            "layout",
            f"Layout: {best.NAME}." + (f" It also fits {others}; the most specific was taken." if others else ""),
        )
        return best, files
    usable = [(name, tree) for name, tree in inner if _fitting(tree)]
    if len(usable) == 1:
        return _inner(*usable[0], report)
    raise no_layout(files, [name for name, _ in usable])


def _inner(name: str, tree: FileTree, report: Reporter) -> tuple[Layout, FileTree]:
    message = f"Only the folder {name}/ holds an experiment; the rest is not used."
    report.assume("inner-folder", message, "To use the rest, load it by itself.")
    return choose(tree, report)


def warn_of_other_experiments(files: FileTree, plan: Plan, report: Reporter) -> None:
    """Warn of folders that are wholly left out and would each be an experiment by themselves."""
    used = {role.path.split("#")[0].partition("/")[0] for role in plan.roles if role.kind != "ignored"}
    for name in files.folders():
        if name in used:
            continue
        fitting = _fitting(files.below(name).without_enclosing())
        if fitting and fitting[0] not in (score_table, run_table, judgements, nbest_lists):
            message = f"{name}/ is not used, and holds an experiment of its own ({fitting[0].NAME}). Load it by itself."
            report.add("warning", "other-experiment", message, [name])


def _fitting(files: FileTree) -> list[Layout]:
    scores = [(layout.recognise(files), layout) for layout in LAYOUTS]
    return [layout for score, layout in sorted(scores, key=lambda item: -item[0]) if score > 0]
