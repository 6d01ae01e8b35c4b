"""Bytes of one file -> its segments. Lines end at LF or CRLF only, and nothing is guessed in silence."""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from mtsig_core.loading.report import LineKind, LoadError, Reporter, some
from mtsig_core.loading.sources.formats import GZIP, ZSTD
from mtsig_core.loading.sources.limits import DEFAULT_LIMITS, MIB, Budget, Limits, check_lines

#: Notes on files: kind of report line and sentence.
NOTES: dict[str, tuple[LineKind, str]] = {
    "bom-removed": ("repaired", "A byte order mark at the start was removed"),
    "bom-inside": ("repaired", "Byte order marks at the start of lines, as joining files leaves them, were removed"),
    "undecodable": ("repaired", "Bytes that are not UTF-8 were replaced by U+FFFD, as chosen"),
    "utf16-decoded": ("repaired", "UTF-16 was recognised by its byte order mark and decoded"),
    "utf32-decoded": ("repaired", "UTF-32 was recognised by its byte order mark and decoded"),
    "other-encoding": ("repaired", "Not UTF-8; read in the chosen encoding"),
    "crlf": ("repaired", "Windows line ends (CRLF) were read as line ends"),
    "lone-cr": ("repaired", "A carriage return inside a line is not a line end; it was replaced by a blank"),
    "mac-line-ends": ("assumed", "Only carriage returns: read as line ends (old Mac)"),
    "trailing-blank-line": ("assumed", "The last line is blank; it counts as a segment"),
    "gzip": ("recognised", "Unpacked with gzip"),
    "zstd": ("recognised", "Unpacked with zstd"),
}
#: How to say otherwise, of the notes that are guesses.
_REMEDIES = {
    "mac-line-ends": "If they are part of the text, replace them by blanks.",
    "trailing-blank-line": "If it is none, remove that line.",
}

