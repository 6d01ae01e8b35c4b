"""What loading is asked for: a source, and all that reading it depends on."""

from __future__ import annotations

import os
from dataclasses import dataclass

from mtsig_core.loading.sources.limits import DEFAULT_LIMITS, Limits
from mtsig_core.loading.sources.source import Part, Source, Whole
from mtsig_core.loading.text.decoding import Decoder


@dataclass(frozen=True)
class Request:
    """A source that can be read more than once, and how to read it.

    Parameters
    ----------
    source : path, bytes, list of (relative path, bytes), or Part of one of these
    name : str, optional
        File name of an archive given as bytes; else what to call the experiment.
    encoding : str, optional
        Encoding of files that are not UTF-8.
    limits : Limits
        Bounds on files and unpacked bytes.
    checked : bool
        The same files were checked for warnings before, so they are not checked again.
    """

    source: str | os.PathLike[str] | bytes | list[tuple[str, bytes]] | Part
    name: str | None = None
    encoding: str | None = None
    limits: Limits = DEFAULT_LIMITS
    checked: bool = False

    @staticmethod
    def of(
        source: Source, name: str | None, *, encoding: str | None = None, limits: Limits = DEFAULT_LIMITS
    ) -> Request:
        """Return the request for a source of any kind; an iterable of files becomes a list."""
        if isinstance(source, Part):
            return Request(Part(_repeatable(source.whole), source.folder), name, encoding, limits)
        return Request(_repeatable(source), name, encoding, limits)

    @property
    def whole(self) -> str | os.PathLike[str] | bytes | list[tuple[str, bytes]]:
        """The source, or what it is a part of."""
        return _repeatable(self.source.whole if isinstance(self.source, Part) else self.source)

    @property
    def folder(self) -> str:
        """The folder that the source is of what it is a part of; "" for a whole one."""
        return self.source.folder if isinstance(self.source, Part) else ""

    def decoder(self) -> Decoder:
        """Return a new decoder, whose budget nothing has been spent of."""
        return Decoder(self.encoding, self.limits)


def _repeatable(source: Whole) -> str | os.PathLike[str] | bytes | list[tuple[str, bytes]]:
    """Return a source that can be read more than once."""
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source)
    if isinstance(source, str | os.PathLike | list):
        return source
    return list(source)
