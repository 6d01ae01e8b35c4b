"""Blind annotation sheets: segments of two outputs for people to judge, and the key kept apart from them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from mtsig_core.analysis.reading.segments import SegmentTable
from mtsig_core.loading.judgements.annotation_key import ERRORS, RANKING, AnnotationKey, Asked, new_key
from mtsig_core.loading.judgements.sheet_columns import ANNOTATOR, BETTER, ITEM, OUTPUTS
from mtsig_core.loading.text.spreadsheets import guarded

Kind = Literal["csv", "tsv", "xlsx"]
KINDS: tuple[Kind, ...] = ("csv", "tsv", "xlsx")
#: What XML, and so XLSX, cannot hold.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_WIDTHS = {"source": 40, "output 1": 45, "output 2": 45, "comment": 30, ITEM: 14, ERRORS: 18}


@dataclass(frozen=True)
class AnnotationSheet:
    """What annotators get, and the key that they do not.

    Attributes
    ----------
    key : AnnotationKey
    header : tuple of str
    rows : tuple of tuple of str
        In the order of the test set; cells to fill in are empty.
    """

    key: AnnotationKey
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def instructions(self) -> tuple[str, ...]:
        """What annotators are to do, a sentence each."""
        low, high = self.key.asked.scale
        ratings = [c for c in self.key.asked.columns if c not in (RANKING, ERRORS)]
        lines = ["Each row shows one source with two outputs, in an order that changes from row to row."]
        if ratings:
            lines.append(f"{' and '.join(ratings).capitalize()}: a number from {low:g} (worst) to {high:g} (best) for "
                         "each output.")  # fmt: skip
        if RANKING in self.key.asked.columns:
            lines.append("Better: 1 or 2, the number of the better output; 0 when neither is.")
        if ERRORS in self.key.asked.columns:
            lines.append(f"Errors: any of {', '.join(self.key.asked.errors)}; commas between several, none if there "
                         "are none.")  # fmt: skip
        return (*lines, "Rows may be sorted (whole rows only) or left empty. Leave the column 'item' as it is.")


def annotation_sheet(
    table: SegmentTable, segments: Sequence[int], asked: Asked, *, seed: int, drawn: str = ""
) -> AnnotationSheet:
    """Return the blind sheet of chosen segments.

    Each output stands first in half of the rows (up to one), which half is drawn.

    Parameters
    ----------
    table : SegmentTable
    segments : sequence of int
        Numbers of segments of the table, from 1; the sheet has them in the order of the test set.
    asked : Asked
    seed : int
        The same seed gives the same sheet, byte for byte.
    drawn : str
        How the segments were chosen, for the key.

    Raises
    ------
    ValueError
        When no segment is chosen, or one is not in the table.
    """
    numbers = sorted(set(segments))
    unknown = sorted(set(numbers) - set(table.index.tolist()))
    if unknown or not numbers:
        found = f"segment {unknown[0]} is not among them" if unknown else "none was chosen"
        raise ValueError(f"A sheet needs segments of {table.test_set!r} (1 to {int(table.index.max())}); {found}.")
    # another stream than that of the choice, which may have the same seed
    rng = np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence([seed, 1])))
    half = np.arange(len(numbers)) + rng.integers(2)
    a_is_first = rng.permutation(half % 2 == 0).tolist()
    outputs, rows = [], []
    for number, first in zip(numbers, a_is_first, strict=True):
        i = table.row(number)
        sides = (table.output_a[i], table.output_b[i])
        outputs.append((number, first, sides if first else sides[::-1]))
    key = new_key(table.test_set, table.a, table.b, asked, drawn, outputs)
    n_references = max(len(table.references[table.row(n)]) for n in numbers)
    for item, (number, _, sides) in zip(key.items, outputs, strict=True):
        i = table.row(number)
        texts = [table.document[i]] if table.document else []
        texts += [table.source[i]] if table.source else []
        texts += [*table.references[i], *[""] * (n_references - len(table.references[i]))]
        rows.append((item.item, str(number), *texts, *sides))
    header = [ITEM, "segment", *(["document"] if table.document else []), *(["source"] if table.source else [])]
    header += ["reference"] if n_references == 1 else [f"reference {k + 1}" for k in range(n_references)]
    header += [*OUTPUTS, *to_fill(asked)]
    empty = ("",) * len(to_fill(asked))
    return AnnotationSheet(key, tuple(header), tuple((*row, *empty) for row in rows))


def to_fill(asked: Asked) -> tuple[str, ...]:
    """Return the names of the columns that annotators fill in."""
    names = []
    for column in asked.columns:
        names += [BETTER] if column == RANKING else [f"{column} 1", f"{column} 2"]
    return (*names, ANNOTATOR, "comment")


def sheet_bytes(sheet: AnnotationSheet, kind: Kind) -> bytes:
    """Return a sheet as a file: CSV or TSV (UTF-8 with a byte order mark, which Excel needs), or XLSX.

    No cell can run as a formula; reading gives every text back.
    """
    if kind == "xlsx":
        return _xlsx(sheet)
    if kind not in KINDS:
        raise ValueError(f"A sheet is written as {', '.join(KINDS)}; not {kind!r}.")
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter="\t" if kind == "tsv" else ",", lineterminator="\r\n")
    writer.writerow(sheet.header)
    writer.writerows([guarded(cell) for cell in row] for row in sheet.rows)
    return stream.getvalue().encode("utf-8-sig", "backslashreplace")


def _xlsx(sheet: AnnotationSheet) -> bytes:
    try:
        from openpyxl import Workbook
        from openpyxl.styles import Alignment, Font
    except ImportError as error:
        raise ValueError(
            'XLSX files need the package openpyxl: pip install "mtsig[sheets]", or ask for a CSV file.'
        ) from error

    book = Workbook()
    page = book.active
    page.title = "annotation"
    bold, wrapped = Font(bold=True), Alignment(wrap_text=True, vertical="top")
    for i, row in enumerate((sheet.header, *sheet.rows), 1):
        for j, text in enumerate(row, 1):
            if not text:
                continue
            cell = page.cell(i, j)
            if i == 1:
                cell.value, cell.font = text, bold
            elif sheet.header[j - 1] == "segment":
                cell.value = int(text)
            else:
                _put_text(cell, text)
            cell.alignment = wrapped
    page.freeze_panes = page.cell(2, 2)
    for j, name in enumerate(sheet.header):
        width = next((w for start, w in _WIDTHS.items() if name.startswith(start)), 40 if "reference" in name else 12)
        page.column_dimensions[page.cell(1, j + 1).column_letter].width = width
    _add_rules(page, sheet)
    told = book.create_sheet("instructions")
    told.column_dimensions["A"].width = 110
    for i, line in enumerate(sheet.instructions, 1):
        _put_text(told.cell(i, 1), line)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _put_text(cell: Any, text: str) -> None:
    """Put text into a cell as text, whatever it begins with; editing it later makes no formula of it either."""
    cell.value = _CONTROL.sub("\ufffd", text)
    cell.data_type = "s"
    cell.quotePrefix = True


def _add_rules(page: Any, sheet: AnnotationSheet) -> None:
    """Let the spreadsheet refuse what reading would refuse."""
    from openpyxl.worksheet.datavalidation import DataValidation

    low, high = sheet.key.asked.scale
    for j, name in enumerate(sheet.header, 1):
        letter = page.cell(1, j).column_letter
        if name == BETTER:
            rule = DataValidation(type="list", formula1='"1,2,0"', allow_blank=True)
            rule.error = "1 or 2: the better output; 0: neither"
        elif name.rsplit(" ", 1)[0] in sheet.key.asked.columns and not name.startswith(ERRORS):
            rule = DataValidation(type="decimal", operator="between", formula1=f"{low:g}", formula2=f"{high:g}",
                                  allow_blank=True)  # fmt: skip
            rule.error = f"A number from {low:g} to {high:g}"
        else:
            continue
        rule.showErrorMessage = True
        page.add_data_validation(rule)
        rule.add(f"{letter}2:{letter}{len(sheet.rows) + 1}")
