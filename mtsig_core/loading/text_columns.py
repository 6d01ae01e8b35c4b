"""What the columns of a table of texts were taken for, and what a person takes them for instead."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from mtsig_core.loading.corrections import READ_AS, Corrections
from mtsig_core.loading.layouts.records.rows import metrics_among
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import LoadError
from mtsig_core.loading.reshaping import before_naming
from mtsig_core.loading.reshaping.named_columns import TEXT_ROLES, may_be_table, table_in
from mtsig_core.loading.result import Recognition
from mtsig_core.loading.scores.columns import SCORES, UNUSED
from mtsig_core.loading.text.records import fields_of

#: What a table calls the roles of columns of texts.
TEXT_WORDS = {**{role: role.replace("_", " ") for role in TEXT_ROLES}, SCORES: "scores of a metric", UNUSED: "not used"}
N_LOOKED_AT = 50
_KINDS = ("output", "reference", "source")


def text_columns(recognition: Recognition, path: str) -> pd.DataFrame | None:
    """Return one row per column of a table that holds texts or may hold them, or None where the file is no table.

    Parameters
    ----------
    recognition : Recognition
        With the files.
    path : str

    Returns
    -------
    DataFrame or None
        Index: name of the column. Columns: first value, read as (one of the words of `TEXT_WORDS`).
    """
    try:
        files = before_naming(path, recognition.files)
        table = table_in(path, files)
        rows = [cells for _, cells in itertools.islice(table.rows, N_LOOKED_AT)]
    except LoadError:
        return None
    header = list(table.header)
    if not rows or len(header) < 2 or len(set(header)) < len(header) or any(len(row) != len(header) for row in rows):
        return None
    roles = dict(recognition.settings.named_columns.get(path, ())) or _roles(recognition, path, header, rows)
    return pd.DataFrame(
        {"first value": [str("" if cell is None else cell)[:200] for cell in rows[0]],
         READ_AS: [TEXT_WORDS[roles.get(name, UNUSED)] for name in header]},
        index=header, dtype=str,
    )  # fmt: skip


def _roles(
    recognition: Recognition, path: str, header: Sequence[str], rows: Sequence[Sequence[object]]
) -> dict[str, str]:
    """Return the roles of columns as reading took them."""
    records = [dict(zip(header, row, strict=True)) for row in rows]
    kinds = {role.path: role.kind for role in recognition.plan.roles}
    by_column: dict[str, str] = {name: kind for name in header if (kind := kinds.get(f"{path}#{name}")) in _KINDS}
    if by_column:  # one text per column
        return by_column
    fields = fields_of(records)
    return {key: role for role, key in fields.keys.items()} | dict.fromkeys(metrics_among(records, fields), SCORES)


def tables_of_texts(roles: Sequence[FileRole], recognition: Recognition) -> list[str]:
    """Return the files that are tables of texts, or may be by the endings of their names.

    Parameters
    ----------
    roles : sequence of FileRole
        What files are taken for: one that is a table of scores and nothing else is none.
    recognition : Recognition
        With the files.
    """
    scores = {role.path for role in roles if role.kind == "scores"}
    with_parts = {role.path.partition("#")[0] for role in recognition.plan.roles if "#" in role.path}
    return [p for p in recognition.files if may_be_table(p) and (p in with_parts or p not in scores)]


def with_text_columns(corrections: Corrections, path: str, taken: Mapping[str, str]) -> Corrections:
    """Return corrections with the columns of a table of texts taken for something else.

    Parameters
    ----------
    corrections : Corrections
    path : str
        Of the table.
    taken : mapping of column to one of the words of `TEXT_WORDS`
        All columns of the table.
    """
    roles = {word: role for role, word in TEXT_WORDS.items()}
    columns = tuple((name, roles[word]) for name, word in taken.items())
    return replace(corrections, named_columns={**corrections.named_columns, path: columns})
