from __future__ import annotations

import csv
import gzip
import math
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_core.loading import LoadError
from mtsig_core.loading.judgements.columns import ROLES, VALUES
from mtsig_core.loading.judgements.directions import direction_of
from mtsig_core.loading.judgements.find import read_judgement_table
from mtsig_core.loading.judgements.frame import COLUMNS, DAMAGED, JudgementTable

GOOD_STND = (
    "HITId\tWorkerId\tInput.src\tInput.trg\tInput.item\thit\tsys_id\trid\ttype\tsid\tscore\ttime\n"
    'H1\tw1\thi\tbn\tad\tNA\t"Online-G.7"\tNA\tSYSTEM\thi-0.1_1\t-1.5\t0\n'
    'H1\tw1\thi\tbn\tad\tNA\t"Online-G.7"\tNA\tREPEAT\thi-0.1_1\t-1.25\t0\n'
    'H1\tw1\thi\tbn\tad\tNA\t"Online-G.7"\tNA\tBAD_REF\thi-0.1_1\t-3\t0\n'
    'NA\tw2\thi\tbn\tad\tNA\t"GTCOM.0"\tNA\tSYSTEM\t007\t0.5\t0\n'
)


def read(text: str, name: str = "sheet.csv") -> JudgementTable:
    return read_judgement_table(name, text.encode())


def refused(text: str, name: str = "sheet.csv") -> str:
    with pytest.raises(LoadError) as error:
        read(text, name)
    assert error.value.file == name
    assert str(error.value).startswith(name)
    return str(error.value)


def rows(found: JudgementTable) -> list[tuple[object, ...]]:
    columns = found.outputs[["annotator", "system", "segment", "dimension", "score"]].astype(object)
    return list(columns.where(columns.notna(), None).itertuples(index=False, name=None))


# Direct assessment


def test_direct_assessment_keeps_repeats_and_leaves_items_that_check_annotators_out() -> None:
    found = read(GOOD_STND, "ad-hibn-good-stnd.csv")
    assert rows(found) == [
        ("w1", "Online-G.7", "hi-0.1_1", "adequacy", -1.5),
        ("w1", "Online-G.7", "hi-0.1_1", "adequacy", -1.25),
        ("w2", "GTCOM.0", "7", "adequacy", 0.5),
    ]
    assert found.outputs["task"].tolist() == ["H1", "H1", None]
    assert found.standardised == ("adequacy",)
    assert found.higher_is_better == {"adequacy": True}
    assert found.reasons == {"adequacy": ""}
    assert found.set_aside == {DAMAGED: 1}
    assert "Judgements set aside, as they check annotators and judge no output: damaged 1." in found.notes
    assert found.summary == "3 judgements of 2 systems, 1 more set aside"


def test_without_stnd_in_the_name_scores_are_not_taken_for_standardised() -> None:
    assert read(GOOD_STND, "ad-latest.csv").standardised == ()


def test_fluency_items_of_direct_assessment() -> None:
    assert read(GOOD_STND.replace("\tad\t", "\tfl\t")).dimensions == ("fluency",)


def test_a_strange_type_among_known_ones_is_refused_with_its_place() -> None:
    message = refused(GOOD_STND.replace("BAD_REF", "CALIBRATION"))
    assert "line 4, column 'type'" in message
    assert "'CALIBRATION'" in message


def test_a_column_of_other_types_is_no_type_of_item() -> None:
    found = read("system,segment,type,score\na,1,news,3\nb,1,social,4\n")
    assert len(found.frame) == 2
    assert "Unused column: 'type'." in found.notes


def test_only_items_that_check_annotators() -> None:
    assert "check annotators only" in refused("system,type,score\na,REF,3\n")


def test_languages_are_not_mixed() -> None:
    found = read(GOOD_STND.replace("NA\tw2\thi\tbn", "NA\tw2\tde\tbn"))
    assert set(found.frame["test_set"]) == {"hi-bn", "de-bn"}
    assert set(read(GOOD_STND).frame["test_set"]) == {"hi-bn"}


