"""Filled sheets, changed as spreadsheets change them, are read back; keys, too."""

from __future__ import annotations

import csv
import io
import random
from contextlib import suppress
from dataclasses import replace

import numpy as np
import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_core.analysis.reading.sheets import AnnotationSheet, annotation_sheet, to_fill
from mtsig_core.loading import LoadError
from mtsig_core.loading.judgements.find import read_judgement_table
from mtsig_core.loading.judgements.sheets.annotation_key import ERROR_TYPES, Asked, key_csv, read_key
from mtsig_core.loading.judgements.sheets.annotation_sheets import read_sheets
from mtsig_core.reports.files.annotation_sheets import sheet_bytes
from tests.reports.files.sheets import NASTY, A, B, as_csv, filled, said, sheet_of, table_of

# What is read back


def test_sides_are_told_apart_by_the_key_alone():
    sheet = sheet_of(n=2)
    rows = filled(sheet, {(i, name): value for i in (0, 1) for name, value in
                          {"adequacy 1": "5", "adequacy 2": "2", "better": "1", "errors 2": "Omission; omission, other"
                           }.items()})  # fmt: skip
    found = read_sheets([("s.csv", as_csv(rows))], read_key("key.csv", key_csv(sheet.key)))
    for item in sheet.key.items:
        first, second = (A, B) if item.a_is_first else (B, A)
        own = found.frame[found.frame["segment"] == item.segment]
        one = {(j.system, j.replica, j.dimension): j.score for j in own.itertuples()}
        assert one[*first, "adequacy"] == 5
        assert one[*second, "adequacy"] == 2
        assert (one[*first, "ranking"], one[*second, "ranking"]) == (1, 0)
        assert (one[*first, "errors"], one[*second, "errors"]) == (0, 3)
        assert (one[*second, "error: omission"], one[*second, "error: other"]) == (2, 1)
        assert np.isnan(one[*first, "fluency"])
    assert found.higher_is_better["adequacy"]
    assert not found.higher_is_better["errors"]


CELLS = {
    "adequacy": st.sampled_from(["", "1", "2.5", "3", "4.25", "5"]),
    "better": st.sampled_from(["", "1", "2", "0", "tie"]),
    "errors": st.lists(st.sampled_from(ERROR_TYPES), max_size=3).map(", ".join),
    "annotator": st.sampled_from(["Ann", "Bob"]),
    "comment": st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=12),
}


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(data=st.data(), delimiter=st.sampled_from(",;\t|"), comma=st.booleans(), seed=st.integers(0, 99),
       encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]), newline=st.sampled_from(["\n", "\r\n"]))  # fmt: skip
def test_what_spreadsheets_do_to_a_sheet_changes_no_judgement(data, delimiter, comma, seed, encoding, newline):
    outputs = data.draw(st.lists(st.sampled_from(NASTY), min_size=3, max_size=8))
    sheet = annotation_sheet(table_of(outputs, [f"{x} b" for x in outputs]), range(1, len(outputs) + 1), Asked(),
                             seed=seed)  # fmt: skip
    names = to_fill(sheet.key.asked)
    values = {}
    for i in range(len(outputs)):
        for name in names:
            values[i, name] = data.draw(CELLS[name.split(" ")[0].replace("fluency", "adequacy")])
    values[0, "better"] = "1"  # a sheet that says nothing is an error
    rows = filled(sheet, values)
    plain = read_sheets([("s.csv", as_csv(rows))], sheet.key)

    random.Random(seed).shuffle(body := rows[1:])
    places = [sheet.header.index(name) for name in names if name.split(" ")[0] in ("adequacy", "fluency")]
    changed = [[cell.replace(".", ",") if comma and j in places else cell for j, cell in enumerate(row)]
               for row in body]  # fmt: skip
    changed = [[*row[:-1], f"{row[-1]}  ", "", ""] for row in changed]
    empty = [""] * len(changed[0])
    changed = [empty, [*sheet.header[:-1], " Comment ", "", ""], *changed[:1], empty, *changed[1:], empty]
    saved = as_csv(changed, delimiter=delimiter, encoding=encoding, newline=newline)
    again = read_sheets([("s.csv", saved)], sheet.key)
    assert said(again) == said(plain)
    assert len(said(plain)) > 0


