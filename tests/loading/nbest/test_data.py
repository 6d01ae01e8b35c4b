import gzip
import json
import zipfile

import pyarrow
import pytest

from mtsig_core.loading import LoadError, load
from mtsig_core.loading.nbest import load_nbest

LIST = b"0 ||| a b ||| f= 1 ||| -1\n0 ||| a ||| f= 2 ||| -2\n1 ||| c ||| f= 3 ||| -1\n"
OTHER = b"0 ||| x ||| f= 5 ||| -1\n1 ||| y ||| f= 6 ||| -1\n"
REFERENCE = b"a b\nc\n"


def zstd(data):
    return pyarrow.compress(data, codec="zstd", asbytes=True)


def many(n=20_000):
    """A list too long to be unpacked at once."""
    rows = ((i // 9, i * 7919 % 10007, i * i % 9973, i) for i in range(n))
    return b"".join(b"%d ||| w%d v%d ||| f= %d ||| -1\n" % row for row in rows)


def shape(data):
    return {system: {name: len(one.texts) for name, one in sets.items()} for system, sets in data.lists.items()}


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd, lambda d: gzip.compress(d[:30]) + gzip.compress(d[30:]),
                                  lambda d: zstd(d[:30]) + zstd(d[30:]), lambda d: b"\xef\xbb\xbf" + d,
                                  lambda d: d.replace(b"\n", b"\r\n")])  # fmt: skip
def test_plain_and_packed(pack):
    data = load_nbest([("nbest.out", pack(LIST)), ("ref.txt", REFERENCE)])
    assert data.lists["system"]["all"].texts == ("a b", "a", "c")
    assert data.references == {"all": (("a b", "c"),)}
    assert data.is_tokenized


def test_json_lines_are_not_tokenized():
    records = [{"segment": 1, "text": "a", "lp": -1.5}, {"segment": 2, "text": "b", "lp": -2}]
    text = "".join(json.dumps(record) + "\n" for record in records).encode()
    data = load_nbest([("samples.jsonl", text), ("reference.txt", REFERENCE)])
    assert data.lists["samples"]["all"].first_id == 1
    assert data.lists["samples"]["all"].feature_names == ("lp",)
    assert not data.is_tokenized


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["dev/nbest.gz", "test/nbest.gz"], {"system": {"dev": 3, "test": 3}}),
        (["A.dev.nbest", "A.test.nbest", "B.dev.nbest"], {"A": {"dev": 3, "test": 3}, "B": {"dev": 3}}),
        (["A/tune/nbest.out", "B/tune/nbest.out"], {"A": {"dev": 3}, "B": {"dev": 3}}),
        (["newstest2014/sys/nbest.txt"], {"sys": {"newstest2014": 3}}),
        (["run1.best100.out", "run2.best100.out"], {"system": {"all": 3}}),
        (["sys/dev/iter1.nbest", "sys/dev/iter2.nbest"], {"sys": {"dev": 3}}),
    ],
)
def test_roles_by_path(paths, expected):
    files = [(path, LIST) for path in paths] + [("ref.txt", REFERENCE)]
    assert shape(load_nbest(files)) == expected


def test_iterations_are_merged_in_order():
    data = load_nbest([("run10.best.out", OTHER), ("run9.best.out", LIST), ("ref", REFERENCE)])
    merged = data.lists["system"]["all"]
    assert merged.texts == ("x", "a b", "a", "y", "c")
    assert merged.totals[0] == -1


def test_references_by_set_and_length():
    files = [("nbest.dev", LIST), ("nbest.test", OTHER), ("ref.dev.0", REFERENCE), ("ref.dev.1", b"q\nr\n"),
             ("ref.test", b"t\nu\n"), ("ref.test.long", b"1\n2\n3\n")]  # fmt: skip
    data = load_nbest(files)
    assert data.references == {"dev": (("a b", "c"), ("q", "r")), "test": (("t", "u"),)}
    assert any("ref.test.long: 3 segments, not the 2" in note for note in data.notes)


def test_a_longer_reference_is_cut():
    data = load_nbest([("nbest", LIST), ("ref", b"1\n2\n3\n4\n")])
    assert data.references["all"] == (("1", "2"),)
    assert any("cover the first 2 of 4 segments" in note for note in data.notes)


def test_a_system_with_a_gap_at_the_end_is_filled():
    short = b"0 ||| x ||| f= 5 ||| -1\n"
    data = load_nbest([("A.nbest", LIST), ("B.nbest", short), ("ref", REFERENCE)])
    assert data.lists["B"]["all"].texts == ("x", "")
    assert data.references["all"] == (("a b", "c"),)


