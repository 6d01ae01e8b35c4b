"""Every format of judgements: what is recognised, what stands in the table, what is refused."""

import gzip
import json
from dataclasses import replace

import numpy as np
import pytest

from mtsig_core.analysis.people.hter import hter_judgements
from mtsig_core.loading import LoadError
from mtsig_core.loading.judgements.find import read_judgement_table
from mtsig_core.loading.judgements.frame import COLUMNS, Span, judgement_frame
from mtsig_core.loading.judgements.frame import JudgementTable as Table
from mtsig_core.loading.judgements.joining import joined
from mtsig_core.loading.judgements.readers.post_edits import holds_post_edits, read_post_edits
from mtsig_core.loading.judgements.sheets.annotation_key import Asked, new_key
from mtsig_core.loading.judgements.sheets.annotation_sheets import read_sheets


def read(text, name="judgements.csv"):
    return read_judgement_table(name, text.encode())


def records(table, *names):
    frame = table.frame[list(names)].astype(object)
    return [tuple(row) for row in frame.where(frame.notna(), None).itertuples(index=False)]


ESA = """\
u1,wmt23.A,3,TGT,eng,deu,80,doc1#A,False,"[{""start_i"":2,""end_i"":5,""severity"":""minor"",""error_type"":null}]",10.5,20.5
u1,wmt23.A,2,TGT,eng,deu,60,doc1#A,False,[],20.5,20.5
u1,wmt23.A,9,BAD,eng,deu,5,doc1#A#bad1,False,"[{""start_i"":""missing"",""end_i"":""missing"",""severity"":""major"",""error_type"":[""Accuracy"",""Omission""]}]",1,2
u1,ende-tutorial1,1,TGT,eng,deu,50,ende-tutorial1,False,[],1,2
u2,wmt23.A,51,TGT,eng,deu,70,doc1#A,False,[],1,3
u2,wmt23.A,50,TGT,eng,deu,90,doc1#A,False,[],1,3
u2,wmt23.B,71,TGT,eng,deu,20,doc1#B,False,[],1,3
u2,wmt23.B,70,TGT,eng,deu,30,doc1#B,False,[],1,3
"""  # noqa: E501


def test_esa_export_of_appraise():
    table = read(ESA)
    assert (table.format, table.systems, table.annotators) == ("Appraise export", ("wmt23.A", "wmt23.B"), ("u1", "u2"))
    assert table.set_aside == {"damaged": 1, "tutorial": 1}
    rows = records(table, "system", "document", "segment", "annotator", "score", "item_type", "seconds")
    # items are places in the annotator's task: segment 1 of doc1 is item 2 of u1, 50 and 70 of u2
    assert rows[0] == ("wmt23.A", "doc1", "2", "u1", 80, "output", 10.0)
    assert rows[1] == ("wmt23.A", "doc1", "1", "u1", 60, "output", None)
    assert rows[4] == ("wmt23.A", "doc1", "2", "u2", 70, "output", 2.0)
    assert rows[7] == ("wmt23.B", "doc1", "1", "u2", 30, "output", 2.0)
    assert table.frame["spans"][0] == (Span("minor", "", 2, 5),)
    assert table.frame["spans"][2] == (Span("major", "accuracy/omission"),)
    assert any("places in the annotator's task" in note for note in table.notes)
    assert any("damaged 1, tutorial 1" in note for note in table.notes)


def test_parts_of_a_document_are_not_repeats_of_its_beginning():
    whole = [f"u1,B,{i},TGT,a,b,{i},d#B,False,[],1,2" for i in range(10, 14)]
    parts = [f"u2,A,{i},TGT,a,b,{i},d#A,False,[],1,2" for i in (1, 2)] + [
        f"u3,A,{i},TGT,a,b,{i},d#A,False,[],1,2" for i in (80, 81)
    ]
    table = read("\n".join(whole + parts))
    a = table.frame[table.frame["system"] == "A"]
    assert a["segment"].tolist() == ["1", "2", "3", "4"]
    assert any("1 document of a system came in parts" in note for note in table.notes)