def test_scores_of_segments_raw_and_standardised() -> None:
    found = read("SYS SID RAW.SCR Z.SCR N \nFacebook-AI.7 177 100 0.62 1 \nFacebook-AI.7 178 75 -0.02 1 \n")
    assert rows(found) == [
        (None, "Facebook-AI.7", "177", "score", 100.0),
        (None, "Facebook-AI.7", "178", "score", 75.0),
        (None, "Facebook-AI.7", "177", "z", 0.62),
        (None, "Facebook-AI.7", "178", "z", -0.02),
    ]
    assert found.standardised == ("z",)
    assert "Unused columns: 'N'." in found.notes


# MQM


def test_mqm_averages_with_blanks_in_the_heading_and_tabs_below() -> None:
    found = read("system mqm_avg_score seg_id\nA\t-1.500000 1\nA\t-0.000000 2\nA\tNone 3\n", "x.avg_seg_scores.tsv")
    assert rows(found) == [(None, "A", "1", "mqm", -1.5), (None, "A", "2", "mqm", 0.0), (None, "A", "3", "mqm", None)]
    assert math.copysign(1, found.frame["score"][1]) == 1
    assert found.higher_is_better == {"mqm": True}
    assert "most scores are negative" in found.reasons["mqm"]
    assert found.summary == "2 judgements of 1 system (1 missing)"


@pytest.mark.parametrize(
    ("name", "values", "higher", "assumed"),
    [
        ("mqm", [-5.0, 0.0], True, True), ("mqm", [5.0, 0.0], False, True), ("mqm", [5.0, -1.0], False, True),
        ("mqm", [0.0], False, True), ("mqm", [], False, True), ("errors", [3.0], False, True),
        ("adequacy", [-1.0], True, False), ("score", [3.0], True, True), ("style", [3.0], True, True),
    ],
)  # fmt: skip
def test_direction(name: str, values: list[float], higher: bool, assumed: bool) -> None:
    found, reason = direction_of(name, values)
    assert found is higher
    assert bool(reason) is assumed


def test_the_table_may_say_the_direction() -> None:
    found = read("system,segment,score,higher_is_better\na,1,2,false\nb,1,3,no\n")
    assert found.higher_is_better == {"score": False}
    assert found.reasons == {"score": ""}
    message = refused("system,segment,score,higher_is_better\na,1,2,false\nb,1,3,true\n")
    assert "line 3, column 'higher_is_better'" in message


def test_marked_errors_of_no_segment_have_no_scores() -> None:
    message = refused("system\tdoc\trater\tcategory\tseverity\na\td\tr\tStyle\tMinor\n", "mqm.tsv")
    assert "marked errors" in message
    assert "column 'mqm'" in message


# Other tables


def test_ratings_take_the_dimension_of_the_file() -> None:
    text = "mr_id\tsystem\trater\trating\n1\ttnt1\tr1\t100\n2\ttr2\tr1\t60\n"
    found = read(text, "human/quality.tsv")
    assert rows(found) == [("r1", "tnt1", "1", "quality", 100.0), ("r1", "tr2", "2", "quality", 60.0)]
    assert "The scores are read as quality, after the name of the file. To change this, rename the file." in found.notes
    assert read(text, "ratings.tsv").dimensions == ("score",)
    assert read(text, "naturalness.tsv").dimensions == ("naturalness",)


def test_adequacy_and_fluency_side_by_side() -> None:
    found = read("Segment;System;Judge;Document;Adequacy;Fluency\n1;alpha;ann;d1;3,5;\n", "x.csv")
    assert rows(found) == [("ann", "alpha", "1", "adequacy", 3.5), ("ann", "alpha", "1", "fluency", None)]
    assert set(found.frame["document"]) == {"d1"}
    assert any("decimal" in note.casefold() for note in found.notes)