def test_folders_files_and_archives_agree(tmp_path):
    (tmp_path / "nbest.out").write_bytes(LIST)
    (tmp_path / "ref.txt").write_bytes(REFERENCE)
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "nbest.out").write_bytes(OTHER)
    folder = load_nbest(tmp_path)
    assert folder.lists["system"]["all"].texts == ("a b", "a", "c")
    assert any("below/nbest.out: left out" in note for note in folder.notes)
    single = load_nbest(tmp_path / "nbest.out")
    assert single.lists["system"]["all"].texts == ("a b", "a", "c")
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("nbest.out", LIST)
        archive.writestr("ref.txt", REFERENCE)
    assert load_nbest(tmp_path / "all.zip").lists["system"]["all"].texts == ("a b", "a", "c")
    other = tmp_path / "other.txt"
    other.write_bytes(b"z\nz\n")
    stated = load_nbest(tmp_path / "nbest.out", references=[str(other)])
    assert stated.references["all"] == (("z", "z"),)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("files", "words"),
    [
        ([("nbest", LIST)], "no reference for the lists. Add a file named like reference.txt"),
        ([("nbest.dev", LIST), ("nbest.test", LIST), ("ref.dev", REFERENCE)], "no reference for the lists of 'test'"),
        ([("a.txt", b"text\n"), ("ref", REFERENCE)], "holds no n-best list"),
        ([("nbest", LIST), ("ref", b"only one\n")], "ref: 1 segment, but the ids of the lists need 2"),
        ([("nbest", 5 * LIST + b"broken\n"), ("ref", REFERENCE)], "nbest, line 16: expected 'id"),
        ([("nbest", LIST + b"0 ||| \xff ||| f= 1\n"), ("ref", REFERENCE)], "nbest, line 4: byte 0xff is not valid"),
        ([("nbest.gz", gzip.compress(many())[:-20]), ("ref", REFERENCE)], "nbest.gz, after line .*not readable"),
        ([("nbest.gz", gzip.compress(LIST)[:-10]), ("ref", REFERENCE)], "nbest.gz, after line 0: not readable"),
        ([("nbest.gz", gzip.compress(LIST * 50)[:-20]), ("ref", REFERENCE)], "nbest.gz, after line .*not readable"),
        ([("nbest", b"99999999999 ||| a ||| f= 1 ||| 1"), ("ref", REFERENCE)], "nbest, line 1: id 99999999999"),
        ([("nbest.zst", zstd(many())[:-20]), ("ref", REFERENCE)], "nbest.zst, after line .*not readable"),
    ],
)
def test_what_is_wrong_is_named(files, words):
    with pytest.raises(LoadError, match=words):
        load_nbest(files)


def test_another_encoding_is_taken_when_it_is_given():
    files = [("nbest", LIST.replace(b"a b", b"\xe9 b")), ("ref", REFERENCE)]
    assert load_nbest(files, encoding="latin-1").lists["system"]["all"].texts[0] == "é b"


def test_no_such_path():
    with pytest.raises(LoadError, match="no such file or folder"):
        load_nbest("/nowhere/nbest")


@pytest.mark.parametrize("lines", [[LIST], [LIST] * 20])
def test_as_an_output_it_is_refused_with_advice(lines):
    data = b"".join(lines)
    for files in (
        [("nbest.txt", data), ("ref.txt", b"a\nb\n")],
        [("systems/a/nbest.1", data), ("refs/r.txt", b"a\nb\n")],
        [("nbest.out", data)],
    ):
        with pytest.raises(LoadError, match=r"n-best list, for tuning.*Upload the translations") as caught:
            load(files)
        assert caught.value.file == files[0][0]


def test_beside_an_output_it_is_left_out():
    experiment, report = load([("a.txt", b"a\nb\n"), ("b.nbest", LIST), ("ref.txt", b"a\nc\n")])
    assert [s.name for s in experiment.systems] == ["a"]
    assert report.refused[0].code == "n-best-list"


@pytest.mark.slow
def test_real_lists(real_data):
    data = load_nbest(real_data / "moses-nbest-100x100")
    nbest = data.lists["system"]["all"]
    assert (nbest.n_segments, nbest.features.shape) == (100, (10_000, 15))
    assert nbest.groups == (("d", 7), ("lm", 2), ("tm", 5), ("w", 1))
    assert nbest.notes == ("6,260 of 10,000 hypotheses repeat another one of their segment.",)
    assert len(data.references["all"]) == 1
    example = load_nbest(real_data / "moses-nbest-100x100" / "example-3x100")
    assert example.lists["system"]["all"].n_segments == 3


def test_the_list_of_the_case(real_data):
    data = load_nbest(real_data / "bugs/51-nbest-old-format-empty-hyp/run")
    nbest = data.lists["system"]["all"]
    assert nbest.n_segments == 4
    assert nbest.notes[0] == "1 segment has no candidate: id 2; the output there is empty."
    assert "&#124;&#124;&#124;" in nbest.texts[7]
    kept = nbest.without_empty()
    assert [kept.texts[i] for i in kept.first_best()] == [
        "the ferry leaves at nine .", "light rain is expected .", "", "close the window ."
    ]  # fmt: skip
