"""Files that nothing here reads, by the endings of their names: what they are, and what to do with them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.report import Reporter, some

_TABLE = "save it as CSV"
_TEXT = "save its text as plain text (UTF-8), one segment per line"
_DATABASE = "save its table as CSV (of an Optuna study: study.trials_dataframe().to_csv('trials.csv'))"
_UNPACK = "unpack it first"
_CURVES = ("curves of TensorBoard", "write the scores of each run to a table with columns system, run and score")
_STORE = ("runs as MLflow stores them", "write mlflow.search_runs().to_csv('runs.csv') and give that")
_MLFLOW = re.compile(r"/[^/]+/(?:metrics/[^/.]+|params/[^/.]+|tags/mlflow\.[^/]+)$")
#: Formats of tables and data, and of packed files within an upload: what each is, and the remedy.
UNREADABLE = {
    **dict.fromkeys(("rds", "rda", "rdata"), ("data of R", _TABLE)),
    **dict.fromkeys(("pkl", "pickle"), ("a Python pickle", _TABLE)),
    **dict.fromkeys(("h5", "hdf5"), ("an HDF5 file", _TABLE)),
    **dict.fromkeys(("feather", "arrow"), ("an Arrow file", _TABLE)),
    **dict.fromkeys(("sqlite", "db"), ("a database", _DATABASE)),
    **dict.fromkeys(("doc", "docx", "odt", "rtf"), ("a Word file", _TEXT)),
    "sav": ("data of SPSS", _TABLE), "dta": ("data of Stata", _TABLE), "pt": ("a PyTorch file", _TABLE),
    "npz": ("a NumPy archive", _TABLE), "npy": ("a NumPy array", _TABLE), "xls": ("an old Excel file", _TABLE),
    "ods": ("an OpenDocument sheet", _TABLE), "pdf": ("a PDF", _TEXT),
    "bz2": ("packed with bzip2", _UNPACK), "xz": ("packed with xz", _UNPACK), "lzma": ("packed with lzma", _UNPACK),
    **dict.fromkeys(("zip", "tar", "tgz", "7z", "rar"), ("an archive within the upload", _UNPACK)),
}  # fmt: skip


def unread(paths: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return what the files are that cannot be read, and the remedy, by path."""
    reasons = {}
    for path in paths:
        ending = path.casefold().rpartition(".")[2]
        if "events.out.tfevents." in path:
            reasons[path] = _CURVES
        elif _MLFLOW.search(f"/{path}"):
            reasons[path] = _STORE
        elif ending in UNREADABLE:
            reasons[path] = UNREADABLE[ending]
    return reasons


def why_unread(paths: Iterable[str]) -> str:
    """Return a sentence on the files that cannot be read, with a blank before it; "" where there are none."""
    left_out = unread(paths)
    if not left_out:
        return ""
    kind, remedy = next(iter(left_out.values()))
    same = some([path for path, own in left_out.items() if own[0] == kind], 3)
    return f" {same}: {kind}, which cannot be read; {remedy}."


def warn_of_packed(plan: Plan, report: Reporter) -> None:
    """Warn of files that are left out because they are packed: an output among them would be missed unnoticed."""
    left_out = unread(role.path for role in plan.roles if role.kind == "ignored")
    for path, (kind, remedy) in left_out.items():
        if remedy == _UNPACK:
            report.gather("warning", "packed", f"Not read, because it is {kind}: {remedy}", path)
