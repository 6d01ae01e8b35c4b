"""Files of human judgements in any known format -> one table with one row per judgement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from types import ModuleType

import pandas as pd

from mtsig_core.loading.judgements.frame import JudgementTable, table_of
from mtsig_core.loading.judgements.readers import appraise, mqm, mqm_json, pearmut, rankings, tables
from mtsig_core.loading.judgements.score_lines import is_score_lines, read_score_lines
from mtsig_core.loading.report import LoadError, Reporter, count
from mtsig_core.loading.text.decoding import read_text

#: Formats in the order in which they are tried; the last takes any table.
FORMATS: tuple[ModuleType, ...] = (appraise, pearmut, mqm, mqm_json, rankings, tables)


def read_judgement_table(name: str, data: bytes, *, encoding: str | None = None) -> JudgementTable:
    """Read one file of human judgements.

    Filled annotation sheets need their key: `table_of` makes a table of what
    `mtsig_core.loading.judgements.sheets.annotation_sheets.read_sheets` returns.

    Parameters
    ----------
    name : str
        File name, for messages; ``LP.NAME.seg.score`` and the like are read as mt-metrics-eval's.
    data : bytes
        Packed with gzip or not.
    encoding : str, optional
        Of a file that is not UTF-8.

    Raises
    ------
    LoadError
        When it is no such file, or something in it is wrong; names file, place and remedy.
    """
    report = Reporter()
    text = read_text(data, name, encoding=encoding)
    text.report_notes(name, report)
    if is_score_lines(name):
        return _noted(table_of(read_score_lines(name, text.lines, Reporter()), "mt-metrics-eval scores"), report)
    chosen = next(each for each in FORMATS if each.recognises(name, text.lines))
    return _noted(chosen.read(name, text.lines, report), report)


def _noted(table: JudgementTable, report: Reporter) -> JudgementTable:
    """Return the table with everything that people should know of it as notes."""
    notes = [*table.notes, *(line.message for line in report.report().lines)]
    if table.set_aside:
        kinds = ", ".join(f"{n:,} {kind}" for kind, n in sorted(table.set_aside.items()))
        notes.append(f"Set aside, as they check annotators and judge no output: {kinds}.")
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
