"""The layouts that can be recognised. A new one is a module with `Layout`'s three names and a line in `LAYOUTS`."""

from __future__ import annotations

from collections.abc import Sequence
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
    tsv,
    wmt_text,
    wmt_xml,
)
from mtsig_core.loading.layouts.records import inspect_logs, json_lines, lm_eval, wmt_json
from mtsig_core.loading.layouts.tables import run_table, score_table
from mtsig_core.loading.recognition.names import is_no_output, special
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
    run_table,
    judgements,
)


#: Formats of tables and data that are named in messages because nothing here reads them.
UNREADABLE = {
    "rds": "data of R", "rda": "data of R", "rdata": "data of R", "sav": "data of SPSS", "dta": "data of Stata",
    "pkl": "a Python pickle", "pickle": "a Python pickle", "pt": "a PyTorch file", "npz": "a NumPy archive",
    "npy": "a NumPy array", "h5": "an HDF5 file", "hdf5": "an HDF5 file", "feather": "an Arrow file",
    "arrow": "an Arrow file", "sqlite": "a database", "db": "a database", "xls": "an old Excel file",
    "ods": "an OpenDocument sheet", "doc": "a Word file", "docx": "a Word file", "pdf": "a PDF",
}


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
    raise _no_layout(files, [name for name, _ in usable])


def _inner(name: str, tree: FileTree, report: Reporter) -> tuple[Layout, FileTree]:
    message = f"Only the folder {name}/ holds an experiment; the rest is not used."
    report.assume("inner-folder", message, "To use the rest, load it by itself.")
    return choose(tree, report)


def _no_layout(files: FileTree, usable: Sequence[str]) -> LoadError:
    """Return the error that says what is missing, and what came nearest."""
    first = next(iter(files))
    if len(usable) > 1:
        return LoadError(
            f"{files.name}: the folders {some(usable)} hold an experiment each. Give one of them, or put them into one "
            "layout: SET/systems/SYSTEM/REPLICA.txt with SET/reference.txt.",
            first,
        )
    unread = {path: UNREADABLE[end] for path in files if (end := path.casefold().rsplit(".", 1)[-1]) in UNREADABLE}
    why = f" {some(unread, 3)}: {next(iter(unread.values()))}, which cannot be read; save it as CSV." if unread else ""
    texts = [path for path in files if not is_no_output(path) and path not in unread]
    references = [path for path in texts if special(path) == "reference"]
    missing = "no reference (ref*, refs/*, reference*)" if not references else "no output beside the reference"
    nearest = f"{len(texts)} of {len(files)} files may be text, but there is {missing}" if texts else "no file is text"
    if len(files) == 1:
        return LoadError(
            f"{first}: is the only file, and no table or XML file of a known layout: no layout was recognised.{why} "
            "Give the folder that holds outputs and references, or a table with columns system, segment and score.",
            first,
        )
    return LoadError(
        f"{files.name}: no layout was recognised in {some(files, 3)}: {nearest}, and no table of scores.{why} Expected "
        "outputs and at least one reference, for example systems/SYSTEM/REPLICA.txt with refs/ref.txt, or "
        "SYSTEM.seed1.txt with ref.txt.",
        first,
    )


def _fitting(files: FileTree) -> list[Layout]:
    scores = [(layout.recognise(files), layout) for layout in LAYOUTS]
    return [layout for score, layout in sorted(scores, key=lambda item: -item[0]) if score > 0]
