"""Filled annotation sheets -> judgements, by the key that says which output is on which side.

A row is a segment with two outputs, called 1 and 2; `mtsig_core.reports.files.annotation_sheets` writes it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

from mtsig_core.formatting import count
from mtsig_core.loading.judgements.frame import JudgementTable, judgement_frame
from mtsig_core.loading.judgements.sheets.annotation_key import (
    ERRORS,
    RANKING,
    RATINGS,
    AnnotationKey,
    KeyItem,
    check_of,
)
from mtsig_core.loading.judgements.sheets.sheet_columns import ANNOTATOR, BETTER, ITEM, OUTPUTS
from mtsig_core.loading.recognition.names import base_name
from mtsig_core.loading.report import LoadError, some
from mtsig_core.loading.scores.numbers import MISSING, NumberReader
from mtsig_core.loading.text.spreadsheets import Cells, read_cells

NAME = "annotation sheet"
#: What people write in the column of the better output: its number, or that there is none.
_BETTER = {
    "1": 1.0, "1.0": 1.0, "output 1": 1.0, "2": 0.0, "2.0": 0.0, "output 2": 0.0,
    "0": 0.5, "0.0": 0.5, "=": 0.5, "tie": 0.5, "equal": 0.5, "same": 0.5, "both": 0.5,
}  # fmt: skip
_NO_ERROR = MISSING - {""} | {"0", "no", "ok", "no error", "no errors"}
_DATE = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{2,4}")


@dataclass(frozen=True)
class _Row:
    """One row that somebody filled in: where it stands, who did, and what it says of outputs 1 and 2."""

    place: str
    annotator: str | None
    item: KeyItem
    values: Mapping[str, tuple[float | None, float | None]]  # by dimension


def dimensions_of(key: AnnotationKey) -> dict[str, bool]:
    """Return the dimensions that a sheet asks for, and whether higher is better."""
    higher_is_better = {column: column != ERRORS for column in key.asked.columns}
    if ERRORS in higher_is_better:
        higher_is_better |= {error_dimension(name): False for name in key.asked.errors}
    return higher_is_better


def error_dimension(name: str) -> str:
    """Return the dimension that counts one type of error."""
    return f"error: {name}"


def read_sheets(
    sheets: Sequence[tuple[str, bytes]], key: AnnotationKey, *, encoding: str | None = None
) -> JudgementTable:
    """Read the filled copies of one annotation sheet.

    Parameters
    ----------
    sheets : sequence of (str, bytes)
        File names and contents: CSV with any separator, tab-separated or Unicode text, or XLSX, rows in any order.
        Whoever is not named in the column `annotator` is called as the file, where there are several.
    key : AnnotationKey
    encoding : str, optional
        Of text that is not UTF-8.

    Returns
    -------
    JudgementTable
        Dimensions are what was asked; a ranking is 1 for the better output, 0 for the other, 0.5 each for a tie;
        errors count those marked. A side that was left empty is a judgement without score.

    Raises
    ------
    LoadError
        When a file is no such sheet or the key is that of another one, a row is unknown or judged twice by one
        person, its outputs stand in another row, or a cell is out of range; names file, row and remedy.
    """
    _check_names([name for name, _ in sheets])
    readers = [_Reader(name, key, encoding, len(sheets) > 1) for name, _ in sheets]
    rows = [row for reader, (_, data) in zip(readers, sheets, strict=True) for row in reader.read(data)]
    file = sheets[0][0] if len(sheets) == 1 else f"{sheets[0][0]} and {len(sheets) - 1} more"
    if not rows:
        raise LoadError(f"{file}: no row is filled in. Fill in {_asked(key)}.", file)
    _check_repeats(rows)
    notes = [note for reader in readers for note in reader.notes_on_file()]
    judged = {row.item.item for row in rows}
    if len(judged) < len(key.items):
        notes.append(f"{len(judged):,} of {count(len(key.items), 'segment')} of the sheet were judged.")
    directions = dimensions_of(key)
    return JudgementTable(file, NAME, _frame(rows, key), directions, dict.fromkeys(directions, ""), (), tuple(notes))


def _check_names(names: Sequence[str]) -> None:
    if not names:
        raise LoadError("No filled sheet. Give at least one.", "")
    repeated = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if repeated is not None:
        raise LoadError(f"{repeated}: two sheets have this name. Rename one, or leave out the copy.", repeated)


def _asked(key: AnnotationKey) -> str:
    names = [BETTER if c == RANKING else f"{c} 1 and {c} 2" for c in key.asked.columns]
    return ", ".join(names)


def _check_repeats(rows: Sequence[_Row]) -> None:
    places: dict[tuple[str | None, str], str] = {}
    for row in rows:
        before = places.setdefault((row.annotator, row.item.item), row.place)
        if before != row.place:
            who = f" by {row.annotator!r}" if row.annotator else ""
            raise LoadError(
                f"{row.place}: item {row.item.item!r} is judged again{who}; it was in {before}. Keep one of the rows, "
                "or name different annotators in the column 'annotator'.",
                row.place.rsplit(", row ", 1)[0],
            )


def _frame(rows: Sequence[_Row], key: AnnotationKey) -> pd.DataFrame:
    """Return both outputs' judgements of each row."""
    columns: dict[str, list[object]] = {
        name: [] for name in ("segment", "system", "replica", "annotator", "dimension", "score", "task")
    }
    for row in rows:
        sides = (key.a, key.b) if row.item.a_is_first else (key.b, key.a)
        for dimension, values in row.values.items():
            for (system, replica), value in zip(sides, values, strict=True):
                own = (row.item.segment, system, replica or None, row.annotator, dimension, value, row.item.item)
                for column, cell in zip(columns.values(), own, strict=True):
                    column.append(cell)
    return judgement_frame({**columns, "test_set": key.test_set or None}, len(columns["score"]))


