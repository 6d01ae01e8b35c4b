"""Tables as people save them: quotes, documents, control rows, sheets, packed and of hostile size."""

from __future__ import annotations

import csv
import io
import json

import openpyxl
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtsig_core.loading import LoadError, load
from mtsig_core.loading.scores.grids import LONGEST_CELL, delimited

HEADER = ("system", "replica", "segment", "target", "comet")
CELLS = st.text(st.characters(exclude_characters="\r\n\x00", exclude_categories=["Cs"]), max_size=6)


def table_of(*rows: str, name: str = "s.tsv"):
    return load([(name, "\n".join(rows).encode() + b"\n")], cache=False)


def scores_of(experiment, metric: str):
    return {s.name: s.replicas[0].scores["test"][metric] for s in experiment.systems}


def test_quotes_are_literal_in_tab_separated_rows():
    rows = [
        "system\treplica\tsegment\ttarget\tcomet",
        'a\t1\t1\t"open\t0.1',
        'a\t1\t2\tends"\t0.2',
        'a\t1\t3\t"x ""y"" z"\t0.3',
    ]
    assert scores_of(table_of(*rows)[0], "comet") == {"a": (0.1, 0.2, 0.3)}


@pytest.mark.parametrize(("ending", "sign"), [("csv", ","), ("csv", ";"), ("tsv", "\t")])
def test_a_quote_that_swallows_rows_is_refused_with_its_line(ending, sign):
    rows = [list(HEADER), ["a", "1", "1", "x", "0.1"], ["a", "1", "2", '"x', "0.2"], ["a", "1", "3", "x", "0.3"]]
    if sign == "\t":
        rows[2] = ["a", "1", "2", '"x']  # a cell is missing, so that the quote is no text
    with pytest.raises(LoadError, match=r"line 3: a quote opens here"):
        table_of(*map(sign.join, rows), name=f"s.{ending}")


def test_a_cell_may_hold_a_line_end_in_quotes():
    rows = ["system,replica,segment,target,comet", 'a,1,1,"two', 'lines",0.1', "a,1,2,x,oops", "a,1,3,x,1"]
    with pytest.raises(LoadError, match=r"line 4, column 'comet'"):
        table_of(*rows, name="s.csv")
    assert scores_of(table_of(*rows[:3], name="s.csv")[0], "comet") == {"a": (0.1,)}


@pytest.mark.slow
@given(st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=5), st.sampled_from([",", ";"]))
def test_whatever_the_csv_module_writes_is_read_back(rows, sign):
    rows = [["system", "segment", "score"], *rows]
    stream = io.StringIO()
    csv.writer(stream, delimiter=sign, lineterminator="\n").writerows(rows)
    table = delimited(stream.getvalue().split("\n")[:-1], "s.csv")
    assert [cells for _, cells in table.rows] == [row for row in rows[1:] if any(cell.strip() for cell in row)]


def test_ids_that_start_again_in_every_document():
    rows = [f"{s},1,d{d},{i},{d % 2}" for s in "ab" for d in range(3) for i in (1, 2)]
    experiment, report = table_of("system,replica,doc_id,seg_id,score", *rows, name="s.csv")
    test_set = experiment.test_sets[0]
    assert test_set.n_segments == 6
    assert test_set.documents == ("d0", "d0", "d1", "d1", "d2", "d2")
    assert scores_of(experiment, "score")["a"] == (0, 0, 1, 1, 0, 0)
    assert report.with_code("ids-within-documents")
    unique = [f"a,1,d{i // 2},{i},0.{i}" for i in range(6)]
    assert not table_of("system,replica,doc_id,seg_id,score", *unique, name="s.csv")[1].with_code(
        "ids-within-documents"
    )


def test_ids_within_documents_beside_text_are_in_the_order_of_the_file():
    text = b"".join(b"line %d of text\n" % i for i in range(4))
    rows = "system,replica,doc,seg,comet\n" + "".join(f"x,1,{d},{i},0.{k}\n" for k, (d, i) in enumerate(
        [("zoo", 1), ("zoo", 2), ("ant", 1), ("ant", 2)]))  # fmt: skip
    files = {"refs/r.txt": text, "systems/x/1.txt": text, "scores/s.csv": rows.encode()}
    experiment, report = load(files.items(), cache=False)
    assert scores_of(experiment, "comet")["x"] == (0.0, 0.1, 0.2, 0.3)
    assert "order of this file" in report.with_code("segment-order")[0].message


@pytest.mark.parametrize("kind", ["BAD", "REF", "tutorial", "CHK", "BAD.1"])
def test_control_rows_are_left_out_and_counted(kind):
    rows = ["a,1,0.5,TGT", "a,2,0.25,TGT", f"a,2,0.0,{kind}", f"a,3,0.0,{kind}"]
    experiment, report = table_of("system,segment,esa,type", *rows, name="s.csv")
    assert scores_of(experiment, "esa") == {"a": (0.5, 0.25)}
    assert "2 control rows" in report.with_code("control-rows")[0].message


