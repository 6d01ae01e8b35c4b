"""What stands in a sheet, and that nothing in it gives a system away or runs."""

from __future__ import annotations

import csv
import io

import openpyxl
import pytest

from mtsig_core.analysis.reading.sheets import annotation_sheet
from mtsig_core.loading.judgements.sheets.annotation_key import Asked, key_csv
from mtsig_core.loading.judgements.sheets.annotation_sheets import read_sheets
from mtsig_core.loading.text.spreadsheets import read_cells
from mtsig_core.reports.files.annotation_sheets import sheet_bytes
from tests.reports.files.sheets import NASTY, sheet_of, table_of

# What is written


def test_the_same_seed_gives_the_same_bytes_and_another_seed_other_sides():
    one, again, other = sheet_of(seed=3), sheet_of(seed=3), sheet_of(seed=4)
    assert sheet_bytes(one, "csv") == sheet_bytes(again, "csv")
    assert key_csv(one.key) == key_csv(again.key)
    assert [i.a_is_first for i in one.key.items] != [i.a_is_first for i in other.key.items]
    assert one.key.sheet != other.key.sheet


@pytest.mark.parametrize("n", [1, 7, 8])
def test_each_output_stands_first_in_half_of_the_rows(n):
    first = sum(i.a_is_first for i in sheet_of(n=n).key.items)
    assert first in (n // 2, n - n // 2)


def test_no_name_of_a_system_or_replica_is_in_the_sheet():
    sheet = sheet_of()
    text = sheet_bytes(sheet, "csv").decode() + "\n".join(sheet.instructions)
    assert not any(name in text for name in ("plain", "=better", "seed1", "seed2"))
    book = openpyxl.load_workbook(io.BytesIO(sheet_bytes(sheet, "xlsx")))
    cells = "\n".join(str(c.value) for page in book for row in page.iter_rows() for c in row)
    assert not any(name in cells for name in ("plain", "=better", "seed1", "seed2"))


def test_source_and_every_reference_are_shown():
    table = table_of(["a", "b"], ["c", "d"], source=("s 1", "s 2"), references=(("r 1", "r 2"), ("r 3",)))
    sheet = annotation_sheet(table, [2, 1], Asked(("ranking",)), seed=1)
    assert sheet.header[:7] == ("item", "segment", "source", "reference 1", "reference 2", "output 1", "output 2")
    assert [row[1:5] for row in sheet.rows] == [("1", "s 1", "r 1", "r 2"), ("2", "s 2", "r 3", "")]


@pytest.mark.parametrize("kind", ["csv", "tsv", "xlsx"])
def test_no_text_runs_as_a_formula_and_every_text_comes_back(kind):
    table = table_of(NASTY, NASTY[::-1], references=tuple((text,) for text in NASTY))
    sheet = annotation_sheet(table, range(1, len(NASTY) + 1), Asked(), seed=1)
    data = sheet_bytes(sheet, kind)
    if kind == "xlsx":
        page = openpyxl.load_workbook(io.BytesIO(data))["annotation"]
        assert not any(cell.data_type == "f" for row in page.iter_rows() for cell in row)
        assert all(cell.quotePrefix for row in page.iter_rows(min_row=2, min_col=3) for cell in row if cell.value)
    else:
        for line in csv.reader(io.StringIO(data.decode("utf-8-sig")), delimiter="\t" if kind == "tsv" else ","):
            assert not any(cell.startswith(("=", "+", "-", "@", "\t", "＝")) for cell in line)
    cells = read_cells(f"s.{kind}", data, ("item",), what="a sheet")
    shown = [[cells.text(cell) for cell in row][2:5] for _, row in cells.rows]
    assert shown == [list(row[2:5]) for row in sheet.rows]


def test_a_spreadsheet_refuses_what_reading_would_refuse():
    page = openpyxl.load_workbook(io.BytesIO(sheet_bytes(sheet_of(), "xlsx")))["annotation"]
    every = page.data_validations.dataValidation
    rules = {str(rule.sqref): (rule.type, rule.formula1, rule.formula2) for rule in every}
    names = [cell.value for cell in page[1]]
    letter = page.cell(1, names.index("better") + 1).column_letter
    assert rules[f"{letter}2:{letter}9"][:2] == ("list", '"1,2,0"')
    letter = page.cell(1, names.index("fluency 2") + 1).column_letter
    assert rules[f"{letter}2:{letter}9"] == ("decimal", "1", "5")
    assert len(rules) == 5


def test_control_characters_do_not_stop_a_spreadsheet():
    table = table_of(["bell \x07 and \x0b"], ["b"])
    sheet = annotation_sheet(table, [1], Asked(("ranking",)), seed=1)
    data = sheet_bytes(sheet, "xlsx")
    book = openpyxl.load_workbook(io.BytesIO(data))
    book["annotation"].cell(2, sheet.header.index("better") + 1).value = 1
    stream = io.BytesIO()
    book.save(stream)
    assert read_sheets([("s.xlsx", stream.getvalue())], sheet.key).notes == ()


@pytest.mark.parametrize(("segments", "told"), [([], "none was chosen"), ([9], "segment 9 is not among them")])
def test_segments_that_are_not_there_are_refused(segments, told):
    with pytest.raises(ValueError, match=told):
        annotation_sheet(table_of(["a"] * 8, ["b"] * 8), segments, Asked(), seed=1)
