"""Scores of whole systems, one number each, as shared tasks publish them: no test can be made of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mtsig_core.formatting import count
from mtsig_core.loading.layouts.tables.run_columns import by_score
from mtsig_core.loading.recognition.names import base_name
from mtsig_core.loading.report import LoadError, some
from mtsig_core.loading.scores.columns import columns_of
from mtsig_core.loading.scores.grids import delimited
from mtsig_core.loading.scores.run_tables import metrics_of, names_hold_runs
from mtsig_core.loading.scores.tables import holds_numbers
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.records import first_records

#: Rows from which a file is no list of systems.
MOST_SYSTEMS = 2000
_NAMES = re.compile(r".*\.(?:csv|tsv|tab|txt|scores?|jsonl|ndjson|json)", re.IGNORECASE)
_OF_SYSTEMS = re.compile(r"(?i)(?:^|[-_.])(?:sys(?:tem)?s?)(?:[-_.]?(?:level|scores?))*[-_.]")
_ADVICE = (
    "They do not say how far another run of a system or other segments would move them, so no test can be made. Give "
    "the scores of each segment (columns system, segment and score), or of several runs of each system (columns "
    "system, run and score). In a table with columns metric, system, score and human (the score that people gave), "
    "metrics can be compared with people."
)


def system_level(paths: Sequence[str], files: FileTree) -> str:
    """Return sentences on files that hold one score per system; "" where none does."""
    n_systems_in = {path: n for path in paths if _NAMES.fullmatch(base_name(path)) and (n := n_systems(path, files))}
    if not n_systems_in:
        return ""
    first = next(iter(n_systems_in))
    if _has_several_rows(first, n_systems_in[first], files):
        return (
            f"{first}: {count(n_systems_in[first], 'system')} with several rows each, and no column says whether a row "
            "is a run or a segment. Call the column that tells the rows of a system apart 'run', or 'segment'; without "
            "one, add it."
        )
    what = f"{count(n_systems_in[first], 'system')}, one number each, without segments or runs"
    return f"{some(n_systems_in, 3)}: scores of whole systems ({what}). {_ADVICE}"


def _has_several_rows(path: str, n: int, files: FileTree) -> bool:
    """Say whether a table has at least two rows for each of its systems, and no column that names metrics or sets."""
    lines = [line for line in files.head(path).split("\n") if line.strip()]
    try:
        table = delimited([line.rstrip("\r") for line in lines], path)
    except LoadError:
        return False
    return not {"metric", "test_set"} & columns_of(table.header).places.keys() and len(list(table.rows)) >= 2 * n


def n_systems(path: str, files: FileTree) -> int:
    """Return of how many systems a file holds one score each; 0 where it holds something else."""
    lines = [line.rstrip("\r") for line in files.head(path).split("\n") if line.strip()]
    if not 1 < len(lines) <= MOST_SYSTEMS:
        return 0
    return _of_records(files.head(path)) or _of_table(lines, path) or _of_list(lines, path)


def _of_records(head: str) -> int:
    records = first_records(head, MOST_SYSTEMS)
    return _count([list(map(str, r.values())) for r in records], tuple(records[0])) if records else 0


def _of_table(lines: Sequence[str], path: str) -> int:
    try:
        table = delimited(lines, path)
        rows = [[str(cell).strip() for cell in cells] for _, cells in table.rows if len(cells) == len(table.header)]
    except LoadError:
        return 0
    return _count(rows, table.header)


def _count(rows: Sequence[Sequence[str]], header: Sequence[str]) -> int:
    """Return the number of systems of a table with a heading: a score, and no segment and no run."""
    columns = columns_of(header)
    places = columns.places
    if "system" not in places or {"segment", "replica"} & places.keys() or len(set(header)) < len(header):
        return 0
    rows = [row for row in rows if len(row) == len(header)]
    if names_hold_runs(columns, rows) or by_score(columns, metrics_of(columns, rows), ""):
        return 0
    free = [places["score"]] if "score" in places else columns.free()
    has_scores = any(holds_numbers([row[i] for row in rows if row[i]]) for i in free)
    return len({row[places["system"]] for row in rows}) if rows and has_scores else 0


def _of_list(lines: Sequence[str], path: str) -> int:
    """Return the number of systems of lines without a heading: names, then one number; the file's name says so."""
    rows = [line.split() for line in lines]
    n_columns = {len(row) for row in rows}
    if not _OF_SYSTEMS.search(base_name(path)) or len(n_columns) != 1 or not 1 < n_columns.pop() <= 5:
        return 0
    names = [row[-2] for row in rows]
    is_list = holds_numbers([row[-1] for row in rows]) and not holds_numbers(names)
    return len(set(names)) if is_list else 0
