"""Zip and tar archives, read member by member in memory: nothing is ever written to disk."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from functools import partial
from typing import IO, cast

from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.sources.limits import MIB, Budget, Limits, check_size
from mtsig_core.loading.sources.tree import Collector, Entry, left_behind, normalise

_ZIP_FAULTS = (
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    ValueError,
    struct.error,
)
_TAR_FAULTS = (tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, OverflowError, struct.error)
_UNPACKERS: tuple[tuple[bytes, Callable[[IO[bytes]], IO[bytes]]], ...] = (
    (b"\x1f\x8b", lambda raw: cast(IO[bytes], gzip.GzipFile(fileobj=raw))),
    (b"\xfd7zXZ\x00", lzma.open),
    (b"BZh", bz2.open),
)
#: Bytes of a header of a tar archive that holds names and properties.
LONGEST_HEADER = 2**20
#: Bytes of a tar archive that are held unpacked; the files after them are held packed.
MOST_UNPACKED = 256 * MIB
_EXTENSIONS = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME,
               tarfile.GNUTYPE_LONGLINK)  # fmt: skip
ARCHIVE_NAMES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz2", ".tbz")

#: Documents that are ZIP archives inside, and no folder of files.
_ZIPPED_DOCUMENTS = (".xlsx", ".xlsm", ".docx", ".ods", ".eval")
#: What such a document holds, whatever it is called.
_HOLDS = {"xl/workbook.xml": ".xlsx", "word/document.xml": ".docx"}


def stem(name: str) -> str:
    """Return the name of an archive without its ending."""
    base = name.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    ending = max((e for e in ARCHIVE_NAMES if base.lower().endswith(e)), key=len, default="")
    return base[: len(base) - len(ending)] if ending else base


def is_archive_name(name: str) -> bool:
    """Say whether a file is called like an archive."""
    return name.lower().endswith(ARCHIVE_NAMES)


def document_name(data: bytes, name: str) -> str:
    """Return the name of a file; with the ending that it should have where it is a document called otherwise."""
    if not data.startswith(b"PK\x03\x04") or name.casefold().endswith(_ZIPPED_DOCUMENTS):
        return name
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = set(archive.namelist())
    except _ZIP_FAULTS:
        return name  # opening it says what is wrong
    return next((stem(name) + ending for member, ending in _HOLDS.items() if member in members), name)


def looks_like_archive(data: bytes, name: str) -> bool:
    """Say whether data is, or by its name should be, an archive of several files."""
    if name.casefold().endswith(_ZIPPED_DOCUMENTS):
        return False
    if is_archive_name(name) or data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return True
    return _is_tar(data)


def open_archive(data: bytes, name: str, limits: Limits, report: Reporter) -> dict[str, Entry]:
    """Return the entries of an archive.

    Parameters
    ----------
    data : bytes
    name : str
        File name, for messages.
    limits : Limits
    report : Reporter
        Told of members that were skipped.

    Raises
    ------
    LoadError
        When it is no archive, damaged, encrypted, too big, or holds nothing.
    """
    if not data:
        raise LoadError(f"{name}: is empty (0 bytes). Upload it again.", name)
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")) or (not _is_tar(data) and zipfile.is_zipfile(io.BytesIO(data))):
        entries = _open_zip(data, name, limits, report)
    elif _is_tar(data):
        entries = _open_tar(data, name, limits, report)
    else:
        raise LoadError(f"{name}: is not a ZIP or tar archive, despite its name. Make a new archive.", name)
    if not entries:
        why = report.why_nothing()
        raise LoadError(f"{name}: holds no files that could be used{why}. Make a new archive of the folder.", name)
    return entries


# Zip


def _open_zip(data: bytes, name: str, limits: Limits, report: Reporter) -> dict[str, Entry]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except _ZIP_FAULTS as error:
        raise LoadError(
            f"{name}: the ZIP archive is incomplete or damaged ({error}). Make a new archive and upload it.", name
        ) from error
    members = [m for m in archive.infolist() if not m.filename.endswith(("/", "\\"))]
    _check_members(len(members), name, limits)
    declared = Budget(limits, len(data))
    collector = Collector(name)
    for member in members:
        path = _usable(_zip_name(member), report)
        if path is None:
            continue
        if not _is_plain_file(member):
            report.gather("refused", "link", "Links and devices in an archive are not followed", path)
            continue
        declared.spend(member.file_size, path)
        if member.flag_bits & 1:
            raise LoadError(f"{path}: is encrypted in {name}. Make the archive without a password.", path)
        read = partial(_read_zip_member, archive, member, path, name, limits)
        collector.add(Entry(path, read, partial(_start_of_zip_member, archive, member)))
    return collector.entries


def _zip_name(member: zipfile.ZipInfo) -> str:
    """Return the name; without the UTF-8 flag it is cp437, unless its bytes are UTF-8 all the same."""
    if member.flag_bits & 0x800 or member.filename.isascii():
        return member.filename
    try:
        return member.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return member.filename


def _is_plain_file(member: zipfile.ZipInfo) -> bool:
    kind = stat.S_IFMT(member.external_attr >> 16)
    return member.create_system != 3 or kind in (0, stat.S_IFREG)


def _read_zip_member(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: str, name: str, limits: Limits
) -> bytes:
    check_size(member.file_size, path, limits)
    parts: list[bytes] = []
    left = member.file_size
    try:
        with archive.open(member) as stream:
            while part := stream.read(MIB):
                left -= len(part)
                if left < 0:
                    raise LoadError(f"{path}: is longer than {name} declares; refused. Make a new archive.", path)
                parts.append(part)
    except LoadError:
        raise
    except _ZIP_FAULTS as error:
        raise LoadError(f"{path}: damaged inside {name} ({error}). Make a new archive and upload it.", path) from error
    if left:
        raise LoadError(f"{path}: is incomplete in {name}. Make a new archive and upload it.", path)
    return b"".join(parts)


def _start_of_zip_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, size: int) -> bytes:
    """Return the first bytes, or nothing where they are damaged: reading it all will say so."""
    try:
        with archive.open(member) as stream:
            return stream.read(size)
    except _ZIP_FAULTS:
        return b""


# Tar


class _Limited:
    """A reader that counts what was unpacked and remembers whether it ended in zeros."""

    def __init__(self, raw: IO[bytes], budget: Budget, name: str) -> None:
        self._raw = raw
        self._budget = budget
        self._name = name
        self.at_end = False
        self.tail = b""

    @property
    def n_read(self) -> int:
        """Bytes unpacked so far."""
        return self._budget.used

    def read(self, size: int = -1) -> bytes:
        self._budget.check(self._budget.used + max(size, 0), self._name)
        part = self._raw.read(size)
        self._budget.spend(len(part), self._name)
        self.at_end = self.at_end or len(part) < size
        if part:
            self.tail = part[-512:]
        return part


class _Header(tarfile.TarInfo):
    """A header whose extensions (long names, pax records) are of reasonable length: they are held in memory."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Header:
        header = super().frombuf(buf, encoding, errors)
        if header.type in _EXTENSIONS and header.size > LONGEST_HEADER:
            raise LoadError(
                f"a header of {header.size:,} bytes in a tar archive; the limit is {LONGEST_HEADER:,}. Pack the folder "
                "again.",
                "upload",
            )
        return header


