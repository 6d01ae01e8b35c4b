"""What loading is asked for: a source, and all that reading it depends on."""

from __future__ import annotations

import os
from dataclasses import dataclass

from mtsig_core.loading.sources.limits import DEFAULT_LIMITS, Limits
from mtsig_core.loading.sources.source import Source
from mtsig_core.loading.text.decoding import Decoder


@dataclass(frozen=True)
class Request:
    """A source that can be read more than once, and how to read it.

    Parameters
    ----------
    source : path, bytes, or list of (relative path, bytes)
    name : str, optional
        File name of an archive given as bytes; else what to call the experiment.
    encoding : str, optional
        Encoding of files that are not UTF-8.
    limits : Limits
        Bounds on files and unpacked bytes.
    checked : bool
        The same files were checked for warnings before, so they are not checked again.
    """

    source: str | os.PathLike[str] | bytes | list[tuple[str, bytes]]
    name: str | None = None
    encoding: str | None = None
    limits: Limits = DEFAULT_LIMITS
    checked: bool = False

    @staticmethod
    def of(
        source: Source, name: str | None, *, encoding: str | None = None, limits: Limits = DEFAULT_LIMITS
    ) -> Request:
        """Return the request for a source of any kind; an iterable of files becomes a list."""
        if isinstance(source, bytes | bytearray | memoryview):
            return Request(bytes(source), name, encoding, limits)
        files = source if isinstance(source, str | os.PathLike) else list(source)
        return Request(files, name, encoding, limits)

    def decoder(self) -> Decoder:
        """Return a new decoder, whose budget nothing has been spent of."""
        return Decoder(self.encoding, self.limits)
