"""Annotation sheets as files: CSV, TSV and XLSX."""

from __future__ import annotations

import csv
import io
import re
from typing import Any, Literal

from mtsig_core.analysis.reading.sheets import AnnotationSheet
from mtsig_core.loading.judgements.sheets.annotation_key import ERRORS
from mtsig_core.loading.judgements.sheets.sheet_columns import BETTER, ITEM
from mtsig_core.loading.text.spreadsheets import guarded

Kind = Literal["csv", "tsv", "xlsx"]
KINDS: tuple[Kind, ...] = ("csv", "tsv", "xlsx")
#: What XML, and so XLSX, cannot hold.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_WIDTHS = {"source": 40, "output 1": 45, "output 2": 45, "comment": 30, ITEM: 14, ERRORS: 18}


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
    instructions = book.create_sheet("instructions")
    instructions.column_dimensions["A"].width = 110
    for i, line in enumerate(sheet.instructions, 1):
        _put_text(instructions.cell(i, 1), line)
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
