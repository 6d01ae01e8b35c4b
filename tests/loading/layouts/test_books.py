"""Tables of texts in workbooks and parquet files are read as the same tables in separated values are."""

from __future__ import annotations

import gzip
import io
import json

import pandas as pd
import pytest

from mtsig_core.loading import LoadError, load


def long_table() -> pd.DataFrame:
    return pd.DataFrame([
        {"id": i, "system": s, "seed": k, "hypothesis": f"{s} said {i} times {k}", "reference": f"they said {i} times",
         "comet": 0.5 + 0.01 * i + 0.001 * k}
        for i in range(12) for s in ("base", "big") for k in (1, 2)
    ])  # fmt: skip


def wide_table() -> pd.DataFrame:
    names = ("base.seed1", "base.seed2", "big.seed1", "big.seed2")
    rows = ({"source": f"sie sagten {i}", "reference": f"they said {i}", **{n: f"{n} said {i}" for n in names}}
            for i in range(12))  # fmt: skip
    return pd.DataFrame(rows)


def written(frame: pd.DataFrame, ending: str) -> bytes:
    stream = io.BytesIO()
    if ending.startswith("xlsx"):
        frame.to_excel(stream, index=False, sheet_name="Texts")
    elif ending.startswith("parquet"):
        frame.to_parquet(stream, index=False)
    else:
        frame.to_csv(stream, index=False)
    return gzip.compress(stream.getvalue()) if ending.endswith(".gz") else stream.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["xlsx", "parquet", "xlsx.gz", "parquet.gz", "csv.gz"])
@pytest.mark.parametrize("frame", [long_table(), wide_table()], ids=["long", "wide"])
def test_the_same_experiment_comes_of_every_kind_of_file(frame, ending):
    expected, _ = load([("texts.csv", written(frame, "csv"))], cache=False)
    experiment, report = load([(f"texts.{ending}", written(frame, ending))], cache=False)
    assert experiment.digest == expected.digest
    assert [len(system.replicas) for system in experiment.systems] == [2, 2]
    assert {"json-keys", "texts-in-columns"} & {guess.code for guess in report.assumptions}


@pytest.mark.slow
def test_other_sheets_of_texts_are_named():
    stream = io.BytesIO()
    with pd.ExcelWriter(stream) as book:
        for name in ("first", "second"):
            wide_table().to_excel(book, index=False, sheet_name=name)
        pd.DataFrame({"note": ["nothing"]}).to_excel(book, index=False, sheet_name="notes")
    _, report = load([("texts.xlsx", stream.getvalue())], cache=False)
    (line,) = report.with_code("other-sheets")
    assert "'first'; others were not: 'second'" in line.message


@pytest.mark.slow
def test_a_workbook_of_scores_stays_one_of_scores():
    frame = long_table().drop(columns=["hypothesis", "reference"])
    experiment, report = load([("scores.xlsx", written(frame, "xlsx"))], cache=False)
    assert report.layout == "segment scores"
    assert list(experiment.outside_metrics) == ["comet"]


def test_a_damaged_workbook_of_texts_is_refused():
    with pytest.raises(LoadError, match=r"texts\.xlsx"):
        load([("texts.xlsx", written(wide_table(), "xlsx")[:3000])], cache=False)


def test_a_workbook_of_other_columns_is_told_which_it_has():
    frame = pd.DataFrame({"hello": ["x", "y"], "points": [1, 2]})
    with pytest.raises(LoadError, match=r"odd\.xlsx: the columns are 'hello', 'points'; none is called system"):
        load([("odd.xlsx", written(frame, "xlsx"))], cache=False)


def test_a_file_that_is_no_workbook_is_told_what_to_become():
    with pytest.raises(LoadError, match=r"texts\.xlsx: is not an Excel workbook, .*; save the table as CSV"):
        load([("texts.xlsx", b"system,run,score\n")], cache=False)


_RUNS = [{"system": s, "seed": k, "MNLI": 0.8 + k / 100} for s in "ab" for k in (1, 2, 3)]
_SCORES = [{"system": s, "seed": k, "segment": i, "COMET": 0.5 + i / 10}
           for s in "ab" for k in (1, 2) for i in range(3)]  # fmt: skip


def _as_file(rows: list[dict], ending: str) -> bytes:
    frame = pd.DataFrame(rows)
    if ending in ("xlsx", "parquet"):
        pytest.importorskip("openpyxl" if ending == "xlsx" else "pyarrow")
        stream = io.BytesIO()
        (frame.to_excel if ending == "xlsx" else frame.to_parquet)(stream, index=False)
        return stream.getvalue()
    if ending.startswith("json"):
        return frame.to_json(orient="records", lines=ending == "jsonl").encode()
    return frame.to_csv(index=False, sep="\t" if ending == "tsv" else ",").encode()