def test_an_mqm_export_of_appraise_is_judged_by_its_spans():
    span = '"[{""start_i"":1,""end_i"":2,""severity"":""major"",""error_type"":[""Style"",""Awkward""]}]"'
    table = read(f"u,A,1,TGT,a,b,0,d#A,False,{span},1,2\nu,A,2,TGT,a,b,0,d#A,False,[],1,2\n")
    assert table.frame["score"].isna().all()
    assert [len(s) for s in table.frame["spans"]] == [1, 0]
    assert any("the spans are the judgement" in note for note in table.notes)


def test_wmt_csv_of_2022_and_2023_with_and_without_a_heading():
    heading = "username,system,itemId,itemType,srcLang,trgLang,score,docId,isDocScore,timeStart,timeEnd\n"
    rows = "u,A,1,TGT,eng,ces,70,d1,False,1,5\nu,A,2,TGT,eng,ces,80,d1,False,1,5\nu,A,2,TGT,eng,ces,75,d1,True,1,5\n"
    for text in (rows, heading + rows):
        table = read(text)
        assert table.dimensions == ("score", "document score")
        assert records(table, "segment", "score", "dimension")[2] == (None, 75, "document score")
        assert table.frame.loc[table.frame["dimension"] == "score", "score"].mean() == 75
    segments = "u,generaltest2022.en-liv.hyp.TartuNLP.liv.txt,239,BAD,eng,liv,16,1665513497.7,1665513564.4\n" + (
        "u,generaltest2022.en-liv.hyp.NiuTrans.liv.txt,362,TGT,eng,liv,16,1665513565.0,1665513605.1\n"
    )
    table = read(segments)
    assert records(table, "segment", "item_type") == [("239", "damaged"), ("362", "output")]
    assert table.frame["document"].isna().all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ESA.replace(",60,doc1", ",sixty,doc1"), "line 2, column 'score': expected a finite number.*'sixty'"),
        (ESA.replace("2,TGT,eng,deu,60", "2,ODD,eng,deu,60"), r"line 2, column 4: expected a type .*TGT.*'ODD'"),
        (ESA + "u1,A,1,TGT,eng,deu,1,2\n", "line 9: expected 12 columns as Appraise exports them; found 8"),
        (ESA + "u1,A,4,TGT,eng,deu,1,d#A,False,[{,1,2\n", "line 9.*not valid JSON"),
        (ESA + "u1,A,4,TGT,eng,deu,1,d#A,perhaps,[],1,2\n", "line 9, column 9: expected True or False"),
    ],
)
def test_damaged_exports_name_line_and_column(text, message):
    with pytest.raises(LoadError, match=message):
        read(text)


def test_several_language_pairs_in_one_export_are_test_sets():
    table = read(ESA + "u1,A,4,TGT,eng,fra,1,d#A,False,[],1,2\n")
    assert set(table.frame["test_set"]) == {"eng-deu", "eng-fra"}
    assert any("Several language pairs" in note and "eng-fra" in note for note in table.notes)
    assert read(ESA).frame["test_set"].isna().all()


PEARMUT = [
    {"annotation": [{"A": {"score": 10, "error_spans": []}}], "item": [{"item_id": "t1", "src": "x", "tgt": {}}],
     "user_id": "u", "item_i": "welcome_0", "actions": []},
    {"annotation": [{"A": {"score": 87, "error_spans": [{"start_i": 3, "end_i": 12, "severity": "minor",
                                                         "category": "Terminology"}]},
                     "B": {"score": 60, "error_spans": []}}, {"A": {"score": None, "error_spans": []}}],
     "item": [{"item_id": "cs-de_#_news_#_7", "tgt": {}}, {"item_id": "cs-de_#_news_#_8", "tgt": {}}],
     "actions": [{"time": 100.0}, {"time": 130.0}], "user_id": "u", "item_i": 3},
    {"annotation": [{"A": {"score": 5}}], "item": [{"item_id": "c", "validation": {"A": {"score": [0, 10]}}}],
     "user_id": "u", "item_i": "random_1", "actions": []},
    {"annotation": [{"A": {"score": {"Fluency": 4, "Adequacy": 70}}}], "item": [{"item_id": "k"}], "user_id": "v",
     "item_i": 1},
]  # fmt: skip