_MAGIC = (
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\xfd7zXZ\x00", "packed with xz"),
    (b"BZh", "packed with bzip2"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG", "a picture"),
)
_CHUNK = MIB
#: The encoding that reads UTF-8 with U+FFFD for what is not: chosen by a person, never by itself.
REPLACING = "utf-8-replace"
#: Encodings other than UTF-8 by name: of Latin letters, and of other scripts.
ENCODINGS = {"latin-1": "western Europe", "cp1252": "Windows, western Europe", "cp1250": "Windows, central Europe"}
OTHER_SCRIPTS = {
    "cp1251": "Windows, Cyrillic", "cp932": "Shift-JIS", "gb18030": "Chinese, simplified", "big5": "Chinese, "
    "traditional", "euc-kr": "Korean",
}
_BOM = "\ufeff"
_NOT_ASCII = re.compile(rb"[\x80-\xff]+")
_MULTIBYTE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")


@dataclass(frozen=True)
class Text:
    """Segments of a file and the codes (keys of `NOTES`) of what was remarked on it."""

    lines: list[str]
    notes: tuple[str, ...] = ()

    def report_notes(self, file: str, report: Reporter, *, without: frozenset[str] = frozenset()) -> None:
        """Add the notes on this text to the report, except those in `without`."""
        for note in self.notes:
            if note not in without:
                kind, sentence = NOTES[note]
                if kind == "assumed":
                    report.gather_guess(note, sentence, _REMEDIES[note], file)
                else:
                    report.gather(kind, note, sentence, file)


class Decoder:
    """Decodes the files of one upload: one encoding for those that are not UTF-8, one budget for all.

    Parameters
    ----------
    encoding : str, optional
    limits : Limits
    """

    def __init__(self, encoding: str | None = None, limits: Limits = DEFAULT_LIMITS) -> None:
        self.encoding = encoding
        self.limits = limits
        self._budget = Budget(limits)

    def packed_in(self, n_bytes: int) -> None:
        """Say that the files came in an archive of so many bytes, from which all that they unpack to is counted."""
        self._budget = Budget(self.limits, n_bytes, is_whole=True)

    def text(self, data: bytes, file: str) -> Text:
        """Return the segments of a file, see `read_text`."""
        return read_text(data, file, encoding=self.encoding, budget=self._budget)

    def unpacked(self, data: bytes, file: str) -> bytes:
        """Return the data, unpacked if it is gzip or zstd."""
        return unpacked(data, file, self._budget)[0]


def read_text(data: bytes, file: str, *, encoding: str | None = None, budget: Budget | None = None) -> Text:
    """Return the segments of a text file.

    Parameters
    ----------
    data : bytes
        Content; gzip is recognised by its magic bytes and unpacked.
    file : str
        Name for messages.
    encoding : str, optional
        Encoding of a file that is not valid UTF-8 and has no byte order mark.
    budget : Budget, optional
        Limits on unpacking.

    Raises
    ------
    LoadError
        When the file is no text, or its encoding is unknown; with line and byte offset.
    """
    budget = budget or Budget(DEFAULT_LIMITS)
    data, how = unpacked(data, file, budget)
    check_lines(data, file, budget.limits)
    notes = [how] if how else []
    text = _decode(data, file, encoding, notes)
    nul = text.find("\0")
    if nul >= 0:
        raise LoadError(_nul_message(data, text, nul, file), file)
    lines = split_lines(text, notes)
    return Text(_without_boms(lines, notes) if _BOM in text else lines, tuple(notes))


def _without_boms(lines: list[str], notes: list[str]) -> list[str]:
    """Take marks off the start of lines; elsewhere they are invisible characters, which a check names."""
    bare = [line.lstrip(_BOM) for line in lines]
    if bare and bare[0] != lines[0] and "bom-removed" not in notes:
        notes.append("bom-removed")
    if bare[1:] != lines[1:]:
        notes.append("bom-inside")
    return bare


def split_lines(text: str, notes: list[str]) -> list[str]:
    """Split at LF and CRLF only; append what is worth a remark to `notes`.

    A final newline ends the last segment and starts none. U+2028, U+0085, form feeds and tabs stay
    inside a segment.
    """
    if not text:
        return []
    if "\r" in text:
        text = _carriage_returns(text, notes)
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    if not lines[-1].strip():
        notes.append("trailing-blank-line")
    return lines


def _carriage_returns(text: str, notes: list[str]) -> str:
    if "\n" not in text:
        notes.append("mac-line-ends")
        return text.replace("\r", "\n")
    if "\r\n" in text:
        notes.append("crlf")
        text = text.replace("\r\n", "\n")
        text = text.removesuffix("\r")  # a last line end cut in half
    if "\r" in text:
        notes.append("lone-cr")
        text = text.replace("\r", " ")
    return text


def _decode(data: bytes, file: str, encoding: str | None, notes: list[str]) -> str:
    for magic, what in _MAGIC:
        if data.startswith(magic):
            raise LoadError(
                f"{file}: is {what}, not text. Unpack or convert it to UTF-8 text, one segment per line.", file
            )
    for bom, name, note in (
        (codecs.BOM_UTF8, "utf-8", "bom-removed"),
        (codecs.BOM_UTF32_LE, "utf-32-le", "utf32-decoded"),
        (codecs.BOM_UTF32_BE, "utf-32-be", "utf32-decoded"),
        (codecs.BOM_UTF16_LE, "utf-16-le", "utf16-decoded"),
        (codecs.BOM_UTF16_BE, "utf-16-be", "utf16-decoded"),
    ):
        if data.startswith(bom):
            notes.append(note)
            return _strict(data[len(bom) :], name, file, len(bom))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        if encoding == REPLACING:
            notes.append("undecodable")
            return data.decode("utf-8", "replace")
        if encoding is None or _is_mostly_utf8(data):
            return _strict(data, "utf-8", file, 0)
        notes.append("other-encoding")
        return _strict(data, encoding, file, 0)


def _is_mostly_utf8(data: bytes) -> bool:
    """Say whether a text is UTF-8 but for a few bytes, so that no other encoding reads the rest of it.

    A character that lacks its last byte speaks for UTF-8 as much as a whole one.
    """
    lengths = [length for _, length in _broken(data)]
    n_cut = sum(length > 1 for length in lengths)
    return sum(1 for _ in _MULTIBYTE.finditer(data)) + n_cut > len(lengths) - n_cut


def _broken(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the places of bytes that are not UTF-8, and the number of bytes there."""
    for match in _NOT_ASCII.finditer(data):
        start, run = match.start(), match[0]
        while run:
            try:
                run.decode("utf-8")
            except UnicodeDecodeError as error:
                yield start + error.start, error.end - error.start
                start, run = start + error.end, run[error.end :]
            else:
                break


def _strict(data: bytes, encoding: str, file: str, skipped: int) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = data[error.start : error.start + 1].hex()
        advice = _advice(data, encoding)
        message = (
            f"{file}, line {line}, byte offset {error.start + skipped}: byte 0x{byte} is not valid "
            f"{encoding.upper()} ({error.reason}). {advice}"
        )
        raise LoadError(message, file) from error
    except UnicodeError as error:
        raise LoadError(f"{file}: not valid {encoding} ({error}). Save it as UTF-8.", file) from error


def _advice(data: bytes, encoding: str) -> str:
    if encoding != "utf-8":
        return "Save it as UTF-8 or choose another encoding."
    lines = sorted({data.count(b"\n", 0, place) + 1 for place, _ in islice(_broken(data), 20)})
    if not _is_mostly_utf8(data):
        alone = f"All the rest of it is ASCII: correct line {lines[0]}" if len(lines) == 1 else "Save it as UTF-8"
        return f"{alone}, or choose the encoding that it was written in (--encoding): {_fitting(data)}."
    where = "line " + str(lines[0]) if len(lines) == 1 else "lines " + some(map(str, lines), 5)
    return (
        f"All the rest of it is UTF-8: correct {where}, where a character may have been cut, or choose to read what is "
        f"broken as U+FFFD (--encoding {REPLACING})."
    )


def _fitting(data: bytes) -> str:
    """Return encodings that a file may be in: by whether most letters are beyond ASCII, and by what decodes it."""
    runs = [len(match[0]) for match in _NOT_ASCII.finditer(data)]
    is_latin = sum(runs) < 1.5 * len(runs)
    candidates = ENCODINGS if is_latin else OTHER_SCRIPTS
    listed = [f"{name} ({what})" for name, what in candidates.items() if _decodes(data, name)]
    return some(listed or [*ENCODINGS, *OTHER_SCRIPTS], 8)


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        return not any("\x80" <= sign < "\xa0" for sign in data.decode(encoding))
    except UnicodeDecodeError:
        return False


def check_encoding(encoding: str | None) -> None:
    """Raise LoadError when Python knows no text encoding of this name."""
    if encoding is None or encoding == REPLACING:
        return
    try:
        b"a".decode(encoding)
    except (LookupError, UnicodeError, ValueError) as error:
        raise LoadError(f'No text encoding {encoding!r}; try "latin-1" or "cp1252".', encoding) from error


def unpacked(data: bytes, file: str, budget: Budget) -> tuple[bytes, str]:
    """Return data unpacked from gzip or zstd within the limits of `budget`, and how: "gzip", "zstd" or ""."""
    if data.startswith(GZIP):
        return gunzip(data, file, budget), "gzip"
    return (_unzstd(data, file, budget), "zstd") if data.startswith(ZSTD) else (data, "")


def gunzip(data: bytes, file: str, budget: Budget) -> bytes:
    """Return unpacked gzip data, stopping at the limits of `budget`."""
    budget.add_packed(len(data))
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            return _read_within(stream, file, budget)
    except (OSError, EOFError, zlib.error) as error:
        raise LoadError(f"{file}: the gzip data is damaged or incomplete ({error}). Compress it again.",
                        file) from error  # fmt: skip


def _unzstd(data: bytes, file: str, budget: Budget) -> bytes:
    try:
        import pyarrow
    except ImportError as error:
        remedy = 'pip install "mtsig[parquet]", or unpack it'
        raise LoadError(f"{file}: is packed with zstd, which needs the package pyarrow: {remedy}.", file) from error

    budget.add_packed(len(data))
    try:
        return _read_within(pyarrow.CompressedInputStream(pyarrow.BufferReader(data), "zstd"), file, budget)
    except OSError as error:
        raise LoadError(f"{file}: the zstd data is damaged or incomplete ({error}). Compress it again.",
                        file) from error  # fmt: skip


def _read_within(stream: Any, file: str, budget: Budget) -> bytes:
    parts: list[bytes] = []
    while part := stream.read(_CHUNK):
        budget.spend(len(part), file)
        parts.append(part)
    return b"".join(parts)


def _nul_message(data: bytes, text: str, nul: int, file: str) -> str:
    line = text.count("\n", 0, nul) + 1
    looks_utf16 = data[1:200:2].count(0) > 40 or data[0:200:2].count(0) > 40
    what = "it looks like UTF-16 without a byte order mark" if looks_utf16 else "it is not a text file"
    return f"{file}, line {line}: holds a NUL character; {what}. Save it as UTF-8 text, one segment per line."
