"""Median replicas to read and to judge, asked of a workbench."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mtsig_core.loading import load
from mtsig_core.loading.judgements.annotation_key import Asked
from mtsig_core.metrics import get_metric
from mtsig_core.workbench.reading import ask_reading, draw_sheet, multeval_files, selection_sets
from mtsig_core.workbench.workbench import Workbench

BLEU = get_metric("bleu")


@pytest.fixture
def bench(folder):
    return Workbench(load(folder)[0])


def test_replicas_are_chosen_on_another_set_and_read_on_this_one(bench):
    assert selection_sets(bench, "test", BLEU, "plain", "better") == ["dev", "test"]
    found = ask_reading(bench, "test", BLEU, "plain", "better")
    medians = bench.medians("dev", [BLEU])
    assert (found.select_on, found.warning) == ("dev", "")
    assert found.table.test_set == "test"
    assert found.table.a == ("plain", medians["plain"][0].replica)
    assert found.table.b == ("better", medians["better"][0].replica)
    same = ask_reading(bench, "test", BLEU, "plain", "better", select_on="test")
    assert "chosen and read on the same test set" in same.warning
    with pytest.raises(ValueError, match="elsewhere"):
        ask_reading(bench, "test", BLEU, "plain", "better", select_on="elsewhere")


def test_a_sheet_is_drawn_from_segments_that_differ_unless_asked_otherwise(bench):
    table = ask_reading(bench, "test", BLEU, "plain", "better").table
    outputs = (*table.output_a[:10], *table.output_b[10:])
    table = replace(table, output_b=outputs)
    sheet = draw_sheet(table, Asked(), seed=1, n=100)
    assert {int(i.segment) for i in sheet.key.items} == {
        i + 1 for i in range(40) if table.output_a[i] != table.output_b[i]
    }
    n = len(sheet.key.items)
    rest = f"the outputs of {40 - n} other segments are equal"
    assert sheet.key.drawn == f"all {n} segments whose outputs differ; {rest}"
    few = draw_sheet(table, Asked(), seed=1, n=7)
    told = f"7 of {n} segments whose outputs differ, stratified by the difference in BLEU, seed 1; {rest}"
    assert few.key.drawn == told
    assert len(draw_sheet(table, Asked(), seed=1, n=100, with_equal=True).key.items) == 40
    by_hand = draw_sheet(table, Asked(), seed=1, segments=[7, 3, 7])
    assert [i.segment for i in by_hand.key.items] == ["3", "7"]
    assert by_hand.key.drawn == "2 segments chosen by hand"
    with pytest.raises(ValueError, match="same output in every segment"):
        draw_sheet(replace(table, output_b=table.output_a), Asked(), seed=1)


def test_every_system_replica_and_metric_gets_its_file(bench):
    experiment = bench.experiment
    metrics = [get_metric("bleu"), get_metric("ter")]
    files = multeval_files(bench, "test", metrics, "plain", ["better"])
    assert sorted(files.ranked) == ["sys2.sortedby.bleu", "sys2.sortedby.ter"]
    assert sorted(files.sentences) == [f"sys{i}.opt{k}" for i in (1, 2) for k in (1, 2, 3)]
    assert files.systems == {"sys1": "plain", "sys2": "better"}
    median = bench.medians("test", [metrics[1]])["better"][0].replica
    ranked = files.ranked["sys2.sortedby.ter"]
    heads = [line.split("\t")[0] for line in ranked.split("\n") if line.startswith("SENT ")]
    numbers = [int(head.removeprefix("SENT ")) for head in heads]
    table = bench.segments("test", metrics[1], ("plain", bench.medians("test", [metrics[1]])["plain"][0].replica),
                           ("better", median))  # fmt: skip
    assert numbers == np.argsort(-table.gain, kind="stable").tolist()
    outputs = next(r.outputs["test"] for r in experiment.system("better").replicas if r.name == median)
    assert [line.split(": ", 1)[1] for line in ranked.split("\n") if line.startswith("ter-median-variant")] == [
        outputs[i] for i in numbers
    ]
