import codecs
import gzip

import pytest

from mtsig_core.loading import LoadError
from mtsig_core.loading.sources.limits import Budget, Limits
from mtsig_core.loading.text.decoding import NOTES, check_encoding, read_text


def lines(data: bytes, **options):
    return read_text(data, "a/b.txt", **options).lines


def notes(data: bytes, **options):
    return read_text(data, "a/b.txt", **options).notes


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a\nb\n", ["a", "b"]),
        (b"a\nb", ["a", "b"]),
        (b"a\n\nb\n", ["a", "", "b"]),
        (b"a\nb\n\n", ["a", "b", ""]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\r\nb\r", ["a", "b"]),
        (b"a\nb\rc\nd\n", ["a", "b c", "d"]),
        (b"a\rb\rc\r", ["a", "b", "c"]),
        (b"a\tb\n", ["a\tb"]),
        ("a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg\n".encode(), ["a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg"]),
    ],
)
def test_only_lf_and_crlf_end_a_segment(data, expected):
    assert lines(data) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a\nb\n", ()),
        (b"a\r\nb\r\n", ("crlf",)),
        (b"a\nb\rc\n", ("lone-cr",)),
        (b"a\rb", ("mac-line-ends",)),
        (b"a\n \n", ("trailing-blank-line",)),
        (codecs.BOM_UTF8 + b"a\n", ("bom-removed",)),
        (codecs.BOM_UTF16_LE + "a\r\n".encode("utf-16-le"), ("utf16-decoded", "crlf")),
        (gzip.compress(b"a\n", mtime=0), ("gzip",)),
    ],
)
def test_what_was_changed_or_assumed_is_noted(data, expected):
    assert notes(data) == expected
    assert set(expected) <= NOTES.keys()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_decides_the_encoding(encoding):
    assert lines("é\nß\n".encode(encoding)) == ["é", "ß"]


@pytest.mark.parametrize("bom", [codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE])
def test_big_endian(bom):
    encoding = "utf-16-be" if len(bom) == 2 else "utf-32-be"
    assert lines(bom + "é\n".encode(encoding)) == ["é"]


def test_another_encoding_is_refused_with_line_and_offset():
    with pytest.raises(LoadError, match=r"a/b.txt, line 2, byte offset 6: byte 0xe9.*latin-1.*cp1252") as caught:
        lines(b"abcd\nx\xe9y\n")
    assert caught.value.file == "a/b.txt"


def test_the_offset_counts_the_byte_order_mark():
    with pytest.raises(LoadError, match="byte offset 4"):
        lines(codecs.BOM_UTF8 + b"a\xff")


def test_a_chosen_encoding_is_for_files_that_are_not_utf8():
    assert lines("é\n".encode("latin-1"), encoding="latin-1") == ["é"]
    assert lines("é\n".encode(), encoding="latin-1") == ["é"]
    assert notes("é\n".encode("latin-1"), encoding="latin-1") == ("other-encoding",)
    with pytest.raises(LoadError, match="not valid CP1252"):
        lines(b"\x81\n", encoding="cp1252")


@pytest.mark.parametrize("name", ["no-such", "rot13", "a\0b", ""])
def test_unknown_encodings_are_named(name):
    with pytest.raises(LoadError, match="No text encoding"):
        check_encoding(name)
    check_encoding("latin-1")


def test_nul_characters_are_refused():
    with pytest.raises(LoadError, match="line 2.*NUL"):
        lines(b"a\nb\0c\n")
    with pytest.raises(LoadError, match="UTF-16 without a byte order mark"):
        lines(("a long enough line of plain text\n" * 4).encode("utf-16-le"))


@pytest.mark.parametrize("data", [b"PK\x03\x04zip", b"\xfd7zXZ\x00xz", b"BZh91", b"%PDF-1.4"])
def test_packed_files_are_no_text(data):
    with pytest.raises(LoadError, match="not text"):
        lines(data)


@pytest.mark.parametrize("cut", [5, 15, -4])
def test_damaged_gzip(cut):
    with pytest.raises(LoadError, match="gzip data is damaged"):
        lines(gzip.compress(b"abc\n" * 50, mtime=0)[:cut])


def test_gzip_stops_at_the_limits():
    bomb = gzip.compress(b"a" * 300_000, mtime=0)
    with pytest.raises(LoadError, match="limit"):
        lines(bomb, budget=Budget(Limits(unpacked_bytes=100_000)))
    with pytest.raises(LoadError, match="times its packed size"):
        lines(bomb, budget=Budget(Limits(ratio=20, ratio_floor=1000)))