def _packed(data: bytes, packing: str) -> bytes:
    if packing == ".zst":
        pyarrow = pytest.importorskip("pyarrow")
        sink = pyarrow.BufferOutputStream()
        with pyarrow.CompressedOutputStream(sink, "zstd") as stream:
            stream.write(data)
        return sink.getvalue().to_pybytes()
    return gzip.compress(data) if packing else data


@pytest.mark.parametrize("packing", ["", ".gz", ".zst"])
@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl", "xlsx", "parquet"])
@pytest.mark.parametrize(("rows", "layout"), [(_RUNS, "scores of runs"), (_SCORES, "segment scores")])
def test_tables_of_scores_of_every_kind_and_packing(rows, layout, ending, packing):
    data = _packed(_as_file(rows, ending), packing)
    experiment, report = load([(f"table.{ending}{packing}", data)], cache=False)
    assert report.layout == layout
    n = len({row["seed"] for row in rows})
    assert [(system.name, len(system.replicas)) for system in experiment.systems] == [("a", n), ("b", n)]


@pytest.mark.parametrize("packing", ["", ".gz"])
def test_a_json_list_of_outputs(packing):
    rows = [{"id": i, "system": s, "hypothesis": f"{s} says {i}", "reference": f"it is {i}"}
            for s in "ab" for i in (2, 1)]  # fmt: skip
    data = _packed(json.dumps(rows).encode(), packing)
    experiment, _ = load([(f"out.json{packing}", data)], cache=False)
    assert [(system.name, system.replicas[0].outputs["test"]) for system in experiment.systems] == [
        ("a", ("a says 2", "a says 1")), ("b", ("b says 2", "b says 1")),
    ]  # fmt: skip


def test_a_title_above_the_heading_is_no_part_of_names():
    openpyxl = pytest.importorskip("openpyxl")
    book, stream = openpyxl.Workbook(), io.BytesIO()
    for row in (["Results of 2024"], [], list(_RUNS[0]), *(list(run.values()) for run in _RUNS)):
        book.active.append(row)
    book.active.delete_rows(2)
    book.save(stream)
    experiment, _ = load([("runs.xlsx", stream.getvalue())], cache=False)
    assert list(experiment.outside_metrics) == ["MNLI"]


def _sheets(**tables: pd.DataFrame) -> bytes:
    pytest.importorskip("openpyxl")
    stream = io.BytesIO()
    with pd.ExcelWriter(stream) as book:
        for name, frame in tables.items():
            frame.to_excel(book, sheet_name=name, index=False)
    return stream.getvalue()


def test_sheets_are_outputs_where_no_column_names_the_system():
    frame = pd.DataFrame({"segment": [0, 1, 0, 1], "seed": [1, 1, 2, 2], "COMET": [0.1, 0.2, 0.3, 0.4]})
    notes = pd.DataFrame({"what": ["made by"], "who": ["me"]})
    data = _sheets(base=frame, new=frame.assign(COMET=frame.COMET + 0.5), notes=notes)
    experiment, report = load([("scores.xlsx", data)], cache=False)
    assert [(system.name, len(system.replicas)) for system in experiment.systems] == [("base", 2), ("new", 2)]
    assert "base, new" in report.with_code("output-by-sheet")[0].message


def test_sheets_called_by_a_run_are_replicas():
    frames = {f"seed{k}": pd.DataFrame({"segment": [0, 1], "base": [0.1 * k, 0.2], "new": [0.3, 0.1 * k]})
              for k in (1, 2)}  # fmt: skip
    experiment, report = load([("chrF.xlsx", _sheets(**frames))], cache=False)
    assert [(s.name, [r.name for r in s.replicas]) for s in experiment.systems] == [
        ("base", ["seed1", "seed2"]), ("new", ["seed1", "seed2"]),
    ]  # fmt: skip
    assert report.with_code("replica-of-sheet")[0].remedy


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
@pytest.mark.parametrize("is_wide", [False, True])
def test_an_index_without_a_name_is_no_text(ending, is_wide):
    texts = {f"{s}_seed{k}": [f"a cat {s} {k}", "a dog ran"] for s in "ab" for k in (1, 2)}
    reference = ["a cat sat", "a dog ran"]
    frame = pd.DataFrame({"ref": reference, **texts}) if is_wide else pd.DataFrame([
        {"id": i, "system": name[0], "seed": name[-1], "hypothesis": line, "reference": reference[i]}
        for name, own in texts.items() for i, line in enumerate(own)
    ])  # fmt: skip
    stream = io.BytesIO()
    (frame.to_excel if ending == "xlsx" else frame.to_csv)(stream)
    experiment, report = load([(f"o.{ending}", stream.getvalue())], cache=False)
    assert report.with_code("index-column")
    assert {s.name: len(s.replicas) for s in experiment.systems} == {"a": 2, "b": 2}
    assert experiment.test_set("test").references == (tuple(reference),)
