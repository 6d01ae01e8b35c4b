"""Tables with one column per system, and with headings over several columns."""

from __future__ import annotations

import io

import pytest

from mtsig_core.loading import LoadError, load
from mtsig_core.loading.scores.directions import listed_direction
from mtsig_core.loading.scores.wide import of_metric_and_system


def _means(experiment) -> dict[tuple[str, str, str], float]:
    return {
        (system.name, replica.name, metric): sum(scores) / len(scores)
        for system in experiment.systems for replica in system.replicas
        for metric, scores in replica.scores["test"].items()
    }  # fmt: skip


def _load(name: str, content: str | bytes):
    return load([(name, content if isinstance(content, bytes) else content.encode())], name="mine", cache=False)


@pytest.mark.parametrize(("name", "text", "metric"), [
    ("comet.csv", "base,new\n1,2\n3,6\n", "COMET"),
    ("comet_scores.csv", ",base,new\n0,1,2\n1,3,6\n", "COMET"),
    ("scores.tsv", "segment\tbase\tnew\n1\t1\t2\n2\t3\t6\n", "score"),
    ("scores.csv", "segment,comet_base,comet_new\n1,1,2\n2,3,6\n", "comet"),
    ("scores.csv", "segment,base.COMET,new.COMET\n1,1,2\n2,3,6\n", "COMET"),
    ("comet.jsonl", '{"segment": 1, "base": 1, "new": 2}\n{"segment": 2, "base": 3, "new": 6}\n', "COMET"),
    ("comet.json", '[{"segment": 1, "base": 1, "new": 2}, {"segment": 2, "base": 3, "new": 6}]', "COMET"),
])  # fmt: skip
def test_a_column_per_system(name, text, metric):
    experiment, report = _load(name, text)
    assert _means(experiment) == {("base", "1", metric): 2.0, ("new", "1", metric): 4.0}
    assert "systems-in-columns" in {guess.code for guess in experiment.assumptions}


def test_names_of_columns_say_replicas():
    experiment, _ = _load("comet.csv", "base_seed1,base_seed2,new_seed1,new_seed2\n1,2,3,4\n1,2,3,4\n")
    assert {key[:2] for key in _means(experiment)} == {(s, f"seed{k}") for s in ("base", "new") for k in (1, 2)}


@pytest.mark.parametrize("text", [
    "base,new\n1,2\n3,6\n",  # no metric in the name of the file, and no column of segments
    "segment,zeta,chars\n1,2,3\n2,3,6\n",  # no column is that of a known metric, and no system is named
    "segment,words,chars\n1,2,3\n2,3,6\n",
])  # fmt: skip
def test_columns_that_are_no_systems(text):
    with pytest.raises(LoadError, match="none is called system"):
        _load("table.csv", text)


def test_names_of_columns_say_metrics_and_systems():
    experiment, _ = _load("t.csv", "segment,comet_a1,comet_b,bleu_a1,bleu_b\n1,1,2,3,4\n2,3,4,5,6\n")
    assert _means(experiment) == {("a1", "1", "comet"): 2, ("b", "1", "comet"): 3, ("a1", "1", "bleu"): 4,
                                  ("b", "1", "bleu"): 5}  # fmt: skip


@pytest.mark.parametrize("heading", [
    "rouge_1,rouge_2,rouge_l", "bertscore_precision,bertscore_recall", "comet_wmt22,comet_wmt23", "bleu_src,bleu_ref",
    "comet_x,bleu_y", "f1_macro,f1_micro",
])  # fmt: skip
def test_variants_of_metrics_are_no_systems(heading):
    n = heading.count(",") + 1
    rows = "".join(f"{i},{','.join(str(i + k) for k in range(n))}\n" for i in (1, 2))
    experiment, _ = _load("base.seed1.csv", f"segment,{heading}\n{rows}")
    assert sorted(experiment.outside_metrics) == sorted(heading.split(","))
    assert [s.name for s in experiment.systems] == ["base"]


@pytest.mark.parametrize("text", [
    "segment,comet,comet,bleu,bleu\n,base,new,base,new\n",
    ",comet,comet,bleu,bleu\nsystem,base,new,base,new\nsegment,,,,\n",
])  # fmt: skip
def test_two_rows_of_headings_as_pandas_writes_them(text):
    experiment, _ = _load("t.csv", f"{text}1,1,2,3,4\n2,3,4,5,6\n")
    assert _means(experiment) == {("base", "1", "comet"): 2, ("new", "1", "comet"): 3, ("base", "1", "bleu"): 4,
                                  ("new", "1", "bleu"): 5}  # fmt: skip


def test_one_column_twice_is_refused():
    with pytest.raises(LoadError, match="two columns are called 'comet'"):
        _load("t.csv", "system,segment,comet,comet\na,1,1,2\nb,1,3,4\n")


def test_a_minus_as_typeset_and_words_for_right():
    rows = "".join(f"{s},{i},\u2212{i}.5,{'yes' if i == 1 else 'no'}\n" for s in "ab" for i in (1, 2))
    experiment, _ = _load("t.csv", f"system,segment,bleurt,correct\n{rows}")
    assert _means(experiment)["a", "1", "bleurt"] == -2
    assert _means(experiment)["a", "1", "correct"] == 0.5


def test_a_parquet_file_may_name_the_metric():
    pd = pytest.importorskip("pandas")
    stream = io.BytesIO()
    pd.DataFrame({"segment": [1, 2], "base": [1.0, 3.0], "new": [2.0, 6.0]}).to_parquet(stream)
    assert {key[2] for key in _means(_load("comet.parquet", stream.getvalue())[0])} == {"COMET"}


def _xlsx(rows) -> bytes:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize(("heading", "expected"), [
    ([["segment", "COMET", None, "chrF", None], [None, "base", "new", "base", "new"]],
     {("base", "1", "COMET"), ("new", "1", "COMET"), ("base", "1", "chrF"), ("new", "1", "chrF")}),
    ([["segment", "base", None, "new", None], [None, "COMET", "chrF", "COMET", "chrF"]],
     {("base", "1", "COMET"), ("new", "1", "COMET"), ("base", "1", "chrF"), ("new", "1", "chrF")}),
    ([["Results"], ["segment", "base", None, "new", None], [None, "seed1", "seed2", "seed1", "seed2"]],
     {("base", "seed1", "score"), ("base", "seed2", "score"), ("new", "seed1", "score"), ("new", "seed2", "score")}),
])  # fmt: skip
def test_merged_headings(heading, expected):
    experiment, _ = _load("res.xlsx", _xlsx([*heading, [1, 1.5, 2.5, 3.5, 4.5], [2, 1.5, 2.5, 3.5, 4.5]]))
    means = _means(experiment)
    assert set(means) == expected
    assert sorted(means.values()) == [1.5, 2.5, 3.5, 4.5]


def test_a_name_of_many_parts_is_none_of_a_metric_and_a_system():
    long = "part " * 700
    assert of_metric_and_system({1: "BLEU base", 2: "BLEU new"})
    assert of_metric_and_system({1: f"BLEU {long}base", 2: "BLEU new"}) == {}
    assert of_metric_and_system({1: f"BLEU {'part ' * 11}base", 2: "BLEU new"}) == {}
    assert listed_direction(f"BLEU {long}") is None
    assert listed_direction("BLEU") == "higher"
