"""Score tables of every spelling give the same scores; damage names file, line and column."""

from __future__ import annotations

import io
import json
import math
import random

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_core.loading import LoadError, load

IDS = [1, 2, 3, 10]
TRUTH = {(s, k, i): round(random.Random(f"{s}{k}{i}").random(), 3) for s in "AB" for k in (1, 2) for i in IDS}


def records(metric="COMET"):
    return [{"system": s, "seed": k, "segment": i, metric: x} for (s, k, i), x in TRUTH.items()]


def csv(rows, delimiter=","):
    header = list(rows[0])
    lines = [delimiter.join(header), *(delimiter.join(str(row[name]) for name in header) for row in rows)]
    return "\n".join(lines) + "\n"


def loaded(content, name="scores.csv"):
    data = content.encode() if isinstance(content, str) else content
    return load([(name, data)])


def scores_of(experiment, metric="COMET"):
    return {(s.name, r.name): r.scores["test"][metric] for s in experiment.systems for r in s.replicas}


def expected():
    return {(s, str(k)): tuple(TRUTH[s, k, i] for i in IDS) for s in "AB" for k in (1, 2)}


def parquet():
    stream = io.BytesIO()
    pd.DataFrame(records()).to_parquet(stream)
    return stream.getvalue()


def shuffled():
    names = {"COMET": "COMET", "Segment ID": "segment", "Run": "seed", "Model": "system"}
    rows = [{name: record[of] for name, of in names.items()} for record in records()]
    random.Random(1).shuffle(rows)
    return csv(rows)


def table_of_r():
    """What write.table of R writes: texts in quotes, and names of rows without a heading."""
    rows = "".join(f'"{n}" "{r["system"]}" {r["seed"]} {r["segment"]} {r["COMET"]}\n' for n, r in enumerate(records()))
    return '"system" "seed" "segment" "COMET"\n' + rows


def drawn(rule):
    """A table in Markdown or with a frame, below a title."""
    lines = [f"| {line.replace(',', ' | ')} |" for line in csv(records()).splitlines()]
    return "\n".join(["# Scores", "", lines[0].replace("COMET", "**COMET**"), rule, *lines[1:], "", "The end."])