def test_xlsx_that_a_spreadsheet_saved_is_read_with_moved_columns_and_numbers():
    sheet = sheet_of(n=3)
    book = openpyxl.load_workbook(io.BytesIO(sheet_bytes(sheet, "xlsx")))
    page = book["annotation"]
    column = {cell.value: cell.column for cell in page[1]}
    values = {}
    for i, (rating, better) in enumerate([(4, 1), (2.5, 2), ("3,5", 0)]):
        page.cell(i + 2, column["adequacy 1"]).value = rating
        page.cell(i + 2, column["adequacy 2"]).value = 1
        page.cell(i + 2, column["better"]).value = better
        values |= {(i, "adequacy 1"): str(rating), (i, "adequacy 2"): "1", (i, "better"): str(better)}
    page.insert_cols(2)
    page.insert_rows(1)
    book.move_sheet("instructions", -1)
    stream = io.BytesIO()
    book.save(stream)
    found = read_sheets([("s.xlsx", stream.getvalue())], sheet.key)
    assert said(found) == said(read_sheets([("s.csv", as_csv(filled(sheet, values)))], sheet.key))
    assert "s.xlsx: decimal commas were read as decimal points." in found.notes


def test_an_excel_with_sep_line_and_a_text_it_took_for_a_number_is_read_and_told():
    table = table_of(["007", "x"], ["1-2", "y"])
    sheet = annotation_sheet(table, [1, 2], Asked(("ranking",)), seed=1)
    taken = {"007": "7", "1-2": "02. Jan"}
    rows = [[taken.get(cell, cell) for cell in row] for row in filled(sheet, {(0, "better"): "1"})]
    found = read_sheets([("s.csv", b"sep=;\r\n" + as_csv(rows, delimiter=";"))], sheet.key)
    assert len(said(found)) == 2
    assert any("1 row differ from what was written" in note for note in found.notes)
    assert any("1 of 2 segments of the sheet were judged" in note for note in found.notes)


def test_csv_in_the_code_page_of_windows_is_read_and_told():
    table = table_of(["für", "漢字"], ["x", "y"])
    sheet = annotation_sheet(table, [1, 2], Asked(("ranking", "adequacy")), seed=1)
    rows = filled(sheet, {(0, "better"): "1", (0, "annotator"): "Jürgen", (1, "adequacy 1"): "2,5",
                          (1, "adequacy 2"): "3"})  # fmt: skip
    stream = io.StringIO()
    csv.writer(stream, delimiter=";").writerows(rows)
    found = read_sheets([("s.csv", stream.getvalue().encode("cp1252", "replace"))], sheet.key)
    assert found.annotators == ("Jürgen",)
    assert sorted(found.frame.query("dimension == 'adequacy'")["score"].dropna()) == [2.5, 3]
    assert found.notes[0] == "s.csv: not UTF-8; read as Windows-1252, in which Excel saves CSV."
    assert any("1 row differ" in note for note in found.notes)  # what the code page lacks became ?


def test_several_annotators_are_named_by_column_or_file():
    sheet = sheet_of(Asked(("ranking",)), n=2)
    own = as_csv(filled(sheet, {(0, "better"): "1", (0, "annotator"): "Ann", (1, "better"): "2"}))
    found = read_sheets([("Bob.csv", own), ("dir/Cid.csv", own.replace(b"Ann", b""))], sheet.key)
    who = set(zip(found.frame["annotator"], found.frame["segment"], strict=True))
    assert who == {("Ann", "1"), ("Bob", "2"), ("Cid", "1"), ("Cid", "2")}
    alone = read_sheets([("Bob.csv", own.replace(b"Ann", b""))], sheet.key)
    assert alone.annotators == ()


# Errors name file, row and remedy


def refused(data: bytes, key, name: str = "s.csv") -> str:
    with pytest.raises(LoadError) as error:
        read_sheets([(name, data)], key)
    assert error.value.file == name
    assert str(error.value).startswith(name)
    return str(error.value)


