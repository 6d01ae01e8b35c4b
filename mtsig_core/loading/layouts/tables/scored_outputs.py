"""Tables of segment scores with no column of systems, one table per output.

::

    base-seed1/preds.csv    id,label,pred,correct
    new_seed1.csv           segment,COMET

The name of the file or of its folder is that of system and replica. Only tables with the name of a documented metric
are looked at, for a table of numbers may be anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from mtsig_core.loading.layouts.common.file_names import names_of_outputs
from mtsig_core.loading.layouts.records.whole_runs import plan_of
from mtsig_core.loading.recognition.names import is_mark, split_marked
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.report import Reporter, some
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.scores.columns import Columns, Table, columns_of, plain_name
from mtsig_core.loading.scores.directions import listed_direction
from mtsig_core.loading.scores.find import begins_as, fitting, of_output, whole_tables
from mtsig_core.loading.scores.non_metrics import is_answer
from mtsig_core.loading.scores.tables import N_LOOKED_AT, holds_numbers, holds_truth, read_table
from mtsig_core.loading.sources.tree import FileTree

NAME = "scores by output"
#: Columns of a log of a training, whose rows are no segments.
_TRAINING = frozenset(("epoch", "step", "steps", "global step", "iteration"))


def recognise(files: FileTree) -> int:
    """Return 11 when a table holds scores of the segments of one output, else 0."""
    return 11 if any(begins_as(path, files, _is_of_one_output) for path in files) else 0


def _is_of_one_output(table: Table) -> bool:
    columns = columns_of(table.header)
    names = {plain_name(name) for name in table.header}
    if {"system", "metric"} & columns.places.keys() or names & _TRAINING:
        return False
    has_rows = "segment" in columns.places or any(map(is_answer, table.header))
    return has_rows and _has_metric(columns, [cells for _, cells in islice(table.rows, N_LOOKED_AT)])


def _has_metric(columns: Columns, rows: Sequence[Sequence[object]]) -> bool:
    known = [i for i in columns.free() if listed_direction(columns.header[i]) is not None]
    known += [columns.places["score"]] if "score" in columns.places else []
    cells = [[row[i] for row in rows if i < len(row)] for i in known]
    return any(holds_numbers(own) or holds_truth(own) for own in cells if own)


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is, and read the scores.

    Raises
    ------
    LoadError
        For a damaged table.
    """
    paths = [path for path in files if begins_as(path, files, _is_of_one_output)]
    names = names_of_outputs(paths, files, report)
    blocks = {path: _blocks(path, names[path], files, report) for path in paths}
    listed = some([f"{path}: {' '.join(filter(None, names[path]))}" for path in paths], 4)
    report.assume(
        "output-by-name", f"No column names the system: each table was read as that of one output ({listed}).",
        "To change this, add columns 'system' and 'replica'.", paths,
    )  # fmt: skip
    return plan_of(files, blocks, {}, report)


def _blocks(path: str, name: tuple[str, str], files: FileTree, report: Reporter) -> list[ScoreBlock]:
    tables = [(table.name, table) for table in _with_scores(whole_tables(path, files, report))]
    if any("segment" not in columns_of(table.header).places for _, table in tables):
        sentence = "No column is known as an id of segments: the rows are taken in their order"
        report.gather_guess("segments-in-order", sentence, "If not, call the ids 'segment_id'.", path)
    if len(tables) == 1:
        return read_table(of_output(tables[0][1], *name), path, report)
    sentence = f"Each sheet was read as an output: {some([sheet for sheet, _ in tables], 6)}"
    report.gather_guess("output-by-sheet", sentence, "To change this, add columns 'system' and 'replica'.", path)
    own = [(_output_of_sheet(sheet, name[0]), table) for sheet, table in tables]
    return [block for output, table in own for block in read_table(of_output(table, *output), path, report)]


def _output_of_sheet(sheet: str, system: str) -> tuple[str, str]:
    """Return system and replica of a sheet by its name; one called by a run alone is of the file's system."""
    return (system, sheet) if is_mark(sheet) else split_marked(sheet) or (sheet, "1")


def _with_scores(tables: Sequence[Table]) -> list[Table]:
    """Return the sheets that hold scores of one output each; the only table of a file is one."""
    return list(tables) if len(tables) == 1 else fitting(tables, _is_of_one_output)