VARIANTS = {
    "names of rows": ("scores.txt", table_of_r),
    "a delimiter too many": ("scores.csv", lambda: csv(records()).replace("\n", ",\n").replace("COMET,", "COMET")),
    "japanese": ("scores.csv", lambda: csv(records()).replace("system,seed,segment", "システム,シード,文")),
    "a title": ("scores.csv", lambda: "Our scores,,,\n,,,\n" + csv(records())),
    "markdown": ("scores.md", lambda: drawn("|:---|---:|---|---|")),
    "org": ("scores.txt", lambda: drawn("|----+----+----+----|")),
    "a frame": ("scores.txt", lambda: drawn("+----+----+----+----+")),
    "comma": ("scores.csv", lambda: csv(records())),
    "tab": ("scores.tsv", lambda: csv(records(), "\t")),
    "blanks": ("scores.txt", lambda: csv(records(), " ")),
    "semicolons and decimal commas": ("scores.csv", lambda: csv(records(), ";").replace(".", ",")),
    "byte order mark": ("scores.csv", lambda: "\ufeff" + csv(records())),
    "utf-16": ("scores.csv", lambda: csv(records()).encode("utf-16")),
    "windows line ends": ("scores.csv", lambda: csv(records()).replace("\n", "\r\n")),
    "other order, other names": ("scores.csv", shuffled),
    "long": ("scores.csv", lambda: csv([{**r, "metric": "COMET", "score": r["COMET"], "COMET": 9} for r in records()])),
    "json lines": ("scores.jsonl", lambda: "\n".join(map(json.dumps, records()))),
    "json list": ("scores.json", lambda: json.dumps(records())),
    "parquet": ("scores.parquet", parquet),
    "ids as 7.0": ("scores.csv", lambda: csv([{**r, "segment": f"{r['segment']}.0"} for r in records()])),
    "quoted": ("scores.csv", lambda: csv([{**r, "system": f'"{r["system"]}"'} for r in records()])),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_one_table_in_every_spelling(variant):
    name, make = VARIANTS[variant]
    experiment, report = loaded(make(), name)
    assert report.layout == "segment scores"
    assert scores_of(experiment) == expected()
    assert experiment.test_set("test").n_segments == len(IDS)
    assert ("decimal-comma" in {line.code for line in report.repairs}) is ("commas" in variant)


def test_names_are_seen_through_all_spellings_alike():
    plain = {loaded(make(), name)[0].digest for name, make in VARIANTS.values()}
    assert len(plain) == 1


def test_several_metrics_test_sets_and_documents():
    rows = [
        {"system": s, "replica": k, "dataset": t, "doc": f"d{i // 2}", "id": f"q{i}", "BLEURT": i / 7, "ter": i}
        for t in ("news", "dev") for s in ("A", "B") for k in ("x", "y") for i in range(4)
    ]  # fmt: skip
    experiment, report = loaded(csv(rows))
    assert [(t.name, t.role, t.n_segments) for t in experiment.test_sets] == [("news", "test", 4), ("dev", "dev", 4)]
    assert experiment.test_set("news").documents == ("d0", "d0", "d1", "d1")
    assert experiment.outside_metrics == {"BLEURT": True, "ter": False}
    assert report.with_code("direction") == ()


def test_string_ids_stand_in_natural_order():
    rows = [{"system": "A", "run": 1, "item": f"q{i}", "acc": i} for i in (10, 2, 1)]
    assert scores_of(loaded(csv(rows))[0], "acc") == {("A", "1"): (1.0, 2.0, 10.0)}


def test_missing_scores_stay_missing_and_are_counted():
    rows = records()
    for row, cell in zip(rows, ("", "NA", "None", "n/a", "-"), strict=False):
        row["COMET"] = cell
    del rows[-1]
    experiment, report = loaded(csv(rows))
    found = scores_of(experiment)
    assert found["A", "2"] == (None, *expected()["A", "2"][1:])
    assert found["B", "2"] == (*expected()["B", "2"][:3], None)
    (line,) = report.with_code("missing-scores")
    assert "2 of 4 segments lack a score of some output (" in line.message


def test_an_output_without_any_score_is_left_out():
    rows = [{**r, "COMET": "" if r["system"] == "B" and r["seed"] == 1 else r["COMET"]} for r in records()]
    experiment, report = loaded(csv(rows))
    assert ("B", "1") not in scores_of(experiment)
    assert report.with_code("no-score")[0].files == ("scores.csv",)


def test_repeated_rows_are_taken_once():
    rows = records()
    experiment, report = loaded(csv([*rows, rows[0], rows[3]]))
    assert scores_of(experiment) == expected()
    assert "2 repeated rows" in report.with_code("repeated-rows")[0].message


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: t.replace("A,1,2,", "A,1,2,x"), r"scores.csv, line 3, column 'COMET': expected a.*'x0"),
        (lambda t: t + "B,2,11,nan\n", r"line 18, column 'COMET'.*'nan'"),
        (lambda t: t + "B,2,11,inf\n", r"line 18, column 'COMET'.*'inf'"),
        (lambda t: t + "B,2,11,1_000\n", r"line 18.*'1_000'"),
        (lambda t: t + "B,2,11,1e999\n", r"line 18.*'1e999'"),
        (lambda t: t + "B,2,10,77\n", r"line 18, column 'COMET': a second COMET score of segment '10' of B/2"),
        (lambda t: t + "B,2\n", r"line 18: 2 cells, but the header has 4"),
        (lambda t: t + ",2,11,1\n", r"line 18, column 'system': is empty"),
        (lambda t: t + "B,2,,1\n", r"line 18, column 'segment': is empty"),
    ],
)
def test_damage_is_told_with_file_line_and_column(change, words):
    with pytest.raises(LoadError, match=words) as caught:
        loaded(change(csv(records())))
    assert caught.value.file == "scores.csv"


def test_a_comma_that_may_mean_thousands_is_no_decimal_comma():
    rows = [{"system": "A", "segment": i, "score": f"{i},{i}00"} for i in range(1, 5)]
    with pytest.raises(LoadError, match="line 2, column 'score': a comma before three digits"):
        loaded(csv(rows, ";"))
    rows[0]["score"] = "1,25"
    assert scores_of(loaded(csv(rows, ";"))[0], "score")["A", "1"] == (1.25, 2.2, 3.3, 4.4)


@pytest.mark.parametrize(("cells", "numbers"), [
    (("1,234.5", "1,000.25"), (1234.5, 1000.25)), (("1.234,5", "12,5"), (1234.5, 12.5)),
    (("1 234,5", "2"), (1234.5, 2.0)), (("1'234.5", "27.125"), (1234.5, 27.125)),
    (("1,234,567", "#N/A"), (1234567.0, None)),
])  # fmt: skip
def test_separators_of_thousands_are_left_out(cells, numbers):
    rows = [{"system": "A", "segment": i, "score": cell} for i, cell in enumerate((*cells, "1"), 1)]
    experiment, report = loaded(csv(rows, ";"))
    assert scores_of(experiment, "score")["A", "1"] == (*numbers, 1.0)
    assert report.with_code("thousands")