def _is_tar(data: bytes) -> bool:
    head = data[:512]
    for magic, unpack in _UNPACKERS:
        if data.startswith(magic):
            try:
                with unpack(io.BytesIO(data)) as stream:
                    head = stream.read(512)
            except _TAR_FAULTS:
                return False
    if len(head) < 512:
        return False
    if head[257:262] == b"ustar":
        return True
    try:
        tarfile.TarInfo.frombuf(head, "utf-8", "surrogateescape")
    except (tarfile.TarError, ValueError):
        return False
    return True


def _open_tar(data: bytes, name: str, limits: Limits, report: Reporter) -> dict[str, Entry]:
    raw: IO[bytes] = io.BytesIO(data)
    for magic, unpack in _UNPACKERS:
        if data.startswith(magic):
            raw = unpack(raw)
    reader = _Limited(raw, Budget(limits, len(data)), name)
    collector = Collector(name)
    try:
        with raw:
            _read_tar(reader, name, limits, report, collector)
    except LoadError as error:
        raise LoadError(f"{name}: {error}", name) from error if error.file == "upload" else error
    except _TAR_FAULTS as error:
        raise LoadError(
            f"{name}: the tar archive is incomplete or damaged ({error}). Make a new archive and upload it.", name
        ) from error
    if reader.at_end and any(reader.tail):
        raise LoadError(f"{name}: the tar archive is incomplete (no end mark). Make a new archive and upload it.", name)
    return collector.entries


def _read_tar(reader: _Limited, name: str, limits: Limits, report: Reporter, collector: Collector) -> None:
    n_members = 0
    # As a stream: members come in order, and nothing is unpacked twice.
    with tarfile.open(fileobj=cast(IO[bytes], reader), mode="r|", tarinfo=_Header) as archive:
        for member in archive:
            if member.isdir():
                continue
            n_members += 1
            _check_members(n_members, name, limits)
            path = _usable(member.name, report)
            if path is None:
                continue
            if not member.isreg() or member.issparse():
                report.gather("refused", "link", "Links and devices in an archive are not followed", path)
                continue
            stream = archive.extractfile(member)
            check_size(member.size, path, limits)
            content = stream.read() if stream is not None else b""
            if len(content) != member.size:
                raise LoadError(f"{path}: is incomplete in {name}. Make a new archive and upload it.", path)
            collector.add(Entry(path, _reader_of(content, reader.n_read)))


def _reader_of(content: bytes, n_read: int) -> Callable[[], bytes]:
    """Return a way to read the content of a member again; much of it is held packed."""
    if n_read < MOST_UNPACKED:
        return partial(bytes, content)
    return partial(zlib.decompress, zlib.compress(content, 1))


def _check_members(n: int, name: str, limits: Limits) -> None:
    if n > limits.members:
        raise LoadError(f"{name}: holds more than {limits.members:,} files, the limit. Upload fewer at a time.", name)


def _usable(raw_name: str, report: Reporter) -> str | None:
    """Return the normalised path, or None after telling the report why it is not used."""
    try:
        path = normalise(raw_name)
    except ValueError as error:
        shown = raw_name.encode("utf-8", "replace").decode()
        report.gather("refused", "unsafe-path", f"Not read: {error}", shown)
        return None
    if reason := left_behind(path):
        report.gather("ignored", "junk", reason, path)
        return None
    return path
