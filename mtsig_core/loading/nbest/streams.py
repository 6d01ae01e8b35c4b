"""Lines of a file, plain or packed (gzip, zstd), one at a time."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any

from mtsig_core.loading.report import LoadError
from mtsig_core.loading.sources.formats import GZIP
from mtsig_core.runtime.optional import is_installed, optional_hint

_ZSTD = b"\x28\xb5\x2f\xfd"
_BOM = b"\xef\xbb\xbf"
_HEAD = 64 * 1024


@dataclass(frozen=True)
class NbestFile:
    """A file that is read line by line.

    Parameters
    ----------
    path : str
        Relative path, for roles and messages.
    open : callable
        Returns a new binary stream.
    size : int
        Stored bytes, still compressed.
    encoding : str, optional
        Of lines that are not valid UTF-8.
    """

    path: str
    open: Callable[[], IO[bytes]]
    size: int
    encoding: str | None = None

    @classmethod
    def of_path(cls, path: Path, root: Path) -> NbestFile:
        """Return the file of a path, named relative to a folder."""
        return cls(path.relative_to(root).as_posix(), lambda: path.open("rb"), path.stat().st_size)

    @classmethod
    def of_bytes(cls, path: str, data: bytes) -> NbestFile:
        """Return a file that is in memory."""
        return cls(path, partial(io.BytesIO, data), len(data))

    def head(self) -> str:
        """Return the beginning as text, whatever it is: to recognise what it holds, not to use it."""
        head = b""
        with self.open() as raw, suppress(OSError, EOFError, zlib.error):
            stream = _unpacked(raw)
            while len(head) < _HEAD and (more := stream.read1(_HEAD)):
                head += more
        return head.removeprefix(_BOM).decode("utf-8", "replace")

    def check_packing(self) -> None:
        """Raise LoadError where packed data are damaged, so that nothing could be recognised."""
        if self.path.endswith((".gz", ".zst")):
            for _ in self.lines():
                pass

    def lines(self) -> Iterator[tuple[float, str]]:
        """Yield (fraction of the file read, line without its end).

        Raises
        ------
        LoadError
            When the packed data are damaged, or a line is not UTF-8; with file and line.
        """
        number = 0
        with self.open() as raw:
            try:
                for number, line in enumerate(_unpacked(raw), 1):
                    yield min(1.0, raw.tell() / max(1, self.size)), self._text(line, number)
            except (OSError, EOFError, zlib.error) as error:
                message = f"{self.path}, after line {number}: not readable ({error}). Compress it again, with gzip."
                raise LoadError(message, self.path) from error

    def _text(self, line: bytes, number: int) -> str:
        if number == 1:
            line = line.removeprefix(_BOM)
        try:
            return line.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            if self.encoding:
                return line.decode(self.encoding, "replace").rstrip("\r\n")
            byte = line[error.start]
            message = f"{self.path}, line {number}: byte 0x{byte:02x} is not valid UTF-8."
            raise LoadError(f"{message} Save the file as UTF-8, or give its encoding.", self.path) from error


def _unpacked(raw: IO[bytes]) -> Any:
    """Return a stream of the unpacked bytes."""
    magic = raw.read(4)
    raw.seek(0)
    if magic.startswith(GZIP):
        import gzip

        return io.BufferedReader(gzip.GzipFile(fileobj=raw))
    if magic == _ZSTD:
        if not is_installed("pyarrow"):
            raise OSError(f"zstd needs pyarrow: {optional_hint('pyarrow')}")
        import pyarrow

        return io.BufferedReader(pyarrow.CompressedInputStream(pyarrow.PythonFile(raw, mode="r"), "zstd"))
    return raw
