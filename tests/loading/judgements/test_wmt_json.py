"""WMT's judgements of 2024 and 2025 as JSON lines, in the form that the organisers' scripts write."""

import json

import pytest

from mtsig_core.loading import LoadError, read
from mtsig_core.loading.judgements.find import read_judgement_table
from mtsig_core.loading.judgements.frame import Span
from mtsig_core.workbench.people import open_people

ERROR = {"start_i": 2, "end_i": 5, "severity": "minor"}


def lines(*records):
    return "\n".join(json.dumps(record) for record in records).encode()


def segment(scores, name="en-cs_CZ_#_news_#_story_#_3"):
    return {"scores": scores, "src_text": "x", "tgt_text": {"A": "y", "refA": "z"}, "doc_id": name}


def rows(data, *names):
    frame = read_judgement_table("wmt25-genmt-humeval.jsonl", data).frame[list(names)].astype(object)
    return [tuple(row) for row in frame.where(frame.notna(), None).itertuples(index=False)]


def test_several_judgements_of_a_system_stay_several():
    data = lines(segment({
        "A": [{"score": "85", "annotator": "a1", "errors": [ERROR], "times": [10, 15.5]},
              {"score": 80, "annotator": "a2", "errors": [], "times": [7, 7]}],
        "refA": [{"score": float("nan"), "annotator": "unknown", "errors": []}],
    }), segment({}, "en-cs_CZ_#_news_#_story_#_4"))  # fmt: skip
    assert rows(data, "test_set", "document", "segment", "system", "annotator", "score", "seconds", "spans") == [
        ("en-cs_CZ", "en-cs_CZ_#_news_#_story", "3", "A", "a1", 85, 5.5, (Span("minor", "", 2, 5),)),
        ("en-cs_CZ", "en-cs_CZ_#_news_#_story", "3", "A", "a2", 80, None, ()),
        ("en-cs_CZ", "en-cs_CZ_#_news_#_story", "3", "refA", None, None, None, ()),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"human1": 70, "errors1": [ERROR], "annotator1": "a", "times1": [1, 2], "human2": 60, "errors2": [],
          "annotator2": "b", "times2": [3, 5]}, [("a", 70, 1), ("b", 60, 2)]),
        ({"human": 70, "errors": [ERROR]}, [(None, 70, None)]),
        ([{"human": 70, "errors": [], "annotator": "a"}], [("a", 70, None)]),
    ],
)  # fmt: skip
def test_interim_forms_of_2025(answer, expected):
    assert rows(lines(segment({"A": answer})), "annotator", "score", "seconds") == expected


def test_one_object_per_judgement_of_2024():
    flat = {"langs": "en-cs", "line_id": 7, "src": "x", "tgt": "y", "doc_id": "news", "domain": "news",
            "esa_spans": [ERROR], "esa_score": "90", "times": [0, 4], "system": "A", "annotator": "e1"}  # fmt: skip
    assert rows(lines(flat, flat | {"system": "B", "esa_score": 50}), "test_set", "document", "segment", "system",
                "annotator", "score", "seconds") == [
        ("en-cs", "news", "7", "A", "e1", 90, 4), ("en-cs", "news", "7", "B", "e1", 50, 4)]  # fmt: skip


@pytest.mark.slow
def test_language_pairs_are_apart_and_the_file_opens_alone():
    data = lines(*(segment({"A": [{"score": 50 + k, "annotator": "a", "errors": [ERROR]}],
                            "B": [{"score": 60 + k, "annotator": "a", "errors": []}]}, f"{pair}_#_news_#_d_#_{k}")
                   for pair in ("en-cs_CZ", "ja_JP-zh_CN") for k in range(4)))  # fmt: skip
    people = open_people([("humeval.jsonl", data)])
    assert [campaign.name for campaign in people.campaigns] == [
        "score (en-cs_CZ)", "mqm (en-cs_CZ)", "score (ja_JP-zh_CN)", "mqm (ja_JP-zh_CN)"]  # fmt: skip
    experiment = read([("humeval.jsonl", data)]).experiment
    assert {each.name for each in experiment.test_sets} == {"en-cs_CZ", "ja_JP-zh_CN"}


def test_judgements_beside_the_texts_of_the_task_are_no_texts():
    texts = lines(*({"doc_id": f"en-cs_CZ_#_news_#_d{k}", "src_lang": "en", "tgt_lang": "cs_CZ", "src_text": "x y",
                     "refs": {"refA": {"ref": "a b c"}}, "tgt_text": {"A": f"a b {k}", "B": "a b c"}}
                    for k in range(5)))  # fmt: skip
    judged = lines(*(segment({"A": [{"score": 50 + k, "annotator": "a", "errors": []}],
                              "B": [{"score": 60, "annotator": "a", "errors": []}]}, f"en-cs_CZ_#_news_#_d{k}_#_0")
                     for k in range(5)))  # fmt: skip
    result = read([("wmt25-genmt.jsonl", texts), ("wmt25-genmt-humeval.jsonl", judged)])
    assert [test_set.n_segments for test_set in result.experiment.test_sets] == [5]
    assert list(result.recognition.judgement_files) == ["wmt25-genmt-humeval.jsonl"]


def test_what_is_refused():
    with pytest.raises(LoadError, match="nobody judged any"):
        read_judgement_table("humeval.jsonl", lines(segment({})))
    with pytest.raises(LoadError, match=r"line 1.*good"):
        read_judgement_table("humeval.jsonl", lines(segment({"A": [{"score": "good", "annotator": "a"}]})))