@pytest.mark.parametrize("cells", [("1.234", "1,5"), ("1.234", "1.234.567"), ("1,234", "1,234.5")])
def test_numbers_that_two_customs_write_are_refused(cells):
    rows = [{"system": "A", "segment": i, "score": cell} for i, cell in enumerate(cells, 1)]
    with pytest.raises(LoadError, match=r"line 2, column 'score': a (point|comma) before three digits"):
        loaded(csv(rows, ";"))


def test_several_drawn_tables_are_refused():
    table = "| system | segment | COMET |\n|---|---|---|\n| A | 1 | .5 |\n"
    with pytest.raises(LoadError, match="holds several tables \\(lines 1 and 5\\)"):
        loaded(f"{table}\n{table}", "scores.md")


def test_parquet_knows_missing_from_nan():
    frame = pd.DataFrame(records())
    frame.loc[0, "COMET"] = None
    stream = io.BytesIO()
    frame.to_parquet(stream)
    assert scores_of(loaded(stream.getvalue(), "s.parquet")[0])["A", "1"][0] is None
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.table({"system": ["A"], "segment": [1], "score": pyarrow.array([math.nan])})
    stream = io.BytesIO()
    pyarrow.parquet.write_table(table, stream)
    with pytest.raises(LoadError, match=r"s.parquet, line 1, column 'score'.*nan"):
        loaded(stream.getvalue(), "s.parquet")


@pytest.mark.parametrize("cut", [5, 100, 700])
def test_cut_parquet(cut):
    with pytest.raises(LoadError, match=r"s\.parquet: not readable as parquet"):
        loaded(parquet()[:-cut], "s.parquet")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("s.jsonl", '{"system":"A","segment":1,"score":1}\n{"system":', "s.jsonl, line 2, column"),
        ("s.jsonl", '{"system":"A","segment":1,"score":1}\n[1]', "s.jsonl, line 2: expected a JSON object"),
        ("s.jsonl", '{"system":"A","segment":1,"score":NaN}', "line 1, column 'score'.*nan"),
        ("s.json", '[{"system":"A","segment":1,"score":[1]}]', "line 1, column 'score'.*1"),
        ("s.csv", "system,segment,score\n", "a header, but no row"),
    ],
)
def test_damaged_json_and_bare_headers(name, content, words):
    with pytest.raises(LoadError, match=words):
        loaded(content, name)


def test_directions_from_the_file_and_from_the_user():
    table = csv([{"system": "A", "segment": i, "metric": "Foo", "score": i, "higher_is_better": "no"} for i in (1, 2)])
    assert loaded(table)[0].outside_metrics == {"Foo": False}
    told = b"[metrics.Foo]\nhigher_is_better = true\n"
    assert load([("scores.csv", table.encode()), ("experiment.toml", told)])[0].outside_metrics == {"Foo": True}
    with pytest.raises(LoadError, match="expected true or false, the same in all rows"):
        loaded(table.replace("no", "yes", 1))
    with pytest.raises(LoadError, match=r"metrics.Foo.higher_is_better should be true or false"):
        load([("scores.csv", table.encode()), ("experiment.toml", b'[metrics.Foo]\nhigher_is_better = "low"\n')])


CELLS = st.one_of(st.text(max_size=6), st.floats().map(str), st.integers().map(str), st.just(""), st.just("1"))


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(CELLS, min_size=3, max_size=4), max_size=6), st.sampled_from([",", ";", "\t"]))
def test_any_table_loads_or_names_its_file(rows, delimiter):
    text = "\n".join([f"system{delimiter}segment{delimiter}score", *(delimiter.join(row) for row in rows)])
    try:
        experiment, _ = load([("scores.csv", text.encode("utf-8", "surrogatepass"))])
    except LoadError as error:
        blamed, words = error.file, str(error)
    else:
        blamed, words = "scores.csv", "scores.csv"
        assert experiment.outside_metrics.keys() == {"score"}
    assert blamed == "scores.csv"
    assert "scores.csv" in words


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_values_in_any_order_come_back(data):
    numbers = st.floats(allow_nan=False, allow_infinity=False, width=32)
    n = data.draw(st.integers(1, 5))
    truth = {(s, k): data.draw(st.lists(numbers, min_size=n, max_size=n)) for s in "AB" for k in ("1", "2")}
    rows = [
        {"system": s, "run": k, "seg": i, "score": repr(x)} for (s, k), xs in truth.items() for i, x in enumerate(xs)
    ]
    experiment, _ = loaded(csv(data.draw(st.permutations(rows))))
    assert scores_of(experiment, "score") == {key: tuple(x + 0.0 for x in xs) for key, xs in truth.items()}


