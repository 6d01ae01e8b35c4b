"""Median replicas to read and to judge, asked of a workbench."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mtsig_core.loading import load
from mtsig_core.loading.judgements.sheets.annotation_key import Asked
from mtsig_core.metrics import get_metric
from mtsig_core.reports.files.multeval_files import multeval_files
from mtsig_core.workbench import Workbench
from mtsig_core.workbench.medians import SheetChoice, draw_sheet

BLEU = get_metric("bleu")


@pytest.fixture
def bench(folder):
    return Workbench(load(folder)[0])


@pytest.mark.slow
def test_replicas_are_chosen_on_another_set_and_read_on_this_one(bench):
    assert bench.selection_sets("test", BLEU, "plain", "better") == ["dev", "test"]
    pair = bench.pair("test", BLEU, "plain", "better")
    found = pair.median_segments()
    medians = bench.median("dev", [BLEU])
    assert (found.select_on, found.warning) == ("dev", "")
    assert found.table.test_set == "test"
    assert found.table.a == ("plain", medians["plain"][0].replica)
    assert found.table.b == ("better", medians["better"][0].replica)
    same = pair.median_segments("test")
    assert "chosen and read on the same test set" in same.warning
    with pytest.raises(ValueError, match="elsewhere"):
        pair.median_segments("elsewhere")


@pytest.mark.slow
def test_a_sheet_is_drawn_from_segments_that_differ_unless_asked_otherwise(bench):
    table = bench.pair("test", BLEU, "plain", "better").segments()
    outputs = (*table.output_a[:10], *table.output_b[10:])
    table = replace(table, output_b=outputs)
    sheet = draw_sheet(table, Asked(), SheetChoice(n=100), 1)
    assert {int(i.segment) for i in sheet.key.items} == {
        i + 1 for i in range(40) if table.output_a[i] != table.output_b[i]
    }
    n = len(sheet.key.items)
    rest = f"the outputs of {40 - n} other segments are equal"
    assert sheet.key.drawn == f"all {n} segments whose outputs differ; {rest}"
    few = draw_sheet(table, Asked(), SheetChoice(n=7), 1)
    told = f"7 of {n} segments whose outputs differ, stratified by the difference in BLEU, seed 1; {rest}"
    assert few.key.drawn == told
    assert len(draw_sheet(table, Asked(), SheetChoice(n=100, with_equal=True), 1).key.items) == 40
    by_hand = draw_sheet(table, Asked(), SheetChoice(segments=(7, 3, 7)), 1)
    assert [i.segment for i in by_hand.key.items] == ["3", "7"]
    assert by_hand.key.drawn == "2 segments chosen by hand"
    with pytest.raises(ValueError, match="same output in every segment"):
        draw_sheet(replace(table, output_b=table.output_a), Asked(), SheetChoice(), 1)


@pytest.mark.slow
def test_every_system_replica_and_metric_gets_its_file(bench):
    experiment = bench.experiment
    metrics = [get_metric("bleu"), get_metric("ter")]
    tables = bench.multeval_tables("test", metrics, ["plain", "better"])
    files = multeval_files(tables, bench.experiment)
    assert sorted(files.ranked) == ["sys2.sortedby.bleu", "sys2.sortedby.ter"]
    assert sorted(files.sentences) == [f"sys{i}.opt{k}" for i in (1, 2) for k in (1, 2, 3)]
    assert tables.systems == {"sys1": "plain", "sys2": "better"}
    median = bench.median("test", [metrics[1]])["better"][0].replica
    ranked = files.ranked["sys2.sortedby.ter"]
    heads = [line.split("\t")[0] for line in ranked.split("\n") if line.startswith("SENT ")]
    numbers = [int(head.removeprefix("SENT ")) for head in heads]
    table = bench.pair("test", metrics[1], "plain", "better").segments(
        bench.median("test", [metrics[1]]).replica("plain"), median)
    assert numbers == np.argsort(-table.gain, kind="stable").tolist()
    outputs = next(r.outputs["test"] for r in experiment.system("better").replicas if r.name == median)
    assert [line.split(": ", 1)[1] for line in ranked.split("\n") if line.startswith("ter-median-variant")] == [
        outputs[i] for i in numbers
    ]