@dataclass
class _Reader:
    """Reads one filled sheet."""

    file: str
    key: AnnotationKey
    encoding: str | None
    named_by_file: bool
    counts: Counter[str] = field(default_factory=Counter)
    unused: list[str] = field(default_factory=list)
    note: str = ""

    def read(self, data: bytes) -> list[_Row]:
        """Return the rows that say anything."""
        table = read_cells(self.file, data, (ITEM, *OUTPUTS), what="a filled annotation sheet", encoding=self.encoding)
        self.note = table.note
        self._check_columns(table)
        items = {item.item: item for item in self.key.items}
        by_check = {item.check: item.item for item in self.key.items}
        filled_rows = []
        for number, cells in table.rows:
            row = dict(zip(table.header, cells, strict=True))
            place = f"{self.file}, row {number}"
            item = self._item(row[ITEM].strip(), place, items)
            self._check_outputs(row, table, item, place, by_check)
            values = self._values(row, place)
            if any(value is not None for pair in values.values() for value in pair):
                filled_rows.append(_Row(place, self._annotator(table.text(row.get(ANNOTATOR, ""))), item, values))
            else:
                self.counts["empty"] += 1
        return filled_rows

    def notes_on_file(self) -> list[str]:
        """Return what to know of the file."""
        notes = [f"{self.file}: {self.note}."] if self.note else []
        if self.counts["commas"]:
            notes.append(f"{self.file}: decimal commas were read as decimal points.")
        if self.counts["changed"]:
            notes.append(f"{self.file}: the outputs of {count(self.counts['changed'], 'row')} differ from what was "
                         "written; a spreadsheet may have taken them for a number or a date.")  # fmt: skip
        if self.counts["half"]:
            half = count(self.counts["half"], "pair")
            notes.append(f"{self.file}: {half} of ratings lack one side and are not counted.")
        if self.unused:
            notes.append(f"{self.file}: unused columns: {some(map(repr, self.unused), 8)}.")
        return notes

    def _check_columns(self, table: Cells) -> None:
        sides = [f"{c} {i}" for c in self.key.asked.columns if c != RANKING for i in (1, 2)]
        needed = [*sides, *([BETTER] if RANKING in self.key.asked.columns else [])]
        lacking = [name for name in needed if name not in table.header]
        if lacking:
            raise LoadError(
                f"{self.file}: lacks the column {lacking[0]!r}, which the key ({self.key.file}) asks for. Give the key "
                "written with this sheet, or put the column back; it may be empty.",
                self.file,
            )
        own = {ITEM, ANNOTATOR, "segment", "document", "source", "comment", *OUTPUTS, *needed}
        self.unused = [n for n in table.header if n not in own and not re.fullmatch(r"reference( \d+)?", n)]

    def _item(self, item: str, place: str, items: Mapping[str, KeyItem]) -> KeyItem:
        if item in items:
            return items[item]
        if not item:
            raise LoadError(f"{place}, column 'item': is empty, but the row is not. Put the id back or empty the row.",
                            self.file)  # fmt: skip
        other = re.fullmatch(r"([a-p]{8})-\d{3,}", item)
        if other and other[1] != self.key.sheet:
            raise LoadError(
                f"{place}, column 'item': {item!r} is of sheet {other[1]}, but the key ({self.key.file}) is that of "
                f"sheet {self.key.sheet}. Give the key written with this sheet.",
                self.file,
            )
        raise LoadError(
            f"{place}, column 'item': the sheet has no item {item!r}; they run from {self.key.items[0].item!r} to "
            f"{self.key.items[-1].item!r}. Put the id back as it was written.",
            self.file,
        )

    def _check_outputs(
        self, row: Mapping[str, str], table: Cells, item: KeyItem, place: str, by_check: Mapping[str, str]
    ) -> None:
        """Refuse rows whose outputs are those of another one: columns that were sorted apart."""
        raw = check_of(row[OUTPUTS[0]], row[OUTPUTS[1]])
        check = check_of(table.text(row[OUTPUTS[0]]), table.text(row[OUTPUTS[1]]))
        if item.check in (check, raw):
            return
        if check in by_check:
            raise LoadError(
                f"{place}: its outputs are those of item {by_check[check]!r}, not of {item.item!r}. Were some columns "
                "sorted without the others? Sort whole rows only.",
                self.file,
            )
        turned = check_of(table.text(row[OUTPUTS[1]]), table.text(row[OUTPUTS[0]]))
        if turned == item.check:
            raise LoadError(f"{place}: outputs 1 and 2 are swapped. Swap them back.", self.file)
        self.counts["changed"] += 1

    def _annotator(self, cell: str) -> str | None:
        name = " ".join(cell.split())
        if name or not self.named_by_file:
            return name or None
        return base_name(self.file).rsplit(".", 1)[0] or self.file

    # the cells of one row

    def _values(self, row: Mapping[str, str], place: str) -> dict[str, tuple[float | None, float | None]]:
        columns = self.key.asked.columns
        values = {name: self._ratings(name, row, place) for name in columns if name in RATINGS}
        if RANKING in columns:
            values[RANKING] = self._ranking(row[BETTER], place)
        marked = [row[f"{ERRORS} {i}"].strip() for i in (1, 2)] if ERRORS in columns else []
        if marked:
            is_judged = any(marked) or any(v is not None for pair in values.values() for v in pair)
            first, second = (self._errors(cell, f"{place}, column '{ERRORS} {i}'") for i, cell in enumerate(marked, 1))
            # whoever judged a row and marked nothing saw no error
            values[ERRORS] = (float(sum(first.values())), float(sum(second.values()))) if is_judged else (None, None)
            for name in self.key.asked.errors:
                pair = (float(first[name]), float(second[name])) if is_judged else (None, None)
                values[error_dimension(name)] = pair
        return {name: values[name] for name in dimensions_of(self.key)}

    def _ratings(self, name: str, row: Mapping[str, str], place: str) -> tuple[float | None, float | None]:
        first, second = (self._rating(row[f"{name} {i}"], place, f"{name} {i}") for i in (1, 2))
        self.counts["half"] += (first is None) != (second is None)
        return first, second

    def _rating(self, cell: str, place: str, column: str) -> float | None:
        low, high = self.key.asked.scale
        cell = cell.strip().removeprefix("'")
        remedy = "Correct it or leave it empty."
        if _DATE.match(cell):
            remedy = "Did a spreadsheet make a date of it? Format the cell as text and type the number again."
        try:
            value = NumberReader(self.file).read(cell, 0)
        except LoadError:
            value = float("nan")
        if value is not None and not low <= value <= high:
            raise LoadError(f"{place}, column {column!r}: expected a number from {low:g} to {high:g}, or nothing; "
                            f"found {cell[:40]!r}. {remedy}", self.file)  # fmt: skip
        self.counts["commas"] += value is not None and "," in cell
        return None if value is None else value + 0.0

    def _ranking(self, cell: str, place: str) -> tuple[float | None, float | None]:
        text = " ".join(cell.casefold().split()).removeprefix("'")
        if text in MISSING:
            return None, None
        if text not in _BETTER:
            raise LoadError(f"{place}, column {BETTER!r}: expected 1, 2, or 0 for a tie; found {cell.strip()[:40]!r}. "
                            "Correct it or leave it empty.", self.file)  # fmt: skip
        return _BETTER[text], 1 - _BETTER[text]

    def _errors(self, cell: str, place: str) -> Counter[str]:
        names = {" ".join(name.casefold().split()): name for name in self.key.asked.errors}
        counts: Counter[str] = Counter()
        if cell.casefold() in _NO_ERROR:
            return counts
        for part in re.split(r"[,;|/\n]", cell):
            name = " ".join(part.casefold().split())
            if name and name not in names:
                raise LoadError(f"{place}: no type of error {part.strip()[:40]!r}; there are {', '.join(names)}. "
                                "Correct it; put commas between several.", self.file)  # fmt: skip
            counts.update([names[name]] if name else [])
        return counts
