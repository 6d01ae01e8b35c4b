import json
import math

import numpy as np
import pytest

from mtsig_core import __version__
from mtsig_core.analysis.reading.median import median_system, rank_table
from mtsig_core.analysis.replicas.by_n import ByNDesign, by_n
from mtsig_core.loading import LoadError, LoadReport
from mtsig_core.loading.report import ReportLine
from mtsig_core.metrics import get_metric
from mtsig_core.reports.documents import (
    by_n_document,
    check_document,
    compare_document,
    median_document,
    plain,
    table_document,
)
from mtsig_core.significance import Scope


def _round_trip(document):
    text = json.dumps(document, allow_nan=False, ensure_ascii=False)
    text.encode("utf-8")
    assert json.loads(text) == document
    return document


def test_plain_has_json_types_only_and_no_nan():
    value = {"a": np.float64(math.nan), 1: (np.int64(3), np.bool_(True)), "b": np.array([1.5, math.inf]), "c": "\udc80"}
    assert plain(value) == {"a": None, "1": [3, True], "b": [1.5, None], "c": "\\udc80"}
    assert [type(x) for x in plain(value)["1"]] == [int, bool]


def test_plain_refuses_what_it_does_not_know():
    with pytest.raises(TypeError, match="object has no JSON form"):
        plain({"x": object()})


def _check_settings(document, settings, experiment):
    told = document["settings"]
    assert told["digest"] == experiment.digest
    assert told["versions"]["mtsig"] == __version__
    assert told["versions"]["numpy"] == np.__version__
    assert told["versions"]["sacrebleu"]
    if settings is not None:
        assert {name: told[name] for name in vars(settings)} == vars(settings)


def test_table(table, settings, experiment):
    document = _round_trip(table_document(table, settings, experiment))
    _check_settings(document, settings, experiment)
    first, second, *_, last = document["rows"]
    assert list(first)[:10] == [
        "test_set", "metric", "signature", "higher_is_better", "system", "n", "avg", "s_sel", "s_dev", "s_test",
    ]
    assert first["scores"] == pytest.approx({"s1": 48.34, "s2": 48.54})
    assert first["dev_ratio"] == {"value": 1.75, "interval": [0.3, 10.0]}
    assert second["s_dev"] is None
    assert second["reasons"] == {"s_dev": "no tuning set"}
    assert last["s_test"] is None


def test_compare(comparison, settings, experiment):
    document = _round_trip(compare_document([comparison], settings, experiment))
    _check_settings(document, settings, experiment)
    (result,) = document["results"]
    assert (result["baseline"], result["system"], result["test_set"], result["metric"]) == ("A", "B", "test", "mean")
    assert result["difference"] == comparison.difference
    assert list(result["interval"]) == ["test_set", "optimizer", "both"]
    assert result["interval"]["both"] == list(comparison.intervals.both)
    assert [t["preset"] for t in result["tests"]] == [t.preset.name for t in comparison.tests]
    assert {"scheme", "unit", "rule", "difference", "p", "smallest_p"} <= set(result["tests"][0])
    assert "null" not in result["tests"][0]
    assert result["verdict"]["headline"] == comparison.verdict.headline
    assert result["scores"]["system"].keys() == {"s1", "s2", "s3"}


def test_compare_with_one_replica_each_is_null_where_undefined(one_replica_each, settings, experiment):
    (result,) = _round_trip(compare_document([one_replica_each], settings, experiment))["results"]
    assert result["interval"]["optimizer"] is None
    assert result["interval"]["both"] is None
    assert result["crossed"] is None
    assert "one replica" in result["reasons"]["optimizer"]


def test_by_n(settings, experiment):
    found = [
        by_n([1.0, 1.2], [2.0, 2.3], ByNDesign(ns=(1, 2), draws=50), scope=Scope("test", "bleu", systems=("A", "B"))),
        by_n([1.0], [2.0], ByNDesign(ns=(1,), draws=50), scope=Scope("test", "ter", systems=("A", "B"))),
    ]
    document = _round_trip(by_n_document(found, settings, experiment))
    _check_settings(document, settings, experiment)
    assert [(r["metric"], r["n"]) for r in document["rows"]] == [("bleu", 1), ("bleu", 2), ("ter", 1)]
    assert document["rows"][0]["median"] == pytest.approx(1.05)
    assert document["rows"][2]["median"] is None
    assert "one replica" in document["rows"][2]["reason"]


def test_median(experiment):
    scores = {"bleu": {"s1": 1.0, "s2": 3.0, "s3": 2.0}, "ter": {"s1": 9.0, "s2": 8.0, "s3": 7.0}}
    better = {"bleu": True, "ter": False}
    medians = {"A": (median_system(scores["bleu"], True), rank_table(scores, better))}
    metrics = [get_metric("bleu"), get_metric("ter")]
    document = _round_trip(median_document(medians, "dev", metrics, experiment))
    _check_settings(document, None, experiment)
    assert (document["select_on"], document["metric"]) == ("dev", "bleu")
    system = document["systems"]["A"]
    assert (system["replica"], system["score"]) == ("s3", 2.0)
    assert system["rank_table"]["s2"] == {"bleu": 1.0, "ter": 2.0}
    assert system["medians"] == {"bleu": "s3", "ter": "s2"}
    # sums of ranks: s1 3 + 3, s2 1 + 2, s3 2 + 1
    assert (system["closest_to_all"], system["best"], system["worst"]) == ("s2", "s2", "s1")


def _report():
    return LoadReport("native", (
        ReportLine("warning", "two systems are equal", ("a.txt", "b.txt"), "identical-systems"),
        ReportLine("repaired", "a byte order mark was dropped", ("a.txt",), "byte-order-mark"),
        ReportLine("refused", "too short", ("c.txt", "d.txt"), "length"),
        ReportLine("recognised", "2 systems", (), "systems"),
    ))


def test_check(experiment):
    document = _round_trip(check_document(experiment, _report()))
    assert list(document) == [
        "ok", "layout", "experiments", "systems", "test_sets", "outside_metrics", "repairs", "warnings", "recognised",
        "assumed", "ignored", "refused", "guesses", "digest",
    ]
    assert document["outside_metrics"] == {}
    assert document["ok"] is True
    assert document["layout"] == "native"
    assert document["experiments"] == []
    assert document["systems"] == {"A": ["s1", "s2"], "B": ["s1", "s2"]}
    expected = {"role": "test", "segments": 3, "references": 1, "reference_names": ["ref0"]}
    assert document["test_sets"] == {"test": expected}
    assert document["warnings"] == [
        {"kind": "identical-systems", "message": "two systems are equal", "files": ["a.txt", "b.txt"]}
    ]
    assert [r["kind"] for r in document["repairs"]] == ["byte-order-mark"]
    assert document["refused"] == [{"file": f, "message": "too short"} for f in ("c.txt", "d.txt")]
    assert document["digest"] == experiment.digest


@pytest.mark.parametrize("report", [None, _report()])
def test_check_of_nothing_usable(report):
    document = _round_trip(check_document(None, report, error=LoadError("no reference", "x.zip", report)))
    assert document["ok"] is False
    assert document["digest"] is None
    assert document["systems"] == document["test_sets"] == {}
    assert document["refused"][-1] == {"file": "x.zip", "message": "no reference"}


def test_an_error_already_reported_is_not_told_twice():
    error = LoadError("too short", "c.txt")
    assert len(check_document(None, _report(), error=error)["refused"]) == 2
