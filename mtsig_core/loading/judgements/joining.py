"""Tables of human judgements: what people should know of one, and several files as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from mtsig_core.loading.judgements.frame import JudgementTable
from mtsig_core.loading.recognition.names import base_name
from mtsig_core.loading.report import LoadError, Reporter, count


def with_notes(table: JudgementTable, report: Reporter) -> JudgementTable:
    """Return the table with everything that people should know of it as notes."""
    notes = [*table.notes, *(line.message for line in report.report().lines)]
    if table.set_aside:
        kinds = ", ".join(f"{kind} {n:,}" for kind, n in sorted(table.set_aside.items()))
        notes.append(f"Judgements set aside, as they check annotators and judge no output: {kinds}.")
    outputs = table.outputs
    by = ["test_set", "document", "segment", "system", "replica", "annotator", "dimension", "task"]
    repeats = int(outputs[outputs["annotator"].notna()].duplicated(by).sum())
    if repeats:
        notes.append(f"{count(repeats, 'repeated judgement')} of an output by the same annotator, all kept.")
    if outputs["annotator"].isna().all() and len(outputs):
        notes.append("No annotators are named, so nothing can be standardised by annotator.")
    for name, reason in table.reasons.items():
        if reason and not any(note.startswith(f"{name}:") for note in notes):
            notes.append(f"{name}: {'higher' if table.higher_is_better[name] else 'lower'} is better ({reason}).")
    return replace(table, notes=tuple(dict.fromkeys(notes)))


def joined(tables_read: Sequence[JudgementTable]) -> JudgementTable:
    """Return the judgements of several files as one table.

    Raises
    ------
    LoadError
        When there is none, or two files disagree whether higher is better in a dimension.
    """
    if not tables_read:
        raise LoadError("No file of human judgements. Give at least one.", "")
    if len(tables_read) == 1:
        return tables_read[0]
    directions: dict[str, bool] = {}
    for table in tables_read:
        for name, higher in table.higher_is_better.items():
            if directions.setdefault(name, higher) is not higher:
                message = (
                    f"{table.file}: higher is {'' if higher else 'not '}better in {name!r}, unlike in another file."
                )
                raise LoadError(f"{message} State the direction, or load the files apart.", table.file)
    reasons = {name: reason for table in tables_read for name, reason in table.reasons.items()}
    formats = Counter(table.format for table in tables_read)
    return JudgementTable(
        f"{tables_read[0].file} and {len(tables_read) - 1} more", " and ".join(formats),
        pd.concat([table.frame for table in tables_read], ignore_index=True), directions, reasons,
        tuple(dict.fromkeys(name for table in tables_read for name in table.standardised)),
        tuple(f"{table.file}: {note}" for table in tables_read for note in table.notes),
    )  # fmt: skip


def grouped(tables: Sequence[JudgementTable]) -> tuple[JudgementTable, ...]:
    """Return one table for the files of one format with the same dimensions.

    Files without annotators that score the same outputs are of different test sets, which are called as the files.
    """
    groups: dict[tuple[object, ...], list[JudgementTable]] = {}
    for table in tables:
        key = (table.format, table.dimensions, table.standardised, tuple(table.higher_is_better.items()))
        groups.setdefault(key, []).append(table)
    by_format: list[JudgementTable] = []
    for own in groups.values():
        by_format += [_in_own_set(table) for table in own] if _score_the_same(own) else [joined(own)]
    return tuple(by_format)


def _score_the_same(tables: Sequence[JudgementTable]) -> bool:
    """Say whether several files without annotators score one output of a segment each."""
    if len(tables) < 2 or any(table.annotators for table in tables):
        return False
    by = ["test_set", "document", "segment", "system", "replica", "dimension"]
    outputs = pd.concat([table.outputs[by].drop_duplicates() for table in tables])
    return bool(outputs[outputs["segment"].notna()].duplicated().any())


def _in_own_set(table: JudgementTable) -> JudgementTable:
    name = base_name(table.file).split(".")[0]
    return replace(table, frame=table.frame.assign(test_set=table.frame["test_set"].fillna(name)))