@pytest.mark.parametrize(("path", "metric"), [
    ("comet.csv", "COMET"), ("my-bleurt-20.csv", "my-bleurt-20"), ("scores/fancy.csv", "fancy"),
    ("scores.csv", "score"),
    ("results/all.csv", "score"), ("table.csv", "score"),
])  # fmt: skip
def test_a_column_called_score_gets_the_name_of_its_file(path, metric):
    experiment, _ = load([(path, b"system,replica,segment,score\na,1,1,0.5\na,1,2,0.6\n")], cache=False)
    assert list(experiment.outside_metrics) == [metric]


def workbook(sheets: dict[str, list[list]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


@pytest.mark.slow
def test_sheets_of_a_workbook():
    rows = [["system", "seed", "segment", "score"], *(["a", k, i, i / 4 + k] for k in (1, 2) for i in range(3))]
    data = workbook({"notes": [["made by me"]], "COMET": [["a title"], [], *rows], "TER": rows})
    for files in ([("s.xlsx", data)], [("scores/s.xlsx", data), ("readme.md", b"x")]):
        experiment, _ = load(files, cache=False)
        assert dict(experiment.outside_metrics) == {"COMET": True, "TER": False}
        assert experiment.systems[0].replicas[1].scores["test"]["COMET"] == (2.0, 2.25, 2.5)


def parquet(**columns) -> bytes:
    stream = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), stream)
    return stream.getvalue()


def test_parquet_with_text_that_repeats():
    data = parquet(system=["a", "b"] * 3, replica=[1] * 6, segment=["1", "1", "2", "2", "3", "3"],
                   score=[0.5] * 5 + [None], text=["x" * 500_000] * 6)  # fmt: skip
    experiment, _ = load([("s.parquet", data)], cache=False)
    assert scores_of(experiment, "score") == {"a": (0.5, 0.5, 0.5), "b": (0.5, 0.5, None)}


LONG = "x" * (LONGEST_CELL + 1)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "data", "words"), [
    ("s.parquet", parquet(system=[LONG] * 40, replica=[1] * 40, segment=list(range(40)), score=[0.5] * 40), "131,072"),
    ("s.parquet", parquet(system=["a"], replica=[1], segment=[1], score=[[0.5]]), "column 'score': holds list"),
    ("s.parquet", parquet(system=["a"] * 600_000, replica=[1] * 600_000, segment=[1] * 600_000, score=[1.0] * 600_000),
     "600,000 rows in .* bytes; the limit is 20 rows per byte"),
    ("s.csv", f"system,segment,text,score\na,1,{LONG},0.5\n".encode(), "a cell of more than 131,072 characters"),
    ("s.csv", ("system,segment," + ",".join(f"m{i}" for i in range(3000)) + "\na,1" + ",1" * 3000 + "\n").encode(),
     "3,002 columns; the limit is 2,000"),
    ("s.jsonl", "".join(json.dumps({"system": "a", "segment": i, f"m{i}": 1}) + "\n" for i in range(3000)).encode(),
     "the limit is 2,000"),
    ("s.jsonl", b'{"system": "a", "segment": 1, "score": 1, "x": ' + b"[" * 50_000 + b"]" * 50_000 + b"}\n", "JSON"),
    ("s.csv", f"system,segment,score\n{'n' * 300},1,0.5\n".encode(), "a name of 300 characters; the limit is 200"),
    ("s.csv", b"system,segment,score\na,1,9e307\n", r"line 2, column 'score': 9e\+307 is out of range"),
    ("s.jsonl", b'{"system": "a\\ud800", "segment": 1, "score": 1}\n', "half of a surrogate pair"),
])  # fmt: skip
def test_limits_are_named(name, data, words):
    with pytest.raises(LoadError, match=words):
        load([(name, data)], cache=False)


def test_control_and_direction_characters_of_names_are_written_out():
    experiment, _ = table_of("system,segment,score", "a\x1b[31m,1,0.5", "b\u202e,1,0.5", name="s.csv")
    assert [system.name for system in experiment.systems] == ["a<U+001B>[31m", "b<U+202E>"]
    experiment, _ = load([("ref.txt", b"a\nb\n"), ("x\u202e\x1b.seed1.txt", b"a\nc\n")], cache=False)
    assert experiment.systems[0].name == "x<U+202E><U+001B>"


@pytest.mark.slow
def test_a_sheet_that_nobody_named_names_no_metric():
    rows = [["system", "run", "segment", "score"], *([s, 1, k, k / 7] for s in "ab" for k in range(1, 6))]
    for sheet, metric in (("Sheet1", "score"), ("Tabelle 2", "score"), ("COMET", "COMET"), ("My sheet", "My sheet")):
        assert list(load([("s.xlsx", workbook({sheet: rows}))])[0].outside_metrics) == [metric]
