"""What the columns of a table of scores were taken for, and what a person takes them for instead."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from mtsig_core.loading.corrections import READ_AS, Corrections
from mtsig_core.loading.layouts.records.rows import is_text
from mtsig_core.loading.layouts.tables.run_columns import by_score
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import LoadError
from mtsig_core.loading.result import Recognition
from mtsig_core.loading.scores.columns import OF_SYSTEM, SCORES, UNUSED, Columns, declared_columns
from mtsig_core.loading.scores.find import start_of_table
from mtsig_core.loading.scores.non_metrics import is_no_metric
from mtsig_core.loading.scores.run_tables import metrics_of
from mtsig_core.loading.scores.tables import N_LOOKED_AT, holds_numbers
from mtsig_core.loading.scores.wide import systems_by_column

#: What a table calls the roles of columns.
ROLE_WORDS: dict[str, str] = {
    "system": "system", "replica": "replica", "segment": "segment", "score": "score", SCORES: "scores of a metric",
    OF_SYSTEM: "scores of a system",
    "metric": "name of the metric", "test_set": "test set", "document": "document", "type": "type of row",
    "higher_is_better": "whether higher is better", UNUSED: "not used",
}  # fmt: skip


def table_columns(recognition: Recognition, role: FileRole) -> pd.DataFrame | None:
    """Return one row per column of a table of scores, or None where the file is no table that can be read.

    Parameters
    ----------
    recognition : Recognition
        With the files.
    role : FileRole
        Of the table, with what is said of its columns so far.

    Returns
    -------
    DataFrame or None
        Index: name of the column. Columns: first value, read as (one of the words of `ROLE_WORDS`).
    """
    if role.kind != "scores" or role.system or role.path not in recognition.files:
        return None
    try:
        table = start_of_table(role.path, recognition.files)
        if table is None:
            return None
        rows = [cells for _, cells in itertools.islice(table.rows, N_LOOKED_AT)]
        columns = declared_columns(table.header, dict(role.columns), role.path)
    except LoadError:
        return None
    if not rows or len(table.header) < 2 or len(set(table.header)) < len(table.header):
        return None
    first = [str(cell) for cell in rows[0]] + [""] * len(table.header)
    return pd.DataFrame(
        {"first value": first[: len(table.header)],
         READ_AS: [ROLE_WORDS[name] for name in _roles(columns, rows, _of_systems(columns, rows, role))]},
        index=list(table.header), dtype=str,
    )  # fmt: skip


def likely_tables(recognition: Recognition) -> list[str]:
    """Return the files among those left out that are tables of numbers which may be scores, and not of texts."""
    likely = []
    for role in recognition.plan.roles:
        frame = table_columns(recognition, replace(role, kind="scores")) if role.kind == "ignored" else None
        has_scores = frame is not None and {ROLE_WORDS[SCORES], ROLE_WORDS[OF_SYSTEM]} & set(frame[READ_AS])
        if has_scores and not _holds_texts(recognition, role.path):
            likely.append(role.path)
    return likely


def _holds_texts(recognition: Recognition, path: str) -> bool:
    table = start_of_table(path, recognition.files)
    rows = [cells for _, cells in itertools.islice(table.rows, N_LOOKED_AT)] if table else []
    return any(is_text([row[i] for row in rows if i < len(row)]) for i in range(len(table.header) if table else 0))


def _of_systems(columns: Columns, rows: Sequence[Sequence[object]], role: FileRole) -> set[int]:
    """Return the columns that hold the scores of a system each: as a person says, else as reading takes them."""
    if role.columns:
        return {i for i, name in enumerate(columns.header) if dict(role.columns).get(name) == OF_SYSTEM}
    by_system = systems_by_column(columns.header, role.path)
    if by_system and all(holds_numbers([row[i] for row in rows if i < len(row)]) for i in by_system):
        return set(by_system)
    named = by_score(columns, metrics_of(columns, rows), role.path)
    return {i for i, (system, _, _) in named.items() if system}


def _roles(columns: Columns, rows: Sequence[Sequence[object]], of_systems: set[int]) -> list[str]:
    """Return the role of each column, as reading the table takes it."""
    by_place = {place: role for role, place in columns.places.items()} | dict.fromkeys(columns.metrics, SCORES)
    by_place |= dict.fromkeys(of_systems, OF_SYSTEM)
    if not of_systems and "score" not in columns.places and not columns.metrics:
        for i in columns.free():
            is_metric = not is_no_metric(columns.header[i]) and holds_numbers([r[i] for r in rows if i < len(r)])
            by_place |= {i: SCORES} if is_metric else {}
    return [by_place.get(i, UNUSED) for i in range(len(columns.header))]


def with_columns(corrections: Corrections, path: str, taken: Mapping[str, str]) -> Corrections:
    """Return corrections with columns of a table taken for something else.

    Parameters
    ----------
    corrections : Corrections
    path : str
        Of the table.
    taken : mapping of column to one of the words of `ROLE_WORDS`
        All columns of the table: what names said of one of them must not come back.
    """
    keys = {word: role for role, word in ROLE_WORDS.items()}
    columns = tuple((name, keys[word]) for name, word in taken.items())
    roles = tuple(replace(role, columns=columns) if role.path == path else role for role in corrections.roles)
    return replace(corrections, roles=roles)
