"""What is no text of segments is refused with a remedy, or left out; packed and damaged text is read."""

from __future__ import annotations

import codecs
import gzip

import pyarrow
import pytest

from mtsig_core.loading import LoadError, load
from mtsig_core.loading.text.decoding import read_text

REFERENCE = b"".join(b"the house is %d miles away\n" % i for i in range(8))
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"a" * 64 + b"\nsize 1234\n"


def outputs(transform) -> bytes:
    return b"".join(transform(i, b"a house is %d miles away" % i) + b"\n" for i in range(8))


@pytest.mark.parametrize(("data", "words"), [
    (POINTER, "git lfs pull"),
    (outputs(lambda i, text: b"-0.%d\t" % i + text), "cut -f2-"),
    (outputs(lambda i, text: b"-1.5e-%d ||| " % i + text), "sed "),
    (outputs(lambda i, text: b'{"sentence_id": %d, "tokens": [1]}' % i), "jq -r"),
    (b"<!DOCTYPE html>\n<html><body>404</body></html>\n", "HTML page"),
    (outputs(lambda i, text: b"%d\n00:00:0%d,000 --> 00:00:0%d,900\n" % (i, i, i) + text), "subtitles with"),
    (b"../../.git/annex/objects/aa/bb/SHA256E-s12--0.txt/SHA256E-s12--0.txt\n", "git annex get"),
])  # fmt: skip
def test_what_is_no_text_is_refused_with_the_remedy_and_the_rest_loads(data, words):
    files = {"refs/ref.txt": REFERENCE, "systems/a/1.txt": REFERENCE, "systems/b/1.txt": data}
    experiment, report = load(files.items(), cache=False)
    assert [system.name for system in experiment.systems] == ["a"]
    (line,) = report.with_code("no-text")
    assert words in line.message
    assert line.files == ("systems/b/1.txt",)
    with pytest.raises(LoadError, match=r"refs/ref\.txt: "):
        load({**files, "refs/ref.txt": data}.items(), cache=False)


def test_json_lines_in_the_place_of_text_are_unpacked_and_said():
    data = outputs(lambda i, text: b'{"translation": "' + text + b'", "score": -0.5}')
    files = {"refs/ref.txt": REFERENCE, "systems/b/1.txt": data}
    experiment, report = load(files.items(), cache=False)
    assert experiment.systems[0].replicas[0].outputs["test"][3] == "a house is 3 miles away"
    assert "'translation' is read as the text" in report.with_code("json-key")[0].message


@pytest.mark.parametrize("data", [
    outputs(lambda i, text: text.replace(b" is", b"\tis")), outputs(lambda i, text: b"%d miles" % i),
    outputs(lambda i, text: b"{" + text + b"}" if i % 2 else text),
])  # fmt: skip
def test_text_that_only_resembles_it_is_text(data):
    experiment, report = load([("ref.txt", REFERENCE), ("x.seed1.txt", data)], cache=False)
    assert not report.with_code("no-text")
    assert experiment.systems[0].replicas[0].outputs["test"] == tuple(data.decode().split("\n")[:-1])


def test_marks_at_the_start_twice_and_inside_after_joining_files():
    bom = codecs.BOM_UTF8
    text = read_text(bom + bom + b"a\nb\n" + bom + b"c \xef\xbb\xbf d\n", "x")
    assert text.lines == ["a", "b", "c \ufeff d"]
    assert set(text.notes) == {"bom-removed", "bom-inside"}


def test_one_broken_byte_names_its_line_and_advises_no_encoding_for_the_whole():
    data = "é ü\nfür\nñ\n".encode() + b"caf\xc3\n" + "à\n".encode()
    for encoding in (None, "latin-1"):  # a choice for other files must not spoil this one
        with pytest.raises(LoadError, match=r"x\.txt, line 4, byte offset \d+.*All the rest of it is UTF-8") as caught:
            read_text(data, "x.txt", encoding=encoding)
        assert "latin-1" not in str(caught.value)
    text = read_text(data, "x.txt", encoding="utf-8-replace")
    assert text.lines == ["é ü", "für", "ñ", "caf\ufffd", "à"]
    assert text.notes == ("undecodable",)


def test_a_file_in_latin_1_is_advised_to_be_read_as_such():
    data = "café à la crème\nété\n".encode("latin-1")
    with pytest.raises(LoadError, match=r"--encoding.*latin-1"):
        read_text(data, "x.txt")
    assert read_text(data, "x.txt", encoding="latin-1").lines == ["café à la crème", "été"]


@pytest.mark.parametrize(("pack", "ending", "note"), [
    (gzip.compress, ".gz", "gzip"), (lambda data: pyarrow.compress(data, "zstd", asbytes=True), ".zst", "zstd"),
])  # fmt: skip
def test_packed_files_of_any_kind(pack, ending, note):
    table = b"system,replica,segment,comet\n" + b"".join(b"x,1,%d,0.%d\n" % (i, i) for i in range(1, 9))
    files = {
        f"systems/x/1.txt{ending}": pack(REFERENCE), f"refs/ref.txt{ending}": pack(REFERENCE),
        f"scores/s.csv{ending}": pack(table),
    }  # fmt: skip
    experiment, report = load(files.items(), cache=False)
    (replica,) = experiment.systems[0].replicas
    assert replica.outputs["test"] == tuple(REFERENCE.decode().split("\n")[:-1])
    assert replica.scores["test"]["comet"][2] == 0.3
    assert report.with_code(note)
    cut = {**files, f"systems/x/1.txt{ending}": pack(REFERENCE)[:-9]}
    _, report = load(cut.items(), cache=False)
    assert any(f"{note} data is damaged" in line.message for line in report.refused)


@pytest.mark.parametrize(("data", "named", "not_named"), [
    ("сад и дом\nмост\n".encode("cp1251"), "cp1251", "latin-1"),
    ("手紙を見つけた\n庭\n".encode("cp932"), "cp932", "latin-1"),
    ("\x84tr\xe8s\n\xe9t\xe9\n".encode("latin-1"), "cp1252", "latin-1"),  # C1 controls: no text
    (b"plain\nha\xe2\x82lf\nplain\n", "All the rest of it is UTF-8: correct line 2", "latin-1"),
])  # fmt: skip
def test_only_encodings_that_fit_are_named(data, named, not_named):
    with pytest.raises(LoadError) as caught:
        read_text(data, "x.txt")
    assert named in str(caught.value)
    assert not_named not in str(caught.value)