def jsonl(entries):
    return "\n".join(json.dumps(entry) for entry in entries)


def test_pearmut_annotations():
    table = read(jsonl(PEARMUT), "campaign.jsonl")
    assert table.format == "Pearmut annotations"
    assert table.set_aside == {"tutorial": 1, "attention check": 1}
    outputs = table.outputs[["system", "document", "segment", "dimension", "score", "seconds"]]
    rows = [tuple(None if v != v else v for v in row) for row in outputs.itertuples(index=False)]
    assert rows == [
        ("A", "cs-de_#_news", "7", "score", 87, 15), ("B", "cs-de_#_news", "7", "score", 60, 15),
        ("A", None, "k", "fluency", 4, None), ("A", None, "k", "adequacy", 70, None),
    ]  # fmt: skip
    assert table.frame["spans"][1] == (Span("minor", "terminology", 3, 12),)
    # outputs that stood beside each other share a task
    assert table.frame["task"][1] == table.frame["task"][2]


def test_a_reset_cancels_what_the_annotator_did_before():
    reset = {"user_id": "u", "item_i": 3, "annotation": "__RESET__"}
    table = read(jsonl([*PEARMUT, reset]), "campaign.jsonl")
    assert len(table.outputs) == 2
    assert any("2 judgements before an annotator's reset" in note for note in table.notes)


def test_pearmut_without_items_and_cut_files():
    old = {"user_id": "eve", "item_i": 0, "annotation": {"A": {"score": 92, "error_spans": []}}}
    assert records(read(jsonl([old]), "c.jsonl"), "segment", "system", "score") == [("0", "A", 92)]
    with pytest.raises(LoadError, match="1 annotations of 2 items"):
        read(jsonl([{**old, "annotation": [{}], "item": [{}, {}]}]), "c.jsonl")
    with pytest.raises(LoadError, match="no score and no error span"):
        read(jsonl([{**old, "annotation": [{}]}]), "c.jsonl")


MQM = (
    "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\tcomment\n"
    'A\ttalk.1\t1\t1\tr1\tsaid "so\tEr <v>sagte</v> es\tAccuracy/Mistranslation\tMajor\t\n'
    "A\ttalk.1\t1\t1\tr1\tsaid so\tEr sagte <v>es</v>.\tFluency / Punctuation\tMinor\t\n"
    "B\ttalk.1\t1\t1\tr2\tsaid so\tEr sagte es\tNo-error\tNo-error\t\n"
    "B\ttalk.1\t2\t2\tr2\t<v>all</v> gone\tweg\tAccuracy/Omission\tMajor\t\n"
)


def test_google_mqm_gathers_the_spans_of_a_rater_and_segment():
    table = read(MQM, "mqm_ted_ende.tsv")
    assert records(table, "system", "document", "segment", "annotator") == [
        ("A", "talk.1", "1", "r1"), ("B", "talk.1", "1", "r2"), ("B", "talk.1", "2", "r2"),
    ]  # fmt: skip
    assert table.frame["spans"].tolist() == [
        (Span("major", "accuracy/mistranslation", 3, 8, "sagte"), Span("minor", "fluency/punctuation", 9, 11, "es")),
        (),
        (Span("major", "accuracy/omission", None, None, "all"),),
    ]
    planted = read(MQM + "B\ttalk.1\t3\t3\tr2\ts\tt\tFound\tHOTW-test\t\n", "mqm.tsv")
    assert planted.set_aside == {"attention check": 1}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (MQM + "C\ttalk\n", "line 6: 2 cells, but the heading has 10"),
        (MQM + "C\td\t1\t\tr\ts\tt\tStyle\tMinor\t\n", "line 6, column 'seg_id': is empty"),
        (MQM.split("\n")[0], "no row below it"),
    ],
)
def test_damaged_mqm_names_line_and_column(text, message):
    with pytest.raises(LoadError, match=message):
        read(text, "mqm.tsv")