def test_a_column_may_name_the_dimension() -> None:
    found = read("system,segment,annotator,criterion,score\na,1,x,Adequacy,3\na,1,x,Fluency,4\na,2,,Style,5\n")
    assert found.dimensions == ("adequacy", "fluency", "style")
    assert found.annotators == ("x",)
    assert "Keep one" in refused("system,criterion,adequacy\na,Fluency,3\n")


def test_scores_of_whole_systems_repeated_for_each_metric_count_once() -> None:
    text = "METRIC  LP  DATA  SYSTEM  SCORE HUMAN\nBEER cs-en news a.1 0.1 -0.5 \nTER cs-en news a.1 0.7 -0.5 \n"
    found = read(text)
    assert rows(found) == [(None, "a.1", None, "score", -0.5)]
    assert found.frame["test_set"][0] == "cs-en"
    assert "2 rows, one per metric: each human score was used once." in found.notes
    message = refused(text.replace("0.7 -0.5", "0.7 -0.6"))
    assert "line 3, column 'HUMAN'" in message


def test_replicas_and_test_sets_stay_apart() -> None:
    found = read("system,seed,test set,segment,score\na,01,x,1,3\na,2,y,1,4\n")
    assert list(zip(found.frame["replica"], found.frame["test_set"], strict=True)) == [("1", "x"), ("2", "y")]


def test_json_lines_a_list_and_gzip_are_read_alike() -> None:
    record = '{"system": "a", "segment": 1, "annotator": "x", "score": 3.5}'
    expected = [("x", "a", "1", "score", 3.5)]
    assert rows(read(record + "\n", "x.jsonl")) == expected
    assert rows(read(f"[{record}]", "x.json")) == expected
    assert rows(read_judgement_table("x.jsonl.gz", gzip.compress(record.encode()))) == expected


def test_frame() -> None:
    frame = read("system,segment,score\na,1,3\na,2,NA\n").to_frame()
    assert tuple(frame.columns) == COLUMNS
    assert frame["score"].dtype == float
    assert frame["score"].isna().tolist() == [False, True]
    assert frame["annotator"].tolist() == [None, None]


# Mistakes


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["is empty"]),
        ("system,segment,score\n", ["no row below it"]),
        ("segment,score\n1,2\n", ["line 1", "'segment', 'score'", "no column of systems", "Call it 'system'"]),
        ("system,segment,comment\na,1,x\n", ["line 1", "no column of judgements", "'score'"]),
        ("system,segment,score\na,1\n", ["line 2", "2 cells", "3"]),
        ("system,segment,score\na,1,good\n", ["line 2, column 'score'", "'good'"]),
        ("system,segment,score\na,1,inf\n", ["line 2, column 'score'", "'inf'"]),
        ("system,segment,score\na,1,1\n,2,3\n", ["line 3, column 'system'", "is empty"]),
        ("system,segment,score\na,,1\n", ["line 2, column 'segment'", "is empty"]),
        ("system,segment,score,score\na,1,1,2\n", ["two columns are called 'score'"]),
        ('{"system": "a"', ["line 1", "JSON"]),
    ],
)
def test_mistakes_name_place_and_remedy(text: str, parts: list[str]) -> None:
    message = refused(text)
    assert all(part in message for part in parts), message


def test_a_system_may_be_called_none() -> None:
    assert read("system,score\nNone,3\n").systems == ("None",)


_HEADS = [name for names in [*ROLES.values(), *VALUES.values()] for name in names[:3]]
_CELLS = st.sampled_from(["", "a", "1", "-0.0", "2,5", "None", "SYSTEM", "REF", "ad", "true", '"', "inf", "1e999", "é"])


@pytest.mark.slow
@given(st.binary(max_size=300))
@settings(max_examples=150, deadline=None)
def test_any_bytes_are_judgements_or_a_load_error(data: bytes) -> None:
    _judgements_or_error(data)


