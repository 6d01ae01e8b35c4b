"""A table of scores of whole runs, without segments: one row per run, one column per task or metric.

::

    run, MNLI, HANS            one system; or with a column "system"
    seed 1, 0.843, 0.61

Each column of numbers is a metric, and its score that of the run; what needs segments is not defined. Rows of summary
(mean, standard deviation, ...) are no runs. A table with segments is another layout.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mtsig_core.formatting import count
from mtsig_core.loading.layouts.common.set_folders import DEFAULT_SET
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.scores.columns import Columns, columns_of
from mtsig_core.loading.scores.grids import delimited
from mtsig_core.loading.scores.non_metrics import is_no_metric
from mtsig_core.loading.scores.numbers import NumberReader
from mtsig_core.loading.scores.tables import holds_numbers
from mtsig_core.loading.sources.tree import FileTree

NAME = "scores of runs"
_ENDINGS = (".csv", ".tsv", ".csv.gz", ".tsv.gz")
_SUMMARY = re.compile(
    r"(?:mean|average|avg|median|min(?:imum)?|max(?:imum)?|std\.?(?:dev)?|sd|stdev|standard deviation|variance|var|"
    r"range|total|sum|overall|count|n|q\d|\d+%)\b.*",
    re.IGNORECASE,
)


def recognise(files: FileTree) -> int:
    """Return 12 when a table has a column of runs, none of segments, and numbers, else 0."""
    return 12 if any(_is_table(path, files) for path in files) else 0


def _is_table(path: str, files: FileTree) -> bool:
    if not path.casefold().endswith(_ENDINGS):
        return False
    try:
        table = delimited([line.rstrip("\r") for line in files.head(path).split("\n")[:20]], path)
        columns = columns_of(table.header)
        rows = [list(cells) for _, cells in table.rows]
    except LoadError:
        return False
    return "replica" in columns.places and "segment" not in columns.places and bool(_metrics(columns, rows))


def _metrics(columns: Columns, rows: Sequence[Sequence[object]]) -> list[int]:
    return [
        i for i in columns.free() if (cells := [r[i] for r in rows if i < len(r) and str(r[i]).strip()])
        and holds_numbers(cells)
    ]  # fmt: skip


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is, and read the scores of the tables."""
    roles: list[FileRole] = []
    blocks: dict[str, tuple[ScoreBlock, ...]] = {}
    for path in files:
        if _is_table(path, files):
            blocks[path] = _blocks(path, files, report)
            roles.append(FileRole(path, "scores"))
        else:
            roles.append(FileRole(path, "ignored", reason="holds no scores of runs"))
    return Plan(tuple(roles), blocks=blocks)


def _blocks(path: str, files: FileTree, report: Reporter) -> tuple[ScoreBlock, ...]:
    table = delimited(files.lines(path, report), path)
    columns = columns_of(table.header)
    places, width = columns.places, len(table.header)
    rows = [(line, list(cells)) for line, cells in table.rows if any(str(cell).strip() for cell in cells)]
    runs = [(line, cells) for line, cells in rows if len(cells) == width and _is_run(str(cells[places["replica"]]))]
    others = [line for line, cells in rows if (line, cells) not in runs]
    if others:
        message = f"{path}: {count(len(others), 'row')} taken for summaries, not runs: {_lines(others)}."
        report.assume("no-runs", message, "To use one, give it the name of a run.", [path])
    if not runs:
        column = table.header[places["replica"]]
        raise LoadError(f"{path}: no row is a run. Name the runs in the column {column!r}.", path)
    if "system" not in places:
        message = f"{path}: no column says the system: all runs are taken for replicas of one system."
        report.assume("one-system", message, "To compare systems, add a column 'system'.", [path])
    numbers = NumberReader(path)
    metrics = _metrics(columns, [cells for _, cells in runs])
    blocks = []
    for line, cells in runs:
        system = str(cells[places["system"]]).strip() if "system" in places else "system"
        test_set = str(cells[places["test_set"]]).strip() if "test_set" in places else DEFAULT_SET
        for i in metrics:
            value = numbers.read(cells[i], line, table.header[i])
            blocks.append(ScoreBlock(
                path, table.header[i], system, str(cells[places["replica"]]).strip(), test_set, in_order=(value,),
                exact=True, whole_run=True,
            ))  # fmt: skip
    numbers.finish(report)
    _report_constant(path, [table.header[i] for i in metrics], blocks, report)
    return tuple(blocks)


def _is_run(name: str) -> bool:
    return bool(name.strip()) and _SUMMARY.fullmatch(name.strip()) is None


def _lines(lines: Sequence[int]) -> str:
    return ("line " if len(lines) == 1 else "lines ") + some(map(str, lines), 8)


def _report_constant(path: str, names: Sequence[str], blocks: Sequence[ScoreBlock], report: Reporter) -> None:
    values: dict[str, set[object]] = {name: set() for name in names}
    for block in blocks:
        values[block.metric].add((block.in_order or (None,))[0])
    constant = [name for name, own in values.items() if len(own) == 1 and not is_no_metric(name)]
    if constant and len(blocks) > len(names):
        message = f"{path}: all runs have the same value in {some([repr(name) for name in constant], 12)}."
        report.add("warning", "constant-scores", message, [path])
