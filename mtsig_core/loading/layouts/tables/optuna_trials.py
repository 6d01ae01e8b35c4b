"""Trials of an Optuna study, as ``study.trials_dataframe().to_csv()`` writes them.

::

    ,number,value,datetime_start,datetime_complete,duration,params_lr,params_seed,state

Trials whose settings differ are no replicas of one system. Where a seed was one of the settings, it is the replica, and
the others are the system.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from mtsig_core.formatting import count
from mtsig_core.loading.layouts.common.set_folders import DEFAULT_SET
from mtsig_core.loading.layouts.records.whole_runs import plan_of, whole_run
from mtsig_core.loading.recognition.names import base_name, split_keys, without_ending
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.scores.columns import checked_rows
from mtsig_core.loading.scores.grids import delimited
from mtsig_core.loading.scores.numbers import NumberReader
from mtsig_core.loading.sources.tree import FileTree

NAME = "Optuna trials"
_VALUE = re.compile(r"value|values_(?P<name>.+)")
_SETTING = re.compile(r"(?:params|user_attrs)_(?P<name>.+)")
_NEEDED = frozenset(("number", "state"))
_ENDINGS = (".csv", ".tsv")


def recognise(files: FileTree) -> int:
    """Return 14 when a table has the columns of a study, else 0."""
    return 14 if any(_is_study(path, files) for path in files) else 0


def _is_study(path: str, files: FileTree) -> bool:
    if not base_name(path).casefold().endswith(_ENDINGS):
        return False
    try:
        header = delimited([files.head(path).split("\n", 1)[0].rstrip("\r")], path).header
    except LoadError:
        return False
    return header_is_of_study(header)


def header_is_of_study(header: Sequence[str]) -> bool:
    """Say whether columns are those of a study's trials."""
    return set(header) >= _NEEDED and any(map(_VALUE.fullmatch, header))


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is, and read the scores.

    Raises
    ------
    LoadError
        Where trials differ in their settings and none of these is a seed.
    """
    blocks = {path: _blocks(path, files, report) for path in files if _is_study(path, files)}
    return plan_of(files, blocks, {}, report)


def _blocks(path: str, files: FileTree, report: Reporter) -> list[ScoreBlock]:
    table = delimited(files.lines(path, report), path)
    rows = [(line, dict(zip(table.header, map(str, cells), strict=True)))
            for line, cells in checked_rows(table.header, table.rows, path)]  # fmt: skip
    done = [(line, row) for line, row in rows if row["state"].strip() == "COMPLETE"]
    if len(done) < len(rows):
        left = count(len(rows) - len(done), "trial")
        report.add("ignored", "unfinished-trials", f"{path}: {left} not used, failed or stopped.", [path])
    names = _names(path, [row for _, row in done], report)
    numbers, blocks = NumberReader(path), []
    for (line, row), (system, replica) in zip(done, names, strict=True):
        for column in filter(_VALUE.fullmatch, table.header):
            value = numbers.read(row[column], line, column)
            if value is not None:
                metric = column.removeprefix("values_")
                blocks.append(whole_run(path, (system, replica, DEFAULT_SET), metric, value))
    numbers.finish(report)
    return blocks


def _names(path: str, rows: Sequence[Mapping[str, str]], report: Reporter) -> list[tuple[str, str]]:
    """Return system and replica of each trial: its settings, and the seed among them."""
    settings = [column for column in (rows[0] if rows else ()) if _SETTING.fullmatch(column)]
    varied = [column for column in settings if len({row[column] for row in rows}) > 1]
    pairs = [split_keys(",".join(f"{_name(c)}={_plain(row[c])}" for c in varied)) or ("", "") for row in rows]
    shown = some([_name(column) for column in varied], 6)
    if varied and not all(replica for _, replica in pairs):
        raise LoadError(
            f"{path}: the trials of this Optuna study differ in their settings ({shown}), so they are not replicas of "
            "one system. Train each setting with several seeds, and let the study have the seed as a parameter "
            "(params_seed). To take the trials as runs of one system all the same, call the column 'number' 'run'.",
            path,
        )
    stem = without_ending(base_name(path))
    named = [(system or stem, replica or row["number"]) for (system, replica), row in zip(pairs, rows, strict=True)]
    twice = Counter(named)
    how = f"differ in {shown}: the seed was read as the replica, all else as the system" if varied else (
        "have the same settings: read as replicas of one system")  # fmt: skip
    report.assume("optuna-trials", f"{path}: the trials {how}.", "To change this, rename systems on the Data page.",
                  [path])  # fmt: skip
    return [(system, replica if twice[system, replica] == 1 else f"{replica}-trial{row['number']}")
            for (system, replica), row in zip(named, rows, strict=True)]  # fmt: skip


def _name(column: str) -> str:
    match = _SETTING.fullmatch(column)
    return match["name"] if match else column


def _plain(cell: str) -> str:
    """Return a number as people write it: pandas turns whole ones into 1.0 where a cell is empty."""
    return re.sub(r"\.0$", "", cell.strip())