@pytest.mark.slow
@given(
    st.lists(st.sampled_from([*_HEADS, "system", "score", "x"]), min_size=1, max_size=6),
    st.lists(st.lists(_CELLS, min_size=1, max_size=6), max_size=5),
    st.sampled_from([",", "\t", ";", " ", "|"]),
)
@settings(max_examples=300, deadline=None)
def test_any_table_is_judgements_or_a_load_error(heads: list[str], cells: list[list[str]], delimiter: str) -> None:
    width = len(heads)
    lines = [heads, *((row * width)[:width] for row in cells)]
    _judgements_or_error("\n".join(delimiter.join(row) for row in lines).encode())


def _judgements_or_error(data: bytes) -> None:
    found = None
    with suppress(LoadError):
        found = read_judgement_table("some.tsv", data)
    if found is None:
        return
    assert found.judgements
    assert found.higher_is_better.keys() == found.reasons.keys() == {j.dimension for j in found.judgements}
    assert all(j.value is None or math.isfinite(j.value) for j in found.judgements)
    assert len(found.to_frame()) == len(found.frame)


# Real files


def _real(path: Path) -> JudgementTable:
    return read_judgement_table(path.name, path.read_bytes())


@pytest.mark.slow
def test_means_of_real_direct_assessments_are_the_published_ones(realdata: Path) -> None:
    folder = realdata / "human-wmt22-da-liven"
    values: dict[tuple[str, str | None], list[float]] = defaultdict(list)
    for each in _real(folder / "judgements.tsv").outputs.itertuples():
        assert np.isfinite(each.score)
        values[each.system, each.segment].append(each.score)
    with (folder / "segment_scores.tsv").open() as stream:
        published = {(row["system"], row["seg"]): float(row["z"]) for row in csv.DictReader(stream, delimiter="\t")}
    assert values.keys() == published.keys()
    assert max(abs(sum(own) / len(own) - published[key]) for key, own in values.items()) < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "summary"),
    [
        ("mqm_ted_ende", "7,406 judgements of 14 systems (1,078 missing)"),
        ("mqm_newstest2021_ende", "8,959 judgements of 17 systems (8,075 missing)"),
        ("mqm_newstest2020_ende", "14,180 judgements of 10 systems"),
    ],
)
def test_real_mqm_averages(realdata: Path, name: str, summary: str) -> None:
    path = realdata / "human-mqm-avgseg" / f"{name}.avg_seg_scores.tsv"
    found = _real(path)
    assert found.summary == summary
    assert path.read_text().count("None") == found.frame["score"].isna().sum()
    assert found.higher_is_better == {"mqm": True}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["quality", "naturalness"])
def test_real_ratings(realdata: Path, name: str) -> None:
    path = realdata / "human-e2e-adequacy-fluency" / f"{name}.tsv"
    found = _real(path)
    assert found.dimensions == (name,)
    assert len(found.systems) == 12
    assert len(found.frame) == len(path.read_text().splitlines()) - 1


@pytest.mark.slow
def test_real_scores_of_whole_systems(realdata: Path) -> None:
    for path in sorted((realdata / "human-wmt15-syslevel").glob("hum-sys.*.csv")):
        found = _real(path)
        # two sets of the same systems in one of the files, once for each metric
        lines = [line.split() for line in path.read_text().splitlines()[1:]]
        assert len(found.frame) == len({(cells[2], cells[3]) for cells in lines}) > 5
        assert found.frame["segment"].isna().all()


def test_real_scale_with_zero_as_best(realdata: Path) -> None:
    found = _real(realdata / "bugs" / "49-human-negative-scale" / "run" / "human.tsv")
    assert found.higher_is_better == {"mqm": True}
    assert "-0.0" not in set(map(str, found.frame["score"]))