def test_mqm_as_json():
    segments = [
        {"system": "A", "doc": "d", "seg_id": 3, "rater": "r1",
         "errors": [{"category": "Fluency", "subcategory": "Grammar", "severity": "Minor", "start": 1, "end": 4}]},
        {"system": "A", "doc": "d", "seg_id": 4, "rater": "r1", "errors": []},
    ]  # fmt: skip
    for text in (json.dumps(segments, indent=1), jsonl(segments)):
        table = read(text, "mqm.json")
        assert table.format == "MQM as JSON"
        assert table.frame["spans"].tolist() == [(Span("minor", "fluency/grammar", 1, 4),), ()]
        assert table.frame["segment"].tolist() == ["3", "4"]
    segments[1].pop("errors")
    assert read(json.dumps(segments), "mqm.json").frame["spans"][1] == ()
    segments[0]["system"] = ""
    with pytest.raises(LoadError, match="object 1: its system is missing"):
        read(json.dumps(segments), "mqm.json")


def test_rankings_of_five_and_preferences_with_ties():
    five = (
        "srclang,trglang,srcIndex,segmentId,judgeId,system1Id,system1rank,system2Id,system2rank,system3Id,system3rank\n"
        "eng,deu,7,7,j1,A,1,B,2,C,2\neng,deu,8,8,j1,A,-1,B,1,C,2\n"
    )
    table = read(five, "wmt.csv")
    assert (table.format, table.higher_is_better) == ("rankings", {"rank": False})
    rows = records(table, "segment", "system", "score", "task")
    assert rows[:3] == [("7", "A", 1, "2"), ("7", "B", 2, "2"), ("7", "C", 2, "2")]
    assert rows[3:] == [("8", "B", 1, "3"), ("8", "C", 2, "3")]
    pairs = read("segment,annotator,system a,system b,better\n1,x,A,B,A\n2,x,A,B,tie\n3,x,A,B,2\n4,x,A,B,\n", "p.csv")
    assert [row[1] for row in records(pairs, "system", "score")] == [1, 2, 1, 1, 2, 1]
    with pytest.raises(LoadError, match=r"line 2, column 'better': expected 'A', 'B', 1, 2 or tie; found 'C'"):
        read("segment,system a,system b,better\n1,A,B,C\n", "p.csv")
    # a system's name goes before what letters and numbers usually say
    named = read("segment,system a,system b,better\n1,b,a,a\n", "p.csv")
    assert records(named, "system", "score") == [("b", 2), ("a", 1)]


def test_ranks_in_a_long_table():
    table = read("item,annotator,system,rank\n1,x,A,1\n1,x,B,2\n", "ranks.csv")
    assert table.higher_is_better == {"rank": False}
    assert table.dimensions == ("rank",)


def test_direct_assessment_of_wmt_keeps_its_control_items():
    text = (
        "HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time\n"
        "h\tM1\tlv\ten\tad\t13\tA.0\t1\tSYSTEM\t121\t-1.2\t1503.0\nh\tM1\tlv\ten\tad\t13\tA.0\t2\tREPEAT\t121\t-0.2\t1503.0\n"
        "h\tM1\tlv\ten\tad\t13\tB.1\t3\tBAD_REF\t4\t-2\t1503.0\nh\tM1\tlv\ten\tad\t13\tB.1\t4\tREF\t4\t1.6\t1503.0\n"
    )
    table = read(text, "ad-lven-good-stnd.csv")
    assert table.set_aside == {"damaged": 1, "reference": 1}
    assert records(table, "segment", "score", "item_type")[1] == ("121", -0.2, "repeat")
    assert table.standardised == ("adequacy",)


def test_one_column_per_dimension_and_any_scale():
    table = read("seg\tsystem\trater\tadequacy\tfluency\n1\ta\tx\t3\t4,5\n2\ta\tx\t\t-0.0\n", "human.tsv")
    assert table.dimensions == ("adequacy", "fluency")
    assert records(table, "segment", "dimension", "score") == [
        ("1", "adequacy", 3), ("2", "adequacy", None), ("1", "fluency", 4.5), ("2", "fluency", 0),
    ]  # fmt: skip
    assert not np.signbit(table.frame["score"].to_numpy()).any()


