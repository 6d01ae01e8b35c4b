import csv
import dataclasses
import io
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtsig_core.analysis.replicas.by_n import ByNDesign, by_n
from mtsig_core.reports.tables import (
    by_n_frame,
    readable,
    table1_best,
    table1_frame,
    to_csv,
    to_latex,
    to_markdown,
)

_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))


@pytest.mark.parametrize("model", ["normal", "redraw"])
def test_no_chance_of_a_wrong_sign_is_printed_as_0(model):
    found = by_n([1.0, 1.1, 1.3], [9.0, 9.1, 9.4], ByNDesign(ns=(1, 50), draws=500, model=model))
    floor = "< 0.01%" if model == "normal" else "< 0.2%"
    assert by_n_frame(found)["P(wrong sign)"].tolist() == [floor, floor]


@pytest.mark.slow
def test_differences_by_n_have_the_decimals_of_the_smallest_spread():
    frame = by_n_frame(by_n([25.1, 25.4, 25.2], [25.6, 25.9, 25.5], ByNDesign(ns=(1, 5))))
    texts = frame.drop(columns=["replicas", "P(wrong sign)", "its range, new replicas"]).to_numpy().ravel()
    assert {len(text.split(".")[1]) for text in texts} == {3}  # 0.078 with five replicas


def _read(text):
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.slow
@given(st.lists(st.tuples(_TEXT, st.floats(allow_nan=False, allow_infinity=False), st.integers())))
def test_csv_comes_back_as_it_went(rows):
    frame = pd.DataFrame(rows, columns=["text", "float", "int"])
    head, *body = _read(to_csv(frame))
    assert head == ["text", "float", "int"]
    for (text, real, whole), cells in zip(rows, body, strict=True):
        assert cells[0] in (text, f"'{text}")
        assert float(cells[1]) == real
        assert int(cells[2]) == whole


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "＝"])
def test_text_that_a_spreadsheet_would_run_gets_an_apostrophe(start):
    text = f"{start}cmd|' /C calc'!A0"
    frame = pd.DataFrame({text: [text], "number": [-1.5]})
    head, row = _read(to_csv(frame))
    assert head[0] == row[0] == f"'{text}"
    assert row[1] == "-1.5"


def test_csv_leaves_undefined_cells_empty_and_keeps_integers_whole():
    columns = {"n": [1, 2], "x": [math.nan, 0.1], "y": [None, "a"], "z": [math.inf, 1.0], "b": [True, False]}
    frame = pd.DataFrame(columns)
    assert _read(to_csv(frame))[1:] == [["1", "", "", "", "True"], ["2", "0.1", "a", "1.0", "False"]]


def test_csv_keeps_full_precision_of_numpy_numbers():
    frame = pd.DataFrame({"x": np.array([0.1 + 0.2]), "o": pd.Series([np.float64(1 / 3)], dtype=object)})
    assert _read(to_csv(frame))[1] == [repr(0.1 + 0.2), repr(1 / 3)]


def test_csv_can_always_be_written_as_utf8():
    to_csv(pd.DataFrame({"x": ["\udc80 undecodable \x00"]}, dtype=object)).encode("utf-8")


def test_two_columns_of_one_name_both_survive():
    frame = pd.DataFrame([[1, 2]], columns=["s", "s"])
    assert _read(to_csv(frame)) == [["s", "s"], ["1", "2"]]
    assert "1 & 2" in to_latex(frame)


def test_markdown_aligns_numbers_and_escapes_text():
    frame = pd.DataFrame({"a|b": ["<b>_x_</b>\ny", "*"], "p": [0.0312, None]})
    assert to_markdown(frame) == (
        "| a\\|b | p |\n| --- | ---: |\n| \\<b\\>\\_x\\_\\</b\\> y | 0.031 |\n| \\* | — |\n"
    )


def test_digits_suit_the_smallest_number_or_are_given():
    frame = pd.DataFrame({"p": [0.0312, 0.5], "avg": [48.444, 3.0]})
    assert "| 0.031 | 48.44 |" in to_markdown(frame)
    assert "| 0.03 | 48.4 |" in to_markdown(frame, digits={"p": 2, "avg": 1})


def test_table1_is_printed_as_in_the_paper(table):
    frame = table1_frame(table, digits=1)
    assert list(frame.columns) == ["metric", "system", "n", "avg", "s_sel", "s_dev", "s_test"]
    assert frame.iloc[0].tolist() == ["BLEU ↑", "A", 3, "48.4", "1.2", "0.2", "0.3"]
    assert frame.iloc[3].tolist() == ["TER ↓", "B", 3, "58.7", "1.2", "—", "—"]


def test_table1_names_test_sets_only_where_there_are_several(table):
    other = dataclasses.replace(table.rows[0], scope=dataclasses.replace(table.rows[0].scope, test_set="second"))
    both = dataclasses.replace(table, rows=(*table.rows, other))
    assert table1_frame(both)["test set"].tolist() == ["test"] * 4 + ["second"]


def test_table1_of_nothing_has_its_columns(table):
    assert list(table1_frame(dataclasses.replace(table, rows=())).columns)[0] == "metric"


def test_best_is_highest_or_lowest_by_metric(table):
    assert table1_best(table)["avg"].tolist() == [False, True, False, True]
    text = to_latex(table1_frame(table), bold=table1_best(table))
    assert r"\textbf{49.91}" in text
    assert r"\textbf{58.70}" in text
    assert r"BLEU $\uparrow$ & A & 3 & 48.44 & 1.23 & 0.20 & 0.35 \\" in text
    assert r"\begin{tabular}{llrrrrr}" in text


def test_a_column_of_dashes_only_is_aligned_like_its_neighbours():
    assert r"\begin{tabular}{lrr}" in to_latex(pd.DataFrame({"system": ["A"], "s_dev": ["—"], "avg": ["1.00"]}))


def test_a_screen_shows_few_decimals_no_zero_share_and_dashes():
    frame = pd.DataFrame({
        "n": [1, 50], "mean": [25.7009753, -16.5], "P(wrong sign)": [0.2, 3e-40], "mid": [None, float("nan")],
    })
    shown = readable(frame, shares=("P(wrong sign)",))
    assert shown["n"].tolist() == ["1", "50"]
    assert shown["mean"].tolist() == ["25.70", "−16.50"]
    assert shown["P(wrong sign)"].tolist() == ["20%", "< 0.01%"]
    assert shown["mid"].tolist() == ["—", "—"]


def test_columns_in_one_unit_have_the_same_decimals():
    frame = pd.DataFrame({"score": [60.641, 37.7], "sd": [1.6216, 1.5]})
    assert readable(frame)["sd"].tolist() == ["1.6216", "1.5000"]
    assert readable(frame, same_decimals=("score", "sd"))["sd"].tolist() == ["1.62", "1.50"]


def test_counts_have_a_comma_and_what_names_an_item_has_none():
    shown = readable(pd.DataFrame({"pairs": [4480], "segment": [1500], "seed": [12345], "gain": [1234.5]}))
    assert shown.iloc[0].tolist() == ["4,480", "1500", "12345", "1234.50"]
