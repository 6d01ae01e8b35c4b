"""Why files are not used: what they are, where their names or beginnings tell, else that their layout has no such file.

A layout says of every other file that it is not part of it. That is no reason for a person, who has put it there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mtsig_core.loading.layouts.common.system_level import n_systems
from mtsig_core.loading.recognition.names import base_name
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.recognition.unread import unread
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.scores.columns import columns_of
from mtsig_core.loading.scores.grids import delimited, parquet_names, sheets
from mtsig_core.loading.scores.lines import one_score
from mtsig_core.loading.scores.run_tables import is_of_runs, metrics_of
from mtsig_core.loading.sources.tree import FileTree

_GENERAL = frozenset(("not part of this layout", "holds no segment scores", "holds no scores of runs"))
_TABLES = (".csv", ".tsv")
OF_RUNS = "scores of whole runs, not of segments; to analyse them, load this file by itself"
OF_SYSTEMS = "scores of whole systems, one number each, of which no test can be made"
#: Endings and names of files that people keep beside outputs.
_ENDINGS = {
    **dict.fromkeys(("yaml", "yml", "toml", "ini", "cfg", "conf"), "settings, which are not read"),
    **dict.fromkeys(("py", "sh", "ipynb", "r", "pl", "slurm"), "a script"),
    **dict.fromkeys(("md", "rst"), "notes"),
    **dict.fromkeys(("png", "jpg", "jpeg", "svg", "gif"), "a picture"),
    **dict.fromkeys(("pt", "pth", "bin", "safetensors", "ckpt"), "a model"),
}
_SETTINGS = frozenset(("config.json", "args.json", "hparams.json", "params.json", "generation_config.json"))


def with_true_reasons(files: FileTree, plan: Plan, report: Reporter) -> Plan:
    """Return the plan in which files that are left out say what they are, where that can be told.

    One that is damaged is refused: what it holds, nobody knows.
    """
    return replace(plan, roles=tuple(_reasoned(plan, files, report)))


def _reasoned(plan: Plan, files: FileTree, report: Reporter) -> Iterator[FileRole]:
    for role in plan.roles:
        if role.kind == "ignored" and role.reason in _GENERAL and (fault := _damage(role.path, files)):
            report.add("refused", "damaged-file", f"{fault} The file is left out.", [role.path])
            yield replace(role, reason="damaged")
            continue
        if role.kind == "output" and role.path in files and _is_of_systems(role.path, files):
            yield FileRole(role.path, "ignored", role.test_set, reason=OF_SYSTEMS)
            continue
        is_plain = role.kind == "ignored" and role.reason in _GENERAL and role.path in files
        reason = _what_it_is(role.path, files) if is_plain else ""
        yield replace(role, reason=reason) if reason else role


def _damage(path: str, files: FileTree) -> str:
    """Return why a packed file, a workbook or a parquet file cannot be read; "" where it can, or is of another kind."""
    name = base_name(path).casefold()
    is_packed = path.casefold().endswith((".gz", ".zst"))
    if path not in files or not (is_packed or name.endswith((".xlsx", ".parquet"))):
        return ""
    try:
        data = files.decoder.unpacked(files[path], path)
        if name.endswith(".xlsx"):
            sheets(data, path, lambda *_: False)
        elif name.endswith(".parquet"):
            parquet_names(data, path)
    except LoadError as error:
        return str(error)
    return ""


def _what_it_is(path: str, files: FileTree) -> str:
    name = base_name(path).casefold()
    if path.endswith(".hydra/overrides.yaml"):
        return "what a run of hydra was asked for, by which its folder is called where that is a number"
    if one_score(path, files.head(path)) is not None:
        return "one score of a whole run, no text"
    if name in _SETTINGS:
        return "settings, which are not read"
    if name.endswith(_TABLES) and _is_of_runs(path, files):
        return OF_RUNS
    if path in (packed := unread([path])):
        return "{}, which cannot be read; {}".format(*packed[path])
    return _ENDINGS.get(name.rpartition(".")[2], "") if "." in name else ""


def _is_of_systems(path: str, files: FileTree) -> bool:
    """Say whether what looks like an output by its name is a table of one score per system."""
    return base_name(path).casefold().endswith(_TABLES) and n_systems(path, files) > 0


def _is_of_runs(path: str, files: FileTree) -> bool:
    """Say whether a file is a table of scores of whole runs."""
    try:
        table = delimited([line.rstrip("\r") for line in files.head(path).split("\n")[:20]], path)
        columns = columns_of(table.header)
        return is_of_runs(columns) and bool(metrics_of(columns, [list(cells) for _, cells in table.rows]))
    except LoadError:
        return False