def test_names_of_columns_and_gzip():
    text = "segment id;document;annotator id;mt system;score;duration\n007;d;x;A;3;12.5\n"
    table = read_judgement_table("s.csv.gz", gzip.compress(text.encode()))
    assert records(table, "segment", "document", "annotator", "system", "seconds") == [("7", "d", "x", "A", 12.5)]


def test_mqm_averages_and_their_direction():
    table = read("system mqm_avg_score seg_id\nA\t-2.5 1\nA\tNone 2\n", "mqm.avg_seg_scores.tsv")
    assert table.higher_is_better == {"mqm": True}
    assert table.frame["score"].isna().tolist() == [False, True]
    positive = read("system seg mqm\nA 1 2\nA 2 0\n", "mqm.tsv")
    assert positive.higher_is_better == {"mqm": False}


def test_mt_metrics_eval_scores():
    table = read("A\t-1\nA\tNone\nB\t-2\nB\t0\n", "en-de.mqm.seg.score")
    assert records(table, "system", "segment", "score") == [
        ("A", "1", -1),
        ("A", "2", None),
        ("B", "1", -2),
        ("B", "2", 0),
    ]
    whole = read("A\t80.1\nB\t70\n", "en-de.ESA.sys.score")
    assert records(whole, "system", "segment", "score") == [("A", None, 80.1), ("B", None, 70)]


def test_several_files_are_one_table():
    one, two = (
        read("system,segment,annotator,score\na,1,x,3\n", "x.csv"),
        read("system,segment,annotator,score\nb,1,y,5\n"),
    )
    both = joined([one, two])
    assert both.systems == ("a", "b")
    assert both.file == "x.csv and 1 more"
    other = replace(two, higher_is_better={"score": False})
    with pytest.raises(LoadError, match="higher is not better in 'score'"):
        joined([one, other])
    with pytest.raises(LoadError, match="No file"):
        joined([])


def test_frames_are_checked():
    frame = judgement_frame({"system": ["a"], "dimension": "score", "score": [1]}, 1)
    assert tuple(frame.columns) == COLUMNS
    with pytest.raises(ValueError, match="needs the columns"):
        Table("f", "x", frame[["score"]], {"score": True})
    with pytest.raises(ValueError, match="no direction is given for the dimension 'score'"):
        Table("f", "x", frame, {})
    with pytest.raises(ValueError, match="item types are"):
        Table("f", "x", frame.assign(item_type="odd"), {"score": True})


def test_filled_annotation_sheets_become_a_table():
    key = new_key(
        "test", ("plain", "s1"), ("better", "s2"), Asked(("adequacy", "ranking")), "all", [(3, False, ("x", "y"))]
    )
    item = key.items[0].item
    sheet = f"item,annotator,output 1,output 2,adequacy 1,adequacy 2,better\n{item},eve,x,y,4,2,1\n"
    table = read_sheets([("sheet.csv", sheet.encode())], key)
    assert records(table, "system", "replica", "segment", "annotator", "dimension", "score", "task") == [
        ("better", "s2", "3", "eve", "adequacy", 4, item), ("plain", "s1", "3", "eve", "adequacy", 2, item),
        ("better", "s2", "3", "eve", "ranking", 1, item), ("plain", "s1", "3", "eve", "ranking", 0, item),
    ]  # fmt: skip
    assert table.higher_is_better == {"adequacy": True, "ranking": True}


def test_post_edits_in_tables():
    frame = read_post_edits("pe.tsv", b"system\tsegment\tmt\tpost-edit\teditor\nA\t01\tthe cat\tthe cats\tx\n")
    assert frame.to_dict("records") == [
        {"post_edit": "the cats", "output": "the cat", "system": "A", "segment": "1", "annotator": "x"}
    ]
    assert hter_judgements(frame)["score"].tolist() == [50]
    assert holds_post_edits(["system", "pe"])
    assert not holds_post_edits(["system", "score"])
    with pytest.raises(LoadError, match="no column of post-edits"):
        read_post_edits("pe.tsv", b"system\tsegment\nA\t1\n")