def changed(column: str, value: str, row: int = 0, asked: Asked | None = None) -> tuple[str, AnnotationSheet]:
    sheet = sheet_of(asked)
    rows = filled(sheet, {(1, "better"): "1"})
    rows[row + 1][sheet.header.index(column)] = value
    return refused(as_csv(rows), sheet.key), sheet


@pytest.mark.parametrize(
    ("column", "value", "told"),
    [
        ("adequacy 1", "6", "expected a number from 1 to 5, or nothing; found '6'. Correct it"),
        ("adequacy 1", "0,5", "found '0,5'"),
        ("fluency 2", "good", "found 'good'"),
        ("fluency 2", "nan", "found 'nan'"),
        ("adequacy 2", "2026-05-01 00:00:00", "Format the cell as text and type the number again"),
        ("better", "3", "expected 1, 2, or 0 for a tie; found '3'"),
        ("errors 1", "omission, spelling", "no type of error 'spelling'; there are mistranslation, omission"),
        ("item", "", "column 'item': is empty"),
        ("item", "xyz", "the sheet has no item 'xyz'"),
    ],
)
def test_a_wrong_cell_is_named_with_row_and_column(column, value, told):
    message, _ = changed(column, value)
    assert message.startswith("s.csv, row 2")
    assert repr(column) in message
    assert told in message


def test_an_item_of_another_sheet_asks_for_its_key():
    other = sheet_of(seed=9).key.items[0].item
    message, sheet = changed("item", other)
    assert f"{other!r} is of sheet {other[:8]}, but the key (key.csv) is that of sheet {sheet.key.sheet}" in message
    message, _ = changed("item", f"{sheet.key.sheet}-099")
    assert "they run from" in message


def test_a_row_judged_twice_names_both_rows():
    sheet = sheet_of()
    rows = filled(sheet, {(0, "better"): "1"})
    message = refused(as_csv([*rows, rows[1]]), sheet.key)
    assert message.startswith("s.csv, row 10: item")
    assert "it was in s.csv, row 2. Keep one" in message
    blank = filled(sheet, {})[1]
    assert said(read_sheets([("s.csv", as_csv([*rows, blank]))], sheet.key))  # an empty copy says nothing


def test_two_sheets_of_one_name_or_one_persons_sheet_given_twice_are_refused():
    sheet = sheet_of()
    data = as_csv(filled(sheet, {(0, "better"): "1"}))
    with pytest.raises(LoadError, match=r"^Ann.csv: two sheets have this name"):
        read_sheets([("Ann.csv", data), ("Ann.csv", data)], sheet.key)
    told = r"^b/Ann.csv, row 2: item .* is judged again by 'Ann'; it was in a/Ann.csv, row 2"
    with pytest.raises(LoadError, match=told):
        read_sheets([("a/Ann.csv", data), ("b/Ann.csv", data)], sheet.key)


def test_columns_sorted_apart_and_sides_turned_are_found():
    sheet = sheet_of()
    rows = filled(sheet, {(0, "better"): "1"})
    for i in map(sheet.header.index, ("output 1", "output 2")):
        rows[1][i], rows[2][i] = rows[2][i], rows[1][i]
    message = refused(as_csv(rows), sheet.key)
    assert message.startswith(f"s.csv, row 2: its outputs are those of item {sheet.key.items[1].item!r}")
    rows = filled(sheet, {(0, "better"): "1"})
    first, second = map(sheet.header.index, ("output 1", "output 2"))
    rows[1][first], rows[1][second] = rows[1][second], rows[1][first]
    assert "outputs 1 and 2 are swapped" in refused(as_csv(rows), sheet.key)


def test_lost_or_doubled_columns_a_cell_outside_and_an_empty_sheet_are_told():
    sheet = sheet_of()
    rows = filled(sheet, {(0, "better"): "1"})
    place = sheet.header.index("fluency 2")
    assert "lacks the column 'fluency 2'" in refused(as_csv([r[:place] + r[place + 1 :] for r in rows]), sheet.key)
    twice = [[*rows[0][:-1], "fluency 2"], *rows[1:]]
    assert "row 1: two columns are called 'fluency 2'" in refused(as_csv(twice), sheet.key)
    assert "row 2: holds 'stray' in column P" in refused(as_csv([rows[0], [*rows[1], "", "stray"]]), sheet.key)
    assert "no row is filled in" in refused(sheet_bytes(sheet, "csv"), sheet.key)
    told = "no row names the columns 'item', 'output 1', 'output 2'; it begins with 'Dear'"
    assert told in refused(b"Dear,", sheet.key)
    assert "is empty" in refused(b"\n", sheet.key)
    assert "not readable as XLSX" in refused(b"PK\x03\x04 cut", sheet.key)