@pytest.mark.parametrize("name", ["n", "N", "count", "n_annotators", "Unnamed: 0", ""])
def test_counts_and_indices_are_no_metrics(name):
    rows = "".join(f"{i},x,{i},{i / 7},3\n" for i in range(1, 5))
    experiment, report = load([("s.csv", f"{name},system,segment,mine,other\n{rows}".encode())])
    assert set(experiment.outside_metrics) == {"mine", "other"}
    (line,) = report.with_code("unused-columns")
    assert repr(name) in line.message


OWN_NAMES = (
    "Engine,Lauf,Satz,Note,len\n"
    "a,1,1,0.5,9\na,1,2,0.6,9\na,2,1,0.55,9\na,2,2,0.66,9\n"
    "b,1,1,0.7,9\nb,1,2,0.8,9\nb,2,1,0.75,9\nb,2,2,0.82,9\n"
)  # fmt: skip
DECLARED = '{ Engine = "system", Lauf = "replica", Satz = "segment", Note = "scores" }'


def declared_folder(tmp_path, columns=DECLARED, table=OWN_NAMES):
    (tmp_path / "marks.csv").write_text(table, "utf-8")
    entry = f'[[files]]\npath = "marks.csv"\nkind = "scores"\ncolumns = {columns}\n'
    (tmp_path / "experiment.toml").write_text(entry, "utf-8")
    return tmp_path


def test_columns_are_what_a_person_says(tmp_path):
    experiment, _ = load(declared_folder(tmp_path))
    assert {s.name: [r.name for r in s.replicas] for s in experiment.systems} == {"a": ["1", "2"], "b": ["1", "2"]}
    scores = experiment.system("b").replicas[1].scores["test"]
    assert {metric: list(values) for metric, values in scores.items()} == {"Note": [0.75, 0.82]}


def test_a_column_is_a_metric_on_request_and_not_used_on_request(tmp_path):
    columns = '{ Engine = "system", Lauf = "replica", Satz = "segment", Note = "unused", len = "scores" }'
    scores = load(declared_folder(tmp_path, columns))[0].system("a").replicas[0].scores["test"]
    assert {metric: list(values) for metric, values in scores.items()} == {"len": [9, 9]}


def test_declared_columns_take_the_place_of_names(tmp_path):
    table = OWN_NAMES.replace("Engine", "model").replace("Lauf", "system")
    columns = '{ system = "replica", Satz = "segment", Note = "scores" }'
    experiment, _ = load(declared_folder(tmp_path, columns, table))
    assert [s.name for s in experiment.systems] == ["a", "b"]


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ('{ Motor = "system" }', "there is no column 'Motor'; there are 'Engine'"),
        ('{ Engine = "system", Lauf = "system" }', "two columns are chosen as 'system'. Choose one"),
        ('{ Engine = "engine" }', "columns should give each column one of system, replica"),
        ('{ Lauf = "replica" }', "names no columns system, segment and score. Rename the columns, or say"),
    ],
)
def test_columns_that_cannot_be_what_is_said(tmp_path, columns, words):
    with pytest.raises(LoadError, match=words):
        load(declared_folder(tmp_path, columns))


def test_truth_in_a_column_of_right_answers_is_a_score():
    rows = "".join(f"{s},{k},{i},{'TRUE' if i < 3 else 'FALSE'}\n" for s in "AB" for k in (1, 2) for i in range(4))
    experiment, _ = loaded(f"system,seed,id,correct\n{rows}")
    assert scores_of(experiment, "correct")["A", "1"] == (1.0, 1.0, 1.0, 0.0)


def test_outputs_that_lack_scores_are_named():
    rows = [f"{s},{k},{i},{'' if (s, k) == ('b', 2) and i < 3 else i / 10 + k}"
            for s in "ab" for k in (1, 2) for i in range(6)]  # fmt: skip
    _, report = load([("s.csv", "\n".join(["system,seed,segment,comet", *rows]).encode())], cache=False)
    (line,) = report.with_code("missing-scores")
    assert "3 of 6 segments lack a score of some output (b/2: 3)" in line.message
