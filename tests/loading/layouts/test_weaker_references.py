"""References under weaker names (``human.txt``, ``gt.txt``, a column ``human``), and sources called otherwise."""

from __future__ import annotations

import json

import pytest

from mtsig_core import load
from mtsig_core.loading.report import LoadError

REFERENCE = ["a cat sat here", "the dog ran off", "we saw one bird", "rain fell all day", "she reads a book"]
SOURCE = ["eine Katze sitzt", "der Hund rennt", "ein Vogel fliegt", "es regnet heute", "sie liest hier"]
BASE, NEW = ([f"{line} {word}" for line in REFERENCE] for word in ("now", "then"))


def text(lines):
    return ("\n".join(lines) + "\n").encode()


def table(columns, sign=","):
    return "".join(sign.join(row) + "\n" for row in (columns, *zip(*columns.values(), strict=True))).encode()


def loaded(files):
    experiment, report = load(list(files.items()), cache=False)
    (test_set,) = experiment.test_sets
    return [system.name for system in experiment.systems], test_set, report


FLAT = {"base.seed1.txt": text(BASE), "base.seed2.txt": text(NEW), "new.seed1.txt": text(NEW)}
FOLDER = {"outputs/base/seed1.txt": text(BASE), "outputs/new/seed1.txt": text(NEW)}


@pytest.mark.parametrize("outputs", [FLAT, FOLDER])
@pytest.mark.parametrize("name", ["human", "human1", "ht", "gt", "groundtruth", "correct", "referenz"])
def test_a_file_under_a_weaker_name_is_the_reference(outputs, name):
    systems, test_set, report = loaded({**outputs, f"{name}.txt": text(REFERENCE), "src.txt": text(SOURCE)})
    assert systems == ["base", "new"]
    assert (test_set.references, test_set.source) == ((tuple(REFERENCE),), tuple(SOURCE))
    (guess,) = report.with_code("reference-by-name")
    assert f"{name}.txt" in guess.message


def test_numbered_ones_are_several_references():
    files = {**FLAT, "human1.txt": text(REFERENCE), "human2.txt": text([f"{line} too" for line in REFERENCE])}
    assert len(loaded(files)[1].references) == 2


@pytest.mark.parametrize("outputs", [FLAT, FOLDER])
def test_beside_a_reference_by_name_it_is_none(outputs):
    systems, test_set, report = loaded({**outputs, "human.txt": text(NEW), "ref.txt": text(REFERENCE)})
    assert test_set.references == (tuple(REFERENCE),)
    assert "human" in systems or any("human.txt" in line.files for line in report.ignored)


def test_a_language_is_no_weaker_name():
    with pytest.raises(LoadError, match="no reference"):
        load([(f"{name}.ht", text(REFERENCE)) for name in ("base", "new")], cache=False)


@pytest.mark.parametrize("name", ["human", "ht", "gt", "ground_truth", "correct", "referenz"])
@pytest.mark.parametrize(("file", "sign"), [("t.csv", ","), ("t.tsv", "\t")])
def test_a_column_under_a_weaker_name_is_the_reference(name, file, sign):
    columns = {"source": SOURCE, name: REFERENCE, "base": BASE, "new": NEW}
    systems, test_set, report = loaded({file: table(columns, sign)})
    assert systems == ["base", "new"]
    assert test_set.references == (tuple(REFERENCE),)
    assert f"reference: {name}" in report.with_code("texts-in-columns")[0].message


def test_a_column_of_people_beside_a_reference_is_a_system():
    systems, test_set, _ = loaded({"t.csv": table({"ref": REFERENCE, "human": NEW, "base": BASE})})
    assert systems == ["base", "human"]
    assert test_set.references == (tuple(REFERENCE),)


def test_numbers_of_people_are_no_reference():
    systems, _, report = loaded({"t.csv": table({"ref": REFERENCE, "base": BASE, "human": list("34512")})})
    assert systems == ["base"]
    assert "'human'" in report.with_code("unused-columns")[0].message


@pytest.mark.parametrize("content", [
    {"human": REFERENCE, "base": BASE, "new": NEW},
    [{"gt": g, "base": a, "new": b} for g, a, b in zip(REFERENCE, BASE, NEW, strict=True)],
])  # fmt: skip
def test_a_key_under_a_weaker_name_is_the_reference(content):
    systems, test_set, report = loaded({"t.json": json.dumps(content).encode()})
    assert systems == ["base", "new"]
    assert test_set.references == (tuple(REFERENCE),)
    assert report.with_code("shape")


def test_whether_an_answer_is_correct_is_no_reference():
    rows = "".join(f"{i},{s},x{i},x{i},{i % 2}\n" for s in ("a", "b") for i in range(6))
    experiment, _ = load([("t.csv", b"id,system,prediction,label,correct\n" + rows.encode())], cache=False)
    assert "correct" in experiment.outside_metrics


@pytest.mark.parametrize("name", ["prompt", "Question", "quelle", "input", "src_text"])
@pytest.mark.parametrize(("file", "sign"), [("t.csv", ","), ("t.tsv", "\t")])
def test_sources_by_other_names(name, file, sign):
    systems, test_set, _ = loaded({file: table({name: SOURCE, "ref": REFERENCE, "base": BASE, "new": NEW}, sign)})
    assert systems == ["base", "new"]
    assert test_set.source == tuple(SOURCE)


def test_a_source_is_never_taken_for_the_reference():
    with pytest.raises(LoadError, match="no column is the reference"):
        load([("t.tsv", table({"src": SOURCE, "base": BASE, "new": NEW}, "\t"))], cache=False)