def test_a_sheet_without_its_key_asks_for_it():
    with pytest.raises(LoadError, match="is an annotation sheet, .* Give its key"):
        read_judgement_table("s.csv", sheet_bytes(sheet_of(), "csv"))


# Keys


@settings(max_examples=20, deadline=None)
@given(names=st.lists(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=8), min_size=3,
                      max_size=3, unique=True), delimiter=st.sampled_from(",;\t"), seed=st.integers(0, 99))  # fmt: skip
def test_a_key_comes_back_whatever_names_are_in_it(names, delimiter, seed):
    a, b = (names[0], names[1]), (names[1], names[2])
    table = table_of(["a", "b", "c"], ["d", "e", "f"])
    table = replace(table, scope=replace(table.scope, test_set=names[2]), a=a, b=b)
    key = annotation_sheet(table, [1, 3], Asked(scale=(-1.5, 100), errors=("x", "y z")), seed=seed, drawn=names[0]).key
    rows = list(csv.reader(io.StringIO(key_csv(key).decode("utf-8-sig"))))
    assert read_key("k.csv", as_csv([rows[0], *rows[:0:-1]], delimiter=delimiter)) == key


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("seed1", "seed7", "was changed after it was written"),
        (",1,", ",9,", "column 'baseline is': expected 1 or 2|was changed after"),
        ("ranking", "wishes", "column 'asked': not readable"),
        ("baseline is", "base", "is not the key of an annotation sheet"),
    ],
)
def test_a_key_that_was_changed_is_refused(old, new, told):
    text = key_csv(sheet_of().key).decode("utf-8-sig")
    with pytest.raises(LoadError, match=f"^k.csv.*({told})"):
        read_key("k.csv", text.replace(old, new).encode())


def test_a_key_of_two_sheets_is_refused():
    one, other = (key_csv(sheet_of(seed=s).key).decode("utf-8-sig").splitlines() for s in (1, 2))
    with pytest.raises(LoadError, match="a key belongs to one sheet"):
        read_key("k.csv", "\n".join([*one, *other[1:]]).encode())


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"columns": ()}, "at least one of them"),
        ({"columns": ("style",)}, "not 'style'"),
        ({"scale": (5, 1)}, "best must be above the worst"),
        ({"errors": ()}, "each once"),
        ({"errors": ("a", "A")}, "each once"),
        ({"errors": ("a, b",)}, "without comma"),
    ],
)
def test_what_cannot_be_asked_is_refused(options, told):
    with pytest.raises(ValueError, match=told):
        Asked(**options)


@pytest.mark.slow
def test_damaged_files_are_refused_with_a_message_and_nothing_else():
    rng = random.Random(5)
    sheet = sheet_of()
    files = {kind: sheet_bytes(sheet, kind) for kind in ("csv", "xlsx")} | {"key": key_csv(sheet.key)}
    for _ in range(60):
        for kind, data in files.items():
            place = rng.randrange(len(data))
            damaged = data[:place] + bytes(rng.randrange(256) for _ in range(4)) + data[place + rng.randrange(30) :]
            with suppress(LoadError):
                read_key("k.csv", damaged) if kind == "key" else read_sheets([(f"s.{kind}", damaged)], sheet.key)


@pytest.mark.slow
def test_a_lone_cell_far_below_changes_nothing():
    sheet = sheet_of(Asked(("ranking",)))
    book = openpyxl.load_workbook(io.BytesIO(sheet_bytes(sheet, "xlsx")))
    page = book["annotation"]
    page.cell(2, sheet.header.index("better") + 1).value = 2
    page.cell(30_000, 2).value = " "
    stream = io.BytesIO()
    book.save(stream)
    assert len(said(read_sheets([("s.xlsx", stream.getvalue())], sheet.key))) == 2
