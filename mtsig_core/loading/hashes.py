"""Hashes of the files of a source, by which others can tell that they have the same."""

from __future__ import annotations

import hashlib

from mtsig_core.loading.loader import open_files
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.request import Request
from mtsig_core.loading.sources.source import Source


def file_hashes(source: Source, name: str | None = None, *, encoding: str | None = None) -> dict[str, str]:
    """Return the sha256 of every file of a source, by its path within it.

    Parameters
    ----------
    source, name, encoding
        See `mtsig_core.loading.load`.

    Raises
    ------
    LoadError
        When nothing can be read, or no layout fits.
    """
    _, files = open_files(Request.of(source, name, encoding=encoding), Reporter())
    return {path: hashlib.sha256(files[path]).hexdigest() for path in files}
