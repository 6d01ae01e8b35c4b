"""Corrections as text: experiment.toml makes the same of the same files, and what is kept comes back as it was."""

from __future__ import annotations

import io
from dataclasses import replace

import openpyxl
import pytest

from mtsig_core.loading import LoadError, corrections, load, read
from mtsig_core.loading.corrections import READ_AS
from mtsig_core.loading.recognition.settings import MANIFEST
from mtsig_core.loading.stored_corrections import from_json, manifest_of, to_json
from mtsig_core.loading.table_columns import table_columns, with_columns
from mtsig_core.loading.unrecognised import unrecognised
from tests.conftest import sentences

TEXT = "\n".join(sentences(3, 6))
FLAT = {f"{name}.txt": TEXT for name in ("ref", "a.seed1", "a.seed2", "odd", "b.seed1")}
WIDE = {"o.csv": "id,reference,base,new\n" + "".join(f"{i},a b {i},a c {i},a d {i}\n" for i in range(6))}
SCORES = {"s.csv": "system,segment,ppl,zeta\n" + "".join(f"{s},{i},{i},{i}\n" for s in "ab" for i in range(6))}
RUNS = {"t.csv": "engine,attempt_no,foo,note\n" + "".join(f"{s},{k},0.{k},0.{k}5\n" for s in "ab" for k in (1, 2))}


def _files(texts: dict[str, str]) -> list[tuple[str, bytes]]:
    return [(path, text.encode()) for path, text in texts.items()]


def _flat(made):
    made = corrections.rename_systems(made, {"a": "first"})
    made = corrections.edited(made, {"odd.txt": {"system": "b", "replica": "seed2"}})
    return replace(made, baseline="b", paired=True, set_roles={"test": "other"})


def _wide(made):
    return corrections.edited(corrections.rename_systems(made, {"base": "old"}), {"o.csv#id": {}})


def _scores(made):
    made = corrections.change_sets(corrections.rename_systems(made, {"a": "x"}), {"test": "news"}, {})
    return replace(made, directions={"zeta": False})


@pytest.mark.parametrize(("texts", "change"), [(FLAT, _flat), (WIDE, _wide), (SCORES, _scores)])
def test_a_manifest_says_what_was_corrected(texts, change):
    reading = read(_files(texts), cache=False)
    first = corrections.recognised(reading.recognition, reading.experiment)
    wanted = change(first)
    corrected, _ = corrections.apply(reading.recognition, wanted)
    manifest = manifest_of(reading.recognition, wanted, corrected)
    again, report = load([*_files(texts), (MANIFEST, manifest.encode())], cache=False)
    assert again.digest == corrected.digest
    assert (again.baseline, again.paired) == (corrected.baseline, corrected.paired)
    assert again.outside_metrics == corrected.outside_metrics
    assert again.assumed_directions == corrected.assumed_directions
    assert not report.with_code("unknown-file")
    assert not report.with_code("unknown-key")
    kept = from_json(to_json(wanted), reading.recognition)
    assert kept == wanted


def test_columns_said_by_hand_are_in_the_manifest():
    recognition = unrecognised(_files(RUNS))
    taken = {"engine": "system", "attempt_no": "replica", "foo": "scores of a metric", "note": "not used"}
    first = corrections.Corrections(recognition.plan.roles)
    wanted = with_columns(corrections.edited(first, {"t.csv": {"kind": "scores"}}), "t.csv", taken)
    made, _ = corrections.apply(recognition, wanted)
    assert {s.name: [r.scores["test"]["foo"] for r in s.replicas] for s in made.systems} == {
        "a": [(0.1,), (0.2,)], "b": [(0.1,), (0.2,)],
    }  # fmt: skip
    assert not made.test_sets[0].has_segments
    again, _ = load([*_files(RUNS), (MANIFEST, manifest_of(recognition, wanted, made).encode())], cache=False)
    assert again.digest == made.digest
    assert from_json(to_json(wanted), recognition) == wanted


def test_columns_of_a_workbook_are_said_by_hand():
    book = openpyxl.Workbook()
    for line in ("Engine,Satz,Note", *(f"{s},{i},{i / 10}" for s in "ab" for i in range(1, 4))):
        book.active.append(line.split(","))
    stream = io.BytesIO()
    book.save(stream)
    recognition = unrecognised([("marks.xlsx", stream.getvalue())])
    scores = replace(recognition.plan.roles[0], kind="scores")
    frame = table_columns(recognition, scores)
    assert list(frame.index) == ["Engine", "Satz", "Note"]
    assert frame[READ_AS]["Note"] == "scores of a metric"
    taken = {"Engine": "system", "Satz": "segment", "Note": "scores of a metric"}
    wanted = with_columns(corrections.Corrections((scores,)), "marks.xlsx", taken)
    made, _ = corrections.apply(recognition, wanted)
    assert made.system("b").replicas[0].scores["test"]["Note"] == (0.1, 0.2, 0.3)
    with pytest.raises(LoadError, match="no sheet has the columns 'Motor'"):
        corrections.apply(recognition, with_columns(wanted, "marks.xlsx", {"Motor": "system"}))


@pytest.mark.slow
def test_a_digest_is_of_names_and_content():
    digests = {read(_files(texts), cache=False).recognition.digest for texts in (
        FLAT, FLAT | {"odd.txt": TEXT + " x"}, FLAT | {"notes.md": "a"}, FLAT | {"notes.md": "b"}, WIDE)}  # fmt: skip
    assert len(digests) == 5
    assert read(_files(FLAT), name="else", cache=False).recognition.digest in digests


def test_damaged_and_foreign_corrections_are_not_used():
    reading = read(_files(FLAT), cache=False)
    own = to_json(corrections.recognised(reading.recognition, reading.experiment))
    assert from_json(own[:-5], reading.recognition) is None
    assert from_json("{}", reading.recognition) is None
    assert from_json(own.replace("odd.txt", "other.txt"), reading.recognition) is None


def test_an_upload_with_a_member_that_is_damaged_has_a_digest(make_zip):
    texts = {path: text.encode() for path, text in FLAT.items()}
    data = make_zip(texts)
    place = data.index(b"odd.txt") - 30  # the header of this member
    damaged = data[:place] + b"XX" + data[place + 2 :]
    reading = read(damaged, name="up.zip", cache=False)
    assert reading.report.with_code("unreadable-text")
    assert reading.recognition.digest == read(damaged, name="up.zip", cache=False).recognition.digest
    assert reading.recognition.digest != read(data, name="up.zip", cache=False).recognition.digest


def test_what_holds_nothing_but_a_manifest_is_refused_by_hand():
    recognition = unrecognised([(MANIFEST, b"x")])
    with pytest.raises(LoadError, match=MANIFEST):
        corrections.apply(recognition, corrections.Corrections(recognition.plan.roles))
