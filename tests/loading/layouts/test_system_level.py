"""Scores of whole systems are refused with what they are, and what would do."""

from __future__ import annotations

import pytest

from mtsig_core.loading import LoadError, load

TABLES = {
    "COMET-sys.score": b"en-de\tOnline-A\t0.81\nen-de\tOnline-B\t0.79\nen-de\tOnline-W\t0.80\n",
    "BLEU-refA.sys.score": b"Online-A\t31.1\nOnline-B\t30.2\nOnline-W\t29\n",
    "results.csv": b"system,COMET,BLEU\nA,0.81,30\nB,0.79,28\nC,0.7,29\n",
    "ergebnisse.tsv": "Model\tBLEU\nä\t31,5\nb\t30,1\nc\t28,9\n".encode(),
    "scores.jsonl": b'{"system": "A", "score": 0.3}\n{"system": "B", "score": 0.4}\n{"system": "C", "score": 0.5}\n',
    "wmt21.tsv": b"metric\tlp\ttestset\tsystem\tscore\n" + b"".join(
        f"{metric}\ten-de\tnewstest2021\t{name}\t{0.1 * i}\n".encode()
        for metric in ("BLEU", "chrF") for i, name in enumerate("ABC")
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_scores_of_whole_systems_are_named_as_such(name):
    with pytest.raises(LoadError, match="scores of whole systems") as caught:
        load([(name, TABLES[name])], cache=False)
    assert str(caught.value).startswith(f"{name}: scores of whole systems (3 systems, one number each")
    assert "columns system, segment and score" in str(caught.value)
    assert "columns system, run and score" in str(caught.value)


def test_with_scores_of_people_they_open():
    data = b"metric,system,score,human\nCOMET,A,0.81,70\nCOMET,B,0.79,68\nCOMET,C,0.7,60\n"
    experiment, _ = load([("results.csv", data)], cache=False)
    assert [system.name for system in experiment.systems] == ["A", "B", "C"]


@pytest.mark.parametrize("data", [b"word,count\nthe,3\na,4\n", b"a b c 3\nd e f 4\n", b"system,segment\nA,1\nB,2\n"])
def test_other_tables_are_not_taken_for_them(data):
    with pytest.raises(LoadError) as caught:
        load([("other.csv", data)], cache=False)
    assert "scores of whole systems" not in str(caught.value)
