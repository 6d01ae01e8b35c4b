"""One bad file costs that file alone, and messages name the true cause."""

from __future__ import annotations

import io
import zipfile

import pandas as pd
import pytest

from mtsig_core.loading import LoadError, load

TEXT = "\n".join(f"line {word} of text" for word in ["one", "two", "three", "four", "five", "six"]) + "\n"


def run(**more: bytes):
    files = {f"systems/{s}/seed{k}.txt": TEXT.replace("of", f"of {s}{k}").encode() for s in "ab" for k in (1, 2)}
    return list((files | {"refs/ref.txt": TEXT.encode()} | more).items())


def shape(experiment):
    return {s.name: [r.name for r in s.replicas] for s in experiment.systems}


@pytest.mark.parametrize("data", [b"caf\xe9\n" * 6, b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe"])
def test_an_output_that_is_no_text_is_left_out(data):
    experiment, report = load(run(**{"systems/b/seed2.txt": data}), cache=False)
    assert shape(experiment) == {"a": ["seed1", "seed2"], "b": ["seed1"]}
    (line,) = [line for line in report.refused if line.files == ("systems/b/seed2.txt",)]
    assert "left out" in line.message


def test_a_source_that_is_no_text_costs_itself():
    experiment, report = load(run(**{"src.txt": b"caf\xe9\n" * 6}), cache=False)
    assert experiment.test_sets[0].source is None
    assert report.with_code("unreadable-text")


def test_a_bad_reference_costs_its_test_set():
    good = [(f"one/{path}", data) for path, data in run()]
    bad = [(f"two/{path}", data) for path, data in run(**{"refs/ref.txt": b"caf\xe9\n"})]
    experiment, report = load([*good, *bad], cache=False)
    assert [t.name for t in experiment.test_sets] == ["one"]
    assert report.with_code("test-set")
    with pytest.raises(LoadError, match=r"refs/ref\.txt"):
        load(bad, cache=False)


def test_a_stray_table_never_hides_text():
    table = b"system,segment,score\na,1,0.5\nb,1,0.6\n"
    experiment, _ = load([*((f"exp/{path}", data) for path, data in run()), ("extra.csv", table)], cache=False)
    assert experiment.has_text
    assert shape(experiment) == {"a": ["seed1", "seed2"], "b": ["seed1", "seed2"]}


def test_messages_name_what_is_missing_and_what_cannot_be_read(tmp_path):
    with pytest.raises(LoadError, match=r"2 of 3 files may be text, but there is no reference.*data of R"):
        load([("a.txt", b"x\n"), ("b.txt", b"y\n"), ("fit.rds", b"z")], cache=False)
    tmp_path.joinpath("only.txt").write_text("x\n")
    with pytest.raises(LoadError, match="is the only file") as error:
        load(tmp_path, cache=False)
    assert "no folder" not in str(error.value)


def test_many_equal_lines_are_one_with_a_count():
    files = {f"systems/c/seed{k}.txt": TEXT.encode() + b"more\n" for k in range(40)}
    _, report = load(run(**files), cache=False)
    (line,) = report.with_code("line-count")
    assert len(line.files) == 40
    assert "The same of 39 others" in line.message


@pytest.mark.parametrize(
    ("folder", "systems"),
    [("bugs-3/08-one-broken-output/in", {"alpha": 3, "beta": 4}),
     ("bugs-3/13-stray-score-file/in", {"alpha": 3, "beta": 5})],
)  # fmt: skip
def test_real_folders(real_data, folder, systems):
    experiment, _ = load(real_data / folder, cache=False)
    assert {s.name: len(s.replicas) for s in experiment.systems} == systems
    assert experiment.has_text


@pytest.mark.parametrize(("data", "why"), [
    (b"", "is empty"), (b"\n \n", "is empty"), (b"\x81\x8d\x00\xff" * 9, "is not text"),
])
def test_a_single_file_without_text_is_told_so(data, why):
    with pytest.raises(LoadError, match=rf"out\.txt: {why}"):
        load([("out.txt", data)], cache=False)


def test_a_sheet_called_zip_is_read_as_a_sheet():
    columns = {"system": ["a"] * 6 + ["b"] * 6, "segment": [*range(6)] * 2, "BLEU": [k / 7 for k in range(12)]}
    sheet = io.BytesIO()
    pd.DataFrame(columns).to_excel(sheet, index=False)
    experiment, _ = load([("scores.zip", sheet.getvalue())], cache=False)
    assert shape(experiment).keys() == {"a", "b"}
    assert experiment.name == "scores"


def test_a_text_document_called_zip_is_told_what_it_is():
    document = io.BytesIO()
    with zipfile.ZipFile(document, "w") as archive:
        archive.writestr("word/document.xml", "<w/>")
    with pytest.raises(LoadError, match="a Word file, which cannot be read"):
        load([("thesis.zip", document.getvalue())], cache=False)


def test_loose_files_are_called_by_their_names():
    files = [(f"{s}.seed{k}.txt", TEXT.replace("of", f"of {s}{k}").encode()) for s in "ab" for k in (1, 2)]
    assert load([*files, ("ref.txt", TEXT.encode())], cache=False)[0].name == "a.seed1.txt and 4 more files"


def test_a_table_without_a_metric_costs_itself_alone():
    rows = "".join(f"{s},{i},{i}\n" for s in "ab" for i in range(3))
    tables = {"one.csv": "system,segment,chrf\n" + rows, "two.csv": "system,segment,annotator_id\n" + rows}
    experiment, report = load([(path, text.encode()) for path, text in tables.items()], cache=False)
    assert list(experiment.outside_metrics) == ["chrf"]
    assert report.with_code("score-file")[0].files == ("two.csv",)


def test_blank_lines_at_the_end_of_the_reference_are_named_as_the_cause():
    text = "".join(f"the text number {i} of them\n" for i in range(8))
    files = [("ref.txt", f"{text}\n".encode()), ("a.txt", text.encode()), ("b.txt", text.encode())]
    with pytest.raises(LoadError, match=r"a\.txt: 8 lines, but ref\.txt has 9.*The last line that it lacks is blank"):
        load(files, cache=False)


def test_files_of_numbers_and_of_annotations_are_no_systems():
    texts = {
        "ref.en": [f"the text number {i} of them" for i in range(8)],
        "a.en": [f"a text number {i} of them" for i in range(8)],
        "a.scores": [f"-0.{i}1" for i in range(8)],
        "a.probs.en": [f"-0.{i} -1.5 -2e-3" for i in range(8)],
        "ids.txt": list(map(str, range(8))),
        "ref.ner.en": ["O O B-PER I-PER O"] * 8,
        "a.giza": ["# Sentence pair (1)", "the text", "NULL ({ }) the ({ 1 }) text ({ 2 })"] * 3,
    }
    experiment, report = load([(path, "\n".join(lines).encode()) for path, lines in texts.items()], cache=False)
    assert [system.name for system in experiment.systems] == ["a"]
    assert len(experiment.test_sets[0].references) == 1
    unused = " ".join(line.message for line in report.ignored)
    assert all(path in unused for path in texts.keys() - {"ref.en", "a.en"})
    assert "scores/METRIC/SYSTEM/REPLICA.txt" in unused


def test_numbers_are_outputs_where_references_are_numbers():
    numbers = "".join(f"{i * 7}\n" for i in range(8)).encode()
    experiment, _ = load([("ref.txt", numbers), ("a.txt", numbers), ("b.txt", numbers)], cache=False)
    assert [system.name for system in experiment.systems] == ["a", "b"]


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"a" * 64 + b"\nsize 5\n"


def test_a_source_or_a_reference_that_is_a_pointer_costs_no_more_than_its_set():
    experiment, report = load(run(**{"src.txt": POINTER}), cache=False)
    assert len(experiment.systems) == 2
    (line,) = report.with_code("no-text")
    assert "src.txt" in line.message
    assert "git lfs pull" in line.message
    sets = {f"{t}/{path}": data for t in ("dev", "test") for path, data in dict(run()).items()}
    experiment, report = load(list({**sets, "dev/refs/ref.txt": POINTER}.items()), cache=False)
    assert [t.name for t in experiment.test_sets] == ["test"]
    assert "Test set 'dev' is left out" in report.with_code("no-text")[0].message


def test_a_document_among_outputs_is_named_for_what_it_is():
    rtf = b"{\\rtf1\\ansi " + TEXT.encode() + b"}"
    _, report = load(run(**{"systems/c/seed1.txt": rtf, "notes.pdf": b"%PDF"}), cache=False)
    assert "RTF document" in report.with_code("no-text")[0].message
    assert any("a PDF, which cannot be read; save its text" in line.message for line in report.ignored)


def test_document_ids_in_folders_of_sets_are_no_system():
    ids = b"a\na\na\nb\nb\nb\n"
    files = {f"{t}/{s}.seed{k}.txt": TEXT.replace("line", f"{t} {s}{k}").encode()
             for t in ("dev", "test") for s in "ab" for k in (1, 2)}  # fmt: skip
    files |= {f"{t}/{name}": data for t in ("dev", "test")
              for name, data in (("documents.txt", ids), ("reference.txt", TEXT.replace("line", t).encode()))}
    experiment, _ = load(list(files.items()), cache=False)
    assert [system.name for system in experiment.systems] == ["a", "b"]
    assert all(t.documents == ("a", "a", "a", "b", "b", "b") for t in experiment.test_sets)


def test_outputs_that_lie_beside_a_log_are_found():
    files = {f"runs/{s}.{k}/{name}": TEXT.encode() for s in "ab" for k in (1, 2) for name in ("out.en", "log")}
    experiment, _ = load([*files.items(), ("ref.en", TEXT.encode())], cache=False)
    assert {s.name: len(s.replicas) for s in experiment.systems} == {"a": 2, "b": 2}


def test_what_only_a_manifest_names_is_said_to_be_so():
    manifest = "[[files]]\npath = 'x'\nkind = 'reference'\n[[files]]\npath = 'y'\nkind = 'output'\nsystem = 's'\n"
    files = [("x", TEXT.encode()), ("y", TEXT.encode()), ("experiment.toml", manifest.encode())]
    report = load(files, cache=False)[1]
    assert "Recognised as files that experiment.toml names" in report.with_code("layout")[0].message
